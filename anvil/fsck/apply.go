package fsck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// Outcome is what a repair has done.
type Outcome struct {
	// Done are steps that were carried out, Failed those that were not.
	Done   int    `json:"done"`
	Failed []Step `json:"failed"`
	// Kept are raw copies of region files as they were, and files set aside.
	Kept []string `json:"kept"`
}

// maxWrites is how many objects are written at a time: as many as share the
// flushes of a region file.
const maxWrites = 32

// Apply carries a plan out. Everything that it replaces is kept in the change
// first and durably; region files that are mended as a whole are kept in
// strata/rescue as well. A step that fails is listed, and the others go on. The
// errors are those of keeping, of ctx and of a full disk; what was done until
// then stays, and the repair can be run again. The change is neither begun nor
// finished.
func (p *Plan) Apply(ctx context.Context, s *store.Store, change *undo.Change, progress func(steps int)) (*Outcome, error) {
	a := &applier{plan: p, s: s, change: change, dims: dimsOf(s), out: &Outcome{Failed: []Step{}, Kept: []string{}}, progress: progress}
	if err := a.keep(ctx); err != nil {
		return a.out, err
	}
	for i := range p.regions {
		if err := a.region(ctx, &p.regions[i]); err != nil {
			return a.out, err
		}
	}
	if err := a.files(ctx); err != nil {
		return a.out, err
	}
	return a.out, a.objects(ctx)
}

type applier struct {
	plan     *Plan
	s        *store.Store
	change   *undo.Change
	dims     map[string]store.Dim
	progress func(int)

	mu  sync.Mutex // guards the outcome
	out *Outcome
}

// keep keeps all that the plan touches, and makes that durable.
func (a *applier) keep(ctx context.Context) error {
	for i := range a.plan.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &a.plan.Steps[i]
		var err error
		switch {
		case s.path != "":
			err = a.change.KeepFile(s.path)
		case s.Kind == SetAside && s.name != "":
			err = a.change.KeepAside(s.ref.dim, s.ref.kind, s.name)
		case s.X == nil:
			continue // a file that is kept as a whole, or a header's padding
		default:
			err = a.change.Keep(s.ref.dim, s.ref.kind, s.ref.pos)
			if err == nil && s.Kind == Move {
				err = a.change.Keep(s.ref.dim, s.ref.kind, s.to)
			}
		}
		if err != nil {
			return err
		}
	}
	return a.change.Commit()
}

// done counts steps that are through. The error is not nil if nothing else can
// be done either.
func (a *applier) done(err error, steps ...*Step) error {
	if err != nil && fatal(err) {
		return err
	}
	a.mu.Lock()
	for _, s := range steps {
		if err == nil {
			a.out.Done++
			continue
		}
		one := *s
		one.Error = err.Error()
		a.out.Failed = append(a.out.Failed, one)
	}
	a.mu.Unlock()
	if a.progress != nil {
		a.progress(len(steps))
	}
	return nil
}

func fatal(err error) bool {
	return errors.Is(err, vfs.ErrNoSpace) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrReadOnly)
}

// region mends the structure of a region file.
func (a *applier) region(ctx context.Context, r *regionPlan) error {
	var steps []*Step
	for i := r.first; i < r.end; i++ {
		steps = append(steps, &a.plan.Steps[i])
	}
	raw, err := rawOf(a.s, a.dims, r.ref.folder())
	var report *region.RepairReport
	if err == nil {
		report, err = raw.Repair(ctx, r.ref.pos, r.options)
	}
	if err == nil && report.Kept != "" {
		a.out.Kept = append(a.out.Kept, report.Kept)
	}
	return a.done(err, steps...)
}

// files puts old data files in the place of damaged ones, and removes temporary
// ones.
func (a *applier) files(ctx context.Context) error {
	staged := false
	for i := range a.plan.Steps {
		s := &a.plan.Steps[i]
		if s.path == "" {
			continue
		}
		err := a.file(s)
		staged = staged || err == nil
		if err := a.done(err, s); err != nil {
			return err
		}
	}
	if !staged {
		return nil
	}
	return a.s.Barrier(ctx)
}

func (a *applier) file(s *Step) error {
	if s.Kind != RestoreOld {
		return a.s.RemoveFile(s.path)
	}
	data, err := vfs.ReadFile(a.s.World().FS, s.path+level.OldSuffix, level.MaxFile)
	if err == nil {
		_, err = level.ParseDocument(data)
	}
	if err != nil {
		return err
	}
	return a.s.StageFile(s.path, data, store.FileOptions{KeepOld: true})
}

