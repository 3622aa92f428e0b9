package nbt

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// decodeStruct decodes a compound into a struct. Fields without a member keep
// what they hold.
func decodeStruct(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeCompound {
		return d.refuse(pl, kind, ErrMismatch)
	}
	if !d.enter() {
		return -1
	}
	st := pl.fields
	if st.rest.plan != nil {
		if r := st.rest.address(p, false); r != nil {
			emptyRest(st.rest.typ, r)
		}
	}
	last := -1
	for {
		var (
			name    []byte
			member  Type
			payload int
		)
		// As header does, here for the members that are plainly there.
		if rest := d.data[pos:]; len(rest) >= 3 && rest[0] != byte(TypeEnd) && d.tags > 0 &&
			len(rest)-3 >= int(binary.BigEndian.Uint16(rest[1:])) {
			n := int(binary.BigEndian.Uint16(rest[1:]))
			name, member, payload = rest[3:3+n], Type(rest[0]), pos+3+n
			d.tags--
		} else if name, member, payload = d.header(pos); member == TypeEnd {
			if payload >= 0 {
				d.depth++
			}
			return payload
		}
		var end int
		if i := st.find(name, last); i >= 0 {
			last = i
			f := &st.fields[i]
			to := unsafe.Add(p, f.offset)
			if f.via != nil {
				to = f.address(p, true)
			}
			end = f.decode(f.plan, d, payload, member, to)
		} else {
			end = d.rest(pl, p, name, payload, member)
		}
		if end < 0 {
			return d.inMember(pos, name)
		}
		pos = end
	}
}

// rest decodes a member that has no field.
func (d *reader) rest(pl *plan, p unsafe.Pointer, name []byte, pos int, kind Type) int {
	rest := &pl.fields.rest
	if rest.plan == nil {
		if d.strict {
			return d.refuse(pl, kind, ErrUnknown)
		}
		return d.skip(pos, kind)
	}
	to := rest.address(p, true)
	if rest.typ == compoundType {
		v, end := d.value(pos, kind)
		if end >= 0 {
			c := (*Compound)(to)
			*c = append(*c, Member{d.text(name), v})
		}
		return end
	}
	if rest.typ == reflect.TypeFor[map[string]any]() {
		v, end := d.value(pos, kind)
		if end >= 0 {
			m := (*map[string]any)(to)
			if *m == nil {
				*m = map[string]any{}
			}
			(*m)[d.text(name)] = v
		}
		return end
	}
	end := d.skip(pos, kind)
	if end < 0 {
		return end
	}
	raw := Raw{kind, d.copy(d.data[pos:end])}
	if rest.typ == rawMembersType {
		members := (*[]RawMember)(to)
		*members = append(*members, RawMember{d.text(name), raw})
		return end
	}
	m := (*map[string]Raw)(to)
	if *m == nil {
		*m = map[string]Raw{}
	}
	(*m)[d.text(name)] = raw
	return end
}

// emptyRest removes the members of the document before.
func emptyRest(typ reflect.Type, p unsafe.Pointer) {
	v := reflect.NewAt(typ, p).Elem()
	v.Clear()
	if typ.Kind() == reflect.Slice {
		v.SetLen(0)
	}
}

// decodeMap decodes a compound into a map with keys of a string type. Members
// are added to what the map holds.
func decodeMap(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeCompound {
		return d.refuse(pl, kind, ErrMismatch)
	}
	if !d.enter() {
		return -1
	}
	m := reflect.NewAt(pl.typ, p).Elem()
	if m.IsNil() {
		m.Set(reflect.MakeMap(pl.typ))
	}
	key, elem := reflect.New(pl.typ.Key()).Elem(), reflect.New(pl.typ.Elem())
	for {
		name, member, payload := d.header(pos)
		if member == TypeEnd {
			if payload >= 0 {
				d.depth++
			}
			return payload
		}
		elem.Elem().SetZero()
		end := pl.elem.decode(pl.elem, d, payload, member, elem.UnsafePointer())
		if end < 0 {
			return d.inMember(pos, name)
		}
		key.SetString(d.text(name))
		m.SetMapIndex(key, elem.Elem())
		pos = end
	}
}

// decodeMapOf is decodeMap for a type of elements known here.
func decodeMapOf[V any](pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int {
	if kind != TypeCompound {
		return d.refuse(pl, kind, ErrMismatch)
	}
	if !d.enter() {
		return -1
	}
	m := *(*map[string]V)(p)
	if m == nil {
		m = map[string]V{}
		*(*map[string]V)(p) = m
	}
	var zero, elem V
	for {
		name, member, payload := d.header(pos)
		if member == TypeEnd {
			if payload >= 0 {
				d.depth++
			}
			return payload
		}
		elem = zero
		end := pl.elem.decode(pl.elem, d, payload, member, unsafe.Pointer(&elem))
		if end < 0 {
			return d.inMember(pos, name)
		}
		m[d.text(name)] = elem
		pos = end
	}
}
