package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/bench/testbed"
	"strata/server/client"
	"strata/server/protocol"
)

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// errorLog counts what is logged as an error, and keeps the first of it. The lines
// about connections that ended are of no interest.
type errorLog struct {
	slog.Handler
	count atomic.Int64
	first atomic.Pointer[string]
}

func (l *errorLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (l *errorLog) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += " " + a.String()
		return true
	})
	l.count.Add(1)
	l.first.CompareAndSwap(nil, &line)
	return nil
}

func (l *errorLog) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l *errorLog) WithGroup(string) slog.Handler      { return l }

// good is a client that plays as one should while others do not.
type good struct {
	*client.Client
	first, last   int64 // ticks of the world when it was told of them
	since, until  time.Time
	acknowledged  int
	slowest, wait time.Duration
}

// play walks to and fro, digs and builds, one step after each answer of the server,
// until the context ends and the world has gone on long enough to tell how fast.
func (g *good) play(ctx context.Context) error {
	y := g.Position.Y
	item, _ := registry.Of("minecraft:item", g.Version()).ID("minecraft:stone")
	if err := g.Send(&protocol.SetCreativeModeSlot{Slot: 36, Item: protocol.UntrustedItem{Count: 1, ID: item}}); err != nil {
		return err
	}
	for sequence := int32(1); ctx.Err() == nil || g.last-g.first < 60; sequence++ {
		began := time.Now()
		if err := g.step(sequence, y); err != nil {
			return err
		}
		err := g.Until(patience, fmt.Sprintf("the answer to %d", sequence), func(p protocol.Packet) bool {
			g.watch(p)
			return g.Acknowledged >= sequence
		})
		if err != nil {
			return err
		}
		g.acknowledged++
		took := time.Since(began)
		g.slowest, g.wait = max(g.slowest, took), g.wait+took
	}
	return nil
}

func (g *good) step(sequence int32, y float64) error {
	x := 8.5 + float64(sequence%20)/10
	if sequence%40 >= 20 {
		x = 10.5 - float64(sequence%20)/10
	}
	if err := g.MoveTo(x, y, 8.5); err != nil {
		return err
	}
	ground := protocol.BlockPos{X: 9, Y: int32(y) - 1, Z: 11}
	if sequence%2 == 0 {
		return g.Send(&protocol.PlayerAction{Pos: protocol.BlockPos{X: 9, Y: int32(y), Z: 11}, Face: 1, Sequence: sequence})
	}
	return g.Send(&protocol.UseItemOn{Pos: ground, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: sequence})
}

func (g *good) watch(p protocol.Packet) {
	// What came before the first answer may have waited for long to be read.
	if t, ok := p.(*protocol.SetTime); ok && g.acknowledged > 0 {
		if g.since.IsZero() {
			g.first, g.since = t.GameTime, time.Now()
		}
		g.last, g.until = t.GameTime, time.Now()
	}
}

// rate is how many ticks a second there were.
func (g *good) rate() float64 { return float64(g.last-g.first) / g.until.Sub(g.since).Seconds() }

// rss is what the process has in memory, in bytes; 0 where the system does not say.
func rss() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// heap is what the objects on the heap take.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// storm has attackers send so many inputs.
func storm(ctx context.Context, t *testing.T, s *Server, seed int64, inputs int) *counts {
	t.Helper()
	var left atomic.Int64
	var sent counts
	left.Store(int64(inputs))
	var tasks sync.WaitGroup
	for i := range attackers {
		tasks.Go(func() {
			a := &attacker{address: s.Addr().String(), name: fmt.Sprintf("Storm_%d", i), counts: &sent}
			a.Rand = rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			for ctx.Err() == nil && left.Load() > 0 {
				left.Add(-int64(a.attack(ctx)))
			}
		})
	}
	tasks.Wait()
	return &sent
}

