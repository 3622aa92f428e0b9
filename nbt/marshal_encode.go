package nbt

import (
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"unsafe"
)

func encode8(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = append(e.buf, *(*byte)(p))
	return TypeByte
}

func encode16(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint16(e.buf, *(*uint16)(p))
	return TypeShort
}

func encode32(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint32(e.buf, *(*uint32)(p))
	return TypeInt
}

func encode64(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint64(e.buf, *(*uint64)(p))
	return TypeLong
}

func encodeInt(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint64(e.buf, uint64(*(*int)(p)))
	return TypeLong
}

func encodeUint(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint64(e.buf, uint64(*(*uint)(p)))
	return TypeLong
}

func encodeFloat32(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint32(e.buf, math.Float32bits(*(*float32)(p)))
	return TypeFloat
}

func encodeFloat64(_ *plan, e *encoder, p unsafe.Pointer) Type {
	e.buf = binary.BigEndian.AppendUint64(e.buf, math.Float64bits(*(*float64)(p)))
	return TypeDouble
}

func encodeString(_ *plan, e *encoder, p unsafe.Pointer) Type {
	if !e.string(*(*string)(p)) {
		return TypeEnd
	}
	return TypeString
}

// encodeRaw writes a payload as it is.
func encodeRaw(_ *plan, e *encoder, p unsafe.Pointer) Type {
	r := (*Raw)(p)
	if !r.Type.Valid() {
		return e.fail(rawType, TypeEnd, ErrType)
	}
	e.buf = append(e.buf, r.Data...)
	return r.Type
}

func encodeCompound(_ *plan, e *encoder, p unsafe.Pointer) Type { return e.compound(*(*Compound)(p)) }
func encodeList(_ *plan, e *encoder, p unsafe.Pointer) Type     { return e.genericList(*(*List)(p)) }
func encodeAny(_ *plan, e *encoder, p unsafe.Pointer) Type      { return e.value(*(*any)(p)) }

func encodePointer(pl *plan, e *encoder, p unsafe.Pointer) Type {
	to := *(*unsafe.Pointer)(p)
	if to == nil {
		return TypeEnd
	}
	return e.pointed(pl.elem, to)
}

// encodeInterface writes what an interface with methods holds.
func encodeInterface(pl *plan, e *encoder, p unsafe.Pointer) Type {
	v := reflect.NewAt(pl.typ, p).Elem()
	if v.IsNil() {
		return TypeEnd
	}
	return e.value(v.Elem().Interface())
}

// encodeNever stands in a type that has only methods to read it.
func encodeNever(pl *plan, e *encoder, _ unsafe.Pointer) Type {
	return e.fail(pl.typ, TypeEnd, ErrGoType)
}

// encodeMarshaler lets a type write itself. The writer is given a place for
// the type before the payload, which goes again.
func encodeMarshaler(pl *plan, e *encoder, p unsafe.Pointer) Type {
	at := len(e.buf)
	w := Writer{buf: append(e.buf, 0), start: at, named: at + 1}
	err := reflect.NewAt(pl.typ, p).Interface().(Marshaler).MarshalNBT(&w)
	if err == nil {
		_, err = w.Bytes()
	}
	if err != nil {
		return e.fail(pl.typ, TypeEnd, err)
	}
	kind := Type(w.buf[at])
	copy(w.buf[at:], w.buf[at+1:])
	e.buf = w.buf[:len(w.buf)-1]
	return kind
}

func encodeText(pl *plan, e *encoder, p unsafe.Pointer) Type {
	text, err := reflect.NewAt(pl.typ, p).Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return e.fail(pl.typ, TypeString, err)
	}
	if !e.string(string(text)) {
		return TypeEnd
	}
	return TypeString
}

func encodeBytes(pl *plan, e *encoder, p unsafe.Pointer) Type {
	return e.bytes(source[byte](pl, p))
}

func encodeInts(pl *plan, e *encoder, p unsafe.Pointer) Type {
	return e.ints(source[int32](pl, p))
}

func encodeLongs(pl *plan, e *encoder, p unsafe.Pointer) Type {
	return e.longs(source[int64](pl, p))
}

// source returns the elements of the slice or array at p.
func source[T any](pl *plan, p unsafe.Pointer) []T {
	if pl.count >= 0 {
		return unsafe.Slice((*T)(p), pl.count)
	}
	return *(*[]T)(p)
}

func encodeBytesList(pl *plan, e *encoder, p unsafe.Pointer) Type {
	v := source[byte](pl, p)
	if !e.numbers(TypeByte, len(v)) {
		return TypeEnd
	}
	e.buf = append(e.buf, v...)
	return TypeList
}

func encodeIntsList(pl *plan, e *encoder, p unsafe.Pointer) Type {
	v := source[int32](pl, p)
	if !e.numbers(TypeInt, len(v)) {
		return TypeEnd
	}
	putInts(e.room(4*len(v)), v)
	return TypeList
}

func encodeLongsList(pl *plan, e *encoder, p unsafe.Pointer) Type {
	v := source[int64](pl, p)
	if !e.numbers(TypeLong, len(v)) {
		return TypeEnd
	}
	putLongs(e.room(8*len(v)), v)
	return TypeList
}

// numbers appends the header of a list of n numbers.
func (e *encoder) numbers(kind Type, n int) bool {
	if n == 0 {
		kind = TypeEnd
	}
	e.buf = append(e.buf, byte(kind))
	return e.count(n, TypeList)
}

func encodeSlice(pl *plan, e *encoder, p unsafe.Pointer) Type {
	s := *(*[]byte)(p) // of whatever elements: only where they are and how many
	return e.list(pl.typ, pl.elem, unsafe.Pointer(unsafe.SliceData(s)), len(s), TypeEnd)
}

func encodeArray(pl *plan, e *encoder, p unsafe.Pointer) Type {
	return e.list(pl.typ, pl.elem, p, pl.count, TypeEnd)
}
