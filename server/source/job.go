package source

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
	"strata/region/vfs"
)

// ErrGenerator is wrapped by errors about a generator that has not done what it
// must.
var ErrGenerator = errors.New("generator failed")

// outcome is what a job has made.
type outcome struct {
	mu   sync.Mutex // guards made while workers run
	made []pregen.Made
	base map[region.ChunkPos]lent
}

// lent is a full chunk whose light may change: held, since revisions count from
// the load.
type lent struct {
	hold     *store.Hold
	revision uint64
}

// release ends the holds.
func (o *outcome) release() {
	for _, l := range o.base {
		l.hold.Release()
	}
}

// run generates the chunks of a job, saves them with their rim, and delivers
// them.
func (s *Source) run(j *job) {
	s.mu.Lock()
	s.metrics.Jobs++
	s.mu.Unlock()
	out := &outcome{base: make(map[region.ChunkPos]lent)}
	defer out.release()
	err := s.make(j, out)
	switch {
	case err == nil:
		err = s.save(out)
	case j.ctx.Err() == nil:
		s.jobFailed(j, err)
		return
	}
	if err != nil { // given up
		s.giveBack(j, false)
		return
	}
	s.finish(j, out)
}

// jobFailed has the chunks of a job tried alone, or gives one up that was.
func (s *Source) jobFailed(j *job, err error) {
	s.releaseWorkers() // their scratch may be in any state
	s.mu.Lock()
	s.metrics.FailedJobs++
	s.mu.Unlock()
	if len(j.entries) == 0 {
		s.giveBack(j, false)
		return
	}
	s.opts.Events(Event{Text: fmt.Sprintf("generating %d chunks at %v failed", len(j.entries), j.entries[0].pos), Err: err})
	if len(j.entries) > 1 || len(j.ahead) > 0 {
		s.giveBack(j, true)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job = nil
	s.deliver(Result{Pos: j.entries[0].pos, Err: err})
}

// make generates. All workers share the job's area, and so what the generator
// keeps for it.
func (s *Source) make(j *job, out *outcome) error {
	parts, err := s.parts(j, out)
	if err != nil {
		return err
	}
	for len(s.workers) < len(parts) {
		w, err := s.opts.Generator.NewWorker()
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	ctx, cancel := context.WithCancel(j.ctx)
	defer cancel()
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i, chunks := range parts {
		wg.Go(func() {
			if errs[i] = s.part(ctx, j, s.workers[i], chunks, out); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return s.check(j, out)
}

// part generates some chunks of a job.
func (s *Source) part(ctx context.Context, j *job, w pregen.Worker, chunks []pregen.Wanted, out *outcome) error {
	if l := s.opts.Limit; l != nil {
		select {
		case l.tokens <- struct{}{}:
			defer func() { <-l.tokens }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	asked := make(map[region.ChunkPos]bool, len(chunks))
	for _, c := range chunks {
		asked[c.Pos] = true
	}
	b := &pregen.Batch{At: chunks[0].Pos, Side: 1, Chunks: chunks, Area: j.area, Memory: s.opts.Memory, Stored: func(p region.ChunkPos) (*chunk.Chunk, error) {
		c, hold, err := s.stored(ctx, p)
		if err == nil {
			hold.Release()
		}
		return c, err
	}}
	err := generate(ctx, w, b, func(m pregen.Made) error {
		if !asked[m.Pos] {
			return fmt.Errorf("chunk %v came, which was not asked for: %w", m.Pos, ErrGenerator)
		}
		delete(asked, m.Pos)
		out.mu.Lock()
		defer out.mu.Unlock()
		out.made = append(out.made, m)
		return nil
	})
	if err == nil && len(asked) > 0 {
		err = fmt.Errorf("%d chunks did not come: %w", len(asked), ErrGenerator)
	}
	return err
}

// generate calls the generator. A panic there is an error.
func generate(ctx context.Context, w pregen.Worker, b *pregen.Batch, done func(pregen.Made) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", ErrGenerator, p, debug.Stack())
		}
	}()
	return w.Generate(ctx, b, done)
}

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
	if len(left) == 0 {
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

// check looks at whether what was made is what was asked for.
func (s *Source) check(j *job, out *outcome) error {
	for i := range out.made {
		m := &out.made[i]
		c, work := m.Chunk, j.area.Contains(m.Pos)
		switch {
		case c == nil && work && m.Err == nil:
			return fmt.Errorf("chunk %v: nothing was made: %w", m.Pos, ErrGenerator)
		case c == nil:
		case c.Pos() != m.Pos:
			return fmt.Errorf("chunk %v says that it is %v: %w", m.Pos, c.Pos(), ErrGenerator)
		case c.DataVersion() > s.opts.Store.Version():
			return fmt.Errorf("chunk %v is of version %d, the world of %d: %w", m.Pos, c.DataVersion(), s.opts.Store.Version(), ErrGenerator)
		}
	}
	return nil
}

// save puts what was made into the store, the rim first, all of it: on a full
// disk it waits until there is room again or the source is closed. Full chunks
// that were there before are not touched.
func (s *Source) save(out *outcome) error {
	for _, finished := range []bool{false, true} {
		for i := range out.made {
			m := &out.made[i]
			_, relit := out.base[m.Pos]
			if m.Chunk == nil || relit || m.Chunk.Full() != finished {
				continue
			}
			if err := s.put(m); err != nil {
				s.opts.Events(Event{Text: fmt.Sprintf("chunk %v cannot be saved", m.Pos), Err: err})
				if s.ctx.Err() != nil {
					return err
				}
				m.Chunk, m.Err = nil, err
			}
		}
	}
	return nil
}

// closeGrace is how long a source that is closed waits for room to save what it
// has made: nobody may make any, as the store's ticks have ended.
const closeGrace = 2 * time.Second

// put puts a chunk and its documents. A source that is closed meanwhile saves
// what it has all the same, unless there is no room.
func (s *Source) put(m *pregen.Made) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.ctx))
	defer cancel()
	defer context.AfterFunc(s.ctx, func() {
		wait(ctx, closeGrace)
		cancel()
	})()
	for {
		err := s.putOnce(ctx, m)
		if !errors.Is(err, vfs.ErrNoSpace) {
			return err
		}
		if s.ctx.Err() != nil {
			return err
		}
		wait(s.ctx, spaceRetry)
	}
}

func (s *Source) putOnce(ctx context.Context, m *pregen.Made) error {
	for kind, data := range map[store.Kind][]byte{store.Entities: m.Entities, store.POI: m.POI} {
		if data == nil {
			continue
		}
		ref := store.Ref{Dim: s.opts.Dim, Kind: kind, Pos: m.Pos}
		if err := s.opts.Store.PutDocument(ctx, ref, data); err != nil {
			return err
		}
	}
	return s.opts.Store.Put(ctx, s.opts.Dim, m.Chunk.Clone())
}

// finish delivers what a job has made.
func (s *Source) finish(j *job, out *outcome) {
	results := make([]Result, 0, len(out.made))
	for i := range out.made {
		m := &out.made[i]
		was, relit := out.base[m.Pos]
		switch {
		case relit && m.Chunk != nil:
			delete(out.base, m.Pos) // the hold goes on to the result
			results = append(results, Result{Pos: m.Pos, Hold: was.hold, Relit: true, light: m.Chunk, revision: was.revision})
			m.Chunk = nil
		case j.area.Contains(m.Pos):
			results = append(results, s.result(m))
		}
	}
	var drop []Result
	s.mu.Lock()
	s.job = nil
	for i := range out.made {
		m := &out.made[i]
		s.metrics.StructuresLeftOut += int64(m.StructuresLeftOut)
		if _, relit := out.base[m.Pos]; m.Chunk != nil && !relit && !j.area.Contains(m.Pos) {
			s.metrics.Rim++
		}
	}
	for _, r := range results {
		switch {
		case r.Relit && !s.closed:
			s.metrics.Relit++
			drop = append(drop, s.deliverLight(r)...)
			continue
		case r.Err == nil && !r.Relit:
			s.metrics.Generated++
			s.heat(r.Pos)
			if s.chunks[r.Pos] == nil {
				s.metrics.Ahead++
			}
		}
		if e := s.chunks[r.Pos]; r.Relit || e != nil && e.state != stateMaking || !s.deliver(r) {
			drop = append(drop, r) // or it is being loaded already
		}
	}
	s.work.Broadcast()
	s.mu.Unlock()
	for _, r := range drop {
		if r.Hold != nil {
			r.Hold.Release()
		}
	}
}

// deliverLight puts new light into the queue, in the place of what waits there
// for the same content: that was computed before. Called under mu.
func (s *Source) deliverLight(r Result) (dropped []Result) {
	for i, was := range s.results {
		if was.Relit && was.Pos == r.Pos && was.revision == r.revision {
			s.results[i] = r
			return []Result{was}
		}
	}
	s.results = append(s.results, r)
	return nil
}

// result is that of a chunk of the job.
func (s *Source) result(m *pregen.Made) Result {
	r := Result{Pos: m.Pos, Err: m.Err, Generated: true}
	if r.Err == nil && !m.Chunk.Full() {
		r.Err = fmt.Errorf("chunk %v is left at %s: %w", m.Pos, m.Chunk.StatusName(), ErrUnfinished)
	}
	if r.Err == nil {
		r.Hold, r.Err = s.opts.Store.Load(context.WithoutCancel(s.ctx), s.opts.Dim, m.Pos, store.Urgent)
	}
	r.Generated = r.Err == nil
	return r
}
