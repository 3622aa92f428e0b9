package source

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/region"
)

// loadAll loads what is wanted until the source is closed.
func (s *Source) loadAll() {
	for {
		e := s.nextLoad()
		if e == nil {
			return
		}
		hold, err := s.opts.Store.Load(s.ctx, s.opts.Dim, e.pos, store.Normal)
		s.loaded(e, hold, err)
	}
}

// nextLoad waits for a chunk to load, nil when the source is closed.
func (s *Source) nextLoad() *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.closed {
			return nil
		}
		if n := len(s.queue); n > 0 && len(s.results) < s.opts.Queue {
			e := s.queue[n-1]
			s.queue = s.queue[:n-1]
			e.state = stateLoading
			return e
		}
		s.work.Wait()
	}
}

// loaded does what there is to do about a chunk that was looked for.
func (s *Source) loaded(e *entry, hold *store.Hold, err error) {
	full := false
	if err == nil {
		err = hold.Read(func(c *chunk.Chunk) { full = c.Full() })
	}
	r := Result{Pos: e.pos, Hold: hold}
	if err == nil && full {
		r.Entities = s.entities(s.ctx, e.pos)
	}
	kept := false
	s.mu.Lock()
	switch {
	case err == nil && full:
		if kept = s.deliver(r); kept {
			s.metrics.Loaded++
		}
	case errors.Is(err, context.Canceled) && s.closed:
		delete(s.chunks, e.pos)
	case s.generates && (err == nil || errors.Is(err, store.ErrAbsent)):
		if e.state = stateMissing; !e.wanted {
			delete(s.chunks, e.pos)
		} else {
			s.missing++
		}
	default:
		if err == nil {
			err = unfinished(e.pos)
		}
		s.deliver(Result{Pos: e.pos, Err: err})
	}
	s.work.Broadcast()
	s.mu.Unlock()
	if !kept {
		r.Release()
	}
}

// entities holds the entities of a chunk, nil if they cannot be read.
func (s *Source) entities(ctx context.Context, pos region.ChunkPos) *store.DocumentHold {
	hold, err := s.opts.Store.HoldDocument(ctx, store.Ref{Dim: s.opts.Dim, Kind: store.Entities, Pos: pos}, store.Normal)
	if err == nil {
		return hold
	}
	if !errors.Is(err, context.Canceled) {
		s.opts.Events(Event{Text: fmt.Sprintf("the entities of chunk %d %d cannot be read and stay as they are", pos.X, pos.Z), Err: err})
	}
	return nil
}

func unfinished(pos region.ChunkPos) error { return fmt.Errorf("chunk %v: %w", pos, ErrUnfinished) }
