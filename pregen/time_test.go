package pregen

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// slow makes each chunk of the fake take some time, of which workers spend
// most asleep.
func slow(f *fake, each time.Duration) {
	f.before = func(ctx context.Context, _ Wanted, _ int) error { return sleep(ctx, each) }
}

// TestAKillLosesTwoSecondsAtMost looks at the disk at odd moments as it would
// be after a power cut.
func TestAKillLosesTwoSecondsAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := vfs.NewMem(vfs.MemOptions{})
		world := createWorld(t, mem, "w")
		f := newFake()
		slow(f, 30*time.Millisecond)
		var mu sync.Mutex
		var made []time.Time
		o := options(square(t, 0, 0, 12), f)
		o.Seen = func(string, region.ChunkPos, State) {
			mu.Lock()
			made = append(made, time.Now())
			mu.Unlock()
		}
		ended := make(chan error, 1)
		go func() {
			_, err := runIn(t.Context(), mem, world, o)
			ended <- err
		}()
		for _, after := range []time.Duration{900 * time.Millisecond, 1777 * time.Millisecond, 2600 * time.Millisecond} {
			time.Sleep(after)
			left := mem.CrashClone(vfs.CrashOptions{})
			mu.Lock()
			safe := int64(0)
			for _, at := range made {
				if time.Since(at) >= 2*time.Second {
					safe++
				}
			}
			total := int64(len(made))
			mu.Unlock()
			r := mustRun(t, left, world, options(square(t, 0, 0, 12), newFake()))
			t.Logf("%d made, %d of them two seconds ago; %d are there", total, safe, r.Resumed)
			if r.Resumed < safe || r.Resumed > total || r.New+r.Resumed != 625 {
				t.Errorf("report %+v", r)
			}
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// TestTheRateIsKept: chunks are made at the rate that is asked for, within a
// tenth, not faster for a while and slower then.
func TestTheRateIsKept(t *testing.T) {
	for _, rate := range []float64{5, 100, 900} {
		synctest.Test(t, func(t *testing.T) {
			mem := vfs.NewMem(vfs.MemOptions{})
			world := createWorld(t, mem, "w")
			var mu sync.Mutex
			var made []time.Time
			o := options(square(t, 0, 0, 11), newFake())
			o.Rate, o.Workers = rate, 3
			o.Seen = func(string, region.ChunkPos, State) {
				mu.Lock()
				made = append(made, time.Now())
				mu.Unlock()
			}
			r := mustRun(t, mem, world, o)
			if got := r.ChunksPerSecond(); got < rate*0.9 || got > rate*1.1 {
				t.Errorf("%.1f chunks/s, want %.1f", got, rate)
			}
			half := float64(len(made)/2) / made[len(made)/2].Sub(made[0]).Seconds()
			if half < rate*0.9 || half > rate*1.2 {
				t.Errorf("%.1f chunks/s in the first half, want %.1f", half, rate)
			}
		})
	}
}

// TestFinishedChunksWaitForASlowDisk holds each flush up until no more chunks
// come: what is finished and not durable stays below the limit.
func TestFinishedChunksWaitForASlowDisk(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	var made atomic.Int64
	var most, flushes int64
	fault := vfs.NewFault(mem)
	fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "*.spool", Forever: true, Hook: func(vfs.OpInfo) {
		begin, last := made.Load(), int64(-1)
		for now := begin; now != last; now = made.Load() {
			last = now
			time.Sleep(100 * time.Millisecond) // a slow disk
		}
		most = max(most, last-begin)
		flushes++
	}})
	f := newFake()
	f.size = 32 << 10
	o := options(square(t, 8, 8, 7), f) // in one region, so that one goroutine flushes at a time
	o.DirtyLimit = minDirty
	o.Seen = func(string, region.ChunkPos, State) { made.Add(1) }
	if r := mustRun(t, fault, world, o); r.New != 225 {
		t.Errorf("report %+v", r)
	}
	if room := int64(minDirty>>15 + 2); most > room || most < room/3 {
		t.Errorf("%d chunks were made during a flush, there is room for %d", most, room)
	}
	if flushes < 225*32/1024-1 {
		t.Errorf("only %d flushes", flushes)
	}
}
