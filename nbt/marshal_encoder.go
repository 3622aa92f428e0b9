package nbt

import (
	"encoding/binary"
	"math"
	"reflect"
	"sync"
)

// keptBytes is the largest scratch buffer kept for the next document.
const keptBytes = 1 << 20

// encoder appends tags of Go values to a buffer. Its methods, and those of
// plans, return the type of the payload they appended: End if there is no tag,
// or, with err set, after an error, whose path the callers add on the way back.
type encoder struct {
	buf     []byte
	scratch []byte
	depth   int // containers that are open

	err    error
	goType reflect.Type
	kind   Type
	path   []step

	marks []mark   // of the elements of open lists
	keys  []string // of open maps, in their order
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// newEncoder returns an encoder into memory of its own.
func newEncoder() *encoder {
	e := encoders.Get().(*encoder)
	e.buf, e.depth = e.scratch[:0], 0
	return e
}

// keep keeps the buffer, which is the encoder's own, for the next document.
func (e *encoder) keep() {
	if cap(e.buf) <= keptBytes {
		e.scratch = e.buf[:0]
	}
}

// release gives e back.
func (e *encoder) release() {
	e.buf, e.err, e.goType, e.path = nil, nil, nil, nil
	e.marks = e.marks[:0]
	clear(e.keys)
	e.keys = e.keys[:0]
	encoders.Put(e)
}

// fail notes that a value has no tag.
func (e *encoder) fail(typ reflect.Type, kind Type, err error) Type {
	e.err, e.goType, e.kind = err, typ, kind
	return TypeEnd
}

func (e *encoder) failure() error {
	return &TypeError{Offset: -1, Path: pathOf(e.path), Type: e.kind, GoType: e.goType, Err: e.err}
}

// inMember adds a member to the path of an error.
func (e *encoder) inMember(name string) Type {
	e.path = append(e.path, step{[]byte(name), -1})
	return TypeEnd
}

// inElement adds an element to the path of an error.
func (e *encoder) inElement(i int) Type {
	e.path = append(e.path, step{nil, i})
	return TypeEnd
}

// enter opens a container; leaving it is e.depth--. A value deeper than the
// deepest document that can be read holds itself.
func (e *encoder) enter(typ reflect.Type) bool {
	if e.depth >= MaxDepth {
		e.fail(typ, TypeEnd, ErrDepth)
		return false
	}
	e.depth++
	return true
}

// member appends a place for the type, and the name, of a member.
func (e *encoder) member(name string) bool {
	e.buf = append(e.buf, 0)
	return e.string(name)
}

// string appends a string's length and bytes in modified UTF-8.
func (e *encoder) string(s string) bool {
	if len(s) <= math.MaxUint16 && isPlain(s) {
		e.buf = append(e.buf, byte(len(s)>>8), byte(len(s)))
		e.buf = append(e.buf, s...)
		return true
	}
	n := ModifiedSize(s)
	if n > math.MaxUint16 {
		e.fail(reflect.TypeFor[string](), TypeString, ErrStringLength)
		return false
	}
	e.buf = append(e.buf, byte(n>>8), byte(n))
	e.buf = AppendModifiedUTF8(e.buf, s)
	return true
}

// count appends the count of an array or list, or fails if it is too long.
func (e *encoder) count(n int, kind Type) bool {
	if n > math.MaxInt32 {
		e.fail(nil, kind, ErrSize)
		return false
	}
	e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(n))
	return true
}

// room appends n bytes, whose content does not matter yet, and returns them.
func (e *encoder) room(n int) []byte {
	at := len(e.buf)
	if cap(e.buf)-at < n {
		e.buf = append(e.buf, make([]byte, n)...)
	} else {
		e.buf = e.buf[:at+n]
	}
	return e.buf[at : at+n]
}
