package nbt

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// decodeAny decodes into an any, replacing what it holds.
func decodeAny(_ *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	v, end := d.value(pos, kind)
	if end >= 0 {
		*(*any)(p) = v
	}
	return end
}

// value decodes a payload in the generic form.
func (d *reader) value(pos int, kind Type) (any, int) {
	if size := int(numberSize[kind]); size != 0 {
		if len(d.data)-pos < size {
			return nil, d.fail(ErrTruncated)
		}
		return number(d.data[pos:], kind), pos + size
	}
	switch kind {
	case TypeString:
		s, end := d.string(pos)
		if end < 0 {
			return nil, end
		}
		return d.boxed(s), end
	case TypeByteArray:
		n, body := d.array(pos, 0)
		if body < 0 {
			return nil, body
		}
		return d.bytes(d.data[body : body+n]), body + n
	case TypeIntArray:
		n, body := d.array(pos, 2)
		if body < 0 {
			return nil, body
		}
		v := make([]int32, n)
		readInts(v, d.data[body:])
		return v, body + 4*n
	case TypeLongArray:
		n, body := d.array(pos, 3)
		if body < 0 {
			return nil, body
		}
		v := make([]int64, n)
		readLongs(v, d.data[body:])
		return v, body + 8*n
	case TypeList:
		return d.valueList(pos)
	case TypeCompound:
		c, end := d.compound(pos)
		if end < 0 {
			return nil, end
		}
		return c, end
	}
	return nil, d.fail(ErrType)
}

// bytes returns a copy of a byte array, or the view itself if that is wished.
func (d *reader) bytes(b []byte) []byte {
	if d.views {
		return b[:len(b):len(b)]
	}
	return append(make([]byte, 0, len(b)), b...)
}

// number returns the number of a type that data begins with.
func number(data []byte, kind Type) any {
	switch kind {
	case TypeByte:
		return int8(data[0])
	case TypeShort:
		return int16(binary.BigEndian.Uint16(data))
	case TypeInt:
		return int32(binary.BigEndian.Uint32(data))
	case TypeLong:
		return int64(binary.BigEndian.Uint64(data))
	case TypeFloat:
		return math.Float32frombits(binary.BigEndian.Uint32(data))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(data))
}

func (d *reader) valueList(pos int) (any, int) {
	elem, count, body := d.list(pos)
	if body < 0 {
		return nil, -1
	}
	if size := int(numberSize[elem]); size != 0 {
		items := make([]any, count)
		for i := range items {
			items[i] = number(d.data[body:], elem)
			body += size
		}
		return List{elem, items}, body
	}
	d.depth--
	base, wrappers := len(d.items), 0
	for i := range count {
		if !d.element() {
			return nil, d.inElement(body, i)
		}
		v, end := d.value(body, elem)
		if end < 0 {
			return nil, d.inElement(body, i)
		}
		if elem == TypeCompound && v.(Compound).isWrapper() {
			wrappers++
		}
		d.items, body = append(d.items, v), end
	}
	d.depth++
	items := make([]any, count)
	copy(items, d.items[base:])
	clear(d.items[base:])
	d.items = d.items[:base]
	unwrap(items, wrappers)
	return List{elem, items}, body
}

func (d *reader) compound(pos int) (Compound, int) {
	if !d.enter() {
		return nil, -1
	}
	base := len(d.members)
	for {
		name, kind, payload := d.header(pos)
		if kind == TypeEnd {
			if payload < 0 {
				return nil, -1
			}
			pos = payload
			break
		}
		v, end := d.value(payload, kind)
		if end < 0 {
			return nil, d.inMember(pos, name)
		}
		d.members, pos = append(d.members, Member{d.text(name), v}), end
	}
	d.depth++
	c := make(Compound, len(d.members)-base)
	copy(c, d.members[base:])
	clear(d.members[base:])
	d.members = d.members[:base]
	return c, pos
}
