package store

import (
	"math/bits"
	"sync/atomic"
	"time"

	"strata/region"
)

// Metrics counts what a store has done since it was opened, and says what it
// has in memory.
type Metrics struct {
	Held        int64 // objects that a caller got from those held already
	Hits        int64 // objects taken from the cache
	Misses      int64 // objects neither held nor in the cache
	Stale       int64 // objects in the cache that were not those of the disk any more
	Joined      int64 // loads that were waited for by another caller as well
	Loads       int64 // objects read from the disk
	LoadErrors  int64
	Cancelled   int64 // loads that were given up before they began
	Saves       int64 // objects written
	Elided      int64 // saves left out because the disk had the content
	SaveErrors  int64 // objects whose save failed
	Epochs      int64
	EpochErrors int64
	Waits       int64 // times a change waited for room
	Rescued     int64 // objects and files in the rescue folder
	CacheDrops  int64 // clean objects that the cache did not take

	BytesLoaded  int64 // inflated
	BytesEncoded int64 // before compression
	BytesSaved   int64 // compressed

	Objects     int   // held, changed, or being loaded or saved
	ObjectBytes int64 // what they take in memory
	DirtyBytes  int64 // of them, changed
	DriftBytes  int64 // of these, by drift alone
	FlyingBytes int64 // being saved
	CacheQueue  int64 // bytes on their way into the cache
	QueuedLoads int
	NoSpace     bool

	Load, Encode, Epoch, Cut Latency
	Region                   region.Metrics // of all folders
}

// Latency is how long something takes. Percentiles are upper bounds, at most
// a quarter above the true ones.
type Latency struct {
	Count    int64
	P50, P95 time.Duration
}

// metrics are the counters behind Metrics.
type metrics struct {
	held, hits, misses, stale, joined, loads, loadErrors, cancelled,
	saves, elided, saveErrors, epochs, epochErrors, waits, rescued,
	bytesLoaded, bytesEncoded, bytesSaved atomic.Int64
	loadTime, encodeTime, epochTime, cutTime latencies
}

// latencies counts durations in buckets, four to each power of two of
// nanoseconds.
type latencies struct{ counts [4 * 64]atomic.Int64 }

func (l *latencies) add(d time.Duration) { l.counts[bucket(d)].Add(1) }

func bucket(d time.Duration) int {
	n := uint64(max(d, 4))
	top := bits.Len64(n) - 1
	return 4*top + int(n>>(top-2)&3)
}

// upper is the least duration above those of a bucket.
func upper(b int) time.Duration {
	top := b / 4
	return time.Duration(uint64(4+b%4+1) << (top - 2))
}

func (l *latencies) latency() Latency {
	var counts [len(l.counts)]int64
	var r Latency
	for i := range counts {
		counts[i] = l.counts[i].Load()
		r.Count += counts[i]
	}
	at := func(percent int64) time.Duration {
		n := int64(0)
		for i, c := range counts {
			if n += c; n > 0 && n*100 >= r.Count*percent {
				return upper(i)
			}
		}
		return 0
	}
	r.P50, r.P95 = at(50), at(95)
	return r
}

// Metrics is a snapshot of the counters.
func (s *Store) Metrics() Metrics {
	m := &s.m
	r := Metrics{
		Held: m.held.Load(), Hits: m.hits.Load(), Misses: m.misses.Load(), Stale: m.stale.Load(),
		Joined: m.joined.Load(), Loads: m.loads.Load(), LoadErrors: m.loadErrors.Load(), Cancelled: m.cancelled.Load(),
		Saves: m.saves.Load(), Elided: m.elided.Load(), SaveErrors: m.saveErrors.Load(),
		Epochs: m.epochs.Load(), EpochErrors: m.epochErrors.Load(), Waits: m.waits.Load(), Rescued: m.rescued.Load(),
		CacheDrops: s.cache.drops.Load(), CacheQueue: s.cache.queued.Load(),
		BytesLoaded: m.bytesLoaded.Load(), BytesEncoded: m.bytesEncoded.Load(), BytesSaved: m.bytesSaved.Load(),
		Load: m.loadTime.latency(), Encode: m.encodeTime.latency(), Epoch: m.epochTime.latency(), Cut: m.cutTime.latency(),
	}
	s.mu.Lock()
	r.Objects, r.ObjectBytes = len(s.objects), s.held
	r.DirtyBytes, r.FlyingBytes = s.dirtyBytes+s.driftBytes, s.flying
	r.DriftBytes = s.driftBytes
	r.QueuedLoads, r.NoSpace = len(s.queue), s.noSpace != nil
	s.mu.Unlock()
	for _, f := range s.folders {
		r.Region = sum(r.Region, f.metrics())
	}
	return r
}
