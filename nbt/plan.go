package nbt

import (
	"encoding"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// plan says how values of one Go type are read and written. It is made once
// for a type and then only read. Values are reached by address, so that no
// reflection is left where most of the time goes: a plan is used only with
// addresses of values of its type.
type plan struct {
	typ  reflect.Type
	size uintptr
	// kind is the type of the tag that is written, End if that depends on the
	// value.
	kind Type
	// elem is the plan of what a pointer, slice, array or map holds.
	elem *plan
	// count is the length of an array, -1 for a slice.
	count int
	// list is set for a slice or array of integers that is written as a list.
	list   bool
	fields *structPlan

	// decode reads the payload of the given type at pos into the value at p and
	// returns its end, or -1 after an error.
	decode func(pl *plan, d *reader, pos int, kind Type, p unsafe.Pointer) int
	// encode appends the payload of the value at p and returns its type: End if
	// there is no tag for it, or after an error.
	encode func(pl *plan, e *encoder, p unsafe.Pointer) Type
	// empty reports whether omitempty leaves the value out.
	empty func(p unsafe.Pointer) bool
}

// planKey tells the plans of one type apart.
type planKey struct {
	typ  reflect.Type
	list bool
}

var (
	plans      sync.Map // planKey to *plan, complete ones only
	plansMutex sync.Mutex
)

// planOf returns the plan of a type. The error wraps ErrGoType and says what in
// it is at fault.
func planOf(typ reflect.Type) (*plan, error) {
	if pl, ok := plans.Load(planKey{typ, false}); ok {
		return pl.(*plan), nil
	}
	plansMutex.Lock()
	defer plansMutex.Unlock()
	b := planBuilder{made: map[planKey]*plan{}}
	pl, err := b.plan(planKey{typ, false})
	if err != nil {
		return nil, err
	}
	for key, made := range b.made {
		plans.LoadOrStore(key, made)
	}
	return pl, nil
}

// planBuilder makes plans of a type and all that it holds. They are published
// together, since types may hold one another.
type planBuilder struct {
	made  map[planKey]*plan
	order []planKey // in which they were begun
}

func (b *planBuilder) plan(key planKey) (*plan, error) {
	if pl, ok := plans.Load(key); ok {
		return pl.(*plan), nil
	}
	if pl, ok := b.made[key]; ok {
		return pl, nil
	}
	pl := &plan{typ: key.typ, size: key.typ.Size(), count: -1, list: key.list}
	b.made[key], b.order = pl, append(b.order, key)
	if err := b.fill(pl); err != nil {
		return nil, err
	}
	return pl, nil
}

var (
	rawType             = reflect.TypeFor[Raw]()
	compoundType        = reflect.TypeFor[Compound]()
	listType            = reflect.TypeFor[List]()
	marshalerType       = reflect.TypeFor[Marshaler]()
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// fill completes the plan of a type: by its kind, then by its methods, which
// go first.
func (b *planBuilder) fill(pl *plan) error {
	begun := len(b.order)
	err := b.fillKind(pl)
	methods := reflect.PointerTo(pl.typ)
	if pl.typ.Kind() == reflect.Pointer || pl.typ.Kind() == reflect.Interface {
		return err // those of what it points to count
	}
	writes, reads := true, true
	switch {
	case methods.Implements(marshalerType):
		pl.encode, pl.kind = encodeMarshaler, TypeEnd
	case methods.Implements(textMarshalerType):
		pl.encode, pl.kind = encodeText, TypeString
	default:
		writes = false
	}
	switch {
	case methods.Implements(unmarshalerType):
		pl.decode = decodeUnmarshaler
	case methods.Implements(textUnmarshalerType):
		pl.decode = decodeText
	default:
		reads = false
	}
	if !writes && !reads {
		return err
	}
	if pl.list {
		return fmt.Errorf("%w: option list on %s, which has methods of its own", ErrGoType, pl.typ)
	}
	if err != nil { // the methods stand in for what cannot be
		for _, key := range b.order[begun:] {
			delete(b.made, key) // these may be incomplete
		}
		b.order = b.order[:begun]
		if !writes {
			pl.encode = encodeNever
		}
		if !reads {
			pl.decode = decodeNever
		}
		if pl.empty == nil {
			pl.empty = emptyNever
		}
	}
	return nil
}

// own reports whether the type has methods that read or write it.
func own(typ reflect.Type) bool {
	p := reflect.PointerTo(typ)
	return p.Implements(marshalerType) || p.Implements(textMarshalerType) ||
		p.Implements(unmarshalerType) || p.Implements(textUnmarshalerType)
}

func (b *planBuilder) fillKind(pl *plan) error {
	switch pl.typ {
	case rawType:
		pl.decode, pl.encode, pl.empty = decodeRaw, encodeRaw, emptyRaw
		return b.noList(pl)
	case compoundType:
		pl.kind, pl.decode, pl.encode, pl.empty = TypeCompound, decodeCompound, encodeCompound, emptySlice
		return b.noList(pl)
	case listType:
		pl.kind, pl.decode, pl.encode, pl.empty = TypeList, decodeList, encodeList, emptyList
		return b.noList(pl)
	}
	switch kind := pl.typ.Kind(); kind {
	case reflect.Slice, reflect.Array:
		return b.fillSlice(pl)
	default:
		if err := b.noList(pl); err != nil {
			return err
		}
		if s, ok := scalars[kind]; ok {
			pl.kind, pl.decode, pl.encode, pl.empty = s.kind, s.decode, s.encode, s.empty
			return nil
		}
		return b.fillOther(pl)
	}
}

func (b *planBuilder) noList(pl *plan) error {
	if pl.list {
		return fmt.Errorf("%w: option list on %s, which is no slice or array of integers", ErrGoType, pl.typ)
	}
	return nil
}

// fillOther completes the plan of a pointer, interface, map or struct.
func (b *planBuilder) fillOther(pl *plan) (err error) {
	switch pl.typ.Kind() {
	case reflect.Pointer:
		pl.decode, pl.encode, pl.empty = decodePointer, encodePointer, emptyPointer
		if pl.elem, err = b.plan(planKey{pl.typ.Elem(), false}); err != nil {
			return err
		}
		for to := pl.elem; to != nil && to.typ.Kind() == reflect.Pointer; to = to.elem {
			if to == pl {
				return fmt.Errorf("%w: %s, which points to itself", ErrGoType, pl.typ)
			}
		}
		return nil
	case reflect.Interface:
		pl.encode, pl.empty = encodeInterface, emptyInterface(pl.typ)
		pl.decode = decodeInterface
		if pl.typ.NumMethod() == 0 {
			pl.decode, pl.encode = decodeAny, encodeAny
		}
		return nil
	case reflect.Map:
		return b.fillMap(pl)
	case reflect.Struct:
		pl.kind, pl.decode, pl.encode, pl.empty = TypeCompound, decodeStruct, encodeStruct, emptyNever
		pl.fields, err = b.structPlan(pl.typ)
		return err
	}
	return fmt.Errorf("%w: %s", ErrGoType, pl.typ)
}

func (b *planBuilder) fillMap(pl *plan) (err error) {
	key, elem := pl.typ.Key(), pl.typ.Elem()
	if key.Kind() != reflect.String || own(key) {
		return fmt.Errorf("%w: %s, whose keys are no plain strings", ErrGoType, pl.typ)
	}
	pl.kind, pl.decode, pl.encode, pl.empty = TypeCompound, decodeMap, encodeMap, emptyMap(pl.typ)
	switch elem { // maps of these have fast paths
	case reflect.TypeFor[string]():
		pl.decode, pl.encode = decodeMapOf[string], encodeMapOf[string]
	case reflect.TypeFor[any]():
		pl.decode, pl.encode = decodeMapOf[any], encodeMapOf[any]
	case reflect.TypeFor[[]int64]():
		pl.decode, pl.encode = decodeMapOf[[]int64], encodeMapOf[[]int64]
	case reflect.TypeFor[[]uint64]():
		pl.decode, pl.encode = decodeMapOf[[]uint64], encodeMapOf[[]uint64]
	case rawType:
		pl.decode, pl.encode = decodeMapOf[Raw], encodeMapOf[Raw]
	}
	pl.elem, err = b.plan(planKey{elem, false})
	return err
}

// fillSlice completes the plan of a slice or array.
func (b *planBuilder) fillSlice(pl *plan) (err error) {
	pl.empty = emptySlice
	if pl.typ.Kind() == reflect.Array {
		pl.count = pl.typ.Len()
		pl.empty = emptyNever
		if pl.count == 0 {
			pl.empty = emptyAlways
		}
	}
	elem := pl.typ.Elem()
	if a, ok := arrays[elem.Kind()]; ok && !own(elem) {
		pl.kind, pl.decode, pl.encode = a.kind, a.decode, a.encode
		if pl.list {
			pl.kind, pl.encode = TypeList, a.encodeList
		}
		pl.elem, err = b.plan(planKey{elem, false})
		return err
	}
	if err := b.noList(pl); err != nil {
		return err
	}
	pl.kind, pl.decode, pl.encode = TypeList, decodeSlice, encodeSlice
	if pl.count >= 0 {
		pl.decode, pl.encode = decodeArray, encodeArray
	}
	pl.elem, err = b.plan(planKey{elem, false})
	return err
}
