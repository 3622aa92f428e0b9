package nbt

import (
	"cmp"
	"encoding/binary"
)

// op puts a few bytes in the place of a range of the document. It says how to
// write them, so that nothing is put together before the result is.
type op struct {
	from, to  uint32 // what it replaces: nothing if equal
	home      uint32 // payload of the container for elements and new members, else of the tag
	homeIndex uint32 // entry of a list
	count     uint32 // with headKept bytes of the header, else of elements
	seq       uint32 // of the call
	homeKind  Type   // of a list or array that counts this op, else End
	kind      Type   // of the value, End for none
	group     opGroup
	head      opHead
	open      bool // a wrapper begins before data
	close     bool // a wrapper ends after data
	made      bool // by plan, not by a call
	name      string
	data      []byte
}

// opGroup orders what happens at one place of the document.
type opGroup uint8

const (
	// groupClose: before whatever ends here, the innermost first.
	groupClose opGroup = iota
	// groupBefore: before the element that begins here.
	groupBefore
	// groupOpen: the wrapper of the element that begins here.
	groupOpen
	// groupContent: the tag that begins here, or the end of an empty compound.
	groupContent
)

// opHead is what is written before the value.
type opHead uint8

const (
	headNone  opHead = iota
	headKept         // the type, and the name that stands there
	headName         // type and name of a new member
	headList         // type and count of elements
	headArray        // count of elements
	headRow          // data is a row of count elements, each to be wrapped
)

func (e *Edit) add(o op) {
	o.seq = uint32(len(e.ops))
	e.ops = append(e.ops, o)
	e.planned = false
}

// order compares ops by where they stand in the result.
func order(a, b op) int {
	if c := cmp.Compare(a.from, b.from); c != 0 {
		return c
	}
	if c := cmp.Compare(a.group, b.group); c != 0 {
		return c
	}
	if a.group == groupClose {
		if c := cmp.Compare(b.home, a.home); c != 0 {
			return c // the inner one begins later
		}
		// A list that is an element ends before its wrapper does.
		if a.made != b.made {
			if b.made {
				return -1
			}
			return 1
		}
	}
	return cmp.Compare(a.seq, b.seq)
}

// byHome compares ops by the list or array that they count in; those that do
// in none come last.
func byHome(a, b op) int {
	if c := cmp.Compare(b.homeKind, a.homeKind); c != 0 && (a.homeKind == 0 || b.homeKind == 0) {
		return c
	}
	if c := cmp.Compare(a.home, b.home); c != 0 {
		return c
	}
	return order(a, b)
}

// length returns how many bytes the op writes.
func (o *op) length() int {
	n := len(o.data)
	switch o.head {
	case headKept:
		n += int(o.count)
	case headName:
		n += 3 + ModifiedSize(o.name)
	case headList:
		n += 5
	case headArray:
		n += 4
	case headRow:
		n += 4 * int(o.count)
	}
	if o.open {
		n += 3
	}
	if o.close {
		n++
	}
	return n
}

// appendTo writes the op, which belongs to the given document.
func (o *op) appendTo(dst, document []byte) []byte {
	switch o.head {
	case headKept:
		dst = append(dst, byte(o.kind))
		dst = append(dst, document[o.from+1:o.from+o.count]...)
	case headName:
		dst = append(dst, byte(o.kind))
		dst = binary.BigEndian.AppendUint16(dst, uint16(ModifiedSize(o.name)))
		dst = AppendModifiedUTF8(dst, o.name)
	case headList:
		dst = append(dst, byte(o.kind))
		dst = binary.BigEndian.AppendUint32(dst, o.count)
	case headArray:
		dst = binary.BigEndian.AppendUint32(dst, o.count)
	case headRow:
		for at := 0; at < len(o.data); {
			end := skipValid(o.data, at, o.kind)
			dst = append(dst, byte(o.kind), 0, 0)
			dst = append(dst, o.data[at:end]...)
			dst = append(dst, byte(TypeEnd))
			at = end
		}
		return dst
	}
	if o.open {
		dst = append(dst, byte(o.kind), 0, 0)
	}
	dst = append(dst, o.data...)
	if o.close {
		dst = append(dst, byte(TypeEnd))
	}
	return dst
}
