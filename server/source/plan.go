package source

import (
	"context"
	"slices"
	"time"

	"strata/anvil/chunk"
	"strata/pregen"
	"strata/region"
)

// job is the generation of some chunks that lie together.
type job struct {
	ctx     context.Context //nolint:containedctx // Want ends it
	cancel  context.CancelFunc
	entries []*entry
	ahead   []region.ChunkPos // beside them in the tile, wanted by nobody yet
	area    *area
	// What follows is of a job for nobody: the area that it belongs to, nil for
	// none, and how many chunks of its tile are others' matter.
	of     *background
	others int64
}

// area is the chunks of a job. A job has one of its own, by which the generator
// tells jobs apart.
type area struct{ chunks map[region.ChunkPos]bool }

// Contains implements pregen.Area.
func (a *area) Contains(p region.ChunkPos) bool { return a.chunks[p] }

var _ pregen.Area = (*area)(nil)

// wanted reports whether somebody still wants a chunk of the job. Called under
// mu.
func (j *job) wanted() bool {
	return j.of != nil || slices.ContainsFunc(j.entries, func(e *entry) bool { return e.wanted })
}

// spaceRetry is how long the planner waits for room on a full disk.
const spaceRetry = time.Second

// restAfter is how long the generator keeps its memory when it has nothing to
// do.
const restAfter = 10 * time.Second

// generateAll makes what is missing until the source is closed.
func (s *Source) generateAll() {
	defer s.releaseWorkers()
	if !s.openGenerator() {
		return
	}
	for {
		j := s.nextJob()
		if j == nil {
			return
		}
		if s.room(j) {
			s.run(j)
		} else {
			s.giveBack(j, false)
		}
		j.cancel()
	}
}

// openGenerator waits until something is missing and then has the generator made;
// it reports false if there is none, or the source was closed before.
func (s *Source) openGenerator() bool {
	s.mu.Lock()
	for s.opts.Generator == nil && s.missing == 0 && s.area == nil && !s.closed {
		s.work.Wait()
	}
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}
	generator, err := s.opts.Generator, error(nil)
	if generator == nil {
		generator, err = s.opts.Open()
	}
	if err == nil {
		s.generator, s.facts = generator, generator.Facts()
		return true
	}
	s.opts.Events(Event{Text: "absent chunks stay absent, as there is no generator", Err: err})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generates, s.missing, s.area = false, 0, nil
	for _, e := range s.chunks {
		if e.state == stateMissing {
			s.deliver(Result{Pos: e.pos, Err: unfinished(e.pos)})
		}
	}
	s.work.Broadcast()
	return false
}

// nextJob waits for the next job, nil when the source is closed. After a while
// without one the generator gives its memory back.
func (s *Source) nextJob() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting = false
	timer := time.AfterFunc(restAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.resting = true
		s.work.Broadcast()
	})
	defer timer.Stop()
	for !s.closed {
		if s.missing > 0 {
			if j := s.plan(); j != nil {
				return j
			}
		}
		if s.missing == 0 {
			if j := s.planArea(); j != nil {
				return j
			}
		}
		if s.resting && len(s.workers) > 0 {
			s.mu.Unlock()
			s.rest()
			s.mu.Lock()
			continue
		}
		s.work.Wait()
	}
	return nil
}

// unknown reports whether it will soon be known if a chunk that is wanted is
// missing: not while results that nobody takes hold up loading. Called under mu.
func (s *Source) unknown(e *entry) bool {
	return e.wanted && (e.state == stateLoading || e.state == stateQueued && len(s.results) < s.opts.Queue)
}

