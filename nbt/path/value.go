package path

import (
	"bytes"
	"encoding/binary"
	"math"

	"strata/nbt"
)

// tapeOf makes a tape of a value.
func tapeOf(value nbt.Raw) (*nbt.Tape, error) {
	tape := new(nbt.Tape)
	document := append(make([]byte, 0, 1+len(value.Data)), byte(value.Type))
	if err := tape.ParseNetwork(append(document, value.Data...)); err != nil {
		return nil, err
	}
	return tape, nil
}

// lastMembers makes a tape of a value in which names do not repeat: of several
// members with one name the last one counts.
func lastMembers(value nbt.Raw) (*nbt.Tape, error) {
	tape, err := tapeOf(value)
	if err != nil {
		return nil, err
	}
	edit := tape.Edit()
	removeRepeated(edit, tape.Root())
	document, err := edit.AppendTo(nil)
	if err != nil || len(document) == tape.Size() {
		return tape, err
	}
	return tapeOf(nbt.Raw{Type: value.Type, Data: document[1:]})
}

func removeRepeated(edit *nbt.Edit, tag nbt.Tag) {
	switch tag.Type() {
	case nbt.TypeList:
		for _, e := range tag.Elements() {
			removeRepeated(edit, e)
		}
	case nbt.TypeCompound:
		last := make(map[string]nbt.Tag)
		for name, member := range tag.Members() {
			if earlier, ok := last[string(name)]; ok {
				edit.Remove(earlier)
			}
			last[string(name)] = member
		}
		for _, member := range last {
			removeRepeated(edit, member)
		}
	}
}

// same reports whether the tag is the value, byte for byte.
func same(tag nbt.Tag, value nbt.Raw) bool {
	return tag.Type() == value.Type && bytes.Equal(tag.Raw().Data, value.Data)
}

// itemOf converts a number to what an array holds, as the game does: integers
// lose their high bits, fractions are rounded down, but those of a float for an
// array of longs towards zero. What is no number, or is for a list, stays as it
// is.
func itemOf(e *nbt.Edit, list nbt.Tag, value nbt.Raw) nbt.Raw {
	if !list.Type().Array() || !value.Type.Numeric() || len(value.Data) != sizes[value.Type] {
		return value
	}
	v, ok := value.Int()
	if !ok {
		switch f := floatOf(value); {
		case list.Type() != nbt.TypeLongArray:
			v = saturate(math.Floor(f), math.MinInt32, math.MaxInt32)
		case value.Type == nbt.TypeFloat:
			v = saturate(math.Trunc(f), math.MinInt64, math.MaxInt64)
		default:
			v = saturate(math.Floor(f), math.MinInt64, math.MaxInt64)
		}
	}
	switch list.Type() {
	case nbt.TypeByteArray:
		return e.Byte(int8(v))
	case nbt.TypeIntArray:
		return e.Int(int32(v))
	}
	return e.Long(v)
}

// sizes are those of numbers, in bytes.
var sizes = [...]int{
	nbt.TypeByte: 1, nbt.TypeShort: 2, nbt.TypeInt: 4, nbt.TypeLong: 8, nbt.TypeFloat: 4, nbt.TypeDouble: 8,
}

// floatOf returns the value of a float or double.
func floatOf(value nbt.Raw) float64 {
	if value.Type == nbt.TypeFloat {
		return float64(math.Float32frombits(binary.BigEndian.Uint32(value.Data)))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(value.Data))
}

// saturate converts a whole number as Java does: NaN is 0, and what is beyond
// the ends is at them.
func saturate(f float64, least, most int64) int64 {
	switch {
	case f != f:
		return 0
	case f <= float64(least):
		return least
	case f >= float64(most):
		return most
	}
	return int64(f)
}
