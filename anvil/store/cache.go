package store

import (
	"fmt"
	"sync/atomic"

	"github.com/dgraph-io/ristretto/v2"

	"strata/region"
)

// tag says which version of an object a value is: the region entry that it was
// read from or saved as, and how often the region file as a whole was
// exchanged, since a new file may have the very same entry.
type tag struct {
	entry region.Entry
	file  uint64
}

// clean is an object that nobody holds and that is on the disk as it is here.
type clean struct {
	value   content
	tag     tag
	sum     digest
	bytes   int64
	claimed atomic.Bool // taken out: of no use to anybody else
}

// victims is the cache of clean objects. It may drop any of them, may go on
// having one that was replaced (a Set of a key that is still queued is
// rejected, and a full queue drops it), and so a value counts only if its tag
// is that of the region's present entry.
type victims struct {
	cache  *ristretto.Cache[uint64, *clean]
	queued atomic.Int64 // bytes on their way into the cache
	limit  int64        // of queued
	drops  atomic.Int64
	onCost func() // a test's, called by the cache's goroutine
}

// queuedLimit bounds the bytes in the queue of the cache, which counts items.
const queuedLimit = 16 << 20

func newVictims(maxBytes int64) (*victims, error) {
	v := &victims{limit: min(queuedLimit, maxBytes/4)}
	var err error
	v.cache, err = ristretto.NewCache(&ristretto.Config[uint64, *clean]{
		// Ten counters for each object that fits, as its authors advise.
		NumCounters:        max(10*maxBytes/meanBytes, 1000),
		MaxCost:            maxBytes,
		BufferItems:        64,
		IgnoreInternalCost: true,
		// Called by the goroutine that takes an item off the queue.
		Cost: func(c *clean) int64 {
			if v.onCost != nil {
				v.onCost()
			}
			v.queued.Add(-c.bytes)
			return c.bytes
		},
	})
	if err != nil {
		return nil, fmt.Errorf("make cache: %v", err)
	}
	return v, nil
}

// meanBytes is about what a full chunk takes in memory.
const meanBytes = 48 << 10

// put offers a clean object. It may be dropped.
func (v *victims) put(key uint64, c *clean) {
	if v.queued.Add(c.bytes) > v.limit || !v.cache.Set(key, c, 0) {
		v.queued.Add(-c.bytes)
		v.drops.Add(1)
	}
}

// take returns the object if it is there, and takes it out: it belongs to the
// caller alone. The deletion is queued even if nothing was found, so that a
// value that is still queued does not outlive the one that comes next.
func (v *victims) take(key uint64) *clean {
	c, ok := v.cache.Get(key)
	v.cache.Del(key)
	if !ok || c == nil || c.claimed.Swap(true) {
		return nil
	}
	return c
}

// resize makes room for n bytes; the cache keeps at least a little.
func (v *victims) resize(n int64) { v.cache.UpdateMaxCost(max(n, 1<<20)) }

func (v *victims) close() { v.cache.Close() }
