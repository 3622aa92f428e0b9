package nbt

import (
	"iter"
	"slices"
)

// planLists makes the ops that lists and arrays of which elements are edited
// need besides: their counts and types of elements, and wrappers.
func (e *Edit) planLists() {
	if !slices.ContainsFunc(e.ops, func(o op) bool { return o.homeKind != TypeEnd }) {
		return
	}
	slices.SortFunc(e.ops, byHome)
	given := len(e.ops)
	for from := 0; from < given && e.ops[from].homeKind != TypeEnd; {
		to := from + 1
		for to < given && e.ops[to].homeKind != TypeEnd && e.ops[to].home == e.ops[from].home {
			to++
		}
		e.planList(from, to)
		if e.err != nil {
			return
		}
		from = to
	}
}

// planList plans the list or array that the ops from from to to are about.
func (e *Edit) planList(from, to int) {
	first := &e.ops[from]
	list := Tag{e.tape, first.homeIndex, first.home, first.homeKind}
	kept, count := list.Len(), list.Len()
	for i := from; i < to; i++ {
		switch o := &e.ops[i]; {
		case o.from == o.to:
			count++
		case o.kind == TypeEnd:
			count--
			kept--
		default:
			kept--
		}
	}
	if kept < 0 { // one element twice
		e.overlap(first)
		return
	}
	head := op{
		from: list.off, to: list.off + 5, group: groupContent, head: headList, made: true,
		home: list.off, count: uint32(count),
	}
	switch {
	case list.kind.Array():
		head.to, head.head = list.off+4, headArray
	case e.Mixed:
		head.kind = e.planMixed(list, from, to, kept)
	default:
		head.kind = e.elementType(list, from, to, kept)
	}
	e.ops = append(e.ops, head)
}

// elementType returns the type of the elements of a list that must have one.
func (e *Edit) elementType(list Tag, from, to, kept int) Type {
	elem := TypeEnd
	if kept > 0 {
		elem = list.Elem()
	}
	for i := from; i < to; i++ {
		kind := e.ops[i].kind
		if elem == TypeEnd {
			elem = kind
		}
		if kind != TypeEnd && kind != elem {
			e.fail("edit", list, -1, ErrElementType)
			break
		}
	}
	return elem
}

// planMixed plans a list whose elements may be of several types, and returns
// the type that they have in the document.
func (e *Edit) planMixed(list Tag, from, to, kept int) Type {
	elem, several := TypeEnd, false
	see := func(kind Type) {
		if elem == TypeEnd {
			elem = kind
		}
		several = several || kind != TypeEnd && kind != elem
	}
	mixed := list.Mixed()
	switch {
	case kept == 0:
	case mixed:
		for tag := range e.untouched(list, from, to) {
			see(tag.unwrap().kind)
		}
	default:
		see(list.Elem())
	}
	for i := from; i < to; i++ {
		see(e.ops[i].kind)
	}
	for i := from; i < to; i++ {
		o := &e.ops[i]
		wrap := several && o.kind != TypeEnd && (o.kind != TypeCompound || isWrapperBytes(o.data))
		o.open, o.close = wrap, wrap
		e.wrapped = e.wrapped || wrap
	}
	if kept > 0 && several != mixed {
		e.rewrap(list, from, to, several)
	}
	if several {
		return TypeCompound
	}
	return elem
}

// rewrap puts wrappers around the elements that are kept, or takes them off.
func (e *Edit) rewrap(list Tag, from, to int, on bool) {
	e.wrapped = e.wrapped || on
	made := len(e.ops)
	for tag, apart := range e.untouched(list, from, to) {
		end := tag.last()
		wrapper := tag.unwrap() != tag
		switch {
		case on && (tag.index == noEntry || tag.kind == TypeString):
			// Nothing within can be edited: a row of them is one op.
			if len(e.ops) == made || apart || e.ops[len(e.ops)-1].to != tag.off {
				e.ops = append(e.ops, op{
					from: tag.off, home: tag.off, group: groupContent, made: true, head: headRow, kind: tag.kind,
				})
			}
			row := &e.ops[len(e.ops)-1]
			row.to, row.data = end, e.tape.data[row.from:end:end]
			row.count++
		case on && (wrapper || tag.kind != TypeCompound):
			e.ops = append(e.ops,
				op{from: tag.off, to: tag.off, home: tag.off, group: groupOpen, made: true, kind: tag.kind, open: true},
				op{from: end, to: end, home: tag.off, group: groupClose, made: true, close: true})
		case !on && wrapper:
			e.ops = append(e.ops,
				op{from: tag.off, to: tag.off + 3, home: tag.off, group: groupContent, made: true},
				op{from: end - 1, to: end, home: tag.off, group: groupContent, made: true})
		}
	}
}

// untouched returns the elements of a list that no op from from to to replaces
// or removes, and whether one inserts something before it.
func (e *Edit) untouched(list Tag, from, to int) iter.Seq2[Tag, bool] {
	return func(yield func(Tag, bool) bool) {
		at := from
		for _, tag := range list.Elements() {
			apart := false
			for at < to && (e.ops[at].from < tag.off || e.ops[at].from == e.ops[at].to) {
				if e.ops[at].from > tag.off {
					break
				}
				apart = apart || e.ops[at].from == tag.off
				at++
			}
			if at < to && e.ops[at].from == tag.off {
				continue
			}
			if !yield(tag, apart) {
				return
			}
		}
	}
}
