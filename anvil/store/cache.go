package store

import (
	"fmt"
	"sync"
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

	keyMu sync.Mutex
	keys  []uint64 // a ring of the keys of what was put last; guarded by keyMu
	first int      // the oldest in keys; guarded by keyMu
	count int      // of keys; guarded by keyMu

	// mu is held shared while the cache is used, since using it while it is
	// closed is not safe.
	mu     sync.RWMutex
	closed bool // guarded by mu
}

// queuedLimit bounds the bytes in the queue of the cache, which counts items.
const queuedLimit = 16 << 20

func newVictims(maxBytes int64) (*victims, error) {
	v := &victims{limit: min(queuedLimit, maxBytes/4), keys: make([]uint64, 4*max(maxBytes/meanBytes, 64))}
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
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.closed {
		return
	}
	if v.queued.Add(c.bytes) > v.limit || !v.cache.Set(key, c, 0) {
		v.queued.Add(-c.bytes)
		v.drops.Add(1)
		return
	}
	v.keyMu.Lock()
	defer v.keyMu.Unlock()
	v.keys[(v.first+v.count)%len(v.keys)] = key
	if v.count < len(v.keys) {
		v.count++
	} else {
		v.first = (v.first + 1) % len(v.keys)
	}
}

// take returns the object if it is there, and takes it out: it belongs to the
// caller alone. The deletion is queued even if nothing was found, so that a
// value that is still queued does not outlive the one that comes next.
func (v *victims) take(key uint64) *clean {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.closed {
		return nil
	}
	c, ok := v.cache.Get(key)
	v.cache.Del(key)
	if !ok || c == nil || c.claimed.Swap(true) {
		return nil
	}
	return c
}

// resize makes the cache n bytes large, at least a little. It does not drop
// anything for that of its own accord: it looks at its limit when something is
// added, and may then rather refuse that. So what was put longest ago goes here.
func (v *victims) resize(n int64) {
	v.cache.UpdateMaxCost(max(n, 1<<20))
	for over := -v.cache.RemainingCost(); over > 0; {
		key, ok := v.oldest()
		if !ok {
			return
		}
		if c := v.take(key); c != nil {
			over -= c.bytes
		}
	}
}

// Trim gives up the objects that nobody holds: they are read again when they are
// wanted. It is for programs that are idle, and may be called at any time.
func (s *Store) Trim() { s.cache.drop() }

// drop takes out all that there is.
func (v *victims) drop() {
	for key, ok := v.oldest(); ok; key, ok = v.oldest() {
		v.take(key)
	}
}

// oldest takes the key that was put longest ago out of the ring.
func (v *victims) oldest() (key uint64, ok bool) {
	v.keyMu.Lock()
	defer v.keyMu.Unlock()
	if v.count == 0 {
		return 0, false
	}
	key = v.keys[v.first]
	v.first = (v.first + 1) % len(v.keys)
	v.count--
	return key, true
}

func (v *victims) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	v.cache.Close()
}
