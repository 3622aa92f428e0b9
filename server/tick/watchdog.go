package tick

import (
	"bytes"
	"context"
	"runtime/pprof"
	"sync/atomic"
	"time"
)

// WatchOptions of a Watchdog.
type WatchOptions struct {
	// Limit is how long a tick may take, more than 0.
	Limit time.Duration
	// Report is told of a tick that has taken longer, and once more for each
	// further Limit; on the goroutine of Run.
	Report func(Stall)
}

// Stall is a tick that takes too long, and has not ended.
type Stall struct {
	// Tick is its number, the first one is 1.
	Tick int64
	// Took is how long it has taken so far.
	Took time.Duration
	// Stacks are the stacks of all goroutines, in the first report of a tick.
	Stacks []byte
}

// Watchdog tells of ticks that take too long.
type Watchdog struct {
	options WatchOptions
	base    time.Time
	ticks   atomic.Int64 // that have begun
	began   atomic.Int64 // of the tick that runs, since base; idle for none
}

const idle = -1

// checks is how often a tick is looked at within its limit.
const checks = 8

// NewWatchdog returns a watchdog that watches as long as Run runs.
func NewWatchdog(o WatchOptions) *Watchdog {
	w := &Watchdog{options: o, base: time.Now()}
	w.began.Store(idle)
	return w
}

// Begin says that a tick begins now.
func (w *Watchdog) Begin() {
	w.ticks.Add(1)
	w.began.Store(int64(time.Since(w.base)))
}

// End says that it has ended.
func (w *Watchdog) End() { w.began.Store(idle) }

// Run watches until ctx ends.
func (w *Watchdog) Run(ctx context.Context) {
	ticker := time.NewTicker(max(w.options.Limit/checks, time.Millisecond))
	defer ticker.Stop()
	var told Stall
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		tick, began := w.ticks.Load(), w.began.Load()
		if began == idle {
			continue
		}
		now := Stall{Tick: tick, Took: time.Since(w.base) - time.Duration(began)}
		if now.Took <= w.options.Limit || now.Tick == told.Tick && now.Took-told.Took < w.options.Limit {
			continue
		}
		if now.Tick != told.Tick {
			now.Stacks = stacks()
		}
		told = Stall{Tick: now.Tick, Took: now.Took}
		w.options.Report(now)
	}
}

// stacks are those of all goroutines, as a panic prints them.
func stacks() []byte {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		b.WriteString(err.Error())
	}
	return b.Bytes()
}
