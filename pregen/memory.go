package pregen

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// memoryGate keeps the process below a limit: while it is above, all workers
// but one wait, with their scratch memory given back.
type memoryGate struct {
	limit int64
	used  func() int64

	mu      sync.Mutex
	working int // workers between enter and leave
}

// gatePause is how long a worker waits before it looks again.
const gatePause = 50 * time.Millisecond

// gatePart is the part of the limit, in per cent, above which workers wait:
// what is above it is room for the work that is under way.
const gatePart = 90

// enter waits until there is room for another worker. released is called
// before it waits.
func (g *memoryGate) enter(ctx context.Context, released func()) error {
	waited := false
	for {
		over := g.limit > 0 && g.used() > g.limit/100*gatePart
		g.mu.Lock()
		if !over || g.working == 0 {
			g.working++
			g.mu.Unlock()
			return ctx.Err()
		}
		g.mu.Unlock()
		if !waited {
			waited = true
			released()
			debug.FreeOSMemory()
		}
		if err := sleep(ctx, gatePause); err != nil {
			return err
		}
	}
}

// leave ends the work that enter allowed.
func (g *memoryGate) leave() {
	g.mu.Lock()
	g.working--
	g.mu.Unlock()
}

// memoryUsed is what the Go runtime has from the system and not given back.
func memoryUsed() int64 {
	s := [...]metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s[:])
	return int64(s[0].Value.Uint64()) - int64(s[1].Value.Uint64())
}

// programBytes is what the process has in memory beside what the runtime counts:
// its code and tables.
const programBytes = 24 << 20

// lightHeapPart is the part of the limit, in per cent, that the collector keeps
// in profile Low if nothing is built across the borders of chunks: of the
// default 240 MiB, where 90 are in use at a time. So it works little more than it
// would, and the process takes no more for a large area than for a small one.
// Otherwise up to 230 are in use, and the collector keeps the limit.
const lightHeapPart = 68

// limitMemory makes the collector keep the limit as well, and returns what
// undoes that.
func (o *Options) limitMemory() (undo func()) {
	if o.MemoryLimit <= 0 {
		return func() {}
	}
	heap := o.MemoryLimit - programBytes
	keeps := slices.ContainsFunc(o.Targets, func(t Target) bool { return t.Generator.Facts().Rim > 0 })
	if o.Profile == Low && !keeps {
		heap = min(heap, o.MemoryLimit/100*lightHeapPart)
	}
	before := debug.SetMemoryLimit(heap)
	if before < heap {
		debug.SetMemoryLimit(before) // a stricter one is in force
		return func() {}
	}
	return func() { debug.SetMemoryLimit(before) }
}
