package preset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"strata/nbt"
	"strata/pregen/worldgen/settings"
)

// maxDocument bounds settings as NBT and as JSON: the longest noise settings of
// 26.2 have 40 kB.
const maxDocument = 8 << 20

// toJSON turns a tag into JSON: a compound into an object, with members in the
// order of their names, a list or array into an array, bytes 0 and 1 into
// booleans, other numbers as they are, those that are no integers with a point.
func toJSON(path string, raw nbt.Raw) (json.RawMessage, error) {
	if len(raw.Data) > maxDocument {
		return nil, bad(path, "%d bytes, at most %d", len(raw.Data), maxDocument)
	}
	var v any
	if err := raw.Decode(&v); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	plain, err := plainOf(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// plainOf returns what package json writes for a generic NBT value.
func plainOf(v any) (any, error) {
	switch v := v.(type) {
	case nbt.Compound:
		object := make(map[string]any, len(v))
		for _, m := range v {
			item, err := plainOf(m.Value)
			if err != nil {
				return nil, err
			}
			object[m.Name] = item // the last of several, as the game has it
		}
		return object, nil
	case nbt.List:
		return plainList(v.Items, plainOf)
	case []byte:
		return plainList(v, func(b byte) (any, error) { return int8(b), nil })
	case []int32:
		return plainList(v, func(n int32) (any, error) { return n, nil })
	case []int64:
		return plainList(v, func(n int64) (any, error) { return n, nil })
	case int8:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
		return v, nil
	case float32:
		return number(float64(v))
	case float64:
		return number(v)
	case int16, int32, int64, string:
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T", v)
}

func plainList[T any](items []T, plain func(T) (any, error)) ([]any, error) {
	list := make([]any, 0, len(items))
	for _, item := range items {
		one, err := plain(item)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// number keeps the point of a whole float, by which JSON tells it from an
// integer.
func number(v float64) (any, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("the number %v", v)
	}
	text, err := json.Marshal(v)
	if err == nil && !strings.ContainsAny(string(text), ".e") {
		text = append(text, ".0"...)
	}
	return json.RawMessage(text), err
}

// toNBT turns JSON into a tag: booleans into bytes, integers into ints, or
// longs where they must be, other numbers into doubles. The game reads any kind
// of number where it wants one.
func toNBT(path string, text []byte) (nbt.Raw, error) {
	if len(text) > maxDocument {
		return nbt.Raw{}, bad(path, "%d bytes, at most %d", len(text), maxDocument)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more after the value")
		}
	}
	var tag any
	if err == nil {
		tag, err = tagOf(v)
	}
	var raw nbt.Raw
	if err == nil {
		raw, err = nbt.MarshalRaw(tag)
	}
	if err != nil {
		return nbt.Raw{}, fmt.Errorf("%s: %w: %w", path, settings.ErrDocument, err)
	}
	return raw, nil
}

func tagOf(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		compound := make(nbt.Compound, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			item, err := tagOf(v[name])
			if err != nil {
				return nil, err
			}
			compound = append(compound, nbt.Member{Name: name, Value: item})
		}
		return compound, nil
	case []any:
		list := nbt.List{Items: make([]any, len(v))}
		for i := range v {
			item, err := tagOf(v[i])
			if err != nil {
				return nil, err
			}
			list.Items[i] = item
		}
		return list, nil
	case bool:
		if v {
			return int8(1), nil
		}
		return int8(0), nil
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return v.Float64()
		}
		n, err := v.Int64()
		if err == nil && n == int64(int32(n)) {
			return int32(n), nil
		}
		return n, err
	case string:
		return v, nil
	}
	return nil, errors.New("null") // NBT has none
}
