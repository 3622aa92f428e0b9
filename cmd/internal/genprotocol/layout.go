package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// goType returns the Go type of a layout and the function that walks it. A
// type without a name is called after its place, "Type.Field"; element says
// that it is that of a list there.
func (e *emitter) goType(t node, place, limit string) (goType, error) {
	kind, options := constructor(t)
	if options == nil {
		return e.namedType(kind, limit)
	}
	switch kind {
	case "container":
		name := placeName(place)
		if place == "" {
			return goType{}, fmt.Errorf("a container without a place")
		}
		return e.structOnce(name, place, t)
	case "mapper":
		name, values, err := e.enumType(t, place)
		if err != nil {
			return goType{}, err
		}
		if base := object(options)["type"]; base == "varint" {
			return goType{name, "(*" + name + ").wire"}, nil
		}
		return goType{name, fmt.Sprintf("func(v *%s, c *coder, name string) { enumByte(v, c, name, %d) }", name, len(values))}, nil
	case "bitflags":
		name, err := e.flagsType(t, place)
		return goType{name, "(*" + name + ").wire"}, err
	case "option":
		return e.wrapped(options, place, limit, "Optional[%s]", "optional")
	case "registryEntryHolder":
		return e.wrapped(object(object(options)["otherwise"])["type"], place, limit, "Holder[%s]", "holder")
	case "registryEntryHolderSet":
		return primitives["IDSet"], nil
	case "array":
		return e.listType(object(options), place, limit)
	case "buffer":
		return bufferType(object(options), limit)
	case "bitfield":
		return bitfieldType(options)
	case "topBitSetTerminatedArray":
		return goType{"[]Equipment", "equipment"}, nil
	}
	return goType{}, fmt.Errorf("a %s", kind)
}

// namedType is a type that has a name in the schema.
func (e *emitter) namedType(name, limit string) (goType, error) {
	if p, ok := primitives[name]; ok && p.walk != "" {
		if limit != "" {
			switch p.walk {
			case "text", "blob", "rest":
				return limited(p, limit), nil
			}
		}
		return p, nil
	}
	t, ok := e.types0(name)
	if !ok {
		return goType{}, fmt.Errorf("no type %s", name)
	}
	goName := typeNames[name]
	if goName == "" {
		goName = camel(name)
	}
	switch kind, options := constructor(t); {
	case options == nil:
		return e.namedType(kind, limit)
	case kind == "container":
		return e.structOnce(goName, "", t)
	default:
		return e.goType(t, "."+goName, limit)
	}
}

func (e *emitter) types0(name string) (node, bool) { t, ok := e.schema.types[name]; return t, ok }

// limited is a primitive with a limit of its own.
func limited(p goType, limit string) goType {
	return goType{p.name, fmt.Sprintf("func(v *%s, c *coder, name string) { %sMax(v, c, name, %s) }", p.name, p.walk, limit)}
}

// wrapped is a type made of another one.
func (e *emitter) wrapped(inner node, place, limit, form, walk string) (goType, error) {
	t, err := e.goType(inner, place, limit)
	if err != nil {
		return goType{}, err
	}
	outer := fmt.Sprintf(form, t.name)
	if walk == "optional" && e.open[t.name] {
		outer, walk = "*"+t.name, "pointer"
	}
	return goType{outer, fmt.Sprintf("func(v *%s, c *coder, name string) { %s(v, c, name, %s) }", outer, walk, t.walk)}, nil
}

func (e *emitter) listType(options map[string]any, place, limit string) (goType, error) {
	if options["countType"] != "varint" {
		return goType{}, fmt.Errorf("a list without a number of elements")
	}
	inner := options["type"]
	if inner == "u8" {
		return e.namedType("ByteArray", limit)
	}
	owner, field, _ := strings.Cut(place, ".")
	if _, ok := placeNames[place]; !ok {
		place = owner + "." + singular(field)
	}
	t, err := e.goType(inner, place, "")
	if err != nil {
		return goType{}, err
	}
	if limit != "" {
		return goType{"[]" + t.name, fmt.Sprintf("func(v *[]%s, c *coder, name string) { listMax(v, c, name, %s, %s) }", t.name, limit, t.walk)}, nil
	}
	return goType{"[]" + t.name, fmt.Sprintf("func(v *[]%s, c *coder, name string) { list(v, c, name, %s) }", t.name, t.walk)}, nil
}

func bufferType(options map[string]any, limit string) (goType, error) {
	if n, ok := options["count"].(json.Number); ok {
		switch n {
		case "256":
			return goType{"Signature", "(*Signature).wire"}, nil
		case "3":
			return goType{"Acknowledged", "(*Acknowledged).wire"}, nil
		}
	}
	if options["countType"] != "varint" {
		return goType{}, fmt.Errorf("a buffer of %v", options)
	}
	if limit != "" {
		return limited(primitives["ByteArray"], limit), nil
	}
	return primitives["ByteArray"], nil
}

// bitfieldType knows the two that are not flags.
func bitfieldType(options any) (goType, error) {
	var names []string
	for _, f := range list(options) {
		names = append(names, object(f)["name"].(string))
	}
	switch strings.Join(names, " ") {
	case "x z":
		return goType{"Column", "(*Column).wire"}, nil
	case "x z y":
		return goType{"SectionPos", "(*SectionPos).wire"}, nil
	}
	return goType{}, fmt.Errorf("bits %v", names)
}

// structOnce writes a struct unless it is there. place is where it is first
// needed, "" if it has a name of its own in the schema.
func (e *emitter) structOnce(name, place string, t node) (goType, error) {
	result := goType{name, "(*" + name + ").wire"}
	key := jsonOf(t)
	if old, ok := e.done[key]; ok {
		return goType{old, "(*" + old + ").wire"}, nil
	}
	if err := e.claim(name, key); err != nil {
		return goType{}, err
	}
	e.done[key] = name
	doc := fmt.Sprintf("// %s is a value in packets.\n", name)
	if owner, field, ok := strings.Cut(place, "."); ok && owner != "" {
		doc = fmt.Sprintf("// %s is in field %s of %s.\n", name, field, owner)
	}
	return result, e.structType(name, t, doc)
}
