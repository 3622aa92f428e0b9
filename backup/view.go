package backup

import (
	"strata/anvil"
	"strata/region/vfs"
)

// View is a snapshot as a file system for reading. What is read from it has been
// checked; what is damaged is an error that wraps ErrDamaged. It is safe for
// concurrent use.
type View struct {
	vfs.FS
	// Snapshot is what is known of the snapshot.
	Snapshot Snapshot
	// Root is the path of the world's main folder in FS.
	Root string

	close func() error
}

// World opens the snapshot's world for reading.
func (v *View) World() (*anvil.World, error) { return anvil.Open(v.Root, anvil.Options{FS: v}) }

// Close ends the use of the view.
func (v *View) Close() error {
	if v.close == nil {
		return nil
	}
	err := v.close()
	v.close = nil
	return err
}
