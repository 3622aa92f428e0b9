package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// RestoreOptions say how a change is undone.
type RestoreOptions struct {
	// Force puts the change back also over what has changed since. What that
	// replaces is kept as another change first.
	Force bool
	// Command is the command line, for that other change.
	Command string
	// Progress is called with the number of targets that are through.
	Progress func(n int64)
}

// Failure is something that could not be put back.
type Failure struct {
	Target Target `json:"target"`
	Err    error  `json:"-"`
	Text   string `json:"error"`
}

// Report is what Undo has done.
type Report struct {
	Plan
	// Restored are objects and files that were written.
	Restored int64 `json:"restored"`
	// Failures counts what could not be put back, Failed lists the first
	// MaxListed of it.
	Failures int64     `json:"failures"`
	Failed   []Failure `json:"failed"`
	// KeptIn is the folder with the bytes of what is lost, "" if nothing is.
	KeptIn string `json:"kept_in"`
	// Replaced is the change that keeps what Force has replaced.
	Replaced string `json:"replaced"`
}

// Find opens a change to undo it: if id is "" the last one that can be undone, or
// the one whose undo by force was interrupted last. Close closes it. The error
// wraps ErrNoChange, ErrUndone or ErrDamaged.
func Find(s *store.Store, id string) (*Trail, error) {
	w := worldOf(s)
	all, err := list(w.fs, w.main())
	if err != nil {
		return nil, err
	}
	root, err := undoRoot(w.fs, w.main())
	if err != nil {
		return nil, err
	}
	m := choose(all, id)
	switch {
	case m == nil && id == "":
		return nil, fmt.Errorf("%w to undo", ErrNoChange)
	case m == nil:
		return nil, fmt.Errorf("%s: %w", id, ErrNoChange)
	case m.State == Undone:
		return nil, fmt.Errorf("%s: %w", m.ID, ErrUndone)
	case m.State == Saving: // has changed nothing
		return nil, fmt.Errorf("%s: %w that has changed anything", m.ID, ErrNoChange)
	case m.State == Damaged:
		return nil, fmt.Errorf("%s: the manifest is %w", m.ID, ErrDamaged)
	}
	t := &Trail{w: w, m: *m, dir: filepath.Join(root, m.ID)}
	if err := t.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", m.ID, err), t.Close())
	}
	return t, nil
}

// undoWhat is what changes are that keep what undo by force replaces.
const undoWhat = "undo"

// choose finds a change by its id, or the last one that can be undone. While an
// undo by force goes on there is a later change of its own.
func choose(all []manifest, id string) (found *manifest) {
	for i := range all {
		m := &all[i]
		switch {
		case id != "":
			if m.ID == id {
				return m
			}
		case m.State == Saving || m.State == Undone || m.State == Damaged:
		case found == nil && m.State == Writing && m.What == undoWhat:
			found = m
		case found == nil || m.State == Undoing:
			return m
		default:
			return found
		}
	}
	return found
}

// Info says what change it is.
func (t *Trail) Info() Info { return t.m.Info }

// Close closes the logs.
func (t *Trail) Close() error {
	var errs []error
	for _, f := range []vfs.File{t.log, t.after} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	t.log, t.after = nil, nil
	return errors.Join(errs...)
}

// Undo puts back what a change kept. If something has changed since, nothing is
// written and the error is a *ConflictError, without Force. What cannot be
// written is listed and the rest goes on; then the change stays one that can be
// undone. After an error, as after a kill, Undo can be called again.
func Undo(ctx context.Context, t *Trail, o RestoreOptions) (*Report, error) {
	plan, err := Preview(ctx, t)
	if err != nil {
		return nil, err
	}
	r := &Report{Plan: *plan, Failed: []Failure{}}
	if plan.Since > 0 && !o.Force {
		return r, &ConflictError{ID: t.m.ID, Count: plan.Since, Some: plan.SinceList}
	}
	if err := t.undo(ctx, r, o); err != nil {
		return r, fmt.Errorf("undo %s: %w", t.m.ID, err)
	}
	return r, nil
}

