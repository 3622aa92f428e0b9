package undo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/region/vfs"
)

// The names in a world.
const (
	ownFolder    = "strata"
	undoFolder   = "undo"
	manifestName = "manifest.json"
	recordsName  = "records.log"
	afterName    = "after.log"
)

// State is how far a change has come.
type State string

// The states. What a kill leaves is one of saving, writing and undoing.
const (
	// Saving: what is to be changed is being kept; nothing has been written.
	Saving State = "saving"
	// Writing: the command writes, or was killed before it was through.
	Writing State = "writing"
	// Done: the command is through.
	Done State = "done"
	// Undoing: the change is being undone, or that was interrupted.
	Undoing State = "undoing"
	// Undone: the change has been taken back; nothing is kept of it any more.
	Undone State = "undone"
	// Damaged: its manifest cannot be read.
	Damaged State = "damaged"
)

// Info is what there is to say of a change.
type Info struct {
	ID string `json:"id"`
	// What is a word or two, such as delete; Command the command line.
	What    string `json:"what"`
	Command string `json:"command"`
	// Time is when the change began.
	Time     time.Time `json:"time"`
	State    State     `json:"state"`
	Chunks   int64     `json:"chunks"`
	Entities int64     `json:"entity_chunks"`
	POI      int64     `json:"poi"`
	Files    int64     `json:"files"` // data files
	// Bytes is what the change takes on the disk.
	Bytes int64 `json:"bytes"`
}

// Incomplete reports whether the command that made the change was not through
// when it ended.
func (i *Info) Incomplete() bool { return i.State == Writing || i.State == Saving }

// manifest is what the file of that name holds.
type manifest struct {
	Format int `json:"format"`
	Info
	Number int64 `json:"number"` // changes in their order
	// Finished says that after.log is whole: it was so before an undo began.
	Finished bool `json:"finished"`
	// LogBytes is how much of records.log counted at the last Commit.
	LogBytes int64 `json:"log_bytes"`
	// Level is the xxh64 of level.dat at the first Commit, in hexadecimal; ""
	// if the change keeps that file itself.
	Level string `json:"level"`
	// Sum is the xxh64 of all that, in hexadecimal; see sum.
	Sum string `json:"xxh64"`
}

// sum is the digest of the manifest's compact form without Sum.
func (m manifest) sum() (string, error) {
	m.Sum = ""
	data, err := json.Marshal(m)
	return fmt.Sprintf("%016x", xxhash.Sum64(data)), err
}

const (
	format      = 1
	maxManifest = 1 << 20
)

func readManifest(fsys vfs.FS, dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := vfs.ReadFile(fsys, path, maxManifest)
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s: %w: format %d is not ours", path, ErrDamaged, m.Format)
	}
	if sum, err := m.sum(); err != nil || sum != m.Sum {
		return nil, fmt.Errorf("%s: %w: its checksum is another one", path, errors.Join(ErrDamaged, err))
	}
	m.ID = filepath.Base(dir) // what it says itself does not count
	return m, nil
}

func (m *manifest) write(fsys vfs.FS, dir string) error {
	m.Bytes = 0 // counted when it is asked for
	var err error
	if m.Sum, err = m.sum(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return vfs.WriteFileSync(fsys, filepath.Join(dir, manifestName), append(data, '\n'), 0o644)
}

// undoRoot is the folder of the changes of the world with the main folder
// given. Neither it nor the one above may be a symbolic link.
func undoRoot(fsys vfs.FS, main string) (string, error) {
	dir := main
	for _, name := range []string{ownFolder, undoFolder} {
		dir = filepath.Join(dir, name)
		info, err := fsys.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if info.Mode&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%s: %w", dir, ErrSymlink)
		}
	}
	return dir, nil
}
