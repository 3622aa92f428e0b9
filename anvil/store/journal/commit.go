package journal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// Commit makes the epoch durable and visible, in the steps that the package
// documentation names. It returns nil when the epoch is complete; its groups
// are released then. ctx counts until the record is written.
//
// ErrIncomplete: the epoch has happened, and the next opening completes it.
// ErrInDoubt: it has happened or not. After any other error nothing of it has
// happened, and its groups are aborted.
func (e *Epoch) Commit(ctx context.Context) error {
	if e.done {
		return fmt.Errorf("commit epoch: %w", ErrDone)
	}
	j := e.j
	j.mu.Lock()
	defer j.mu.Unlock()
	err := ctx.Err()
	if err == nil {
		err = j.usable()
	}
	var buf []byte
	if err == nil {
		buf, err = j.stage(e)
	}
	if err != nil {
		e.Abort()
		return fmt.Errorf("commit epoch: %w", err)
	}
	if err := j.acknowledge(e, buf); err != nil {
		return fmt.Errorf("commit epoch %d: %w", j.sequence, err)
	}
	if err := j.complete(e); err != nil {
		j.breakOff(e, err)
		return fmt.Errorf("commit epoch %d: %w: %w", j.sequence, ErrIncomplete, err)
	}
	e.done = true
	for _, g := range e.groups {
		g.Release()
	}
	return nil
}

// stage seals the groups, flushes the folders that hold new names, and returns
// the record. Nothing is written but for the journal's own size.
func (j *Journal) stage(e *Epoch) ([]byte, error) {
	rec, err := j.seal(e)
	if err != nil {
		return nil, err
	}
	if problem := rec.check(j.roots.main()); problem != "" {
		return nil, fmt.Errorf("%w: %s", ErrTwice, problem)
	}
	size := headBytes + rec.size()
	if size > j.limit {
		return nil, fmt.Errorf("%d bytes: %w", size, ErrTooLarge)
	}
	if err := j.file.reserve(int64(size)); err != nil {
		return nil, err
	}
	for _, dir := range unflushed(e) {
		if err := j.fs.SyncDir(dir); err != nil {
			return nil, errors.Join(ErrFlush, err)
		}
	}
	return j.encode(rec, size), nil
}

// seal makes the record: it seals the groups, in the order in which gates are
// taken, and looks at every file that the epoch changes.
func (j *Journal) seal(e *Epoch) (*record, error) {
	slices.SortFunc(e.groups, func(a, b *region.Group) int { return strings.Compare(a.File().Path(), b.File().Path()) })
	rec := &record{}
	for _, g := range e.groups {
		if err := j.sealGroup(rec, g); err != nil {
			return nil, err
		}
	}
	files := e.files
	e.files = nil
	for i, f := range files {
		old, err := readState(j.fs, f.path)
		if err != nil {
			e.files = append(e.files, files[i:]...) // for Abort
			return nil, err
		}
		if f.temporary == "" && !old.present {
			continue // gone already, perhaps with its folder
		}
		e.files = append(e.files, f)
		c := fileChange{at: f.at, old: old, new: f.new}
		if f.temporary != "" {
			c.temporary = filepath.Base(f.temporary)
		}
		rec.files = append(rec.files, c)
	}
	level := levelPlace(j.roots.main())
	path, _ := j.roots.path(level)
	old, err := readState(j.fs, path)
	if err != nil {
		return nil, err
	}
	rec.levelOld, rec.levelNew = old, old
	for _, f := range rec.files {
		if f.at == level {
			rec.levelNew = f.new
		}
	}
	rec.sort()
	return rec, nil
}

