package tick

import (
	"slices"
	"sync"
	"time"
)

const (
	// kept is how many durations are kept: those of a minute.
	kept = 1200
	// keptSeconds is for how many seconds ticks are counted: 15 minutes.
	keptSeconds = 15 * 60
)

// windows are those that ticks a second are told of, in seconds.
var windows = [3]int64{60, 5 * 60, keptSeconds}

// bounds are the upper ends of the buckets of a histogram. A tick has 50 ms.
var bounds = [...]time.Duration{
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond,
	30 * time.Millisecond, 40 * time.Millisecond, 50 * time.Millisecond, 75 * time.Millisecond, 100 * time.Millisecond,
	250 * time.Millisecond, 500 * time.Millisecond, time.Second, 5 * time.Second,
}

// Times is how long ticks take.
type Times struct {
	mu      sync.Mutex // guards what follows; held for as long as a copy takes
	began   time.Time  // the end of the first tick
	ticks   int64
	last    [kept]time.Duration // of tick n at n modulo kept
	second  int64               // the one that perSecond is up to, since began
	counted [keptSeconds + 1]uint32
	sum     time.Duration
	buckets [len(bounds) + 1]uint64
}

// NewTimes returns times without ticks.
func NewTimes() *Times { return &Times{} }

// Add counts a tick that has ended now.
func (t *Times) Add(now time.Time, took time.Duration) {
	b, _ := slices.BinarySearch(bounds[:], took)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ticks == 0 {
		t.began = now
	}
	t.last[t.ticks%kept] = took
	t.ticks++
	t.sum += took
	t.buckets[b]++
	t.forward(now)
	t.counted[t.second%int64(len(t.counted))]++
}

// forward begins the seconds that have passed, with mu held.
func (t *Times) forward(now time.Time) {
	second := int64(now.Sub(t.began) / time.Second)
	for begin := max(t.second, second-int64(len(t.counted))) + 1; begin <= second; begin++ {
		t.counted[begin%int64(len(t.counted))] = 0
	}
	t.second = max(t.second, second)
}

// Summary is how long ticks took, of those that it is of.
type Summary struct {
	// Sample is how many ticks it is of.
	Sample                   int
	Mean, P50, P95, P99, Max time.Duration
}

// Summary is of at most so many of the last ticks, 1,200 at most.
func (t *Times) Summary(sample int) Summary {
	t.mu.Lock()
	n := int(min(t.ticks, int64(sample), kept))
	times := make([]time.Duration, 0, kept)
	for i := t.ticks - int64(n); i < t.ticks; i++ {
		times = append(times, t.last[i%kept])
	}
	t.mu.Unlock()
	if n == 0 {
		return Summary{}
	}
	slices.Sort(times)
	s := Summary{Sample: n, Max: times[n-1]}
	for _, d := range times {
		s.Mean += d
	}
	s.Mean /= time.Duration(n)
	at := func(percent int) time.Duration { return times[(n*percent+99)/100-1] }
	s.P50, s.P95, s.P99 = at(50), at(95), at(99)
	return s
}

// PerSecond is how many ticks there were in a second, over 1, 5 and 15 minutes,
// or since the first one where that is less. The second that runs is left out.
func (t *Times) PerSecond(now time.Time) (tps [3]float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ticks == 0 {
		return tps
	}
	t.forward(now)
	var sum, seconds int64
	for i, window := range windows {
		for ; seconds < min(window, t.second); seconds++ {
			sum += int64(t.counted[(t.second-1-seconds)%int64(len(t.counted))])
		}
		if seconds > 0 {
			tps[i] = float64(sum) / float64(seconds)
		}
	}
	return tps
}

// Bucket is how many ticks took at most so long.
type Bucket struct {
	UpTo  time.Duration
	Ticks uint64
}

// Histogram counts all ticks there were, in buckets that each hold those before
// them as well, but for ticks beyond the last one.
func (t *Times) Histogram() (ticks uint64, sum time.Duration, buckets []Bucket) {
	buckets = make([]Bucket, len(bounds))
	t.mu.Lock()
	defer t.mu.Unlock()
	n := uint64(0)
	for i, bound := range bounds {
		n += t.buckets[i]
		buckets[i] = Bucket{bound, n}
	}
	return uint64(t.ticks), t.sum, buckets
}
