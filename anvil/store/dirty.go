package store

import (
	"context"
	"time"

	"strata/region"
)

// isPending reports whether a cut has the object in its list and has not taken
// its content yet. Called under mu.
func (s *Store) isPending(o *object) bool {
	return o.due != notDue && o.dueCut < s.lists[o.due].cut
}

// setDue notes that an object is to be saved. Called under mu.
func (s *Store) setDue(o *object, due dueness) {
	current := o.due
	if s.isPending(o) {
		current = notDue // the list it is in has gone
	}
	if due <= current {
		return
	}
	if current != notDue {
		delete(s.lists[current].objects, o)
	}
	if o.dirty == 0 {
		o.dirty = o.bytes
		s.dirtyBytes += o.bytes
	}
	o.due, o.dueCut = due, s.cuts
	l := &s.lists[due]
	l.objects[o] = struct{}{}
	l.regions[regionAt{o.ref.Dim, o.ref.Kind, o.ref.Pos.Region()}] = struct{}{}
	if len(l.objects) == 1 {
		l.since = time.Now()
		s.kick()
	} else if s.pressed() {
		s.kick()
	}
}

// list is the objects that have been changed since the cut before.
type list struct {
	objects map[*object]struct{}
	regions map[regionAt]struct{} // that they are in
	since   time.Time             // when the first of them was
	cut     uint64                // the cut that it is for, or the first one of several
}

// regionAt is a region file.
type regionAt struct {
	dim  Dim
	kind Kind
	pos  region.Pos
}

func newList(cut uint64) list {
	return list{objects: map[*object]struct{}{}, regions: map[regionAt]struct{}{}, cut: cut}
}

// maxRegions is how many region files there may be changes for before changes
// wait: all those of an epoch are open at once, and the journal has the header
// of each.
const maxRegions = 512

// pressed reports whether changes have to wait. Called under mu.
func (s *Store) pressed() bool {
	return s.dirtyBytes+s.flying > s.opts.DirtyLimit ||
		len(s.lists[atNextEpoch].regions)+len(s.lists[atAutosave].regions) > maxRegions
}

// WaitForRoom waits until changed and in-flight objects take less than
// DirtyLimit and lie in no more than 512 region files. On a full disk it does not wait: the error then wraps
// vfs.ErrNoSpace, and who generates or imports should stop.
func (s *Store) WaitForRoom(ctx context.Context) error {
	for {
		s.mu.Lock()
		if s.closing {
			s.mu.Unlock()
			return ErrClosed
		}
		if err := s.noSpace; err != nil {
			s.mu.Unlock()
			return err
		}
		if !s.pressed() {
			s.mu.Unlock()
			return ctx.Err()
		}
		room := s.room
		s.kick()
		s.mu.Unlock()
		s.m.waits.Add(1)
		select {
		case <-room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
