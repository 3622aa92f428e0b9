package store

import (
	"fmt"
	"time"
)

// batch is one cut of the store: what an epoch is made of.
type batch struct {
	lists   []*list // as the cut took them
	changes map[string]*fileChange

	// Made of these by take.
	saves []*save
	files []*fileChange
}

func (b *batch) empty() bool { return len(b.saves) == 0 && len(b.files) == 0 }

// Tick tells a store that was opened with ByTick that this is a tick boundary:
// nothing is half changed. A cut that is due is made here, after BeforeCut. It
// costs a lock and does not depend on how much was changed.
func (s *Store) Tick() {
	s.mu.Lock()
	wanted := s.tickWanted
	s.mu.Unlock()
	if !wanted {
		return
	}
	if s.opts.BeforeCut != nil {
		s.opts.BeforeCut()
	}
	s.mu.Lock()
	wanted, full := s.tickWanted, s.tickFull // a store that closes takes it back
	s.setTickWanted(false)
	s.mu.Unlock()
	if wanted {
		s.ticked <- s.cut(full) // there is room for the one that is wanted
	}
}

// setTickWanted is called under mu.
func (s *Store) setTickWanted(w bool) {
	if s.tickWanted != w {
		s.tickWanted = w
		close(s.tickChanged)
		s.tickChanged = make(chan struct{})
	}
}

// kick wakes the keeper. It may be called under any lock.
func (s *Store) kick() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// keeper makes epochs when they are due until the store closes.
func (s *Store) keeper() {
	for {
		s.mu.Lock()
		at, ok := s.nextEpoch()
		s.mu.Unlock()
		var due <-chan time.Time
		var timer *time.Timer
		if ok {
			timer = time.NewTimer(time.Until(at))
			due = timer.C
		}
		select {
		case <-due:
			s.runEpoch()
		case <-s.wake:
		case <-s.stop:
			if timer != nil {
				timer.Stop()
			}
			return
		}
		if timer != nil {
			timer.Stop()
		}
	}
}

// nextEpoch is when the next epoch is due. Called under mu.
func (s *Store) nextEpoch() (at time.Time, ok bool) {
	earlier := func(t time.Time) {
		if !ok || t.Before(at) {
			at, ok = t, true
		}
	}
	if len(s.requests) > 0 {
		return time.Time{}, true
	}
	if s.onRequest && !s.pressed() {
		return time.Time{}, false
	}
	if l := s.structural; len(l.objects) > 0 {
		earlier(l.since.Add(s.opts.Interval))
	}
	if len(s.files) > 0 {
		earlier(s.filesSince.Add(s.opts.Interval))
	}
	if since, ok := s.drift.since(); ok && s.noSpace == nil {
		earlier(since.Add(s.opts.Autosave))
	}
	if s.pressed() {
		earlier(time.Time{})
	}
	// After a failure nobody is served by trying at once.
	if ok && at.Before(s.retryAt) {
		at = s.retryAt
	}
	return at, ok
}

// runEpoch makes an epoch and answers those who asked for it.
func (s *Store) runEpoch() {
	s.mu.Lock()
	requests := s.requests
	s.requests = nil
	s.mu.Unlock()
	if len(requests) == 0 {
		s.epoch(false) //nolint:errcheck // an event tells
		return
	}
	err := s.everything()
	for _, r := range requests {
		r.done <- err
	}
}

// everything makes all durable that was changed before. That is one epoch,
// unless there is drift in more region files than it takes: then further ones
// follow.
func (s *Store) everything() error {
	start := time.Now()
	for {
		if err := s.epoch(true); err != nil {
			return err
		}
		s.mu.Lock()
		since, more := s.drift.since()
		s.mu.Unlock()
		if !more || since.After(start) {
			return nil
		}
	}
}

// epoch makes one epoch, full with drift that is not due too.
func (s *Store) epoch(full bool) error {
	start := time.Now()
	b, err := s.nextCut(full) // without publish, which who ticks may need
	if err != nil {
		return err
	}
	s.publish.Lock()
	s.take(b)
	if !b.empty() {
		if err = s.healthy(); err == nil {
			err = s.commit(b)
		}
		s.settle(b, err)
	}
	s.publish.Unlock()
	s.ended(b, start, err)
	return err
}

// ended notes how an epoch ended.
func (s *Store) ended(b *batch, start time.Time, err error) {
	now := time.Now()
	s.mu.Lock()
	s.retryAt = time.Time{}
	if err != nil {
		s.retryAt = now.Add(s.opts.Interval)
		s.m.epochErrors.Add(1)
	}
	s.mu.Unlock()
	s.space(err)
	if !b.empty() {
		s.m.epochs.Add(1)
		s.m.epochTime.add(now.Sub(start))
	}
	if err != nil {
		s.event(Event{Kind: EpochFailed, Err: err})
	}
}

// errStopped: the store closed while an epoch waited for its tick.
var errStopped = fmt.Errorf("%w before the tick that the epoch waited for", ErrClosed)

// nextCut cuts, or waits until a Tick has.
func (s *Store) nextCut(full bool) (*batch, error) {
	if !s.opts.ByTick || s.isClosing() {
		return s.cut(full), nil
	}
	s.mu.Lock()
	s.tickFull = full
	s.setTickWanted(true)
	s.mu.Unlock()
	select {
	case b := <-s.ticked:
		return b, nil
	case <-s.stop:
	}
	s.mu.Lock()
	taken := !s.tickWanted
	s.setTickWanted(false)
	s.mu.Unlock()
	if taken {
		return <-s.ticked, nil
	}
	return nil, errStopped
}

// cut takes the lists of what was changed. Everything else waits for take:
// what is changed again before that is copied by who changes it.
func (s *Store) cut(full bool) *batch {
	start := time.Now()
	s.gate.Lock()
	s.mu.Lock()
	s.cuts++
	l := s.structural
	l.taken = true
	s.structural = newList(atNextEpoch)
	b := &batch{lists: append(s.takeDrift(full, start, l.regions), l)}
	b.changes = s.files
	s.files, s.flyingFiles = map[string]*fileChange{}, b.changes
	s.mu.Unlock()
	s.gate.Unlock()
	s.m.cutTime.add(time.Since(start))
	return b
}

// take takes the contents of the cut.
func (s *Store) take(b *batch) {
	for _, l := range b.lists {
		for o := range l.objects {
			b.saves = append(b.saves, &save{o: o})
		}
	}
	for _, f := range b.changes {
		b.files = append(b.files, f)
	}
	for _, sv := range b.saves {
		o := sv.o
		o.edit.Lock()
		if o.isFrozen {
			sv.value, o.frozen, o.isFrozen = o.frozen, nil, false
		} else if o.value != nil {
			sv.value = o.value.clone()
		}
		s.mu.Lock()
		// An object that was changed after the cut is in a new list already,
		// and counted there.
		if s.isPending(o) {
			s.undue(o)
		}
		sv.bytes = o.bytes
		s.flying += sv.bytes
		o.saving = true
		sv.before = o.sum
		s.mu.Unlock()
		o.edit.Unlock()
	}
	s.mu.Lock()
	for _, f := range b.files {
		s.dirtyBytes -= int64(len(f.data))
		s.flying += int64(len(f.data))
	}
	s.mu.Unlock()
}
