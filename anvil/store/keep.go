package store

import (
	"container/heap"
)

// loaded ends a load. After an error the object is gone, with all its holds:
// those who waited get the error, and the next one tries again.
func (s *Store) loaded(l *load, c *clean, err error) {
	o := l.o
	if err != nil {
		l.err = err
	} else {
		o.edit.Lock()
		o.value = c.value
		o.edit.Unlock()
	}
	s.mu.Lock()
	o.load = nil
	if err != nil {
		o.holds = 0
		s.forget(o)
	} else {
		o.tag, o.sum = c.tag, c.sum
		s.resize(o, c.bytes)
	}
	victim := s.letGo(o)
	s.mu.Unlock()
	close(l.done)
	s.keep(o.key, victim)
}

// forget takes an object out of the map. Called under mu.
func (s *Store) forget(o *object) {
	if s.objects[o.key] == o {
		delete(s.objects, o.key)
		s.held -= o.bytes
	}
}

// resize notes what an object takes. Called under mu.
func (s *Store) resize(o *object, n int64) {
	if s.objects[o.key] == o {
		s.held += n - o.bytes
	}
	if o.dirty > 0 {
		s.count(o.in, n-o.dirty)
		o.dirty = n
	}
	o.bytes = n
}

// letGo takes an object that nobody needs out of the map and returns what the
// cache may have of it. Called under mu.
func (s *Store) letGo(o *object) *clean {
	if !o.idle() || s.objects[o.key] != o {
		return nil
	}
	s.forget(o)
	// Nobody holds the object, so nobody is in its content either.
	if o.value == nil {
		return nil
	}
	return &clean{value: o.value, tag: o.tag, sum: o.sum, bytes: o.bytes}
}

// keep hands a clean object to the cache, if there is one, and makes the cache
// fit. Called without locks.
func (s *Store) keep(key uint64, c *clean) {
	if c != nil {
		s.cache.put(key, c)
	}
	s.fitCache()
}

// release takes one hold away.
func (s *Store) release(o *object) {
	s.mu.Lock()
	o.holds--
	var victim *clean
	switch {
	case o.holds > 0:
	case o.load != nil:
		// Nobody waits any more. A load that runs goes on, and its result into
		// the cache.
		if o.load.index >= 0 {
			heap.Remove(&s.queue, o.load.index)
			s.forget(o)
			s.m.cancelled.Add(1)
		}
	case s.dueOf(o) == atAutosave:
		s.setDue(o, atNextEpoch)
	default:
		victim = s.letGo(o)
	}
	s.mu.Unlock()
	s.keep(o.key, victim)
}
