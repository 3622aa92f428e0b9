package nbt

import (
	"encoding/binary"
	"iter"
	"math"
)

// Tag is a view of one tag of a parsed document. The zero Tag stands for one
// that does not exist: its type is End, and what is asked of it does not exist
// either, so a chain of Get and At needs one check at its end.
//
// A Tag, and every slice it returns, points into the document: it is good
// until its tape parses another one, or the document changes.
type Tag struct {
	tape  *Tape
	index uint32 // its entry, or noEntry
	off   uint32 // of its payload
	kind  Type
}

// Exists reports whether there is such a tag.
func (t Tag) Exists() bool { return t.tape != nil }

// Type returns the tag's type, End if it does not exist.
func (t Tag) Type() Type { return t.kind }

// Offset returns where the tag's payload begins in the document.
func (t Tag) Offset() int { return int(t.off) }

// data returns the document from the payload on.
func (t Tag) data() []byte { return t.tape.data[t.off:] }

// bytes returns the payload, a view, its end found by skipping it.
func (t Tag) bytes() []byte {
	return t.tape.data[t.off:t.end():t.end()]
}

// end returns where the payload ends.
func (t Tag) end() int { return skipValid(t.tape.data, int(t.off), t.kind) }

// Raw returns the payload as it stands in the document, a view.
func (t Tag) Raw() Raw {
	if !t.Exists() {
		return Raw{}
	}
	return Raw{t.kind, t.bytes()}
}

// Int returns the value of a byte, short, int or long.
func (t Tag) Int() (int64, bool) {
	switch t.kind {
	case TypeByte:
		return int64(int8(t.data()[0])), true
	case TypeShort:
		return int64(int16(binary.BigEndian.Uint16(t.data()))), true
	case TypeInt:
		return int64(int32(binary.BigEndian.Uint32(t.data()))), true
	case TypeLong:
		return int64(binary.BigEndian.Uint64(t.data())), true
	}
	return 0, false
}

// Float returns the value of any number. A long may lose digits.
func (t Tag) Float() (float64, bool) {
	switch t.kind {
	case TypeFloat:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(t.data()))), true
	case TypeDouble:
		return math.Float64frombits(binary.BigEndian.Uint64(t.data())), true
	}
	v, ok := t.Int()
	return float64(v), ok
}

// Bytes returns a string in modified UTF-8, a view.
func (t Tag) Bytes() ([]byte, bool) {
	if t.kind != TypeString {
		return nil, false
	}
	data := t.data()
	end := 2 + int(binary.BigEndian.Uint16(data))
	return data[2:end:end], true
}

// Text returns a string as UTF-8, a copy. See [AppendUTF8].
func (t Tag) Text() (string, bool) {
	b, ok := t.Bytes()
	return text(b), ok
}

// Is reports whether the tag is the string s.
func (t Tag) Is(s string) bool {
	b, ok := t.Bytes()
	return ok && equalText(b, s)
}

// ByteArray returns the bytes of a byte array, a view. In Java they have a
// sign.
func (t Tag) ByteArray() ([]byte, bool) {
	if t.kind != TypeByteArray {
		return nil, false
	}
	return t.elements(1), true
}

// IntArray returns a view of an int array.
func (t Tag) IntArray() (Ints, bool) {
	if t.kind != TypeIntArray {
		return Ints{}, false
	}
	return Ints{t.elements(4)}, true
}

// LongArray returns a view of a long array.
func (t Tag) LongArray() (Longs, bool) {
	if t.kind != TypeLongArray {
		return Longs{}, false
	}
	return Longs{t.elements(8)}, true
}

func (t Tag) elements(size int) []byte {
	data := t.data()
	end := 4 + int(binary.BigEndian.Uint32(data))*size
	return data[4:end:end]
}

// Len returns the number of elements of a list or array or of members of a
// compound, 0 for any other tag. A compound is counted member by member.
func (t Tag) Len() int {
	switch t.kind {
	case TypeByteArray, TypeIntArray, TypeLongArray:
		return int(binary.BigEndian.Uint32(t.data()))
	case TypeList:
		return int(binary.BigEndian.Uint32(t.data()[1:]))
	case TypeCompound:
		n := 0
		for range t.Members() {
			n++
		}
		return n
	}
	return 0
}

// Elem returns the type of a list's elements, which for an empty list says
// nothing, and End for any other tag.
func (t Tag) Elem() Type {
	if t.kind != TypeList {
		return TypeEnd
	}
	return Type(t.data()[0])
}

// Get returns a member of a compound by its name. Of several with that name it
// is the last one, as in the game. All members are looked at.
func (t Tag) Get(name string) Tag {
	var found Tag
	if t.kind != TypeCompound {
		return found
	}
	data, entries := t.tape.data, t.tape.entries
	end := entries[t.index].next
	for i := t.index + 1; i < end; i = entries[i].next {
		off := entries[i].off
		if equalText(memberName(data, int(off)), name) {
			found = t.tape.member(i)
		}
	}
	return found
}

// member returns the member of a compound with entry i.
func (t *Tape) member(i uint32) Tag {
	off := t.entries[i].off
	return Tag{t, i, off + 3 + uint32(binary.BigEndian.Uint16(t.data[off+1:])), Type(t.data[off])}
}

// Members returns the members of a compound in their order, with their names
// in modified UTF-8 (views). Names may repeat.
func (t Tag) Members() iter.Seq2[[]byte, Tag] {
	return func(yield func([]byte, Tag) bool) {
		if t.kind != TypeCompound {
			return
		}
		entries := t.tape.entries
		for i := t.index + 1; i < entries[t.index].next; i = entries[i].next {
			if !yield(memberName(t.tape.data, int(entries[i].off)), t.tape.member(i)) {
				return
			}
		}
	}
}

// At returns an element of a list, counted from 0. Elements that are no
// numbers are walked over one by one: use [Tag.Elements] for all of them.
func (t Tag) At(i int) Tag {
	if t.kind != TypeList || i < 0 || i >= t.Len() {
		return Tag{}
	}
	elem := t.Elem()
	if size := numberSize[elem]; size != 0 {
		return Tag{t.tape, noEntry, t.off + 5 + uint32(i)*uint32(size), elem}
	}
	entries := t.tape.entries
	at := t.index + 1
	for range i {
		at = entries[at].next
	}
	return Tag{t.tape, at, entries[at].off, elem}
}

// Elements returns the elements of a list in their order.
func (t Tag) Elements() iter.Seq2[int, Tag] {
	return func(yield func(int, Tag) bool) {
		n, elem := t.Len(), t.Elem()
		if elem == TypeEnd {
			return
		}
		if size := numberSize[elem]; size != 0 {
			for i := range n {
				if !yield(i, Tag{t.tape, noEntry, t.off + 5 + uint32(i)*uint32(size), elem}) {
					return
				}
			}
			return
		}
		entries := t.tape.entries
		at := t.index + 1
		for i := range n {
			if !yield(i, Tag{t.tape, at, entries[at].off, elem}) {
				return
			}
			at = entries[at].next
		}
	}
}
