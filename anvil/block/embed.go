package block

import _ "embed"

//go:generate go run strata/cmd/internal/genblock

// packed is the table as genblock wrote it, see format.go: 24 kB, unpacked
// 0.3 MB.
//
//go:embed tables.zst
var packed []byte
