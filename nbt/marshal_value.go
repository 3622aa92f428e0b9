package nbt

import (
	"encoding/binary"
	"math"
	"reflect"
	"unsafe"
)

// value appends the payload of any Go value.
func (e *encoder) value(v any) Type {
	switch v := v.(type) {
	case nil:
		return TypeEnd
	case int8:
		e.buf = append(e.buf, byte(v))
		return TypeByte
	case int16:
		e.buf = binary.BigEndian.AppendUint16(e.buf, uint16(v))
		return TypeShort
	case int32:
		e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(v))
		return TypeInt
	case int64:
		e.buf = binary.BigEndian.AppendUint64(e.buf, uint64(v))
		return TypeLong
	case float32:
		e.buf = binary.BigEndian.AppendUint32(e.buf, math.Float32bits(v))
		return TypeFloat
	case float64:
		e.buf = binary.BigEndian.AppendUint64(e.buf, math.Float64bits(v))
		return TypeDouble
	case string:
		if !e.string(v) {
			return TypeEnd
		}
		return TypeString
	case Compound:
		return e.compound(v)
	case List:
		return e.genericList(v)
	case []byte:
		return e.bytes(v)
	case []int32:
		return e.ints(v)
	case []int64:
		return e.longs(v)
	case map[string]any:
		return encodeMapOf[any](mapPlan, e, unsafe.Pointer(&v))
	case []any:
		return e.list(reflect.TypeFor[[]any](), anyPlan, unsafe.Pointer(unsafe.SliceData(v)), len(v), TypeEnd)
	}
	return e.reflected(v)
}

// reflected appends the payload of a value of a type that is not known here.
func (e *encoder) reflected(v any) Type {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Pointer {
		at := reflect.New(value.Type()) // plans need addresses
		at.Elem().Set(value)
		value = at
	}
	if value.IsNil() {
		return TypeEnd
	}
	pl, err := planOf(value.Type().Elem())
	if err != nil {
		return e.fail(value.Type().Elem(), TypeEnd, err)
	}
	return e.pointed(pl, value.UnsafePointer())
}

// pointed appends what a pointer points to. Pointers may go in circles: they
// count as depth.
func (e *encoder) pointed(pl *plan, p unsafe.Pointer) Type {
	if !e.enter(pl.typ) {
		return TypeEnd
	}
	kind := pl.encode(pl, e, p)
	e.depth--
	return kind
}

func (e *encoder) compound(c Compound) Type {
	if !e.enter(compoundType) {
		return TypeEnd
	}
	for i := range c {
		m := &c[i]
		at := len(e.buf)
		kind := TypeEnd
		if e.member(m.Name) {
			kind = e.value(m.Value)
		}
		if kind == TypeEnd {
			if e.err != nil {
				return e.inMember(m.Name)
			}
			e.buf = e.buf[:at]
			continue
		}
		e.buf[at] = byte(kind)
	}
	e.depth--
	e.buf = append(e.buf, byte(TypeEnd))
	return TypeCompound
}

// genericList appends a list in the generic form.
func (e *encoder) genericList(l List) Type {
	if !l.Elem.Valid() {
		return e.fail(listType, TypeList, ErrElementType)
	}
	return e.list(listType, anyPlan, unsafe.Pointer(unsafe.SliceData(l.Items)), len(l.Items), l.Elem)
}

// anyPlan is the plan of any.
var anyPlan *plan

func init() { anyPlan, _ = planOf(reflect.TypeFor[any]()) }

// mark is an element of a list that may be of several types.
type mark struct {
	end  int
	kind Type
}

// list appends a list of the n values in memory at base. empty is the type of
// elements if there are none.
func (e *encoder) list(typ reflect.Type, elem *plan, base unsafe.Pointer, n int, empty Type) Type {
	start := len(e.buf)
	e.buf = append(e.buf, byte(empty))
	if !e.count(n, TypeList) {
		return TypeEnd
	}
	if n == 0 {
		return TypeList
	}
	if !e.enter(typ) {
		return TypeEnd
	}
	kind, mixed, marks := elem.kind, false, len(e.marks)
	varies := kind == TypeEnd
	for i := range n {
		got := elem.encode(elem, e, unsafe.Add(base, uintptr(i)*elem.size))
		if got == TypeEnd {
			if e.err == nil {
				e.fail(elem.typ, TypeEnd, ErrNil)
			}
			return e.inElement(i)
		}
		if varies {
			if i == 0 {
				kind = got
			}
			mixed = mixed || got != kind
			e.marks = append(e.marks, mark{len(e.buf), got})
		}
	}
	e.depth--
	if mixed {
		e.wrap(start+5, e.marks[marks:])
		kind = TypeCompound
	}
	e.marks = e.marks[:marks]
	e.buf[start] = byte(kind)
	return TypeList
}

// wrap puts those elements of a list of several types that need it into
// compounds of one member without a name. The elements are at the end of the
// buffer, from start on.
func (e *encoder) wrap(start int, elements []mark) {
	from := append([]byte(nil), e.buf[start:]...)
	e.buf = e.buf[:start]
	at := 0
	for _, m := range elements {
		element := from[at : m.end-start]
		at = m.end - start
		if m.kind == TypeCompound && !isWrapperBytes(element) {
			e.buf = append(e.buf, element...)
			continue
		}
		e.buf = append(e.buf, byte(m.kind), 0, 0)
		e.buf = append(e.buf, element...)
		e.buf = append(e.buf, byte(TypeEnd))
	}
}

// isWrapperBytes reports whether the payload of a compound has exactly the one
// key "".
func isWrapperBytes(data []byte) bool {
	if len(data) < 3 || data[0] == byte(TypeEnd) || data[1] != 0 || data[2] != 0 {
		return false
	}
	s := skipper{data: data, depth: MaxDepth} // a Raw in it may be anything
	end := s.skip(3, Type(data[0]))
	return end >= 0 && end == len(data)-1
}

func (e *encoder) bytes(v []byte) Type {
	if !e.count(len(v), TypeByteArray) {
		return TypeEnd
	}
	e.buf = append(e.buf, v...)
	return TypeByteArray
}

func (e *encoder) ints(v []int32) Type {
	if !e.count(len(v), TypeIntArray) {
		return TypeEnd
	}
	putInts(e.room(4*len(v)), v)
	return TypeIntArray
}

func (e *encoder) longs(v []int64) Type {
	if !e.count(len(v), TypeLongArray) {
		return TypeEnd
	}
	putLongs(e.room(8*len(v)), v)
	return TypeLongArray
}