func (t *Trail) undo(ctx context.Context, r *Report, o RestoreOptions) error {
	active.Store(t.dir, true)
	defer active.Delete(t.dir)
	var kept *Change
	if r.Since > 0 {
		var err error
		if kept, err = t.keepSince(ctx, o); err != nil {
			return err
		}
		defer kept.Abort() //nolint:errcheck // nothing of it is left to do after Finish
		r.Replaced = kept.ID()
	}
	if err := t.mark(Undoing); err != nil {
		return err
	}
	if err := t.restore(ctx, r, o); err != nil {
		return err
	}
	if kept != nil {
		if err := kept.Finish(ctx); err != nil {
			return err
		}
	}
	if r.Failures > 0 {
		return nil
	}
	if err := t.mark(Undone); err != nil {
		return err
	}
	return t.dropLogs()
}

// keepSince keeps what Force is going to replace.
func (t *Trail) keepSince(ctx context.Context, o RestoreOptions) (*Change, error) {
	c, err := Begin(t.w.s, undoWhat, Options{Command: o.Command})
	if err != nil {
		return nil, err
	}
	err = t.each(ctx, func(s *step) error {
		switch {
		case s.verdict != since:
			return nil
		case s.kind == fileFrame:
			return c.KeepFile(s.path)
		default:
			return c.Keep(s.name, s.object, s.pos)
		}
	})
	if err == nil {
		err = c.Commit()
	}
	if err != nil {
		return nil, errors.Join(err, c.Abort())
	}
	return c, nil
}

func (t *Trail) mark(s State) error {
	m := t.m
	m.State = s
	if err := m.write(t.w.fs, t.dir); err != nil {
		return err
	}
	t.m = m
	return nil
}

