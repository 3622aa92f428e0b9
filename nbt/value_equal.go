package nbt

import (
	"bytes"
	"math"
	"slices"
)

// Equal reports whether two generic values stand for the same tag: of the same
// type and with the same content. Numbers are compared by their bits, so that
// a NaN equals itself and 0 differs from -0. The order of a compound's members
// does not count, nor members hidden by a later one of the same name, nor the
// element type of an empty list. A nil slice equals an empty one. Values of Go
// types that are none of the generic form equal nothing.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case int8, int16, int32, int64, string:
		return a == b
	case float32:
		b, ok := b.(float32)
		return ok && math.Float32bits(a) == math.Float32bits(b)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case []int32:
		b, ok := b.([]int32)
		return ok && slices.Equal(a, b)
	case []int64:
		b, ok := b.([]int64)
		return ok && slices.Equal(a, b)
	case List:
		b, ok := b.(List)
		return ok && slices.EqualFunc(a.Items, b.Items, Equal)
	case Compound:
		b, ok := b.(Compound)
		return ok && equalCompounds(a, b)
	}
	return false
}

func equalCompounds(a, b Compound) bool {
	sameNames := slices.EqualFunc(a, b, func(a, b Member) bool { return a.Name == b.Name })
	if sameNames && !a.repeats() { // the usual case needs no search
		return slices.EqualFunc(a, b, func(a, b Member) bool { return Equal(a.Value, b.Value) })
	}
	inA, inB := a.last(), b.last()
	if len(inA) != len(inB) {
		return false
	}
	for name, i := range inA {
		j, ok := inB[name]
		if !ok || !Equal(a[i].Value, b[j].Value) {
			return false
		}
	}
	return true
}

// fewMembers is how many are compared each with each.
const fewMembers = 16

// repeats reports whether a name occurs more than once.
func (c Compound) repeats() bool {
	if len(c) > fewMembers {
		return len(c.last()) < len(c)
	}
	for i := range c {
		if c[:i].index(c[i].Name) >= 0 {
			return true
		}
	}
	return false
}

// last returns the places of the members that count.
func (c Compound) last() map[string]int {
	places := make(map[string]int, len(c))
	for i, m := range c {
		places[m.Name] = i
	}
	return places
}