// drip sends a byte of a login now and then until the context ends: as slow as can be.
func drip(ctx context.Context, address string) {
	for ctx.Err() == nil {
		r, err := client.DialRaw(ctx, address, registry.V26_1)
		if err != nil {
			return
		}
		ticker := time.NewTicker(200 * time.Millisecond)
		for _, b := range append([]byte{0xff, 0x1f}, make([]byte, 4000)...) {
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
			if _, err := r.Write([]byte{b}); err != nil || ctx.Err() != nil {
				break
			}
		}
		ticker.Stop()
		_ = r.Close()
	}
}

const (
	attackers = 12
	drippers  = 8
	// stormHeap is what the heap may have at any time: of the server, whose limit of
	// memory is 256 MiB, and of those who attack it.
	stormHeap = 256 << 20
	slack     = 1.05
)

// TestMalformedInputStorm sends inputs that no client should send to all states of the
// protocol, while one client plays as it should: nothing of it may reach that one, and
// nothing may be left of it.
func TestMalformedInputStorm(t *testing.T) {
	log := &errorLog{}
	s, _ := start(t, creative, func(o *Options) {
		o.Log = slog.New(log)
		o.MaxPlayers = 100
	})
	inputs, seed := testbed.Runs(t, 200_000), testbed.Seed(t)
	g := &good{Client: join(t, s, registry.V26_2, "Walker_1").Client}
	storm(t.Context(), t, s, seed+1, max(inputs/20, 2000)) // so that what is made once is there
	if err := g.Until(clientTime, "a quiet world", func(protocol.Packet) bool { return len(g.Entities) == 0 }); err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	goroutines, memory := runtime.NumGoroutine(), rss()

	ctx, stop := context.WithCancel(t.Context())
	played := make(chan error, 1)
	go func() { played <- g.play(ctx) }()
	var most uint64
	var others sync.WaitGroup
	others.Go(func() {
		for ticker := time.NewTicker(50 * time.Millisecond); ctx.Err() == nil; <-ticker.C {
			most = max(most, heap())
		}
	})
	for range drippers {
		others.Go(func() { drip(ctx, s.Addr().String()) })
	}
	began := time.Now()
	sent := storm(ctx, t, s, seed, inputs)
	took := time.Since(began)
	stop()
	if err := <-played; err != nil {
		t.Errorf("the client that did nothing wrong: %v", err)
	}
	others.Wait()
	t.Logf("%d inputs in %.1f s, %.0f a second: %v", inputs, took.Seconds(), float64(inputs)/took.Seconds(), sent)
	t.Logf("%.2f ticks a second; %d answers, %d ms in the mean, %d ms at most; heap %d MiB at most",
		g.rate(), g.acknowledged, g.wait.Milliseconds()/int64(max(g.acknowledged, 1)), g.slowest.Milliseconds(), most>>20)
	if g.rate() < 19.5 {
		t.Errorf("%.2f ticks a second", g.rate())
	}
	if most > stormHeap {
		t.Errorf("the heap had %d MiB", most>>20)
	}
	if n := log.count.Load(); n > 0 {
		t.Errorf("%d errors were logged, the first: %s", n, *log.first.Load())
	}
	settles(t, g, goroutines, memory)
}

// settles waits until goroutines and memory are what they were.
func settles(t *testing.T, g *good, goroutines int, memory int64) {
	t.Helper()
	began := time.Now()
	for {
		// The client stays on in the meantime.
		if err := g.Until(clientTime, "a second", func(p protocol.Packet) bool { _, ok := p.(*protocol.SetTime); return ok }); err != nil {
			t.Fatal(err)
		}
		debug.FreeOSMemory()
		n, m := runtime.NumGoroutine(), rss()
		if float64(n) <= slack*float64(goroutines) && (raceEnabled || float64(m) <= slack*float64(memory)) {
			t.Logf("after %.1f s: %d goroutines, %d before; %d MiB of memory, %d before", time.Since(began).Seconds(), n, goroutines, m>>20, memory>>20)
			return
		}
		if time.Since(began) > clientTime {
			buf := make([]byte, 1<<20)
			t.Fatalf("still %d goroutines, %d before, and %d MiB of memory, %d before:\n%s",
				n, goroutines, m>>20, memory>>20, buf[:runtime.Stack(buf, true)])
		}
	}
}
