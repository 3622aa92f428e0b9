package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

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
	// asides are files that are put back when all else is in its place.
	asides map[string]*step

	mu sync.Mutex // guards the report's counts and failures
	r  *Report
}

func (t *Trail) restore(ctx context.Context, r *Report, o RestoreOptions) error {
	w := &restorer{t: t, o: o, weight: semaphore.NewWeighted(maxWriteBytes), emptied: map[store.RegionRef]bool{}, asides: map[string]*step{}, r: r}
	if err := t.each(ctx, w.collectAside); err != nil {
		return err
	}
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
	w.ctx = ctx // that of the group has ended
	for _, path := range slices.Sorted(maps.Keys(w.asides)) {
		if err != nil {
			return err
		}
		err = w.aside(w.asides[path])
	}
	return err
}

func (w *restorer) collectAside(s *step) error {
	if s.kind == asideFrame {
		w.asides[s.path] = s
	}
	return nil
}

// aside is the last that is done: a region file may have stood in the place.
func (w *restorer) aside(s *step) error {
	var err error
	if s.verdict == restore || s.verdict == since {
		if s.now.state, err = w.t.w.asideState(&s.frame); err == nil {
			err = w.putBack(s)
		}
	}
	if err != nil && fatal(err) {
		return err
	}
	w.done(err, s)
	return nil
}

func (w *restorer) step(s *step) error {
	switch {
	case s.kind == asideFrame:
		return nil // see aside
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
	body := filepath.Join(w.t.w.folder(s.name, s.object), s.pos.ExternalName())
	if w.asides[body] != nil {
		return nil // it was there before the change
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
