package stream

import (
	"container/list"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
)

// ErrClosed is the error of a cache that is closed.
var ErrClosed = errors.New("cache is closed")

// ErrOptions is the error of options that cannot be.
var ErrOptions = errors.New("options out of range")

// CacheOptions of a Cache.
type CacheOptions struct {
	// Encoder says what encoders need to know.
	Encoder EncoderOptions
	// Threshold is from how many bytes on packets are compressed, the same for
	// all connections; protocol.NoCompression for none.
	Threshold int
	// Level of the compression, 1 to 9; default 4, of which more takes longer
	// than it saves.
	Level int
	// MaxBytes is how many bytes frames may take, default 64 MiB.
	MaxBytes int64
	// Builders is how many goroutines make frames, default one less than the
	// processors, at least 1.
	Builders int
}

const (
	defaultLevel    = 4
	defaultMaxBytes = 64 << 20
	maxBuilders     = 64
	// patientBuilds is how many frames of a chunk may have gone stale one after
	// the other until its frame is made where it is asked for.
	patientBuilds = 2
	// entryBytes is about what an entry takes beside its frame.
	entryBytes = 256
)

// Key names the frame of a chunk for one version.
type Key struct {
	Dim     uint8
	Pos     region.ChunkPos
	Version registry.Version
}

// Cache has the frames of chunk packets. It may be used by any number of
// goroutines.
type Cache struct {
	opts CacheOptions
	wg   sync.WaitGroup

	mu      sync.Mutex // guards what follows
	work    *sync.Cond
	entries map[Key]*frameEntry
	recent  *list.List // of *frameEntry that have a frame, latest use first
	bytes   int64
	queue   []*frameEntry
	closed  bool
	metrics CacheMetrics

	// inline makes frames for callers that have waited too often.
	inline struct {
		sync.Mutex
		b *builder
	}
}

// frameEntry is the frame of a key, or its making.
type frameEntry struct {
	key      Key
	revision uint64 // of frame
	frame    []byte // nil if there is none
	err      error
	place    *list.Element
	dead     bool // forgotten
	queued   bool // in queue, or being made
	stale    int  // frames that nobody could use, one after the other

	// What is to be made next.
	shape    Shape
	source   *chunk.Chunk
	building uint64
}

// CacheMetrics counts what a cache has done, and says what it has.
type CacheMetrics struct {
	Hits, Misses, Built, Evicted, Failed int64
	// Inline is how many frames were made where they were asked for.
	Inline  int64
	Frames  int
	Bytes   int64
	Waiting int
}

