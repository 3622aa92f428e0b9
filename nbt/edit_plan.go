package nbt

import (
	"math"
	"slices"
)

// Size returns the size of the result in bytes, or the first mistake. That
// there are too many tags, or elements too deep in new wrappers, shows only in
// the result, and so in AppendTo.
func (e *Edit) Size() (int, error) {
	e.plan()
	if e.err != nil {
		return 0, e.err
	}
	return e.size, nil
}

// AppendTo appends the edited document, in the form that the tape's has, to
// dst, whose room must not share memory with it: one pass of copying, and at
// most one allocation. After a mistake dst is returned as it was.
func (e *Edit) AppendTo(dst []byte) ([]byte, error) {
	e.plan()
	if e.err != nil {
		return dst, e.err
	}
	start, document, at := len(dst), e.tape.Data(), uint32(0)
	out := slices.Grow(dst, e.size)
	for i := range e.ops {
		o := &e.ops[i]
		out = append(out, document[at:o.from]...)
		out = o.appendTo(out, document)
		at = o.to
	}
	out = append(out, document[at:]...)
	if e.wrapped || e.size > e.limits.Tags {
		// Wrappers nest what is in them one deeper. There cannot be more tags
		// than bytes.
		if err := e.verify(out[start:]); err != nil {
			e.err = err
			return dst, err
		}
	}
	return out, nil
}

// verify reads the result, for limits that the edits one by one do not tell.
func (e *Edit) verify(result []byte) error {
	t := Tape{Limits: e.limits}
	if e.tape.Rooted() {
		return t.Parse(result)
	}
	return t.ParseNetwork(result)
}

// plan puts the ops into the order of the result, with those that lists need
// beside them, and finds overlaps and the size.
func (e *Edit) plan() {
	if e.planned || e.err != nil {
		return
	}
	if e.tape == nil {
		e.err = &EditError{Op: "edit", Offset: -1, Err: ErrRoot}
		return
	}
	e.planned, e.wrapped = true, false
	e.ops = slices.DeleteFunc(e.ops, func(o op) bool { return o.made })
	for i := range e.ops {
		e.ops[i].open, e.ops[i].close = false, false
	}
	e.planLists()
	if e.err != nil {
		return
	}
	slices.SortFunc(e.ops, order)
	size := e.tape.size
	for i := range e.ops {
		size += e.ops[i].length() - int(e.ops[i].to-e.ops[i].from)
	}
	e.size = size
	e.findOverlap()
	if e.err == nil && size > e.limits.Bytes {
		e.err = &EditError{Op: "edit", Offset: -1, Err: ErrSize}
	}
}

// findOverlap finds ops, in order, that have something in common.
func (e *Edit) findOverlap() {
	covered := uint32(0)             // by the ops so far
	inside := uint32(math.MaxUint32) // the End of a compound that gets members
	for i := 0; i < len(e.ops); i++ {
		o := &e.ops[i]
		if o.from < covered || o.from < o.to && o.from == inside {
			e.overlap(o)
			return
		}
		if o.head == headName {
			end := i + 1
			for end < len(e.ops) && e.ops[end].head == headName && e.ops[end].from == o.from {
				end++
			}
			if o := repeated(e.ops[i:end]); o != nil {
				e.overlap(o)
				return
			}
			inside = o.from
			i = end - 1
		}
		covered = max(covered, o.to)
	}
}

// repeated returns one of several new members of one name in a compound.
func repeated(members []op) *op {
	if len(members) > 16 {
		seen := make(map[string]bool, len(members))
		for i := range members {
			if seen[members[i].name] {
				return &members[i]
			}
			seen[members[i].name] = true
		}
		return nil
	}
	for i := range members {
		for j := range i {
			if members[j].name == members[i].name {
				return &members[i]
			}
		}
	}
	return nil
}

// overlap reports an op that has something in common with another one.
func (e *Edit) overlap(o *op) {
	e.err = &EditError{Op: "edit", Path: e.path(o.home), Offset: -1, Err: ErrOverlap}
}
