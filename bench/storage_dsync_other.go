//go:build !linux && !darwin

package bench

import "os"

// dsync makes each write wait until it is durable; on Windows it opens the
// file with write-through, as Java does for DSYNC.
const dsync = os.O_SYNC
