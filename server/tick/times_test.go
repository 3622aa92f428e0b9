package tick

import (
	"testing"
	"time"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestSummariesAreOfTheLastTicks(t *testing.T) {
	times := NewTimes()
	if s := times.Summary(100); s != (Summary{}) {
		t.Errorf("of no ticks: %+v", s)
	}
	now := began
	for i := 1; i <= 2000; i++ {
		now = now.Add(50 * time.Millisecond)
		times.Add(now, time.Duration(i)*time.Millisecond)
	}
	const ms = time.Millisecond
	for sample, want := range map[int]Summary{
		100:   {100, 1950*ms + 500*time.Microsecond, 1950 * ms, 1995 * ms, 1999 * ms, 2000 * ms},
		1200:  {1200, 1400*ms + 500*time.Microsecond, 1400 * ms, 1940 * ms, 1988 * ms, 2000 * ms},
		10000: {1200, 1400*ms + 500*time.Microsecond, 1400 * ms, 1940 * ms, 1988 * ms, 2000 * ms},
		1:     {1, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms},
	} {
		if got := times.Summary(sample); got != want {
			t.Errorf("of %d: %+v, want %+v", sample, got, want)
		}
	}
}

func TestTicksASecondAreOfWholeSeconds(t *testing.T) {
	times := NewTimes()
	now := began
	run := func(d, every time.Duration) {
		for end := now.Add(d); now.Before(end); now = now.Add(every) {
			times.Add(now, 0)
		}
	}
	expect := func(what string, want ...float64) {
		t.Helper()
		if got := times.PerSecond(now); [3]float64(want) != got {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	expect("at once", 0, 0, 0)
	now = now.Add(time.Minute) // until the loop begins
	expect("before the first", 0, 0, 0)
	run(10*time.Second, 50*time.Millisecond)
	expect("after 10 s", 20, 20, 20)
	run(20*time.Minute, 50*time.Millisecond)
	expect("after 20 min", 20, 20, 20)
	run(time.Minute, 100*time.Millisecond)
	expect("after a slow one", 10, (4*20+10)/5., (14*20+10)/15.)
	now = now.Add(time.Minute) // it stood still
	expect("after a standstill", 0, (3*20+10)/5., (13*20+10)/15.)
	now = now.Add(time.Hour)
	expect("after a long one", 0, 0, 0)
	run(5*time.Minute, 50*time.Millisecond)
	expect("after it goes on", 20, 20, 20./3)
}

func TestAHistogramHasAllTicks(t *testing.T) {
	times := NewTimes()
	for _, took := range []time.Duration{0, time.Millisecond, time.Millisecond + 1, 50 * time.Millisecond, time.Minute} {
		times.Add(began, took)
	}
	ticks, sum, buckets := times.Histogram()
	if ticks != 5 || sum != time.Minute+52*time.Millisecond+1 {
		t.Errorf("%d ticks, %v", ticks, sum)
	}
	want := map[time.Duration]uint64{time.Millisecond: 2, 2500 * time.Microsecond: 3, 40 * time.Millisecond: 3, 50 * time.Millisecond: 4, 5 * time.Second: 4}
	for _, b := range buckets {
		if n, ok := want[b.UpTo]; ok && n != b.Ticks {
			t.Errorf("up to %v: %d, want %d", b.UpTo, b.Ticks, n)
		}
	}
	if len(buckets) != len(bounds) {
		t.Errorf("%d buckets", len(buckets))
	}
}

func TestAddingATickAllocatesNothing(t *testing.T) {
	times := NewTimes()
	if n := testing.AllocsPerRun(100, func() { times.Add(began, time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
