package server

import (
	"time"

	"strata/server/command"
)

// pace is how fast the loop goes. It belongs to the tick goroutine.
type pace struct {
	rate   float32
	every  time.Duration // from tick to tick
	frozen bool
	sprint *sprint // nil for none
}

// sprint is a number of ticks that follow each other at once.
type sprint struct {
	ticks, left int32
	began       time.Time
	done        func(ticks int32, took time.Duration)
}

func newPace() pace { return pace{rate: normalRate, every: tickTime} }

// sprinted is called after each tick, and reports whether the next one follows at
// once.
func (s *Server) sprinted() bool {
	p := s.pace.sprint
	if p == nil {
		return false
	}
	if p.left--; p.left <= 0 {
		s.endSprint()
	}
	return true
}

// endSprint ends a sprint, which tells how it went.
func (s *Server) endSprint() {
	p := s.pace.sprint
	s.pace.sprint = nil
	s.game.SetPace(s.pace.rate, s.pace.frozen)
	p.done(p.ticks-p.left, time.Since(p.began))
}

// percentileTicks is how many ticks commands tell percentiles of, as the game does.
const percentileTicks = 100

// TickStatus implements command.Ticks.
func (h *host) TickStatus() command.TickStatus {
	p, t := &h.s.pace, h.s.times.Summary(percentileTicks)
	return command.TickStatus{
		Rate: p.rate, Frozen: p.frozen, Sprinting: p.sprint != nil, Lagging: t.Mean > p.every,
		Mean: t.Mean, P50: t.P50, P95: t.P95, P99: t.P99, Sample: t.Sample, TPS: h.s.times.PerSecond(time.Now()),
	}
}

// SetTickRate implements command.Ticks.
func (h *host) SetTickRate(rate float32) {
	h.s.pace.rate, h.s.pace.every = rate, time.Duration(float64(time.Second)/float64(rate))
	h.s.game.SetPace(rate, h.s.pace.frozen && h.s.pace.sprint == nil)
}

// SetFrozen implements command.Ticks. It ends a sprint.
func (h *host) SetFrozen(frozen bool) {
	h.s.pace.frozen = frozen
	if h.s.pace.sprint != nil {
		h.s.endSprint()
		return
	}
	h.s.game.SetPace(h.s.pace.rate, frozen)
}

// Step implements command.Ticks.
func (h *host) Step(ticks int32) bool {
	if !h.s.pace.frozen || h.s.pace.sprint != nil || ticks == 0 && h.s.game.Steps() == 0 {
		return false
	}
	h.s.game.Step(ticks)
	return true
}

// Sprint implements command.Ticks. A frozen game runs while it sprints.
func (h *host) Sprint(ticks int32, done func(int32, time.Duration)) bool {
	interrupted := h.s.pace.sprint != nil
	if interrupted {
		h.s.endSprint()
	}
	if ticks > 0 {
		h.s.pace.sprint = &sprint{ticks: ticks, left: ticks, began: time.Now(), done: done}
		h.s.game.SetPace(h.s.pace.rate, false)
	}
	return interrupted
}
