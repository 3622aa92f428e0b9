package main

import (
	"fmt"
	"strconv"

	"strata/nbt"
)

// findDoubles notes the paths with numbers that no float prints.
func (s *schema) findDoubles(path string, n *node) {
	if n.kind == kindNumber && !n.whole() && !exactFloat32(n.text) {
		s.doubles[path] = true
	}
	for _, m := range n.members {
		s.findDoubles(path+"/"+m.name, m.value)
	}
	for _, item := range n.items {
		s.findDoubles(path+"[]", item)
	}
}

// shapeOf returns the type of a value: as learned; else a double where digits
// prove it; else as learned for the same names elsewhere; else what its JSON
// looks like, numbers with a point being floats.
func (s *schema) shapeOf(path string, n *node) shape {
	if t, ok := s.types[kindPath(path, n)]; ok && (n.kind != kindArray || t.kind != nbt.TypeList || t.elem != nbt.TypeEnd) {
		return t
	}
	if s.doubles[path] {
		return shape{kind: nbt.TypeDouble}
	}
	for _, suffix := range suffixes(kindPath(path, n)) {
		if t, ok := s.suffixes[suffix]; ok {
			if t == unsure {
				break
			}
			return t
		}
	}
	return plainShape(n)
}

// plainShape is the type by the look of the JSON alone.
func plainShape(n *node) shape {
	switch n.kind {
	case kindBool:
		return shape{kind: nbt.TypeByte}
	case kindNumber:
		if n.whole() {
			return shape{kind: nbt.TypeInt}
		}
		return shape{kind: nbt.TypeFloat}
	case kindString:
		return shape{kind: nbt.TypeString}
	case kindArray:
		elem := nbt.TypeEnd
		if len(n.items) > 0 {
			elem = plainShape(n.items[0]).kind
		}
		return shape{nbt.TypeList, elem}
	case kindObject:
		return shape{kind: nbt.TypeCompound}
	case kindNull:
	}
	return shape{kind: nbt.TypeEnd}
}

// convert turns JSON into NBT as the network has it.
func (s *schema) convert(path string, n *node) (typed, error) {
	sh := s.shapeOf(path, n)
	t := typed{kind: sh.kind}
	fits := false
	switch sh.kind {
	case nbt.TypeByte, nbt.TypeShort, nbt.TypeInt, nbt.TypeLong:
		fits = n.kind == kindNumber && n.whole() || n.kind == kindBool
		t.integer = int64(n.int())
		if n.yes(false) {
			t.integer = 1
		}
	case nbt.TypeFloat, nbt.TypeDouble:
		fits = n.kind == kindNumber
		t.float = n.num()
		if sh.kind == nbt.TypeFloat {
			t.float = float32Value(n.text)
		}
	case nbt.TypeString:
		fits = n.kind == kindString
		t.text = n.text
	case nbt.TypeIntArray:
		fits = n.kind == kindArray
		for _, item := range n.items {
			t.ints = append(t.ints, int32(item.int()))
		}
	case nbt.TypeList:
		fits = n.kind == kindArray
		if err := s.convertItems(path, n, &t); err != nil {
			return t, err
		}
	case nbt.TypeCompound:
		fits = n.kind == kindObject
		if err := s.convertMembers(path, n, &t); err != nil {
			return t, err
		}
	}
	if !fits {
		return t, fmt.Errorf("%s: JSON does not fit the type %v", path, sh.kind)
	}
	return t, nil
}

// float32Value reads a number as the game reads a float, rounding once.
func float32Value(text string) float64 {
	v, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return 0
	}
	return float64(float32(v))
}

func (s *schema) convertItems(path string, n *node, t *typed) error {
	for _, item := range n.items {
		v, err := s.convert(path+"[]", item)
		if err != nil {
			return err
		}
		if len(t.items) > 0 && t.elem != v.kind {
			return fmt.Errorf("%s: a list of %v and %v", path, t.elem, v.kind)
		}
		t.elem = v.kind
		t.items = append(t.items, v)
	}
	return nil
}

func (s *schema) convertMembers(path string, n *node, t *typed) error {
	for _, m := range n.members {
		p := path + "/" + m.name
		if s.dropped[p] {
			continue
		}
		if isAttribute(p) {
			sent, known := s.attributes[m.name]
			if !known {
				return fmt.Errorf("%s: whether this attribute is sent is not known", p)
			}
			if !sent {
				continue
			}
		}
		v, err := s.convert(p, m.value)
		if err != nil {
			return err
		}
		if len(v.members) == 0 && len(m.value.members) > 0 {
			continue // none of its attributes is sent
		}
		t.members = append(t.members, typedMember{m.name, v})
	}
	return nil
}
