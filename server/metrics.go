package server

import (
	"time"

	"strata/anvil/store"
	"strata/server/source"
	"strata/server/stream"
	"strata/server/tick"
)

// Metrics counts what a server has done since it was opened, and says what it is
// at.
type Metrics struct {
	// Ticks is how many there were, Ticking how long they took together.
	Ticks   uint64
	Ticking time.Duration
	// TickTimes are those ticks by duration, Tick is of those of the last minute.
	TickTimes []tick.Bucket
	Tick      tick.Summary
	// TPS is ticks a second over 1, 5 and 15 minutes.
	TPS [3]float64

	Players, MaxPlayers int
	Dimensions          []DimensionMetrics
	Store               store.Metrics
	Frames              stream.CacheMetrics // of chunks

	Connections       int64 // that were accepted
	OpenConnections   int64
	BytesIn, BytesOut int64 // over connections, as compressed and encrypted
}

// DimensionMetrics are those of a dimension.
type DimensionMetrics struct {
	ID     string
	Loaded int // chunks
	Source source.Metrics
}

// minuteTicks is how many ticks there are in a minute.
const minuteTicks = 60 * normalRate

// Metrics is a snapshot of the counters. It may be called from any goroutine, also
// while the server ends.
func (s *Server) Metrics() Metrics {
	m := Metrics{
		Tick: s.times.Summary(minuteTicks), TPS: s.times.PerSecond(time.Now()),
		Players: int(s.online.Load()), MaxPlayers: s.options.MaxPlayers,
		Store: s.store.Metrics(), Frames: s.chunks.Metrics(),
		Connections: s.traffic.accepted.Load(), OpenConnections: s.traffic.open.Load(),
		BytesIn: s.traffic.in.Load(), BytesOut: s.traffic.out.Load(),
	}
	m.Ticks, m.Ticking, m.TickTimes = s.times.Histogram()
	for i, d := range s.worlds {
		m.Dimensions = append(m.Dimensions, DimensionMetrics{d.ID(), int(s.loaded[i].Load()), s.sources[d.ID()].Metrics()})
	}
	return m
}
