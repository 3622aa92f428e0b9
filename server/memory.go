package server

import (
	"fmt"
	"runtime/debug"
)

// Profile says how much of the machine a server takes.
type Profile string

const (
	// Low, the default: a limit of memory, and what can be made again is given up
	// when nobody is on.
	Low Profile = "low"
	// Throughput: memory is kept for the next player.
	Throughput Profile = "throughput"
)

const (
	lowMemory = 512 << 20
	minMemory = 128 << 20
	// programBytes is what the process has in memory beside what the runtime
	// counts: its code and tables.
	programBytes = 32 << 20
	// idleTicks is how long nobody must have been on before memory is given back:
	// longer than generation rests.
	idleTicks = 12 * 20
)

// memory is how many bytes the parts of a server may take.
type memory struct {
	limit                   int64 // of the process, 0 for none
	store, frames, generate int64 // 0 is the part's own default
}

func (o *Options) memory() (m memory, err error) {
	m.limit = o.MemoryLimit
	switch o.Profile {
	case Low, "":
		o.Profile = Low
		if m.limit == 0 {
			m.limit = lowMemory
		}
	case Throughput:
	default:
		return m, fmt.Errorf("memory profile %q, want low or throughput", o.Profile)
	}
	if m.limit != 0 && m.limit < minMemory {
		return m, fmt.Errorf("a memory limit of %d bytes, below %d", m.limit, int64(minMemory))
	}
	if m.limit != 0 {
		m.store, m.frames, m.generate = m.limit/4, m.limit/16, m.limit/8
	}
	return m, nil
}

// apply has the collector keep the limit, and returns what undoes that.
func (m memory) apply() (undo func()) {
	if m.limit == 0 {
		return func() {}
	}
	limit := m.limit - programBytes
	before := debug.SetMemoryLimit(limit)
	if before < limit {
		debug.SetMemoryLimit(before) // a stricter one is in force
		return func() {}
	}
	return func() { debug.SetMemoryLimit(before) }
}

// rest is called each tick: when nobody has been on for a while, once, what can be
// made again is given up.
func (s *Server) rest(players int) {
	if players > 0 || s.options.Profile == Throughput {
		s.idle = 0
		return
	}
	if s.idle++; s.idle == idleTicks {
		s.resting.Go(func() {
			s.store.Trim()
			debug.FreeOSMemory()
			releaseText()
		})
	}
}