// objects carries the other steps out, moves wave by wave.
func (a *applier) objects(ctx context.Context) error {
	structural := make([]bool, len(a.plan.Steps))
	for _, r := range a.plan.regions {
		for i := r.first; i < r.end; i++ {
			structural[i] = true
		}
	}
	for i := range a.plan.Steps { // first: what is written next may have their names
		if s := &a.plan.Steps[i]; s.Kind == SetAside && !structural[i] {
			raw, err := rawOf(a.s, a.dims, s.ref.folder())
			if err == nil {
				err = a.setAside(ctx, raw, s)
			}
			if err := a.done(err, s); err != nil {
				return err
			}
		}
	}
	for wave, more := 0, true; more; wave++ {
		more = false
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(maxWrites)
		for i := range a.plan.Steps {
			s := &a.plan.Steps[i]
			more = more || s.wave > wave
			if structural[i] || s.path != "" || s.Kind == SetAside || s.wave != wave {
				continue
			}
			group.Go(func() error { return a.done(a.object(ctx, s), s) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) object(ctx context.Context, s *Step) error {
	raw, err := rawOf(a.s, a.dims, s.ref.folder())
	if err != nil {
		return err
	}
	switch s.Kind {
	case Move:
		return a.move(ctx, raw, s)
	case Remove, StepKind(region.Drop):
		entry, err := entryOf(raw, s.ref.pos)
		if err != nil || entry.Empty() {
			return err
		}
		return raw.Delete(ctx, s.ref.pos, entry)
	case Take:
		return a.take(ctx, raw, s)
	case TakeBack:
		return a.takeBack(ctx, raw, s)
	}
	return fmt.Errorf("unknown step %q", s.Kind)
}

func (a *applier) setAside(ctx context.Context, raw *store.Raw, s *Step) error {
	to, err := raw.SetAside(ctx, s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // opening the world has removed our own temporaries
	}
	if err == nil {
		a.mu.Lock()
		a.out.Kept = append(a.out.Kept, to)
		a.mu.Unlock()
	}
	return err
}

// move writes a chunk to its place, unless the mending of the file has found it
// there, before it goes from the wrong one.
func (a *applier) move(ctx context.Context, raw *store.Raw, s *Step) error {
	rec, err := raw.Read(s.ref.pos, nil)
	if err != nil {
		return err
	}
	to, err := entryOf(raw, s.to)
	if err != nil {
		return err
	}
	if to.Empty() || s.over {
		err = raw.Replace(ctx, s.to, store.RawWrite{Old: to, Record: rec, Overwrite: s.over})
	} else if there, rerr := raw.Read(s.to, nil); rerr != nil || there.Scheme != rec.Scheme || !bytes.Equal(there.Data, rec.Data) {
		err = fmt.Errorf("its place is taken by what was recovered: %w", region.ErrChanged)
	}
	if err != nil {
		return err
	}
	return raw.Delete(ctx, s.ref.pos, rec.Entry)
}

func (a *applier) take(ctx context.Context, raw *store.Raw, s *Step) error {
	rec, err := s.donor.Record(ctx, s.ref.dim, s.ref.kind, s.ref.pos, nil)
	if err != nil {
		return err
	}
	if s.newer {
		there, err := raw.Read(s.ref.pos, nil)
		if err == nil && !isNewer(s.ref.kind, &rec, &there) {
			return nil
		}
		if err != nil && !errors.Is(err, store.ErrAbsent) {
			return err
		}
	}
	return a.put(ctx, raw, s.ref.pos, &rec)
}

// isNewer reports whether a donor's chunk was updated after one that was found in
// sectors which nobody named. Entities and points of interest do not say when;
// such a find may be very old, and would bring back what has long been elsewhere,
// so a donor's counts as newer.
func isNewer(kind store.Kind, a, b *region.Record) bool {
	if kind != store.Chunks {
		return true
	}
	var d codec.Decoder
	var updated [2]int64
	for i, rec := range []*region.Record{a, b} {
		data, err := rec.AppendDecoded(&d, nil, maxDocument)
		if err != nil {
			return false
		}
		h, err := chunk.ReadHeader(data)
		if err != nil {
			return false
		}
		updated[i] = h.LastUpdate
	}
	return updated[0] > updated[1]
}

func (a *applier) takeBack(ctx context.Context, raw *store.Raw, s *Step) error {
	data, err := store.ReadRescued(a.s.World().FS, s.rescue)
	if err != nil {
		return err
	}
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		return err
	}
	stream, err := enc.Append(nil, data)
	if err != nil {
		return err
	}
	if err := a.put(ctx, raw, s.ref.pos, &region.Record{Scheme: codec.Zlib, Data: stream}); err != nil {
		return err
	}
	return a.s.Return(s.rescue)
}

// put writes a record over what is there, readable or not: it was kept.
func (a *applier) put(ctx context.Context, raw *store.Raw, pos region.ChunkPos, rec *region.Record) error {
	entry, err := entryOf(raw, pos)
	if err != nil {
		return err
	}
	return raw.Replace(ctx, pos, store.RawWrite{Old: entry, Record: *rec, Overwrite: true})
}

// entryOf is the entry of a chunk, empty if its region has no file.
func entryOf(raw *store.Raw, pos region.ChunkPos) (region.Entry, error) {
	h, err := raw.Header(pos.Region())
	if errors.Is(err, fs.ErrNotExist) {
		return region.Entry{}, nil
	}
	if err != nil {
		return region.Entry{}, err
	}
	return h.Entry(pos.Slot()), nil
}
