package undo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"strata/anvil/level"
	"strata/region/vfs"
)

// Plan is what undoing a change does.
type Plan struct {
	Info
	// Restore are objects and files that are put back, Same those that are as
	// they were kept, Since those that have changed since. Lost are records that
	// could not be read when they were kept: their bytes stay in a file.
	Restore int64 `json:"restore"`
	Same    int64 `json:"same"`
	Since   int64 `json:"changed_since"`
	Lost    int64 `json:"lost"`
	// SinceList and LostList name the first MaxListed of them.
	SinceList []Target `json:"changed_since_list"`
	LostList  []Target `json:"lost_list"`
}

// MaxListed is how many targets a Plan names.
const MaxListed = 1000

// Preview says what Undo would do. It wants the world open for writing, as the
// store reads region files by its own headers, and writes nothing.
func Preview(ctx context.Context, t *Trail) (*Plan, error) {
	p := &Plan{Info: t.m.Info, SinceList: []Target{}, LostList: []Target{}}
	err := t.each(ctx, func(s *step) error {
		p.count(s)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("undo %s: %w", t.m.ID, err)
	}
	return p, nil
}

func (p *Plan) count(s *step) {
	switch s.verdict {
	case restore:
		p.Restore++
	case same:
		p.Same++
	case since:
		p.Since++
		if len(p.SinceList) < MaxListed {
			p.SinceList = append(p.SinceList, s.target())
		}
	case lost:
		p.Lost++
		if len(p.LostList) < MaxListed {
			p.LostList = append(p.LostList, s.target())
		}
	}
}

// verdict is what is to be done with something that was kept.
type verdict uint8

const (
	same    verdict = iota // as it was kept
	restore                // as the change left it
	since                  // neither
	lost                   // was not readable when it was kept
)

// step is something that was kept, beside what there is now.
type step struct {
	frame
	payload int64 // where it begins in the log
	now     now
	perm    uint16
	path    string // of a file
	// stampOnly: the change had set the slot's timestamp and nothing else.
	stampOnly bool
	verdict   verdict
}

func (s *step) target() Target {
	if s.kind != objectFrame {
		return Target{Path: s.path}
	}
	return Target{Dimension: s.name, Kind: s.object.String(), Pos: s.pos}
}

// Trail is a change that can be undone, with its logs open.
type Trail struct {
	w          *world
	m          manifest
	dir        string
	log, after vfs.File
	logSize    int64
	afterSize  int64
	// doubt: the change was killed, and something has been at the world since.
	doubt bool
	later *refs // what later changes keep, if this one was killed
}

func logError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	}
	return err
}

func (t *Trail) open() (err error) {
	t.log, t.logSize, err = openLog(t.w.fs, t.dir, recordsName)
	if err != nil {
		return err
	}
	if t.logSize < t.m.LogBytes {
		return fmt.Errorf("%w: %s has %d of %d bytes", ErrDamaged, recordsName, t.logSize, t.m.LogBytes)
	}
	t.logSize = t.m.LogBytes // what follows was not committed, nothing of it written
	if t.m.Finished {
		t.after, t.afterSize, err = openLog(t.w.fs, t.dir, afterName)
		return err
	}
	return t.suspect()
}

func openLog(fsys vfs.FS, dir, name string) (vfs.File, int64, error) {
	file, err := fsys.OpenFile(filepath.Join(dir, name), 0, 0)
	if err != nil {
		return nil, 0, logError(name, err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size, nil
}

// suspect finds out what may have changed since a change that was killed.
func (t *Trail) suspect() error {
	if t.m.Level != "" {
		sum, err := t.w.levelSum()
		if err != nil {
			return err
		}
		t.doubt = sum != t.m.Level
	}
	all, err := list(t.w.fs, t.w.main())
	if err != nil {
		return err
	}
	t.later = newRefs()
	for i := range all {
		m := &all[i]
		if m.Number <= t.m.Number || m.State == Saving || m.State == Undone || m.State == Damaged {
			continue
		}
		if err := t.later.read(t.w, filepath.Join(filepath.Dir(t.dir), m.ID), m.LogBytes); err != nil {
			return fmt.Errorf("look through %s: %w", m.ID, err)
		}
	}
	return nil
}

// read adds what the log of a change keeps.
func (r *refs) read(w *world, dir string, size int64) (err error) {
	file, have, err := openLog(w.fs, dir, recordsName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in := newLogReader(file, min(size, have), true)
	for {
		f, _, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if d, ok := w.dims[f.name]; f.kind == objectFrame && ok {
			r.add(d, f.object, f.pos)
		} else if f.kind == fileFrame {
			r.files[f.name] = true
		} else if f.kind == asideFrame {
			r.asides[f.asideRef()] = true
		}
	}
}

// each calls f with everything that the change kept, in its order, compared
// with what there is now. The step's data is good until f returns.
func (t *Trail) each(ctx context.Context, f func(*step) error) error {
	in := newLogReader(t.log, t.logSize, true)
	var after *logReader
	if t.m.Finished {
		after = newLogReader(t.after, t.afterSize, false)
	}
	var buf []byte
	for {
		head, payload, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return asDamage(err)
		}
		s := &step{frame: *head, payload: payload}
		var left *frame
		if after != nil {
			if left, _, err = after.next(); err != nil {
				return asDamage(err)
			}
			if left.kind != s.kind || left.name != s.name || left.object != s.object || left.pos != s.pos {
				return fmt.Errorf("%w: %s is not that of the change", ErrDamaged, afterName)
			}
		}
		if buf, err = t.compare(s, left, buf); err != nil {
			return err
		}
		if err := f(s); err != nil {
			return err
		}
	}
}

// asDamage makes the end of a log where there should be more a damage.
func asDamage(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
		return fmt.Errorf("%w: the log %w", ErrDamaged, errTorn)
	}
	return err
}

// compare looks at what there is now and gives the verdict.
func (t *Trail) compare(s *step, left *frame, buf []byte) ([]byte, error) {
	var err error
	switch s.kind {
	case fileFrame:
		if s.path, err = t.w.filePath(s.name); err != nil {
			return buf, err
		}
		s.now.state, s.now.data, s.perm, err = t.w.readFile(s.path)
	case asideFrame:
		if s.path, err = t.w.asidePath(&s.frame); err != nil {
			return buf, err
		}
		s.now.state, err = t.w.asideState(&s.frame)
	default:
		s.now, buf, err = t.w.read(s.name, s.object, s.pos, buf)
	}
	if err != nil {
		return buf, err
	}
	s.stampOnly = left != nil && s.kind == objectFrame && s.state.presence != absent &&
		s.state.same(left.state) && s.timestamp != left.timestamp
	switch {
	case s.now.state.same(s.state):
		s.verdict = same
		if s.stampOnly && s.now.entry.Timestamp == left.timestamp {
			s.verdict = restore
		}
		// A damaged entry has to be there as well.
	case s.state.presence == unreadable:
		s.verdict = lost
	case left != nil && s.now.state.same(left.state):
		s.verdict = restore
	case left != nil || t.doubt || t.keptLater(s):
		s.verdict = since
	default:
		s.verdict = restore
	}
	return buf, nil
}

func (t *Trail) keptLater(s *step) bool {
	switch s.kind {
	case fileFrame:
		return t.later.files[s.name]
	case asideFrame:
		return t.later.asides[s.asideRef()]
	}
	return t.later.has(t.w.dims[s.name], s.object, s.pos)
}

// isLevel reports whether a file is the world's level.dat, which is never
// removed.
func (t *Trail) isLevel(path string) bool {
	return path == filepath.Join(t.w.main(), level.FileName)
}