// plan takes the chunks of the next job: the best one that is missing with
// those around. It returns nil while some of those, or better ones, are being
// looked for. Called under mu.
func (s *Source) plan() *job {
	var best *entry
	for _, e := range s.chunks {
		if e.state == stateMissing && e.wanted && (best == nil || compare(e, best) < 0) {
			best = e
		}
	}
	if best == nil {
		s.missing = 0
		return nil
	}
	for _, e := range s.chunks {
		if s.unknown(e) && compare(e, best) < 0 {
			return nil
		}
	}
	low, side, ahead := region.ChunkPos{X: best.pos.X - 1, Z: best.pos.Z - 1}, int32(3), false
	if best.alone {
		low, side = best.pos, 1
	} else if s.isWarm(best.pos) {
		low, side, ahead = s.tile(best.pos), s.opts.Tile, s.opts.Ahead
	}
	j := &job{area: &area{make(map[region.ChunkPos]bool)}}
	for z := low.Z; z < low.Z+side; z++ {
		for x := low.X; x < low.X+side; x++ {
			pos := region.ChunkPos{X: x, Z: z}
			e := s.chunks[pos]
			switch {
			case e == nil:
				if ahead && !s.failed[pos] {
					j.ahead = append(j.ahead, pos)
				}
			case !e.wanted || e.alone && e != best:
			case s.unknown(e):
				return nil
			case e.state == stateMissing:
				j.entries = append(j.entries, e)
			}
		}
	}
	for _, e := range j.entries {
		e.state = stateMaking
		s.missing--
	}
	slices.SortFunc(j.entries, func(a, b *entry) int { return compare(a, b) })
	j.ctx, j.cancel = context.WithCancel(s.ctx)
	s.job = j
	return j
}

// tile is the corner of the tile that a chunk is in.
func (s *Source) tile(p region.ChunkPos) region.ChunkPos {
	mask := ^(s.opts.Tile - 1)
	return region.ChunkPos{X: p.X & mask, Z: p.Z & mask}
}

// isWarm reports whether something was generated near a chunk. Called under mu.
func (s *Source) isWarm(p region.ChunkPos) bool {
	for z := int32(-1); z <= 1; z++ {
		for x := int32(-1); x <= 1; x++ {
			if s.warm[s.tile(region.ChunkPos{X: p.X + x*s.opts.Tile, Z: p.Z + z*s.opts.Tile})] {
				return true
			}
		}
	}
	return false
}

// maxWarm is how many tiles are remembered.
const maxWarm = 1 << 16

// heat notes that a chunk was generated. Called under mu.
func (s *Source) heat(p region.ChunkPos) {
	if len(s.warm) >= maxWarm {
		clear(s.warm)
	}
	s.warm[s.tile(p)] = true
}

// giveBack makes the chunks of a job missing again; alone those that have to be
// tried alone now.
func (s *Source) giveBack(j *job, alone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job = nil
	for _, e := range j.entries {
		if s.chunks[e.pos] != e || e.state != stateMaking {
			continue
		}
		if !e.wanted {
			delete(s.chunks, e.pos)
			continue
		}
		e.state = stateMissing
		e.alone = e.alone || alone
		s.missing++
	}
}

// room waits until the store has room for what a job changes. It reports false
// if the disk is full, after a while, or the job is given up.
func (s *Source) room(j *job) bool {
	err := s.opts.Store.WaitForRoom(j.ctx)
	s.mu.Lock()
	was := s.metrics.NoSpace
	s.metrics.NoSpace = err != nil && j.ctx.Err() == nil
	is := s.metrics.NoSpace
	s.mu.Unlock()
	if is != was {
		text := "there is room again: generating goes on"
		if is {
			text = "no room for what is generated: generating stops"
		}
		s.opts.Events(Event{Text: text, Err: err})
	}
	if err == nil {
		return true
	}
	if is {
		wait(s.ctx, spaceRetry)
	}
	return false
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// rest gives back what the generator keeps: a batch of another area and of
// nothing ends the yard of the last job.
func (s *Source) rest() {
	if len(s.workers) > 0 {
		b := &pregen.Batch{Area: &area{}, Stored: func(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored }}
		_ = generate(s.ctx, s.workers[0], b, func(pregen.Made) error { return nil })
	}
	s.releaseWorkers()
}

func (s *Source) releaseWorkers() {
	for _, w := range s.workers {
		w.Release()
	}
	s.workers = nil
}
