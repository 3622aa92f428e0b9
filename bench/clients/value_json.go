package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// wireDocument is a document as the judges say it.
type wireDocument struct {
	Name *Text `json:"name,omitempty"`
	Root Value `json:"root"`
}

// wireValue is a value as the judges say it. Value and its fields are turned
// into it and back in one go: a method at every level would have package json
// read the text of the innermost value once for each level around it.
type wireValue struct {
	Type  Type `json:"type"`
	Of    Type `json:"of,omitempty"`
	Value any  `json:"value,omitempty"`
}

type wireEntry struct {
	Name  Text      `json:"name"`
	Value wireValue `json:"value"`
}

// MarshalJSON writes a value for the judges: longs as decimal text and
// floats as hexadecimal bits, since JavaScript's numbers hold neither all
// longs nor every NaN, and its JSON no -0.
func (v Value) MarshalJSON() ([]byte, error) {
	wire, err := v.wire()
	if err != nil {
		return nil, err
	}
	return json.Marshal(wire)
}

func (v Value) wire() (wireValue, error) {
	wire := wireValue{Type: v.Type}
	switch v.Type {
	case TypeEnd:
	case TypeByte, TypeShort, TypeInt:
		wire.Value = v.Int
	case TypeLong:
		wire.Value = strconv.FormatInt(v.Int, 10)
	case TypeFloat:
		wire.Value = fmt.Sprintf("%08x", uint32(v.Bits))
	case TypeDouble:
		wire.Value = fmt.Sprintf("%016x", v.Bits)
	case TypeString:
		wire.Value = v.Text
	case TypeByteArray, TypeIntArray:
		wire.Value = notNil(v.Numbers)
	case TypeLongArray:
		texts := make([]string, len(v.Numbers))
		for i, n := range v.Numbers {
			texts[i] = strconv.FormatInt(n, 10)
		}
		wire.Value = texts
	case TypeList:
		items, err := each(v.Items, Value.wire)
		wire.Of, wire.Value = v.Of, items
		return wire, err
	case TypeCompound:
		entries, err := each(v.Entries, func(entry Entry) (wireEntry, error) {
			value, err := entry.Value.wire()
			return wireEntry{entry.Name, value}, err
		})
		wire.Value = entries
		return wire, err
	default:
		return wire, fmt.Errorf("a value of type %q", v.Type)
	}
	return wire, nil
}

// each returns f of every element, never nil, or the first error.
func each[S, T any](all []S, f func(S) (T, error)) ([]T, error) {
	made := make([]T, len(all))
	for i := range all {
		var err error
		if made[i], err = f(all[i]); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// notNil makes a nil slice an empty one, which JSON writes as [] or "".
func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// UnmarshalJSON reads what MarshalJSON writes. Numbers outside the range of
// their type are an error.
func (v *Value) UnmarshalJSON(data []byte) error {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	read, err := valueOf(tree)
	if err != nil {
		return err
	}
	*v = read
	return nil
}

// errShape is the reason of an error about JSON that is not what its place
// asks for.
var errShape = errors.New("JSON of another shape")

// valueOf reads a value from the JSON that package json has put into maps,
// slices, texts and numbers.
func valueOf(tree any) (v Value, err error) {
	object, _ := tree.(map[string]any)
	name, _ := object["type"].(string)
	content := object["value"]
	v.Type = Type(name)
	switch v.Type {
	case TypeEnd:
	case TypeByte:
		v.Int, err = integer(content, math.MinInt8, math.MaxInt8)
	case TypeShort:
		v.Int, err = integer(content, math.MinInt16, math.MaxInt16)
	case TypeInt:
		v.Int, err = integer(content, math.MinInt32, math.MaxInt32)
	case TypeLong:
		v.Int, err = long(content)
	case TypeFloat:
		v.Bits, err = bits(content, 32)
	case TypeDouble:
		v.Bits, err = bits(content, 64)
	case TypeString:
		v.Text, err = textOf(content)
	case TypeByteArray:
		v.Numbers, err = eachOf(content, func(n any) (int64, error) { return integer(n, math.MinInt8, math.MaxInt8) })
	case TypeIntArray:
		v.Numbers, err = eachOf(content, func(n any) (int64, error) { return integer(n, math.MinInt32, math.MaxInt32) })
	case TypeLongArray:
		v.Numbers, err = eachOf(content, long)
	case TypeList:
		of, _ := object["of"].(string)
		v.Of = Type(of)
		v.Items, err = eachOf(content, valueOf)
	case TypeCompound:
		v.Entries, err = eachOf(content, entryOf)
	default:
		return v, fmt.Errorf("a value of type %q: %w", name, errShape)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

func entryOf(tree any) (entry Entry, err error) {
	object, ok := tree.(map[string]any)
	if !ok {
		return entry, errShape
	}
	if entry.Name, err = textOf(object["name"]); err != nil {
		return entry, err
	}
	entry.Value, err = valueOf(object["value"])
	return entry, err
}

func eachOf[T any](tree any, read func(any) (T, error)) ([]T, error) {
	all, ok := tree.([]any)
	if !ok {
		return nil, errShape
	}
	return each(all, read)
}

// integer reads a whole number of 32 bits at most.
func integer(tree any, least, most float64) (int64, error) {
	n, ok := tree.(float64)
	if !ok || n != math.Trunc(n) || n < least || n > most {
		return 0, fmt.Errorf("number %v: %w", tree, errShape)
	}
	return int64(n), nil
}

func long(tree any) (int64, error) {
	text, ok := tree.(string)
	if !ok {
		return 0, errShape
	}
	return strconv.ParseInt(text, 10, 64)
}

func bits(tree any, size int) (uint64, error) {
	text, ok := tree.(string)
	if !ok {
		return 0, errShape
	}
	return strconv.ParseUint(text, 16, size)
}
