package inventory

import "slices"

// The kinds of drags.
const (
	dragEven = iota
	dragOne
	dragFull // in creative mode: full stacks out of nothing
)

// drag is a drag over slots, which takes three phases: begin, each slot, end.
type drag struct {
	phase int // 1 once begun
	kind  int
	slots []int
}

func (w *Window) doDrag(at, button int) {
	phase, kind := button&3, button>>2&3
	d := &w.drag
	switch {
	case phase == 0 && d.phase == 0:
		if !w.cursor.Empty() && (kind == dragEven || kind == dragOne || kind == dragFull && w.creative) {
			*d = drag{phase: 1, kind: kind}
		}
		return
	case d.phase == 1 && phase == 1 && !w.cursor.Empty():
		w.dragOver(at)
		return
	case d.phase == 1 && phase == 2 && !w.cursor.Empty():
		done := *d
		*d = drag{}
		w.endDrag(done)
		return
	}
	*d = drag{}
}

// dragOver adds a slot that can take some of the cursor.
func (w *Window) dragOver(at int) {
	d := &w.drag
	if at < 0 || slices.Contains(d.slots, at) || !w.dragsTo(at) {
		return
	}
	if d.kind == dragFull || int(w.cursor.Count) > len(d.slots) {
		d.slots = append(d.slots, at)
	}
}

func (w *Window) dragsTo(at int) bool {
	s := &w.slots[at]
	there := s.get()
	return s.mayPlace(w.cursor) &&
		(there.Empty() || there.Same(w.cursor) && there.Count <= there.MaxSize())
}

func (w *Window) endDrag(d drag) {
	if len(d.slots) == 1 {
		if d.kind <= dragOne {
			w.pickup(&w.slots[d.slots[0]], d.kind == dragEven)
		}
		return
	}
	if len(d.slots) == 0 {
		return
	}
	all := w.cursor
	each := int32(1)
	switch d.kind {
	case dragEven:
		each = all.Count / int32(len(d.slots))
	case dragFull:
		each = all.MaxSize()
	}
	left := all.Count
	for _, at := range d.slots {
		s := &w.slots[at]
		if !w.dragsTo(at) || d.kind != dragFull && int(all.Count) < len(d.slots) {
			continue
		}
		have := s.get().Count
		if s.get().Empty() {
			have = 0
		}
		placed := max(have, min(each+have, s.limit(all)))
		left -= placed - have
		w.put(s, all.WithCount(placed))
	}
	w.cursor = all.WithCount(left)
}
