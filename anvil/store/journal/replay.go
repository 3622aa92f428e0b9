package journal

import (
	"errors"
	"fmt"
	"path/filepath"

	"strata/region"
	"strata/region/vfs"
)

// recover deals with what an earlier process has left in the journal.
func (j *Journal) recover() error {
	c, err := readContent(j.file.f, j.file.size, j.roots.main())
	if err != nil {
		return err
	}
	j.sequence = c.head.sequence
	report := &Report{Outcome: Nothing, Sequence: c.head.sequence}
	report.describe(c.rec, j.roots)
	reason := c.reason
	if c.rec != nil {
		m, err := j.roots.check(c.rec)
		if err != nil {
			return err
		}
		if m != nil {
			reason = m
		}
	}
	switch {
	case reason != nil:
		report.Outcome, report.Reason = SetAside, reason
		report.Path, err = j.setAside()
	case c.torn:
		report.Outcome = Unfinished
	case c.rec != nil:
		report.Outcome = Replayed
		// A process that was killed may have written the record and not come
		// to flush it, or failed to: then only the cache has it. It has to
		// outlive what is now done because of it.
		if err = j.file.writeTwice(c.raw); err == nil {
			err = j.replay(c.rec)
		}
	}
	if err == nil {
		// Also if the head says so already: perhaps only the cache does.
		empty := j.file.size == 0
		err = j.file.retire(j.sequence, j.opening)
		if empty && errors.Is(err, vfs.ErrNoSpace) {
			err = nil // an empty file says the same: what needs no epoch goes on
		}
	}
	if err != nil {
		return err
	}
	report.Stale, err = listStale(j.fs, j.roots)
	j.report = report
	return err
}

// replay does what a record says that check has found possible. It may be
// interrupted anywhere and done again. Everything is flushed, also what was
// found done: the process that did it may not have come to that.
func (j *Journal) replay(rec *record) error {
	if err := j.replayFiles(rec.files, false); err != nil {
		return err
	}
	for i := range rec.regions {
		if err := j.replayHeader(&rec.regions[i]); err != nil {
			return err
		}
	}
	return j.replayFiles(rec.files, true)
}

func (j *Journal) replayHeader(c *regionChange) error {
	path, _ := j.roots.path(c.at)
	f, err := region.Open(path, region.Options{FS: j.fs})
	if err != nil {
		return err
	}
	return errors.Join(f.Restore(c.header), f.Close())
}

// replayFiles renames files to their places, or removes files.
func (j *Journal) replayFiles(files []fileChange, removals bool) error {
	var dirs []string
	for i := range files {
		f := &files[i]
		if f.removes() != removals {
			continue
		}
		path, _ := j.roots.path(f.at)
		if err := j.replayFile(path, f); err != nil {
			return err
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	return j.flushFolders(dirs)
}

func (j *Journal) replayFile(path string, f *fileChange) error {
	if f.removes() {
		return j.change(path, "")
	}
	temporary, _ := j.roots.path(f.at.beside(f.temporary))
	_, done, err := stateAmong(j.fs, path, f.new)
	if err != nil {
		return err
	}
	if !done {
		return j.change(path, temporary)
	}
	// The old name may have come back after a power cut.
	return j.change(temporary, "")
}

// maxStale is how many journals are kept aside.
const maxStale = 1000

// setAside renames the journal, whose record stays in it, and begins a new one.
func (j *Journal) setAside() (string, error) {
	path, err := j.staleName()
	if err != nil {
		return "", err
	}
	old := j.file
	j.file = nil
	if err := old.f.Close(); err != nil { // some systems rename no open files
		return "", err
	}
	if err := j.fs.Rename(old.path, path); err != nil {
		return "", err
	}
	if err := j.fs.SyncDir(filepath.Dir(path)); err != nil {
		return "", err
	}
	j.file, err = openFile(j.fs, old.path)
	return path, err
}

// staleName is a name that no journal has yet.
func (j *Journal) staleName() (string, error) {
	base := filepath.Join(filepath.Dir(j.file.path), staleName)
	for n := range maxStale {
		path := base
		if n > 0 {
			path = fmt.Sprintf("%s.%d", base, n)
		}
		_, err := j.fs.Lstat(path)
		if isAbsent(err) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%d journals are set aside already", maxStale)
}