func (j *Journal) sealGroup(rec *record, g *region.Group) error {
	at, err := j.roots.place(g.File().Path())
	if err != nil {
		return err
	}
	header, changes, err := g.Seal()
	if err != nil {
		return err
	}
	c := regionChange{at: at, header: header, entries: make([]entryChange, len(changes))}
	for i := range changes {
		ch := &changes[i]
		c.entries[i] = entryOf(ch)
		f := fileChange{}
		switch {
		case ch.BodyTo != "":
			f = fileChange{at: at.beside(filepath.Base(ch.BodyTo)), temporary: filepath.Base(ch.BodyFrom), new: stateOf(ch.Data)}
			f.old, err = readState(j.fs, ch.BodyTo)
		case ch.Unlink != "":
			f.at = at.beside(filepath.Base(ch.Unlink))
			f.old, err = readState(j.fs, ch.Unlink)
		default:
			continue
		}
		if err != nil {
			return err
		}
		if f.removes() && !f.old.present {
			continue
		}
		rec.files = append(rec.files, f)
	}
	rec.regions = append(rec.regions, c)
	return nil
}

// unflushed are the folders that hold names on which the record relies.
func unflushed(e *Epoch) []string {
	var dirs []string
	for _, g := range e.groups {
		if dir := g.UnflushedFolder(); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	for _, f := range e.files {
		if f.temporary != "" {
			dirs = append(dirs, filepath.Dir(f.temporary))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// encode returns head and body of the next record.
func (j *Journal) encode(rec *record, size int) []byte {
	buf := slices.Grow(j.buf[:0], size)[:headBytes]
	buf = rec.append(buf)
	body := buf[headBytes:]
	h := head{state: headCounts, length: uint32(len(body)), sequence: j.sequence + 1, opening: j.opening}
	h.append(buf[:0], body)
	j.buf = nil
	if cap(buf) <= keepBuffer {
		j.buf = buf[:0]
	}
	return buf
}

// acknowledge writes the record and flushes it. If that fails it makes sure
// that there is no record, and aborts the epoch.
func (j *Journal) acknowledge(e *Epoch, buf []byte) error {
	j.sequence++
	err := j.file.writeTwice(buf)
	if err == nil {
		return nil
	}
	// The record, or the half of it, may have reached the disk.
	if again := j.file.retire(j.sequence, j.opening); again != nil {
		err = errors.Join(err, again)
		j.breakOff(e, err)
		return fmt.Errorf("%w: %w", ErrInDoubt, err)
	}
	e.Abort()
	return err
}

// breakOff ends an epoch whose record counts, or may, and the journal with
// it: what the record names has to stay as it is for the next opening.
func (j *Journal) breakOff(e *Epoch, err error) {
	j.broken = err
	e.done = true
	for _, g := range e.groups {
		g.Strand()
	}
}

// complete does what the record says and retires it.
func (j *Journal) complete(e *Epoch) error {
	for _, g := range e.groups {
		if err := twice(g.PublishRecorded); err != nil {
			return err
		}
	}
	var dirs []string
	for _, f := range e.files {
		if err := twice(func() error { return j.change(f.path, f.temporary) }); err != nil {
			return err
		}
		dirs = append(dirs, filepath.Dir(f.path))
	}
	if err := j.flushFolders(dirs); err != nil {
		return err
	}
	return j.file.retire(j.sequence, j.opening)
}

// twice tries once more what has failed, unless it was a flush: that is not
// repeated and believed.
func twice(do func() error) error {
	err := do()
	if err == nil || errors.Is(err, region.ErrFlush) {
		return err
	}
	if again := do(); again != nil {
		return errors.Join(err, again)
	}
	return nil
}

// change puts temporary in the place of path, or removes path if temporary is
// empty. Where an open file is in the way it waits a while.
func (j *Journal) change(path, temporary string) error {
	var err error
	for range inUseTries {
		if temporary != "" {
			err = j.fs.Rename(temporary, path)
		} else if err = j.fs.Remove(path); isAbsent(err) {
			err = nil
		}
		if !errors.Is(err, vfs.ErrInUse) {
			return err
		}
		time.Sleep(j.pause)
	}
	return err
}

// A file that another program has open can not be replaced on some systems.
// Virus scanners and backup programs let go of it soon.
const (
	inUseTries = 50
	inUsePause = 10 * time.Millisecond
)

// flushFolders flushes each folder once. One that is gone, with a file that
// was to be removed, has nothing to flush.
func (j *Journal) flushFolders(dirs []string) error {
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := j.fs.SyncDir(dir); err != nil && !isAbsent(err) {
			return errors.Join(ErrFlush, err)
		}
	}
	return nil
}
