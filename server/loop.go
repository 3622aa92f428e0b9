package server

import (
	"context"
	"time"
)

const (
	// normalRate is how many ticks there are in a second.
	normalRate = 20
	tickTime   = time.Second / normalRate
	mostLate   = 2 * time.Second
)

// loop ticks until ctx ends.
func (s *Server) loop(ctx context.Context) {
	defer s.watch(ctx)()
	next := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		every := s.pace.every
		if late := time.Since(next); late > max(mostLate, every) {
			s.options.Log.Warn("Can't keep up! Is the server overloaded?",
				"behind_ms", late.Milliseconds(), "ticks", int64(late/every))
			next = next.Add(late.Truncate(every))
		}
		s.tick()
		next = next.Add(s.pace.every)
		if s.sprinted() {
			next = time.Now()
		}
		timer.Reset(time.Until(next))
	}
}

// tick is one round of the loop.
func (s *Server) tick() {
	s.watchdog.Begin()
	began := time.Now()
	s.runJobs()
	if err := s.game.Tick(); err != nil {
		s.options.Log.Error("tick", "error", err)
	}
	s.keepNow()
	s.notePause()
	s.store.Tick()
	s.publish()
	s.rest(s.game.Players())
	s.watchdog.End()
	now := time.Now()
	s.times.Add(now, now.Sub(began))
}
