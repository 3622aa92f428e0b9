package nbt

import (
	"encoding/binary"
	"math"
	"reflect"
	"sync"
)

// keptItems is how large a stack may be to be kept for the next document.
const keptItems = 1 << 12

// reader decodes one document into Go values, straight from its bytes.
//
// Its methods take the offset of a payload and return the one after it, or -1
// after an error: that is noted in err, where it happened is added by each
// caller on the way back.
type reader struct {
	data   []byte
	depth  int // containers that may still be opened
	tags   int // tags that may still be made
	views  bool
	strict bool

	err    error
	at     int // offset of the tag at fault, -1 until a caller knows it
	kind   Type
	goType reflect.Type // of a TypeError
	path   []step

	// members and items collect what compounds and lists hold, until it is
	// known how many they are.
	members []Member
	items   []any
	block   []byte
	strings [internedSlots]interned
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func newReader(data []byte, limits Limits) *reader {
	d := readers.Get().(*reader)
	d.data, d.depth, d.tags = data, limits.Depth, limits.Tags
	d.views, d.strict = false, false
	return d
}

// release gives d back; nothing of the document stays in it but strings.
func (d *reader) release() {
	d.data = nil
	if d.err != nil {
		d.err, d.goType, d.path = nil, nil, nil
		d.members, d.items = nil, nil // what was open holds on to values
	}
	if cap(d.members) > keptItems {
		d.members = nil
	}
	if cap(d.items) > keptItems {
		d.items = nil
	}
	readers.Put(d)
}

// fail notes a defect of the tag at hand.
func (d *reader) fail(err error) int {
	d.err, d.at, d.goType = err, -1, nil
	return -1
}

// failAt notes a defect at an offset where no tag could be read.
func (d *reader) failAt(at int, err error) int {
	d.err, d.at, d.goType = err, at, nil
	return -1
}

// refuse notes that the tag at hand does not go into a type.
func (d *reader) refuse(pl *plan, kind Type, err error) int {
	d.err, d.at, d.kind, d.goType = err, -1, kind, pl.typ
	return -1
}

// inMember adds a member at an offset to the path of an error.
func (d *reader) inMember(at int, name []byte) int {
	if d.at < 0 {
		d.at = at
	}
	d.path = append(d.path, step{name, -1})
	return -1
}

// inElement adds an element of a list at an offset to the path of an error.
func (d *reader) inElement(at, index int) int {
	if d.at < 0 {
		d.at = at
	}
	d.path = append(d.path, step{nil, index})
	return -1
}

// failure returns the error noted; at is the offset of the root.
func (d *reader) failure(at int) error {
	if d.at >= 0 {
		at = d.at
	}
	path := pathOf(d.path)
	if d.goType != nil {
		return &TypeError{Offset: at, Path: path, Type: d.kind, GoType: d.goType, Err: d.err}
	}
	return &SyntaxError{Offset: at, Path: path, Err: d.err}
}

// enter opens a container; leaving it is d.depth++.
func (d *reader) enter() bool {
	if d.depth <= 0 {
		d.fail(ErrDepth)
		return false
	}
	d.depth--
	return true
}

// header reads type and name of the member of a compound at pos and returns
// where its payload begins. The type is End, with no error, at the end.
func (d *reader) header(pos int) (name []byte, kind Type, payload int) {
	data := d.data
	if uint(pos) >= uint(len(data)) {
		return nil, TypeEnd, d.failAt(pos, ErrTruncated)
	}
	kind = Type(data[pos])
	if kind == TypeEnd {
		return nil, TypeEnd, pos + 1
	}
	if len(data)-pos < 3 {
		return nil, TypeEnd, d.failAt(pos, ErrTruncated)
	}
	payload = pos + 3 + int(binary.BigEndian.Uint16(data[pos+1:]))
	if payload > len(data) {
		if !kind.Valid() {
			return nil, TypeEnd, d.failAt(pos, ErrType)
		}
		return nil, TypeEnd, d.failAt(pos, ErrTruncated)
	}
	if d.tags--; d.tags < 0 {
		d.fail(ErrTags)
		return nil, TypeEnd, d.inMember(pos, data[pos+3:payload])
	}
	return data[pos+3 : payload : payload], kind, payload
}

// list reads the header of a list, whose elements begin at body. Those that
// are numbers are all there; of others there is at least one byte each.
func (d *reader) list(pos int) (elem Type, count, body int) {
	if len(d.data)-pos < 5 {
		return 0, 0, d.fail(ErrTruncated)
	}
	elem = Type(d.data[pos])
	n := binary.BigEndian.Uint32(d.data[pos+1:])
	switch {
	case !elem.Valid() || elem == TypeEnd && int32(n) > 0:
		return 0, 0, d.fail(ErrType)
	case n > math.MaxInt32:
		return 0, 0, d.fail(ErrLength)
	}
	body = pos + 5
	if uint64(n)*uint64(max(numberSize[elem], 1)) > uint64(len(d.data)-body) {
		if d.depth <= 0 && numberSize[elem] == 0 {
			return 0, 0, d.fail(ErrDepth)
		}
		return 0, 0, d.fail(ErrTruncated)
	}
	if d.depth <= 0 {
		return 0, 0, d.fail(ErrDepth)
	}
	return elem, int(n), body
}

// element counts an element of a list that is no number.
func (d *reader) element() bool {
	if d.tags--; d.tags < 0 {
		d.fail(ErrTags)
		return false
	}
	return true
}

// array reads the count of an array of elements of 1<<shift bytes, which are
// all there and begin at body.
func (d *reader) array(pos int, shift uint8) (count, body int) {
	if len(d.data)-pos < 4 {
		return 0, d.fail(ErrTruncated)
	}
	n := binary.BigEndian.Uint32(d.data[pos:])
	if n > math.MaxInt32 {
		return 0, d.fail(ErrLength)
	}
	if uint64(n)<<shift > uint64(len(d.data)-pos-4) {
		return 0, d.fail(ErrTruncated)
	}
	return int(n), pos + 4
}

// string reads a string in modified UTF-8, a view.
func (d *reader) string(pos int) ([]byte, int) {
	if len(d.data)-pos < 2 {
		return nil, d.fail(ErrTruncated)
	}
	end := pos + 2 + int(binary.BigEndian.Uint16(d.data[pos:]))
	if end > len(d.data) {
		return nil, d.fail(ErrTruncated)
	}
	return d.data[pos+2 : end], end
}

// skip returns the end of a payload that nobody asked for.
func (d *reader) skip(pos int, kind Type) int {
	if size := numberSize[kind]; size != 0 {
		if len(d.data)-pos < int(size) {
			return d.fail(ErrTruncated)
		}
		return pos + int(size)
	}
	if kind == TypeString {
		_, end := d.string(pos)
		return end
	}
	s := skipper{data: d.data, depth: d.depth}
	if end := s.skip(pos, kind); end >= 0 {
		return end
	}
	// The skipper knows no paths: decoding meets the same defect and does.
	if _, end := d.value(pos, kind); end >= 0 {
		return d.fail(s.err)
	}
	return -1
}
