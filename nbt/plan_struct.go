package nbt

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// fieldPlan is a field of a struct, or of a struct embedded in it.
type fieldPlan struct {
	*plan
	name   string // of the member, in modified UTF-8
	offset uintptr
	// via are the embedded pointers on the way to the field.
	via []embedded
	// header is what precedes the payload: a place for the type, and the name.
	header    []byte
	omitEmpty bool
	omitZero  bool
}

// embedded is a pointer to a struct that is embedded in another.
type embedded struct {
	offset uintptr
	typ    reflect.Type // of the struct
}

// structPlan is the table of a struct's fields.
type structPlan struct {
	fields []fieldPlan
	// rest takes the members that have no field, if rest.plan is not nil.
	rest fieldPlan
	// table finds fields by name: index + 1, at the hash of the name or after.
	table []uint16
	// next is, for each field and before the first, the field that came after
	// it in the first document, + 1: most documents have the same order.
	next []atomic.Uint32
}

// maxFields bounds the fields of a struct.
const maxFields = 1 << 14

func (b *planBuilder) structPlan(typ reflect.Type) (*structPlan, error) {
	c := fieldCollector{builder: b, active: map[reflect.Type]bool{}}
	if err := c.collect(typ, 0, nil, 0); err != nil {
		return nil, err
	}
	st := &structPlan{rest: c.rest}
	for _, f := range c.visible() {
		st.fields = append(st.fields, f.fieldPlan)
	}
	if len(st.fields) > maxFields {
		return nil, fmt.Errorf("%w: %s has more than %d fields", ErrGoType, typ, maxFields)
	}
	size := 4
	for size < 2*len(st.fields) {
		size *= 2
	}
	st.table = make([]uint16, size)
	for i := range st.fields {
		slot := hashName([]byte(st.fields[i].name)) & uint32(size-1)
		for st.table[slot] != 0 {
			slot = (slot + 1) & uint32(size-1)
		}
		st.table[slot] = uint16(i + 1)
	}
	st.next = make([]atomic.Uint32, len(st.fields)+1)
	return st, nil
}

// find returns the index of the field for a member's name, or -1. last is what
// it returned for the member before, -1 at first.
func (st *structPlan) find(name []byte, last int) int {
	if guess := int(st.next[last+1].Load()) - 1; guess >= 0 && st.fields[guess].name == string(name) {
		return guess
	}
	mask := uint32(len(st.table) - 1)
	for slot := hashName(name) & mask; st.table[slot] != 0; slot = (slot + 1) & mask {
		i := int(st.table[slot]) - 1
		if st.fields[i].name == string(name) {
			if st.next[last+1].Load() == 0 {
				st.next[last+1].Store(uint32(i + 1))
			}
			return i
		}
	}
	return -1
}

// foundField is a field with what decides which of several of one name counts.
type foundField struct {
	fieldPlan
	depth  int
	tagged bool
}

type fieldCollector struct {
	builder *planBuilder
	fields  []foundField
	rest    fieldPlan
	active  map[reflect.Type]bool // embedded structs that are being looked at
}

// collect adds the fields of a struct that stands at an offset behind the
// embedded pointers via.
func (c *fieldCollector) collect(typ reflect.Type, base uintptr, via []embedded, depth int) error {
	if c.active[typ] {
		return nil // a struct that embeds a pointer to itself: hidden by its own fields
	}
	c.active[typ] = true
	defer delete(c.active, typ)
	for i := range typ.NumField() {
		f := typ.Field(i)
		tag, tagged := f.Tag.Lookup("nbt")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if inner, pointer := embeddedStruct(f); inner != nil && name == "" && !own(inner) {
			offset, path := base+f.Offset, via
			if pointer {
				path, offset = append(slices.Clip(via), embedded{offset, inner}), 0
			}
			if err := c.collect(inner, offset, path, depth+1); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		if err := c.add(f, name, options, foundField{
			fieldPlan: fieldPlan{offset: base + f.Offset, via: via}, depth: depth, tagged: tagged && name != "",
		}); err != nil {
			return fmt.Errorf("field %s of %s: %w", f.Name, typ, err)
		}
	}
	return nil
}

// embeddedStruct returns the struct that f embeds, or whose pointer it embeds.
func embeddedStruct(f reflect.StructField) (typ reflect.Type, pointer bool) {
	if !f.Anonymous {
		return nil, false
	}
	typ = f.Type
	if typ.Kind() == reflect.Pointer {
		typ, pointer = typ.Elem(), true
	}
	if typ.Kind() != reflect.Struct || typ == rawType || typ == listType {
		return nil, false
	}
	return typ, pointer
}

func (c *fieldCollector) add(f reflect.StructField, name, options string, field foundField) (err error) {
	key := planKey{typ: f.Type}
	rest := false
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			field.omitEmpty = true
		case "omitzero":
			field.omitZero = true
		case "list":
			key.list = true
		case "rest":
			rest = true
		default:
			return fmt.Errorf("%w: option %q of the struct tag is none", ErrGoType, option)
		}
	}
	if rest {
		return c.addRest(f, field)
	}
	if name == "" {
		name = f.Name
	}
	if field.plan, err = c.builder.plan(key); err != nil {
		return err
	}
	modified := AppendModifiedUTF8(nil, name)
	if len(modified) > 1<<16-1 {
		return ErrStringLength
	}
	field.name = string(modified)
	field.header = append([]byte{0, byte(len(modified) >> 8), byte(len(modified))}, modified...)
	c.fields = append(c.fields, field)
	return nil
}

func (c *fieldCollector) addRest(f reflect.StructField, field foundField) (err error) {
	if c.rest.plan != nil {
		return fmt.Errorf("%w: a second field with option rest", ErrGoType)
	}
	switch f.Type {
	case compoundType, rawMembersType, reflect.TypeFor[map[string]Raw](), reflect.TypeFor[map[string]any]():
	default:
		return fmt.Errorf("%w: option rest on %s: want Compound, []RawMember, map[string]Raw or map[string]any",
			ErrGoType, f.Type)
	}
	c.rest = field.fieldPlan
	c.rest.plan, err = c.builder.plan(planKey{typ: f.Type})
	return err
}

// visible returns the fields that count, in the order of their declaration: of
// several with one name the least deep, then the one whose tag names it; if
// there are two such, none. These are Go's and encoding/json's rules.
func (c *fieldCollector) visible() []foundField {
	type rank struct {
		best  int
		equal bool
	}
	ranks := map[string]rank{}
	for i, f := range c.fields {
		r, ok := ranks[f.name]
		if !ok {
			ranks[f.name] = rank{i, false}
			continue
		}
		best := c.fields[r.best]
		switch {
		case f.depth < best.depth, f.depth == best.depth && f.tagged && !best.tagged:
			ranks[f.name] = rank{i, false}
		case f.depth == best.depth && f.tagged == best.tagged:
			ranks[f.name] = rank{r.best, true}
		}
	}
	var fields []foundField
	for i, f := range c.fields {
		if r := ranks[f.name]; r.best == i && !r.equal {
			fields = append(fields, f)
		}
	}
	return fields
}

// address returns where the field is in the struct at p. Of embedded pointers
// that are nil it makes new structs, or returns nil.
func (f *fieldPlan) address(p unsafe.Pointer, grow bool) unsafe.Pointer {
	for _, e := range f.via {
		at := (*unsafe.Pointer)(unsafe.Add(p, e.offset))
		if *at == nil {
			if !grow {
				return nil
			}
			*at = reflect.New(e.typ).UnsafePointer()
		}
		p = *at
	}
	return unsafe.Add(p, f.offset)
}
