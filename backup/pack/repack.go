package pack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// RepackOptions say what Repack removes and writes anew.
type RepackOptions struct {
	// Live reports whether an object is needed.
	Live func(ID) bool
	// Threshold is the live part of a pack, in percent, below which it is written
	// anew. Packs that were made small are put together when there are several.
	Threshold int
	DryRun    bool
	Progress  func(done, total int64)
}

// Repacked is what Repack did.
type Repacked struct {
	Packs, Removed, Rewritten int
	Bytes, Freed              int64
	Objects, Live             int64
}

const (
	smallPack = 4 << 20 // is put together with others
	manySmall = 8       // if there are as many
)

// plan is what is to be done with a pack.
type plan struct {
	p    *packFile
	at   uint32
	keep []int // objects that are needed and are not in an earlier pack
	// twice are needed objects that an earlier pack has as well.
	twice map[int]place
	live  int64 // bytes of keep
	all   int64
	redo  bool
}

// Repack removes what is not needed. New packs are durable before old ones go. A
// pack that cannot be read stays, and so does one that has a live object that is
// damaged.
func (s *Store) Repack(ctx context.Context, o RepackOptions) (*Repacked, error) {
	r := &Repacked{}
	_, r.Bytes = s.Objects()
	plans := s.plan(o, r)
	w := s.NewWriter(o.DryRun)
	var gone []*packFile
	for i := range plans {
		pl := &plans[i]
		if err := ctx.Err(); err != nil {
			w.Abort()
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(int64(i), int64(len(plans)))
		}
		if len(pl.keep) > 0 && !pl.redo {
			continue
		}
		if err := s.rewrite(w, pl); errors.Is(err, ErrDamaged) {
			continue
		} else if err != nil {
			w.Abort()
			return nil, err
		}
		gone = append(gone, pl.p)
		r.Freed += pl.p.size
		r.Removed++
		if len(pl.keep) > 0 {
			r.Rewritten++
		}
	}
	if err := w.Commit(); err != nil {
		return nil, fmt.Errorf("write packs: %w", err)
	}
	r.Freed -= w.Added().Stored
	if o.DryRun {
		return r, nil
	}
	return r, s.remove(gone)
}

// plan looks at all packs.
func (s *Store) plan(o RepackOptions, r *Repacked) []plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[ID]place{}
	var plans []plan
	small := 0
	for at, p := range s.packs {
		if p == nil || p.index == nil {
			continue
		}
		pl := plan{p: p, at: uint32(at), twice: map[int]place{}}
		for i := range p.index.objects() {
			id := p.index.id(i)
			size := int64(p.index.sizes[i])
			pl.all += size
			r.Objects++
			if !o.Live(id) {
				continue
			}
			if other, twice := seen[id]; twice {
				pl.twice[i] = other
				continue
			}
			seen[id] = place{p, i, uint32(at)}
			r.Live++
			pl.keep = append(pl.keep, i)
			pl.live += size
		}
		if p.size < smallPack && len(pl.keep) > 0 {
			small++
		}
		pl.redo = p.rebuilt || pl.live*100 < pl.all*int64(o.Threshold)
		plans = append(plans, pl)
		r.Packs++
	}
	for i := range plans {
		if small >= manySmall && plans[i].p.size < smallPack {
			plans[i].redo = true
		}
	}
	return plans
}

// rewrite puts the objects of a pack that are needed into w. They are read before
// the first one is put, frame by frame, so that a damaged pack stays as it is.
func (s *Store) rewrite(w *Writer, pl *plan) error {
	var buf []byte
	for i, other := range pl.twice {
		if _, err := s.get(other, pl.p.index.id(i), buf[:0]); errors.Is(err, ErrDamaged) {
			pl.keep = append(pl.keep, i) // this is the copy that counts
		} else if err != nil {
			return err
		}
	}
	for _, i := range pl.keep {
		out, err := s.get(place{pl.p, i, pl.at}, pl.p.index.id(i), buf[:0])
		if err != nil {
			return err
		}
		buf = out
	}
	for _, i := range pl.keep {
		id := pl.p.index.id(i)
		if _, has := w.pendingSize(id); has {
			continue
		}
		out, err := s.get(place{pl.p, i, pl.at}, id, buf[:0])
		if err != nil {
			return err
		}
		buf = out
		if err := w.add(id, out); err != nil {
			return err
		}
	}
	return nil
}

// remove removes packs and forgets what they had.
func (s *Store) remove(gone []*packFile) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	removed := map[*packFile]bool{}
	for _, p := range gone {
		errs = append(errs, p.close())
		if err := s.fs.Remove(s.path(p.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
			continue
		}
		removed[p] = true
	}
	if len(removed) > 0 {
		errs = append(errs, s.fs.SyncDir(s.dir))
	}
	packs := s.packs
	s.packs, s.table, s.frames = nil, table{}, frameCache{}
	for _, p := range packs {
		if p != nil && !removed[p] {
			s.enter(p)
		}
	}
	return errors.Join(errs...)
}

// Garbage is how many bytes of objects are not needed, or are there twice.
func (s *Store) Garbage(live func(ID) bool) (bytes int64) {
	s.Objects() // reads all indexes
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[ID]struct{}{}
	for _, p := range s.packs {
		if p == nil || p.index == nil {
			continue
		}
		for i := range p.index.objects() {
			id := p.index.id(i)
			if _, twice := seen[id]; twice || !live(id) {
				bytes += int64(p.index.sizes[i])
			}
			seen[id] = struct{}{}
		}
	}
	return bytes
}