// NewCache returns a cache, with its goroutines. Close ends them.
func NewCache(o CacheOptions) (*Cache, error) {
	if o.Level == 0 {
		o.Level = defaultLevel
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Builders == 0 {
		o.Builders = max(1, min(runtime.GOMAXPROCS(0)-1, maxBuilders))
	}
	if o.Encoder.Tables == nil || o.Threshold < protocol.NoCompression || o.Level < 1 || o.Level > 9 || o.MaxBytes < 0 || o.Builders < 1 || o.Builders > maxBuilders {
		return nil, fmt.Errorf("cache: threshold %d, level %d, %d bytes, %d builders: %w", o.Threshold, o.Level, o.MaxBytes, o.Builders, ErrOptions)
	}
	c := &Cache{opts: o, entries: make(map[Key]*frameEntry), recent: list.New()}
	c.work = sync.NewCond(&c.mu)
	c.inline.b = newBuilder(&o)
	for range o.Builders {
		c.wg.Go(c.buildAll)
	}
	return c, nil
}

// Frame returns the frame of a chunk at a revision, nil if it is not there:
// then it is being made, of the copy that snapshot returns, and one asks again
// in a later tick. snapshot is called at most once, before Frame returns; it must
// be of that revision, and nobody may change it. The frame must not be changed.
//
// A chunk that changes each time before its frame is there has it made within
// the call. An error stays until the chunk changes; it is that of
// Encoder.AppendChunk or of framing, or ErrClosed.
func (c *Cache) Frame(k Key, revision uint64, shape Shape, snapshot func() (*chunk.Chunk, error)) ([]byte, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, ErrClosed
	}
	e := c.entries[k]
	if e != nil && (e.frame != nil || e.err != nil) && e.revision == revision {
		c.metrics.Hits++
		e.stale = 0
		if e.place != nil {
			c.recent.MoveToFront(e.place)
		}
		defer c.mu.Unlock()
		return e.frame, e.err
	}
	if e != nil && e.queued && e.building == revision {
		c.mu.Unlock()
		return nil, nil
	}
	c.metrics.Misses++
	now := e != nil && e.stale >= patientBuilds
	c.mu.Unlock()

	source, err := snapshot()
	if err != nil {
		return nil, err
	}
	if now {
		return c.buildNow(k, revision, shape, source)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e = c.entries[k]; e == nil {
		e = &frameEntry{key: k}
		c.entries[k] = e
	} else {
		e.stale++
	}
	e.shape, e.source, e.building = shape, source, revision
	if !e.queued {
		e.queued = true
		c.queue = append(c.queue, e)
		c.work.Signal()
	}
	return nil, nil
}

// buildNow makes a frame on the goroutine that asks.
func (c *Cache) buildNow(k Key, revision uint64, shape Shape, source *chunk.Chunk) ([]byte, error) {
	c.inline.Lock()
	frame, err := c.inline.b.build(k.Version, source, shape)
	c.inline.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.metrics.Inline++
	if e := c.entries[k]; e != nil {
		c.keep(e, revision, frame, err)
	}
	return frame, err
}

// Forget drops the frames of a chunk for all versions.
func (c *Cache) Forget(dim uint8, pos region.ChunkPos) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range registry.Versions() {
		if e := c.entries[Key{dim, pos, v}]; e != nil {
			c.drop(e)
		}
	}
}

// drop is called under mu.
func (c *Cache) drop(e *frameEntry) {
	c.unframe(e)
	e.dead = true
	delete(c.entries, e.key)
}

// unframe takes the frame from an entry. Called under mu.
func (c *Cache) unframe(e *frameEntry) {
	if e.place != nil {
		c.recent.Remove(e.place)
		e.place = nil
		c.bytes -= int64(len(e.frame)) + entryBytes
	}
	e.frame, e.err = nil, nil
}

// keep puts what was made into an entry, and makes room. Called under mu.
func (c *Cache) keep(e *frameEntry, revision uint64, frame []byte, err error) {
	c.unframe(e)
	e.revision, e.frame, e.err = revision, frame, err
	e.place = c.recent.PushFront(e)
	c.bytes += int64(len(frame)) + entryBytes
	c.metrics.Built++
	if err != nil {
		c.metrics.Failed++
	}
	for c.bytes > c.opts.MaxBytes && c.recent.Len() > 1 {
		oldest := c.recent.Back().Value.(*frameEntry)
		c.metrics.Evicted++
		if oldest.queued {
			c.unframe(oldest)
			continue
		}
		c.drop(oldest)
	}
}

// buildAll makes frames until the cache is closed.
func (c *Cache) buildAll() {
	b := newBuilder(&c.opts)
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.queue) == 0 && !c.closed {
			c.work.Wait()
		}
		if c.closed {
			return
		}
		e := c.queue[0]
		c.queue[0] = nil
		c.queue = c.queue[1:]
		if e.dead {
			continue
		}
		source, shape, revision := e.source, e.shape, e.building
		c.mu.Unlock()
		frame, err := b.build(e.key.Version, source, shape)
		c.mu.Lock()
		if e.dead || c.closed {
			continue
		}
		c.keep(e, revision, frame, err)
		if e.building != revision { // it was asked for anew meanwhile
			c.queue = append(c.queue, e)
			continue
		}
		e.queued, e.source = false, nil
	}
}

// Metrics is a snapshot of the counters.
func (c *Cache) Metrics() CacheMetrics {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.metrics
	m.Frames, m.Bytes, m.Waiting = c.recent.Len(), c.bytes, len(c.queue)
	return m
}

// Close ends the goroutines of the cache and waits for them.
func (c *Cache) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return ErrClosed
	}
	c.closed = true
	c.work.Broadcast()
	c.mu.Unlock()
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.queue, c.bytes = make(map[Key]*frameEntry), nil, 0
	c.recent.Init()
	return nil
}
