package nbt

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

const (
	// firstElements is how many elements a slice has room for at least, whatever
	// is left of the document.
	firstElements = 16
	// firstBytes bounds the first room otherwise: each of the lists that are
	// open at one time may claim all that is left of the document.
	firstBytes = 64 << 10
)

// decodeSlice decodes a list into a slice, into the memory that it has if that
// is enough. Elements are zero before they are decoded.
func decodeSlice(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeList {
		return d.refuse(pl, kind, ErrMismatch)
	}
	elem, count, body := d.list(pos)
	if body < 0 {
		return -1
	}
	if count == 0 {
		if h := (*[]struct{})(p); *h == nil {
			*h = []struct{}{}
		} else {
			*h = (*h)[:0]
		}
		return body
	}
	slice := reflect.NewAt(pl.typ, p).Elem()
	if slice.Cap() >= count {
		slice.SetLen(count)
		slice.Clear()
	} else {
		// A document may claim more elements than it has: room for them is made
		// no larger than what is left of it, then doubled.
		room := firstElements + min(len(d.data)-body, firstBytes)/int(max(pl.elem.size, 1))
		slice.SetZero()
		slice.Grow(min(count, room))
		slice.SetLen(min(count, slice.Cap()))
	}
	d.depth--
	for i, done := 0, slice.Len(); ; {
		base := slice.UnsafePointer()
		if body = d.elements(pl.elem, elem, body, base, i, done); body < 0 {
			slice.SetLen(0)
			return -1
		}
		if done == count {
			break
		}
		i = done
		slice.Grow(min(done, count-done))
		done = min(count, slice.Cap())
		slice.SetLen(done)
	}
	d.depth++
	return body
}

// elements decodes the elements from index i to before end of a list whose
// memory begins at base.
func (d *reader) elements(pl *plan, kind Type, pos int, base unsafe.Pointer, i, end int) int {
	if numberSize[kind] == 0 {
		if d.tags < end-i {
			d.fail(ErrTags)
			return d.inElement(pos, i)
		}
		d.tags -= end - i
	}
	for ; i < end; i++ {
		next := pl.decode(pl, d, pos, kind, unsafe.Add(base, uintptr(i)*pl.size))
		if next < 0 {
			return d.inElement(pos, i)
		}
		pos = next
	}
	return pos
}

// decodeArray decodes a list into an array of the same length.
func decodeArray(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeList {
		return d.refuse(pl, kind, ErrMismatch)
	}
	elem, count, body := d.list(pos)
	if body < 0 {
		return -1
	}
	if count != pl.count {
		return d.refuse(pl, kind, ErrCount)
	}
	if count == 0 {
		return body
	}
	d.depth--
	body = d.elements(pl.elem, elem, body, p, 0, count)
	d.depth++
	return body
}

// arrayCodec is how slices and arrays of one kind of integer are handled.
type arrayCodec struct {
	kind       Type
	decode     func(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int
	encode     func(pl *plan, e *encoder, p unsafe.Pointer) Type
	encodeList func(pl *plan, e *encoder, p unsafe.Pointer) Type
}

// arrays are the elements whose slices and arrays are arrays in a document.
var arrays = map[reflect.Kind]arrayCodec{
	reflect.Int8:   {TypeByteArray, decodeBytes, encodeBytes, encodeBytesList},
	reflect.Uint8:  {TypeByteArray, decodeBytes, encodeBytes, encodeBytesList},
	reflect.Int32:  {TypeIntArray, decodeInts, encodeInts, encodeIntsList},
	reflect.Uint32: {TypeIntArray, decodeInts, encodeInts, encodeIntsList},
	reflect.Int64:  {TypeLongArray, decodeLongs, encodeLongs, encodeLongsList},
	reflect.Uint64: {TypeLongArray, decodeLongs, encodeLongs, encodeLongsList},
}

// numbers reads the header of an array of the plan's type, or of a list, and
// returns the type and number of its elements. body is -1 after an error.
func (d *reader) numbers(pl *plan, pos int, kind Type, array, elem Type) (in Type, count, body int) {
	switch kind {
	case array:
		in = elem
		count, body = d.array(pos, elementShift[array])
	case TypeList:
		in, count, body = d.list(pos)
		if body >= 0 && count > 0 && (in < TypeByte || in > TypeLong) {
			body = d.refuse(pl, kind, ErrMismatch)
		}
	default:
		body = d.refuse(pl, kind, ErrMismatch)
	}
	if body >= 0 && pl.count >= 0 && count != pl.count {
		body = d.refuse(pl, kind, ErrCount)
	}
	return in, count, body
}

// target returns the elements to fill: those of an array at p, or of the slice
// at p, given another memory if it lacks room.
func target[T any](pl *plan, p unsafe.Pointer, count int) []T {
	if pl.count >= 0 {
		return unsafe.Slice((*T)(p), count)
	}
	s := (*[]T)(p)
	if *s != nil && cap(*s) >= count {
		*s = (*s)[:count]
	} else {
		*s = make([]T, count)
	}
	return *s
}

func decodeBytes(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	in, count, body := d.numbers(pl, pos, kind, TypeByteArray, TypeByte)
	switch {
	case body < 0:
		return -1
	case in != TypeByte:
		return d.integers(pl, in, count, body, unsafe.Pointer(unsafe.SliceData(target[byte](pl, p, count))))
	case d.views && pl.count < 0:
		*(*[]byte)(p) = d.data[body : body+count : body+count]
	case pl.count < 0 && cap(*(*[]byte)(p)) < count:
		*(*[]byte)(p) = append(make([]byte, 0, count), d.data[body:body+count]...)
	default:
		copy(target[byte](pl, p, count), d.data[body:body+count])
	}
	return body + count
}

func decodeInts(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	in, count, body := d.numbers(pl, pos, kind, TypeIntArray, TypeInt)
	if body < 0 {
		return -1
	}
	to := target[int32](pl, p, count)
	if in != TypeInt {
		return d.integers(pl, in, count, body, unsafe.Pointer(unsafe.SliceData(to)))
	}
	readInts(to, d.data[body:])
	return body + 4*count
}

func decodeLongs(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	in, count, body := d.numbers(pl, pos, kind, TypeLongArray, TypeLong)
	if body < 0 {
		return -1
	}
	to := target[int64](pl, p, count)
	if in != TypeLong {
		return d.integers(pl, in, count, body, unsafe.Pointer(unsafe.SliceData(to)))
	}
	readLongs(to, d.data[body:])
	return body + 8*count
}

// integers decodes a list of integers of another width than the elements at
// base.
func (d *reader) integers(pl *plan, kind Type, count, pos int, base unsafe.Pointer) int {
	if count == 0 {
		return pos
	}
	return d.elements(pl.elem, kind, pos, base, 0, count)
}

// integer returns the value of a tag that is an integer.
func (d *reader) integer(pl *plan, pos int, kind Type) (v int64, end int) {
	if kind < TypeByte || kind > TypeLong {
		return 0, d.refuse(pl, kind, ErrMismatch)
	}
	end = pos + int(numberSize[kind])
	if end > len(d.data) {
		return 0, d.fail(ErrTruncated)
	}
	switch data := d.data[pos:end]; kind {
	case TypeByte:
		v = int64(int8(data[0]))
	case TypeShort:
		v = int64(int16(binary.BigEndian.Uint16(data)))
	case TypeInt:
		v = int64(int32(binary.BigEndian.Uint32(data)))
	default:
		v = int64(binary.BigEndian.Uint64(data))
	}
	return v, end
}
