package nbt

import (
	"reflect"
	"slices"
	"unsafe"
)

// encodeStruct writes the fields in their order, then the rest.
func encodeStruct(pl *plan, e *encoder, p unsafe.Pointer) Type {
	if !e.enter(pl.typ) {
		return TypeEnd
	}
	st := pl.fields
	for i := range st.fields {
		f := &st.fields[i]
		from := unsafe.Add(p, f.offset)
		if f.via != nil {
			if from = f.address(p, false); from == nil {
				continue
			}
		}
		if f.omitEmpty && f.empty(from) || f.omitZero && isZero(f.typ, from) {
			continue
		}
		at := len(e.buf)
		e.buf = append(e.buf, f.header...)
		kind := f.encode(f.plan, e, from)
		if kind == TypeEnd {
			if e.err != nil {
				return e.inMember(f.name)
			}
			e.buf = e.buf[:at]
			continue
		}
		e.buf[at] = byte(kind)
	}
	if st.rest.plan != nil && !e.rest(st, p) {
		return TypeEnd
	}
	e.depth--
	e.buf = append(e.buf, byte(TypeEnd))
	return TypeCompound
}

// rest appends the members that have no field.
func (e *encoder) rest(st *structPlan, p unsafe.Pointer) bool {
	from := st.rest.address(p, false)
	if from == nil {
		return true
	}
	switch rest := reflect.NewAt(st.rest.typ, from).Interface().(type) {
	case *Compound:
		for i := range *rest {
			m := &(*rest)[i]
			if !e.restMember(st, m.Name, anyPlan, unsafe.Pointer(&m.Value)) {
				return false
			}
		}
	case *[]RawMember:
		for i := range *rest {
			m := &(*rest)[i]
			if !e.restMember(st, m.Name, rawPlan, unsafe.Pointer(&m.Value)) {
				return false
			}
		}
	case *map[string]Raw:
		var v Raw
		for _, name := range sortedKeys(*rest) {
			v = (*rest)[name]
			if !e.restMember(st, name, rawPlan, unsafe.Pointer(&v)) {
				return false
			}
		}
	case *map[string]any:
		var v any
		for _, name := range sortedKeys(*rest) {
			v = (*rest)[name]
			if !e.restMember(st, name, anyPlan, unsafe.Pointer(&v)) {
				return false
			}
		}
	}
	return true
}

// rawPlan is the plan of Raw.
var rawPlan *plan

func init() { rawPlan, _ = planOf(rawType) }

// restMember appends a member unless it has a field.
func (e *encoder) restMember(st *structPlan, name string, pl *plan, p unsafe.Pointer) bool {
	if st.find(AppendModifiedUTF8(nil, name), -1) >= 0 {
		return true
	}
	return e.mapMember(name, pl, p)
}

// mapPlan is the plan of a map of any.
var mapPlan *plan

func init() { mapPlan, _ = planOf(reflect.TypeFor[map[string]any]()) }

// mapMember appends a member, or nothing if the value at p has no tag.
func (e *encoder) mapMember(name string, pl *plan, p unsafe.Pointer) bool {
	at := len(e.buf)
	kind := TypeEnd
	if e.member(name) {
		kind = pl.encode(pl, e, p)
	}
	switch {
	case kind != TypeEnd:
		e.buf[at] = byte(kind)
	case e.err != nil:
		e.inMember(name)
		return false
	default:
		e.buf = e.buf[:at]
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string {
	return appendSortedKeys(make([]string, 0, len(m)), m)
}

// appendSortedKeys appends the keys in their order.
func appendSortedKeys[V any](keys []string, m map[string]V) []string {
	n := len(keys)
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys[n:])
	return keys
}

// encodeMapOf writes a map with elements of a type known here.
func encodeMapOf[V any](pl *plan, e *encoder, p unsafe.Pointer) Type {
	if !e.enter(pl.typ) {
		return TypeEnd
	}
	m := *(*map[string]V)(p)
	base := len(e.keys)
	e.keys = appendSortedKeys(e.keys, m)
	var v V
	for i, end := base, len(e.keys); i < end; i++ {
		key := e.keys[i]
		v = m[key]
		if !e.mapMember(key, pl.elem, unsafe.Pointer(&v)) {
			return TypeEnd
		}
	}
	clear(e.keys[base:])
	e.keys = e.keys[:base]
	e.depth--
	e.buf = append(e.buf, byte(TypeEnd))
	return TypeCompound
}

// encodeMap writes a map with keys of a string type.
func encodeMap(pl *plan, e *encoder, p unsafe.Pointer) Type {
	if !e.enter(pl.typ) {
		return TypeEnd
	}
	m := reflect.NewAt(pl.typ, p).Elem()
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.String() < b.String() {
			return -1
		}
		return 1 // keys are never equal
	})
	v := reflect.New(pl.elem.typ)
	for _, key := range keys {
		v.Elem().Set(m.MapIndex(key))
		if !e.mapMember(key.String(), pl.elem, v.UnsafePointer()) {
			return TypeEnd
		}
	}
	e.depth--
	e.buf = append(e.buf, byte(TypeEnd))
	return TypeCompound
}
