package source

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
)

// Request asks for a chunk.
type Request struct {
	Pos region.ChunkPos
	// Rank orders requests, lower ones first: a distance, say.
	Rank int32
}

// Result is what became of a request, or the new light of a full chunk.
type Result struct {
	Pos region.ChunkPos
	// Hold is the chunk, at status full; nil if Err is not.
	Hold *store.Hold
	// Entities are those of the chunk's file; nil, without an Err, if they cannot
	// be read, which Events were told.
	Entities *store.DocumentHold
	// Err says why the chunk cannot be had.
	Err error
	// Generated says that it was finished just now.
	Generated bool
	// Relit says that nothing was asked for: generation beside the chunk has
	// changed its light. See ApplyLight.
	Relit bool

	light    *chunk.Chunk
	revision uint64
}

// Release ends what a result holds.
func (r *Result) Release() {
	if r.Hold != nil {
		r.Hold.Release()
	}
	if r.Entities != nil {
		r.Entities.Release()
	}
}

// ErrUnfinished is the error of a chunk that generation left below full, or
// that is stored so and cannot be generated here.
var ErrUnfinished = errors.New("chunk is not finished")

// ErrClosed is the error of a Close after the first.
var ErrClosed = errors.New("source is closed")

// Source loads and generates the chunks of a dimension.
type Source struct {
	opts   Options
	ctx    context.Context //nolint:containedctx // it ends what Close waits for
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex // guards what follows
	work    *sync.Cond // for loaders and the planner
	chunks  map[region.ChunkPos]*entry
	queue   []*entry // to be loaded, best last
	missing int      // entries that are to be generated
	results []Result
	failed  map[region.ChunkPos]bool // since the last Want that left them out
	warm    map[region.ChunkPos]bool // tiles where something was generated
	job     *job                     // the one that runs, nil for none
	area    *background              // what is generated for nobody, nil for nothing
	closed  bool
	// generates says that what is absent is made.
	generates bool
	resting   bool // the generator has been idle for long enough
	metrics   Metrics

	// What follows is the planner's.
	generator pregen.Generator // nil until it is needed
	facts     pregen.Facts
	workers   []pregen.Worker
}

// state is what is done about a chunk that is wanted.
type state uint8

const (
	stateQueued  state = iota // to be loaded
	stateLoading              // by a loader
	stateMissing              // to be generated
	stateMaking               // by the job
	stateReady                // in results
)

// entry is a chunk that is wanted, or about which something is being done.
type entry struct {
	pos    region.ChunkPos
	rank   int32
	state  state
	wanted bool
	alone  bool // a job of several with it has failed
}

// New starts a source. Close ends it.
func New(o Options) (*Source, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	s := &Source{
		opts: o, chunks: make(map[region.ChunkPos]*entry),
		failed: make(map[region.ChunkPos]bool), warm: make(map[region.ChunkPos]bool),
	}
	s.work = sync.NewCond(&s.mu)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for range o.Loads {
		s.wg.Go(s.loadAll)
	}
	if s.generates = o.Generator != nil || o.Open != nil; s.generates {
		s.wg.Go(s.generateAll)
	}
	return s, nil
}

// Want says which chunks are wanted now, each once, in any order: all that the
// caller lacks. What was asked for before and is not among them is given up;
// what is under way goes on if it is.
func (s *Source) Want(requests []Request) {
	var drop []Result
	s.mu.Lock()
	for _, e := range s.chunks {
		e.wanted = false
	}
	for _, r := range requests {
		e := s.chunks[r.Pos]
		if e == nil {
			e = &entry{pos: r.Pos}
			s.chunks[r.Pos] = e
		}
		e.rank, e.wanted = r.Rank, true
	}
	s.queue, s.missing = s.queue[:0], 0
	for pos, e := range s.chunks {
		switch {
		case e.wanted && s.failed[pos] && e.state == stateQueued, !e.wanted && e.state != stateLoading && e.state != stateMaking:
			delete(s.chunks, pos)
		case e.state == stateQueued:
			s.queue = append(s.queue, e)
		case e.state == stateMissing:
			s.missing++
		}
	}
	if len(s.failed) > 0 {
		asked := make(map[region.ChunkPos]bool, len(requests))
		for _, r := range requests {
			asked[r.Pos] = true
		}
		for pos := range s.failed {
			if !asked[pos] {
				delete(s.failed, pos)
			}
		}
	}
	slices.SortFunc(s.queue, func(a, b *entry) int { return compare(b, a) })
	s.results, drop = s.sift(s.results)
	if s.job != nil && !s.job.wanted() {
		s.job.cancel()
	}
	s.work.Broadcast()
	s.mu.Unlock()
	for _, r := range drop {
		r.Release()
	}
}

// compare orders entries: by rank, and then by place, so that it is always the
// same order.
func compare(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.pos.Z, b.pos.Z), cmp.Compare(a.pos.X, b.pos.X))
}

// sift parts results into those that are still wanted and those that are not.
// Called under mu.
func (s *Source) sift(results []Result) (kept, dropped []Result) {
	kept = results[:0]
	for _, r := range results {
		if e := s.chunks[r.Pos]; r.Relit || e != nil && e.wanted && e.state == stateReady {
			kept = append(kept, r)
		} else {
			dropped = append(dropped, r)
		}
	}
	clear(results[len(kept):])
	return kept, dropped
}

// Take appends at most n results to dst, oldest first, and does not wait.
func (s *Source) Take(dst []Result, n int) []Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = min(max(n, 0), len(s.results))
	for _, r := range s.results[:n] {
		dst = append(dst, r)
		if r.Relit {
			continue
		}
		delete(s.chunks, r.Pos)
		if r.Err != nil {
			s.failed[r.Pos] = true
		}
	}
	if n > 0 {
		rest := copy(s.results, s.results[n:])
		clear(s.results[rest:])
		s.results = s.results[:rest]
		s.work.Broadcast()
	}
	return dst
}

// deliver puts a result into the queue if it is wanted, and reports whether it
// is. Called under mu.
func (s *Source) deliver(r Result) bool {
	e := s.chunks[r.Pos]
	if e == nil || s.closed {
		return false
	}
	if !e.wanted {
		delete(s.chunks, r.Pos)
		return false
	}
	e.state = stateReady
	s.results = append(s.results, r)
	if r.Err != nil {
		s.metrics.Failed++
	}
	return true
}

// Close gives up what is wanted, ends all work and waits for it. A job that is
// being saved is saved.
func (s *Source) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.closed = true
	s.cancel()
	s.work.Broadcast()
	s.mu.Unlock()
	s.wg.Wait()
	s.mu.Lock()
	results := s.results
	s.results, s.chunks, s.queue = nil, make(map[region.ChunkPos]*entry), nil
	s.mu.Unlock()
	for _, r := range results {
		r.Release()
	}
	return nil
}
