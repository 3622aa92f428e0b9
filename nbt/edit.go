package nbt

// Edit changes a parsed document by splicing: what is changed is new, and all
// the rest is copied byte for byte, with order, repeated names, unknown tags
// and element types of empty lists.
//
//	edit := tape.Edit()
//	edit.Set(tape.Root(), "LastUpdate", edit.Long(now))
//	edit.Remove(tape.Root().Get("sections").At(3))
//	out, err := edit.AppendTo(nil)
//
// Tags and indices are those of the document as it was parsed, whatever other
// edits there are, so the order of edits matters only between values inserted
// at one place, which stand in the order of the calls. A tag can be edited
// once: a second edit of it, and one within a tag that is replaced or removed,
// is ErrOverlap, as are two members of one new name.
//
// Every value is checked to be one whole tag, and the result keeps to the
// limits of the tape, so it always parses. The first mistake stays, and
// everything after it does nothing; Size and AppendTo return it. What only the
// edits of a list together show is found there too: an element of another type
// than the list, an overlap.
//
// Edits in the order of the document find their places quickest: the elements
// of a long list are then walked over once.
//
// The zero value edits nothing before it is Reset. Values and names are kept,
// not copied, until Reset; the tape must not parse another document meanwhile.
// One goroutine at a time may use an Edit; any number of them may edit from one
// tape.
type Edit struct {
	// Mixed lets lists hold elements of several types, as the game does since
	// 1.21.5: lists of which elements are edited are then edited at the level of
	// values and written as [Tag.Mixed] tells, wrappers put around elements and
	// taken off as needed. Without it an element of another type is
	// ErrElementType. Only edits of a list's elements have its wrappers looked
	// at: what a wrapper holds can be edited as any tag, and a compound that is
	// so given or robbed of the only key "" is read as something else. Reset
	// leaves Mixed alone.
	Mixed bool

	tape    *Tape
	limits  Limits
	ops     []op
	values  []byte // behind the values that Long and its like make
	trail   []place
	last    cursor
	err     error
	planned bool // ops are in the order of the result, and size is right
	wrapped bool // elements are nested one deeper than they were
	size    int
}

// Edit returns an empty edit of the document.
func (t *Tape) Edit() *Edit {
	e := new(Edit)
	e.Reset(t)
	return e
}

// Reset makes e an empty edit of the document in tape, keeping its buffers:
// values that its methods made are void.
func (e *Edit) Reset(tape *Tape) {
	limits, err := tape.Limits.withDefaults()
	clear(e.ops) // let go of values
	*e = Edit{Mixed: e.Mixed, tape: tape, limits: limits, ops: e.ops[:0], values: e.values[:0], trail: e.trail[:0], err: err}
	if err == nil && tape.size == 0 {
		e.err = &EditError{Op: "edit", Offset: -1, Err: ErrRoot}
	}
}

// Err returns the first mistake so far.
func (e *Edit) Err() error { return e.err }

// Set replaces the last member of that name in its place, or adds one at the
// end of the compound.
func (e *Edit) Set(compound Tag, name string, value Raw) {
	if !e.targets("set", compound, compound.kind == TypeCompound) {
		return
	}
	if old := compound.Get(name); old.Exists() {
		e.replace("set", old, value)
		return
	}
	if ModifiedSize(name) > 1<<16-1 {
		e.fail("set", compound, -1, ErrStringLength)
		return
	}
	if !e.accepts("set", compound, value, 1) {
		return
	}
	end := compound.last() - 1
	group := groupClose
	if end == compound.off {
		group = groupContent
	}
	e.add(op{
		from: end, to: end, home: compound.off, group: group,
		head: headName, kind: value.Type, name: name, data: value.Data,
	})
}

// Replace puts a value in the place of a tag, which may be the root, and may
// be of another type.
func (e *Edit) Replace(tag Tag, value Raw) {
	if e.targets("replace", tag, true) {
		e.replace("replace", tag, value)
	}
}

// Remove removes a tag, which must not be the root. Of members with one name
// it removes just this one: see [Edit.RemoveMember].
func (e *Edit) Remove(tag Tag) {
	if !e.targets("remove", tag, tag.Exists() && tag.off != e.tape.payload) {
		return
	}
	if e.isMember(tag) {
		e.add(op{from: e.tape.entries[tag.index].off, to: tag.last(), home: tag.off, group: groupContent})
		return
	}
	home, _ := e.locate(tag.off)
	e.removeElement(home, tag.off, tag.last())
}

// RemoveMember removes all members of that name, and reports whether there was
// one.
func (e *Edit) RemoveMember(compound Tag, name string) bool {
	if !e.targets("remove", compound, compound.kind == TypeCompound) {
		return false
	}
	found := false
	for key, member := range compound.Members() {
		if equalText(key, name) {
			e.Remove(member)
			found = true
		}
	}
	return found
}

// replace replaces a tag that is known to be one of the document.
func (e *Edit) replace(name string, tag Tag, value Raw) {
	if tag.off != e.tape.payload && !e.isMember(tag) {
		home, _ := e.locate(tag.off)
		e.element(name, home, op{from: tag.off, to: tag.last(), group: groupContent}, value)
		return
	}
	if !e.accepts(name, tag, value, 0) {
		return
	}
	from := uint32(0) // the root
	if tag.off != e.tape.payload {
		from = e.tape.entries[tag.index].off
	}
	e.add(op{
		from: from, to: tag.last(), home: tag.off, group: groupContent,
		head: headKept, count: tag.off - from, kind: value.Type, data: value.Data,
	})
}

// isMember reports whether the tag, which is not the root, is a compound's.
func (e *Edit) isMember(tag Tag) bool {
	return tag.index != noEntry && e.tape.entries[tag.index].off != tag.off
}

// targets reports whether op may be done to tag: it is one of the document,
// and of the right type as the caller found.
func (e *Edit) targets(op string, tag Tag, right bool) bool {
	if e.err != nil {
		return false
	}
	if tag.tape != e.tape || !tag.Exists() {
		e.err = &EditError{Op: op, Offset: -1, Err: ErrPlace}
		return false
	}
	if !right {
		e.fail(op, tag, -1, ErrPlace)
	}
	return right
}

func (e *Edit) fail(op string, tag Tag, offset int, err error) {
	e.err = &EditError{Op: op, Path: e.path(tag.off), Offset: offset, Err: err}
}

// accepts checks a value that is to stand in the place of tag, or inner levels
// below it.
func (e *Edit) accepts(op string, tag Tag, value Raw, inner int) bool {
	if size := numberSize[value.Type]; size != 0 && len(value.Data) == int(size) {
		return true
	}
	if value.Type == TypeEnd || !value.Type.Valid() {
		e.fail(op, tag, -1, ErrType)
		return false
	}
	if len(value.Data) > e.limits.Bytes {
		e.fail(op, tag, -1, ErrSize)
		return false
	}
	s := skipper{data: value.Data, depth: e.limits.Depth}
	if value.Type == TypeCompound || value.Type == TypeList {
		_, depth := e.locate(tag.off)
		s.depth = max(0, s.depth-depth-inner)
	}
	end := s.skip(0, value.Type)
	switch {
	case end < 0:
		e.fail(op, tag, s.at, s.err)
	case end > len(value.Data):
		e.fail(op, tag, 0, ErrTruncated)
	case end < len(value.Data):
		e.fail(op, tag, end, ErrTrailing)
	}
	return e.err == nil
}
