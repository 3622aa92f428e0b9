package main

import (
	"fmt"
	"slices"
	"strconv"

	"strata/nbt"
)

// typed is an NBT value in memory.
type typed struct {
	kind    nbt.Type
	integer int64
	float   float64
	text    string
	members []typedMember // of a compound
	elem    nbt.Type      // of a list
	items   []typed       // of a list
	ints    []int32       // of an int array
}

type typedMember struct {
	name  string
	value typed
}

// parseTyped reads the form of prismarine-nbt, {"type": ..., "value": ...}, in
// which minecraft-data has the synced registries.
func parseTyped(n *node) (typed, error) {
	return parseTypedValue(n.get("type").str(), n.get("value"))
}

var typeNames = map[string]nbt.Type{
	"end": nbt.TypeEnd, "byte": nbt.TypeByte, "short": nbt.TypeShort, "int": nbt.TypeInt, "float": nbt.TypeFloat,
	"double": nbt.TypeDouble, "string": nbt.TypeString, "list": nbt.TypeList, "compound": nbt.TypeCompound,
	"intArray": nbt.TypeIntArray,
}

func parseTypedValue(name string, n *node) (typed, error) {
	kind, ok := typeNames[name]
	if !ok || n == nil {
		return typed{}, fmt.Errorf("%w: NBT type %q", errJSON, name)
	}
	t := typed{kind: kind}
	switch kind {
	case nbt.TypeByte, nbt.TypeShort, nbt.TypeInt:
		t.integer = int64(n.int())
	case nbt.TypeFloat, nbt.TypeDouble:
		t.float = n.num()
	case nbt.TypeString:
		t.text = n.str()
	case nbt.TypeIntArray:
		for _, item := range n.items {
			t.ints = append(t.ints, int32(item.int()))
		}
	case nbt.TypeList:
		elem := n.get("type").str()
		t.elem = typeNames[elem]
		for _, item := range n.get("value").items {
			v, err := parseTypedValue(elem, item)
			if err != nil {
				return t, err
			}
			t.items = append(t.items, v)
		}
	case nbt.TypeCompound:
		for _, m := range n.members {
			v, err := parseTyped(m.value)
			if err != nil {
				return t, fmt.Errorf("%s: %w", m.name, err)
			}
			t.members = append(t.members, typedMember{m.name, v})
		}
	}
	return t, nil
}

// write appends the value to a document that is open for it.
func (t *typed) write(w *nbt.Writer) {
	switch t.kind {
	case nbt.TypeByte:
		w.Byte(int8(t.integer))
	case nbt.TypeShort:
		w.Short(int16(t.integer))
	case nbt.TypeInt:
		w.Int(int32(t.integer))
	case nbt.TypeFloat:
		w.Float(float32(t.float))
	case nbt.TypeDouble:
		w.Double(t.float)
	case nbt.TypeString:
		w.String(t.text)
	case nbt.TypeIntArray:
		w.IntArray(t.ints)
	case nbt.TypeList:
		w.BeginList(t.elem, len(t.items))
		for i := range t.items {
			t.items[i].write(w)
		}
		w.End()
	case nbt.TypeCompound:
		w.BeginCompound()
		for i := range t.members {
			w.Name(t.members[i].name)
			t.members[i].value.write(w)
		}
		w.End()
	}
}

// network returns the value as a document without a root name.
func (t *typed) network() ([]byte, error) {
	var w nbt.Writer
	w.Reset(nil)
	t.write(&w)
	return w.Bytes()
}

// sortMembers puts the members of compounds in the order in which the game
// sends them, that of a Java hash map: by bucket, and within a bucket as they
// were added, which before knows: negative, zero (not known) or positive.
func (t *typed) sortMembers(before func(a, b string) int) {
	for i := range t.items {
		t.items[i].sortMembers(before)
	}
	for i := range t.members {
		t.members[i].value.sortMembers(before)
	}
	buckets := hashBuckets(len(t.members))
	slices.SortStableFunc(t.members, func(a, b typedMember) int {
		x, y := javaHash(a.name)&(buckets-1), javaHash(b.name)&(buckets-1)
		if x != y {
			return int(x) - int(y)
		}
		return before(a.name, b.name)
	})
}

// hashBuckets is the size of a HashMap's table with n entries: of 16, doubled
// when more than three quarters are taken.
func hashBuckets(n int) uint32 {
	buckets := uint32(16)
	for n*4 > int(buckets)*3 {
		buckets *= 2
	}
	return buckets
}

// javaHash is String.hashCode spread as HashMap does it, for ASCII names.
func javaHash(s string) uint32 {
	h := uint32(0)
	for i := range len(s) {
		h = 31*h + uint32(s[i])
	}
	return h ^ h>>16
}

// exactFloat32 reports whether the text is what the game prints for a float:
// the shortest that gives it back. A double that came from a float has more
// digits.
func exactFloat32(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	return err == nil && short == v
}
