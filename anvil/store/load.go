package store

import (
	"container/heap"
	"context"
	"errors"
	"io/fs"
	"time"

	"strata/anvil/chunk"
	"strata/region"
	"strata/region/codec"
)

// load is one loading of an object, which any number of callers wait for.
type load struct {
	o     *object
	done  chan struct{} // closed when err is set
	err   error
	prio  Priority
	order uint64
	index int // in the queue, -1 if it is not there
	start time.Time
	// claimed by raw access, which changes what is to be loaded.
	claimed bool
}

// loadQueue is a heap: the highest priority first, the oldest among equals.
type loadQueue []*load

func (q loadQueue) Len() int { return len(q) }

func (q loadQueue) Less(i, j int) bool {
	if q[i].prio != q[j].prio {
		return q[i].prio > q[j].prio
	}
	return q[i].order < q[j].order
}

func (q loadQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface.
func (q *loadQueue) Push(x any) {
	l := x.(*load)
	l.index = len(*q)
	*q = append(*q, l)
}

// Pop implements heap.Interface.
func (q *loadQueue) Pop() any {
	last := len(*q) - 1
	l := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	l.index = -1
	return l
}

// loadWorker is what one load at a time needs.
type loadWorker struct {
	streams codec.Decoder
	chunks  *chunk.Decoder
	record  []byte
	data    []byte
}

// keepScratch is the longest buffer that is kept between objects.
const keepScratch = 4 << 20

// hold returns the object, loaded, with one more hold on it. An object that is
// not there is returned as well, with no value. If ctx ends while it waits
// the load goes on only for others that wait.
func (s *Store) hold(ctx context.Context, ref Ref, prio Priority) (*object, error) {
	if !s.valid(ref) {
		return nil, ErrRange
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := ref.key()
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	o := s.objects[key]
	if o == nil {
		o = s.newObject(ref, prio)
		s.mu.Unlock()
		return s.begin(ctx, o)
	}
	o.holds++
	l := o.load
	if l == nil {
		s.mu.Unlock()
		s.m.held.Add(1)
		return o, nil
	}
	s.raise(l, prio)
	s.mu.Unlock()
	s.m.joined.Add(1)
	return s.await(ctx, o, l)
}

// newObject puts an object that is being loaded into the map. Called under mu.
func (s *Store) newObject(ref Ref, prio Priority) *object {
	s.loads++
	o := &object{ref: ref, key: ref.key(), holds: 1, bytes: minObject}
	o.load = &load{o: o, done: make(chan struct{}), prio: prio, order: s.loads, index: -1, start: time.Now()}
	s.objects[o.key] = o
	s.held += o.bytes
	return o
}

// raise lets a waiting load go before others. Called under mu.
func (s *Store) raise(l *load, prio Priority) {
	if prio > l.prio {
		l.prio = prio
		if l.index >= 0 {
			heap.Fix(&s.queue, l.index)
		}
	}
}

// begin looks for the object in the cache and queues its load otherwise.
func (s *Store) begin(ctx context.Context, o *object) (*object, error) {
	l := o.load
	if c := s.cache.take(o.key); c != nil {
		now, err := s.folderOf(o.ref).present(o.ref.Pos)
		if err == nil && now == c.tag {
			s.m.hits.Add(1)
			s.loaded(l, c, nil)
			return o, nil
		}
		s.m.stale.Add(1)
	}
	s.m.misses.Add(1)
	s.mu.Lock()
	closing := s.closing
	if !closing {
		s.enqueue(l)
	}
	s.mu.Unlock()
	if closing {
		s.loaded(l, nil, ErrClosed) // Close does not wait for loads that begin now
	}
	return s.await(ctx, o, l)
}

// enqueue queues a load, and starts a worker if there may be one more. Called
// under mu.
func (s *Store) enqueue(l *load) {
	heap.Push(&s.queue, l)
	if s.loaders < s.opts.Loads {
		s.loaders++
		s.wait.Go(s.runLoads)
	}
}

func (s *Store) await(ctx context.Context, o *object, l *load) (*object, error) {
	select {
	case <-l.done:
	default:
		select {
		case <-l.done:
		case <-ctx.Done():
			s.release(o)
			return nil, ctx.Err()
		}
	}
	if l.err != nil {
		return nil, l.err // loaded has taken the holds away
	}
	return o, nil
}

// runLoads loads until nothing waits.
func (s *Store) runLoads() {
	w := s.workers.get()
	defer s.workers.put(w)
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.loaders--
			s.mu.Unlock()
			return
		}
		l := heap.Pop(&s.queue).(*load)
		s.mu.Unlock()
		s.runLoad(w, l)
	}
}

func (s *Store) runLoad(w *loadWorker, l *load) {
	c, err := s.read(w, l.o.ref)
	if err != nil {
		s.m.loadErrors.Add(1)
	}
	s.m.loads.Add(1)
	s.m.loadTime.add(time.Since(l.start))
	s.loaded(l, c, err)
}

// read reads an object from its region file. The value is nil if it is absent.
func (s *Store) read(w *loadWorker, ref Ref) (*clean, error) {
	f := s.folderOf(ref)
	c := &clean{bytes: minObject}
	file, release, err := f.acquire(ref.Pos.Region(), false)
	if errors.Is(err, fs.ErrNotExist) {
		c.tag.file = f.exchanges(ref.Pos.Region())
		return c, nil
	}
	if err != nil {
		return nil, errors.Join(ErrUnreadable, err)
	}
	defer release()
	c.tag.file = f.exchanges(ref.Pos.Region())
	data, rec, err := file.Decode(ref.Pos.Slot(), &w.streams, w.record, w.data[:0])
	w.record, w.data = kept(rec.Buffer(), w.record), kept(data, w.data)
	c.tag.entry = rec.Entry
	if errors.Is(err, region.ErrAbsent) {
		return c, nil
	}
	if err != nil {
		return nil, errors.Join(ErrUnreadable, err)
	}
	c.bytes = max(int64(len(data)), minObject)
	if ref.Kind == Chunks {
		c.bytes += overhead
	}
	s.m.bytesLoaded.Add(int64(len(data)))
	c.value, err = s.decode(w, ref, data)
	return c, err
}

// kept is the buffer to go on with.
func kept(b, before []byte) []byte {
	if cap(b) == 0 || cap(b) > keepScratch {
		return before
	}
	return b
}
