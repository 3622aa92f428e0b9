package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"strata/region/vfs"
)

// Options of a journal. Roots is required.
type Options struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// Roots are the folders of the world, the main one first, in the form in
	// which the caller opens region files in them. Folders that are symbolic
	// links have to be roots themselves.
	Roots []Root
}

// Journal is the open journal of a world.
type Journal struct {
	fs     vfs.FS
	roots  *roots
	report *Report
	pause  time.Duration // between tries to replace a file that is in use
	limit  int           // of a record, in bytes

	mu       sync.Mutex // held while an epoch commits; guards the rest
	file     *file
	sequence uint64 // of the last record
	opening  uint64
	broken   error // why no more epochs are taken
	closed   bool
	buf      []byte
}

// keepBuffer is the longest buffer a Journal keeps between epochs.
const keepBuffer = 4 << 20

// Open opens the world's journal for writing, creating it if it is absent, and
// replays an epoch that was acknowledged and not completed. The caller holds
// the session lock and has no file of the world open. Report says what was
// found.
//
// ErrInUse if another holder has the journal, ErrSymlink if it or the folder
// strata is a symbolic link; every other error is the file system's, and then
// nothing is lost: a record stays for the next try.
func Open(opts Options) (*Journal, error) {
	if opts.FS == nil {
		opts.FS = vfs.OS()
	}
	r, err := newRoots(opts.FS, opts.Roots)
	if err != nil {
		return nil, err
	}
	j := &Journal{fs: opts.FS, roots: r, pause: inUsePause, limit: MaxRecord, opening: rand.Uint64()}
	if err := j.open(); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", r.journalPath(), err)
	}
	return j, nil
}

func (r *roots) journalPath() string { return filepath.Join(r.list[0].Dir, journalDir, "journal") }

func (j *Journal) open() error {
	path := j.roots.journalPath()
	if info, err := j.fs.Lstat(filepath.Dir(path)); err == nil && info.Mode&fs.ModeSymlink != 0 {
		return ErrSymlink
	}
	if err := vfs.MkdirAllSync(j.fs, filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var err error
	if j.file, err = openFile(j.fs, path); err != nil {
		return err
	}
	if err = j.recover(); err == nil {
		err = j.prepare()
	}
	if err != nil && j.file != nil {
		err = errors.Join(err, j.file.f.Close())
	}
	return err
}

// prepare makes an idle journal ready for the first record. A record counts
// only if the journal's own name is durable.
func (j *Journal) prepare() error {
	if err := j.file.reserve(preallocated); err != nil && !errors.Is(err, vfs.ErrNoSpace) {
		return err // a full disk is no reason not to open: the first record may fit
	}
	return j.fs.SyncDir(filepath.Dir(j.file.path))
}

// Report is what Open has found and done.
func (j *Journal) Report() *Report { return j.report }

// Close waits for the epoch that is being committed and leaves an empty
// journal, unless it is broken: then it leaves the record.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return fmt.Errorf("close journal: %w", ErrClosed)
	}
	j.closed = true
	var err error
	if j.broken == nil {
		// It is retired already; a crash in between leaves that.
		if err = j.file.f.Truncate(0); err == nil {
			err = j.file.f.Sync()
		}
	}
	if err = errors.Join(err, j.file.f.Close()); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}
