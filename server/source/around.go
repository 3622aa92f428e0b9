package source

import (
	"context"
	"errors"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
)

// stored reads a chunk as the store has it: a copy, and the hold on it, which
// the caller releases. The error is pregen.ErrNotStored for an absent one.
func (s *Source) stored(ctx context.Context, p region.ChunkPos) (*chunk.Chunk, *store.Hold, error) {
	hold, err := s.opts.Store.Load(ctx, s.opts.Dim, p, store.Urgent)
	if err == nil {
		var c *chunk.Chunk
		if c, err = hold.Snapshot(); err == nil {
			return c, hold, nil
		}
		hold.Release()
	}
	if errors.Is(err, store.ErrAbsent) {
		err = pregen.ErrNotStored
	}
	return nil, nil, err
}

// targets are the chunks that a job makes, which become its area: those of its
// entries, and ahead of wishes what is not full either. What turns out to be
// full is delivered.
func (s *Source) targets(j *job) ([]pregen.Wanted, error) {
	var list []pregen.Wanted
	var full []Result
	left := make([]*entry, 0, len(j.entries))
	var failure error
	for _, e := range j.entries {
		w := pregen.Wanted{Pos: e.pos}
		c, hold, err := s.stored(j.ctx, e.pos)
		switch {
		case err == nil && c.Full():
			full = append(full, Result{Pos: e.pos, Hold: hold})
			continue
		case err == nil:
			w.Stored = c
			hold.Release()
		case !errors.Is(err, pregen.ErrNotStored):
			failure = err
		}
		left, list = append(left, e), append(list, w)
	}
	for _, pos := range j.ahead {
		w := pregen.Wanted{Pos: pos}
		c, hold, err := s.stored(j.ctx, pos)
		if err == nil {
			w.Stored = c
			hold.Release()
		}
		if err == nil && !c.Full() && c.DataVersion() >= store.MinVersion || errors.Is(err, pregen.ErrNotStored) {
			list = append(list, w)
		}
	}
	for _, w := range list {
		j.area.chunks[w.Pos] = true
	}
	s.mu.Lock()
	j.entries = left
	var drop []Result
	for _, r := range full {
		if s.deliver(r) {
			s.metrics.Loaded++
		} else {
			drop = append(drop, r)
		}
	}
	s.mu.Unlock()
	for _, r := range drop {
		r.Hold.Release()
	}
	if len(left) == 0 && j.of == nil {
		list = nil // nobody waits for the rest
	}
	return list, failure
}

// parts are what the workers of a job are asked for: its chunks in stripes, and
// with each what lies around it and may be touched.
func (s *Source) parts(j *job, out *outcome) ([][]pregen.Wanted, error) {
	targets, err := s.targets(j)
	if err != nil || len(targets) == 0 {
		return nil, err
	}
	n := min(s.opts.Workers, (len(targets)+partMin-1)/partMin)
	parts := make([][]pregen.Wanted, n)
	listed := make(map[region.ChunkPos]bool)
	for k, w := range targets {
		listed[w.Pos] = true
		i := k * n / len(targets)
		parts[i] = append(parts[i], w)
	}
	reach := int32(s.facts.Rim)
	if s.facts.Relights {
		reach++
	}
	for distance := int32(1); distance <= reach; distance++ {
		for k, of := range targets {
			for z := of.Pos.Z - distance; z <= of.Pos.Z+distance; z++ {
				for x := of.Pos.X - distance; x <= of.Pos.X+distance; x++ {
					p := region.ChunkPos{X: x, Z: z}
					if listed[p] {
						continue
					}
					listed[p] = true
					if w, ok := s.beside(j, out, p, distance); ok {
						i := k * n / len(targets)
						parts[i] = append(parts[i], w)
					}
				}
			}
		}
	}
	return parts, j.ctx.Err()
}

// beside is a chunk so near to a job's that it may be touched, at a distance
// from the nearest. It reports false for one that stays as it is.
func (s *Source) beside(j *job, out *outcome, p region.ChunkPos, distance int32) (pregen.Wanted, bool) {
	w := pregen.Wanted{Pos: p, Rim: true}
	near := distance <= int32(s.facts.Rim)
	c, hold, err := s.stored(j.ctx, p)
	if err != nil {
		return w, near && errors.Is(err, pregen.ErrNotStored)
	}
	w.Stored = c
	if c.DataVersion() < store.MinVersion {
		hold.Release()
		return w, false
	}
	if c.Full() && s.facts.Relights {
		out.base[p] = lent{hold, c.Revision()}
		return w, true
	}
	hold.Release()
	return w, near && !c.Full()
}

// partMin is how few chunks of a job are worth a worker.
const partMin = 4
