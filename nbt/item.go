package nbt

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// Items are what a list or array holds at the level of values, as SNBT, JSON
// and paths show them: the elements of a list, the numbers of an array as tags
// of their own, and of a mixed list what its wrappers hold.
//
// Since 1.21.5 the game has lists of elements of several types. The binary
// form of such a list is one of compounds, in which every element that is no
// compound, and every compound whose only key is "", stands in a wrapper: a
// compound with that element under the key "".

// Mixed reports whether a list of compounds stands for one of several types:
// it has wrappers, all of which are needed, and with those taken off its
// elements are not all of one type. The game takes wrappers off always; the
// difference shows only in lists that no game writes, which this way keep their
// bytes when they are read and written.
func (t Tag) Mixed() bool {
	if t.kind != TypeList || t.Elem() != TypeCompound {
		return false
	}
	mixed := false
	var first Type
	for i, e := range t.Elements() {
		inner := e.unwrap()
		if inner != e && inner.kind == TypeCompound && inner.unwrap() == inner {
			return false // nobody would have wrapped this
		}
		if i == 0 {
			first = inner.kind
		}
		mixed = mixed || inner.kind != first
	}
	return mixed
}

// unwrap returns what a wrapper holds, and any other tag as it is.
func (t Tag) unwrap() Tag {
	if t.kind != TypeCompound {
		return t
	}
	entries := t.tape.entries
	end, only := entries[t.index].next, t.index+1
	if only == end || entries[only].next != end {
		return t
	}
	if off := entries[only].off; binary.BigEndian.Uint16(t.tape.data[off+1:]) != 0 {
		return t
	}
	return t.tape.member(only)
}

// Item returns an item of a list or array, counted from 0. Items of a list of
// tags that are no numbers are walked over: use [Tag.Items] for all of them.
func (t Tag) Item(i int) Tag {
	switch {
	case t.kind == TypeList:
		e := t.At(i)
		if e.kind == TypeCompound && e.unwrap() != e && t.Mixed() {
			return e.unwrap()
		}
		return e
	case t.kind.Array() && 0 <= i && i < t.Len():
		return t.number(i)
	}
	return Tag{}
}

// number returns an array's number as a tag.
func (t Tag) number(i int) Tag {
	return Tag{t.tape, noEntry, t.off + 4 + uint32(i)<<elementShift[t.kind], arrayItem(t.kind)}
}

// arrayItem returns the type of an array's items, End for other types.
func arrayItem(kind Type) Type {
	switch kind {
	case TypeByteArray:
		return TypeByte
	case TypeIntArray:
		return TypeInt
	case TypeLongArray:
		return TypeLong
	}
	return TypeEnd
}

// Items returns the items of a list or array in their order.
func (t Tag) Items() iter.Seq2[int, Tag] {
	return func(yield func(int, Tag) bool) {
		if t.kind.Array() {
			for i := range t.Len() {
				if !yield(i, t.number(i)) {
					return
				}
			}
			return
		}
		mixed := t.Mixed()
		for i, e := range t.Elements() {
			if mixed {
				e = e.unwrap()
			}
			if !yield(i, e) {
				return
			}
		}
	}
}

// GetBytes is [Tag.Get] with a name in modified UTF-8.
func (t Tag) GetBytes(name []byte) Tag {
	var found Tag
	if t.kind != TypeCompound {
		return found
	}
	data, entries := t.tape.data, t.tape.entries
	end := entries[t.index].next
	for i := t.index + 1; i < end; i = entries[i].next {
		if bytes.Equal(memberName(data, int(entries[i].off)), name) {
			found = t.tape.member(i)
		}
	}
	return found
}