// dropLogs gives the space of an undone change back.
func (t *Trail) dropLogs() error {
	errs := []error{t.Close()}
	for _, name := range []string{recordsName, afterName} {
		if err := t.w.fs.Remove(filepath.Join(t.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Bounds of what is being written at a time: as many records as share the
// flushes of a region file, and their bytes.
const (
	maxWrites     = 64
	maxWriteBytes = 64 << 20
)

// restorer writes what was kept.
type restorer struct {
	t      *Trail
	o      RestoreOptions
	group  *errgroup.Group
	ctx    context.Context // that of group
	weight *semaphore.Weighted
	// emptied are regions in which records were removed.
	emptied map[store.RegionRef]bool

	mu sync.Mutex // guards the report's counts and failures
	r  *Report
}

func (t *Trail) restore(ctx context.Context, r *Report, o RestoreOptions) error {
	w := &restorer{t: t, o: o, weight: semaphore.NewWeighted(maxWriteBytes), emptied: map[store.RegionRef]bool{}, r: r}
	w.group, w.ctx = errgroup.WithContext(ctx)
	w.group.SetLimit(maxWrites)
	err := t.each(w.ctx, w.step)
	if waited := w.group.Wait(); waited != nil {
		err = waited
	}
	if err == nil {
		err = t.w.s.Barrier(ctx) // data files
	}
	if err == nil {
		err = w.removeEmptied(ctx)
	}
	return err
}

func (w *restorer) step(s *step) error {
	switch {
	case s.verdict == lost:
		if err := w.t.keepLost(s, w.r); err != nil {
			return err
		}
	case s.verdict == restore, s.verdict == since:
		return w.begin(s)
	}
	err := w.removeBody(s)
	if err != nil && fatal(err) {
		return err
	}
	w.done(err, s)
	return nil
}

// removeBody removes an external body that no record names: a kill has come
// between a record's write and that.
func (w *restorer) removeBody(s *step) error {
	if s.kind != objectFrame || s.state.presence == external || s.state.presence == unreadable {
		return nil
	}
	raw, err := w.t.w.raw(s.name, s.object)
	if err != nil {
		return err
	}
	_, err = raw.RemoveOrphan(w.ctx, s.pos)
	return err
}

// begin starts the writing of one target. What the step has of the present is
// not needed any more, but its entry.
func (w *restorer) begin(s *step) error {
	s.now.data = nil
	size := min(int64(s.state.length)+1, maxWriteBytes)
	if err := w.weight.Acquire(w.ctx, size); err != nil {
		return err
	}
	if s.kind == objectFrame && s.state.presence == absent {
		w.emptied[store.RegionRef{Dim: w.t.w.dims[s.name], Kind: s.object, Pos: s.pos.Region()}] = true
	}
	w.group.Go(func() error {
		defer w.weight.Release(size)
		err := w.write(s)
		if err == nil {
			err = w.removeBody(s)
		}
		if err != nil && fatal(err) {
			return err
		}
		w.done(err, s)
		return nil
	})
	return nil
}

// fatal reports whether an error is not about one target alone.
func fatal(err error) bool {
	return errors.Is(err, vfs.ErrNoSpace) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrReadOnly)
}

func (w *restorer) done(err error, s *step) {
	w.mu.Lock()
	switch {
	case err != nil:
		if w.r.Failures++; len(w.r.Failed) < MaxListed {
			w.r.Failed = append(w.r.Failed, Failure{s.target(), err, err.Error()})
		}
	case s.verdict == restore || s.verdict == since:
		w.r.Restored++
	}
	w.mu.Unlock()
	if w.o.Progress != nil {
		w.o.Progress(1)
	}
}

func (w *restorer) write(s *step) error {
	if s.kind == fileFrame {
		return w.writeFile(s)
	}
	raw, err := w.t.w.raw(s.name, s.object)
	if err != nil {
		return err
	}
	if s.state.presence == absent {
		return raw.Delete(w.ctx, s.pos, s.now.entry)
	}
	data, err := readPayload(w.t.log, &s.frame, s.payload)
	if err != nil {
		return asDamage(err)
	}
	write := store.RawWrite{
		Old: s.now.entry, Record: region.Record{Scheme: s.state.scheme, Data: data},
		Overwrite: true, // what is there is the change's, or forced
	}
	if s.stampOnly {
		write.SameContent, write.Timestamp = true, &s.timestamp
	}
	return raw.Replace(w.ctx, s.pos, write)
}

func (w *restorer) writeFile(s *step) error {
	switch {
	case s.state.presence == present:
		data, err := readPayload(w.t.log, &s.frame, s.payload)
		if err != nil {
			return asDamage(err)
		}
		return w.t.w.s.StageFile(s.path, data, store.FileOptions{Perm: fs.FileMode(s.frame.perm)})
	case w.t.isLevel(s.path):
		return store.ErrPath
	default:
		return w.t.w.s.RemoveFile(s.path)
	}
}

// keepLost puts what was left of a record that could not be read into a file.
func (t *Trail) keepLost(s *step, r *Report) error {
	data, err := readPayload(t.log, &s.frame, s.payload)
	if err != nil {
		return asDamage(err)
	}
	name := fmt.Sprintf("lost-%d-%s-%d.%d.bin", t.w.dims[s.name], s.object, s.pos.X, s.pos.Z)
	r.KeptIn = t.dir
	return vfs.WriteFileSync(t.w.fs, filepath.Join(t.dir, name), data, 0o644)
}

// removeEmptied removes region files that the change had made.
func (w *restorer) removeEmptied(ctx context.Context) error {
	for ref := range w.emptied {
		raw, err := w.t.w.s.Raw(ref.Dim, ref.Kind)
		if err != nil {
			return err
		}
		_, err = raw.RemoveEmpty(ctx, ref.Pos)
		if err != nil && !errors.Is(err, store.ErrHeld) && !errors.Is(err, region.ErrPinned) && !errors.Is(err, store.ErrFrozen) {
			return err
		}
	}
	return nil
}
