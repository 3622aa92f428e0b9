package nbt

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"unsafe"
)

// scalar is how a kind of Go values that are one number or string is handled.
type scalar struct {
	kind   Type
	decode func(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int
	encode func(pl *plan, e *encoder, p unsafe.Pointer) Type
	empty  func(p unsafe.Pointer) bool
}

var scalars = map[reflect.Kind]scalar{
	reflect.Bool:    {TypeByte, decodeBool, encode8, empty[uint8]},
	reflect.Int8:    {TypeByte, decodeSigned[int8], encode8, empty[uint8]},
	reflect.Int16:   {TypeShort, decodeSigned[int16], encode16, empty[uint16]},
	reflect.Int32:   {TypeInt, decodeSigned[int32], encode32, empty[uint32]},
	reflect.Int64:   {TypeLong, decodeSigned[int64], encode64, empty[uint64]},
	reflect.Int:     {TypeLong, decodeSigned[int], encodeInt, empty[uint]},
	reflect.Uint8:   {TypeByte, decodeUnsigned[uint8], encode8, empty[uint8]},
	reflect.Uint16:  {TypeShort, decodeUnsigned[uint16], encode16, empty[uint16]},
	reflect.Uint32:  {TypeInt, decodeUnsigned[uint32], encode32, empty[uint32]},
	reflect.Uint64:  {TypeLong, decodeUnsigned[uint64], encode64, empty[uint64]},
	reflect.Uint:    {TypeLong, decodeUnsigned[uint], encodeUint, empty[uint]},
	reflect.Float32: {TypeFloat, decodeFloat32, encodeFloat32, empty[float32]},
	reflect.Float64: {TypeDouble, decodeFloat64, encodeFloat64, empty[float64]},
	reflect.String:  {TypeString, decodeString, encodeString, empty[string]},
}

// decodeSigned decodes an integer of any width that fits.
func decodeSigned[T int8 | int16 | int32 | int64 | int](pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v, end := d.integer(pl, pos, kind)
	if end < 0 {
		return -1
	}
	if int64(T(v)) != v {
		return d.refuse(pl, kind, ErrRange)
	}
	*(*T)(p) = T(v)
	return end
}

// decodeUnsigned decodes an integer that is not negative and fits; of a tag as
// wide as T it takes the bits.
func decodeUnsigned[T uint8 | uint16 | uint32 | uint64 | uint](pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v, end := d.integer(pl, pos, kind)
	if end < 0 {
		return -1
	}
	bits := uintptr(numberSize[kind]) == unsafe.Sizeof(T(0))
	if !bits && (v < 0 || uint64(T(v)) != uint64(v)) {
		return d.refuse(pl, kind, ErrRange)
	}
	*(*T)(p) = T(v)
	return end
}

func decodeBool(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v, end := d.integer(pl, pos, kind)
	if end >= 0 {
		*(*bool)(p) = v != 0
	}
	return end
}

// float returns the value of any number.
func (d *reader) float(pl *plan, pos int, kind Type) (float64, int) {
	switch kind {
	case TypeFloat:
		if len(d.data)-pos < 4 {
			return 0, d.fail(ErrTruncated)
		}
		return float64(math.Float32frombits(binary.BigEndian.Uint32(d.data[pos:]))), pos + 4
	case TypeDouble:
		if len(d.data)-pos < 8 {
			return 0, d.fail(ErrTruncated)
		}
		return math.Float64frombits(binary.BigEndian.Uint64(d.data[pos:])), pos + 8
	}
	v, end := d.integer(pl, pos, kind)
	return float64(v), end
}

func decodeFloat32(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind == TypeFloat && len(d.data)-pos >= 4 { // every bit of a NaN is kept
		*(*uint32)(p) = binary.BigEndian.Uint32(d.data[pos:])
		return pos + 4
	}
	v, end := d.float(pl, pos, kind)
	if end >= 0 {
		*(*float32)(p) = float32(v)
	}
	return end
}

func decodeFloat64(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v, end := d.float(pl, pos, kind)
	if end >= 0 {
		*(*float64)(p) = v
	}
	return end
}

func decodeString(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeString {
		return d.refuse(pl, kind, ErrMismatch)
	}
	s, end := d.string(pos)
	if end >= 0 {
		*(*string)(p) = d.text(s)
	}
	return end
}

// decodeRaw keeps a payload as it is.
func decodeRaw(_ *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	end := d.skip(pos, kind)
	if end >= 0 {
		*(*Raw)(p) = Raw{kind, d.copy(d.data[pos:end])}
	}
	return end
}

func decodeCompound(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeCompound {
		return d.refuse(pl, kind, ErrMismatch)
	}
	c, end := d.compound(pos)
	if end >= 0 {
		*(*Compound)(p) = c
	}
	return end
}

func decodeList(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeList {
		return d.refuse(pl, kind, ErrMismatch)
	}
	v, end := d.valueList(pos)
	if end >= 0 {
		*(*List)(p) = v.(List)
	}
	return end
}

func decodePointer(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	to := *(*unsafe.Pointer)(p)
	if to == nil {
		to = reflect.New(pl.elem.typ).UnsafePointer()
		*(*unsafe.Pointer)(p) = to
	}
	return pl.elem.decode(pl.elem, d, pos, kind, to)
}

// decodeInterface decodes into what an interface with methods points to.
func decodeInterface(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v := reflect.NewAt(pl.typ, p).Elem().Elem()
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return d.refuse(pl, kind, ErrGoType)
	}
	in, err := planOf(v.Type().Elem())
	if err != nil {
		return d.refuse(pl, kind, err)
	}
	return in.decode(in, d, pos, kind, v.UnsafePointer())
}

// decodeNever stands in a type that has only methods to write it.
func decodeNever(pl *plan, d *reader, _ int, kind Type, _ unsafe.Pointer) int {
	return d.refuse(pl, kind, ErrGoType)
}

func decodeUnmarshaler(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	end := d.skip(pos, kind)
	if end < 0 {
		return -1
	}
	raw := Raw{kind, d.data[pos:end:end]}
	if err := reflect.NewAt(pl.typ, p).Interface().(Unmarshaler).UnmarshalNBT(raw); err != nil {
		return d.refuse(pl, kind, err)
	}
	return end
}

func decodeText(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeString {
		return d.refuse(pl, kind, ErrMismatch)
	}
	s, end := d.string(pos)
	if end < 0 {
		return -1
	}
	to := reflect.NewAt(pl.typ, p).Interface().(encoding.TextUnmarshaler)
	if err := to.UnmarshalText(AppendUTF8(nil, s)); err != nil {
		return d.refuse(pl, kind, err)
	}
	return end
}
