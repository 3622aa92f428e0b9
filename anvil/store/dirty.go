package store

import (
	"context"
	"time"

	"strata/region"
)

// list is objects that have been changed and are due for one reason.
type list struct {
	due     dueness
	region  regionAt // of drift
	objects map[*object]struct{}
	regions map[regionAt]struct{} // that they are in, of what is structural
	bytes   int64
	since   time.Time // when the first of them was changed
	taken   bool      // by a cut, which has not taken all contents yet
}

// regionAt is a region file.
type regionAt struct {
	dim  Dim
	kind Kind
	pos  region.Pos
}

func regionOf(r Ref) regionAt { return regionAt{r.Dim, r.Kind, r.Pos.Region()} }

func newList(due dueness) *list {
	return &list{due: due, objects: map[*object]struct{}{}, regions: map[regionAt]struct{}{}}
}

// isPending reports whether a cut has the object in its list and has not taken
// its content yet. Called under mu.
func (s *Store) isPending(o *object) bool { return o.in != nil && o.in.taken }

// dueOf is when an object has to be saved, apart from a cut that has it.
// Called under mu.
func (s *Store) dueOf(o *object) dueness {
	if o.in == nil || o.in.taken {
		return notDue
	}
	return o.in.due
}

// setDue notes that an object is to be saved. Called under mu.
func (s *Store) setDue(o *object, due dueness) {
	current := s.dueOf(o)
	if due <= current {
		return
	}
	s.undue(o)
	l := s.structural
	if due == atAutosave {
		l = s.drift.of(regionOf(o.ref))
	} else {
		l.regions[regionOf(o.ref)] = struct{}{}
	}
	o.in, o.dirty = l, o.bytes
	l.objects[o] = struct{}{}
	s.count(l, o.dirty)
	if len(l.objects) == 1 {
		l.since = time.Now()
		s.kick()
	} else if s.pressed() {
		s.kick()
	}
}

// undue takes an object out of its list, unless a cut has that. Called under mu.
func (s *Store) undue(o *object) {
	l := o.in
	if l == nil {
		return
	}
	s.count(l, -o.dirty)
	o.in, o.dirty = nil, 0
	if l.taken {
		return
	}
	delete(l.objects, o)
	if l.due == atAutosave && len(l.objects) == 0 {
		s.drift.remove(l)
	}
}

// count counts bytes of changed objects in a list. Called under mu.
func (s *Store) count(l *list, n int64) {
	l.bytes += n
	if l.due == atAutosave {
		s.driftBytes += n
	} else {
		s.dirtyBytes += n
	}
}

// maxRegions is how many region files there may be changes for before changes
// wait: all those of an epoch are open at once, and the journal has the header
// of each.
const maxRegions = 512

// pressed reports whether changes have to wait. Drift does not press: it is of
// objects that are held, which take their memory whether they are changed or
// not. Called under mu.
func (s *Store) pressed() bool {
	return s.dirtyBytes+s.flying > s.opts.DirtyLimit || len(s.structural.regions) > maxRegions
}

// WaitForRoom waits until changed and in-flight objects take less than
// DirtyLimit and lie in no more than 512 region files, drift left out. On a full
// disk it does not wait: the error then wraps vfs.ErrNoSpace, and who generates
// or imports should stop.
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
