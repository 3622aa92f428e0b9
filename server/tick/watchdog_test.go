package tick

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestAWatchdogTellsOfATickThatDoesNotEnd: once with all stacks, then once for
// each further limit.
func TestAWatchdogTellsOfATickThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []Stall
		w := NewWatchdog(WatchOptions{Limit: time.Minute, Report: func(s Stall) { told = append(told, s) }})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			w.Run(ctx)
		}()
		tick := func(d time.Duration) {
			w.Begin()
			standStill(d)
			w.End()
		}
		tick(59 * time.Second)
		time.Sleep(time.Hour) // between ticks
		tick(time.Second)
		if synctest.Wait(); len(told) != 0 {
			t.Errorf("told of %+v", told)
		}
		tick(3*time.Minute + 10*time.Second)
		tick(time.Second)
		tick(70 * time.Second)
		cancel()
		<-ended
		want := []Stall{{Tick: 3}, {Tick: 3}, {Tick: 3}, {Tick: 5}}
		if len(told) != len(want) {
			t.Fatalf("told %d times", len(told))
		}
		for i, s := range told {
			first := i == 0 || i == 3
			if s.Tick != want[i].Tick || s.Took <= time.Minute || bytes.Contains(s.Stacks, []byte("standStill")) != first {
				t.Errorf("report %d: tick %d, %v, stacks\n%s", i, s.Tick, s.Took, s.Stacks)
			}
		}
		if told[0].Took > 68*time.Second || told[2].Took < 3*time.Minute {
			t.Errorf("told after %v, and last after %v", told[0].Took, told[2].Took)
		}
	})
}

//go:noinline
func standStill(d time.Duration) { time.Sleep(d) }
