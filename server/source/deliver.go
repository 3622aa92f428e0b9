package source

import (
	"context"
	"fmt"

	"strata/anvil/store"
	"strata/pregen"
)

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
	made := 0
	for i := range results {
		if results[i].Err == nil && !results[i].Relit {
			made++
		}
	}
	s.tileDone(j, made, false)
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
		r.Release()
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
	if r.Generated = r.Err == nil; r.Generated {
		r.Entities = s.entities(context.WithoutCancel(s.ctx), m.Pos)
	}
	return r
}
