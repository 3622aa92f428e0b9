package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"strata/pregen/worldgen/settings"
)

// MaxDocument is how long a document may be, in bytes.
const MaxDocument = 4 << 20

// ValueError says what is wrong with a value of a document.
type ValueError struct {
	Document string // registry and id
	Path     string // such as "config.y.min_inclusive"; empty for the whole
	Problem  string
}

// Error implements error.
func (e *ValueError) Error() string {
	if e.Path == "" {
		return e.Document + ": " + e.Problem
	}
	return e.Document + ": " + e.Path + ": " + e.Problem
}

// Value is a part of a document.
type Value struct {
	document string
	path     string
	data     any // as package json decodes, with json.Number
}

// Parse reads a document.
func Parse(registry, id string, text []byte) (Value, error) {
	v := Value{document: registry + " " + id}
	if len(text) > MaxDocument {
		return v, v.Errorf("%d bytes, at most %d are read", len(text), MaxDocument)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&v.data); err != nil {
		return v, v.Errorf("not JSON: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return v, v.Errorf("more follows the JSON value")
	}
	return v, nil
}

// Errorf returns a *ValueError about the value.
func (v Value) Errorf(format string, args ...any) error {
	return &ValueError{Document: v.document, Path: v.path, Problem: fmt.Sprintf(format, args...)}
}

// Object returns an error unless the value is an object.
func (v Value) Object() error {
	if _, ok := v.data.(map[string]any); !ok {
		return v.Errorf("not an object")
	}
	return nil
}

// Has reports whether the value is an object with the member.
func (v Value) Has(name string) bool {
	object, _ := v.data.(map[string]any)
	_, ok := object[name]
	return ok
}

// Member returns a member, which must be there.
func (v Value) Member(name string) (Value, error) {
	member, ok, err := v.Optional(name)
	if err == nil && !ok {
		err = member.Errorf("missing")
	}
	return member, err
}

// Optional returns a member if it is there.
func (v Value) Optional(name string) (Value, bool, error) {
	if err := v.Object(); err != nil {
		return v, false, err
	}
	data, ok := v.data.(map[string]any)[name]
	return Value{v.document, v.within(name), data}, ok, nil
}

func (v Value) within(name string) string {
	if v.path == "" {
		return name
	}
	return v.path + "." + name
}

// Members lists the names of an object's members, sorted; none of other
// values.
func (v Value) Members() []string {
	object, _ := v.data.(map[string]any)
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// List returns the elements of a list, and false if the value is none.
func (v Value) List() ([]Value, bool) {
	list, ok := v.data.([]any)
	if !ok {
		return nil, false
	}
	values := make([]Value, len(list))
	for i, data := range list {
		values[i] = Value{v.document, v.path + "[" + strconv.Itoa(i) + "]", data}
	}
	return values, true
}

// IsNumber reports whether the value is a number.
func (v Value) IsNumber() bool {
	_, ok := v.data.(json.Number)
	return ok
}

// IsText reports whether the value is a text.
func (v Value) IsText() bool {
	_, ok := v.data.(string)
	return ok
}

// Text returns a text.
func (v Value) Text() (string, error) {
	text, ok := v.data.(string)
	if !ok {
		return "", v.Errorf("not a text")
	}
	return text, nil
}

// ID returns a text with the default namespace.
func (v Value) ID() (string, error) {
	text, err := v.Text()
	if err == nil && text == "" {
		err = v.Errorf("empty id")
	}
	return settings.ID(text), err
}

// Bool returns true or false.
func (v Value) Bool() (bool, error) {
	value, ok := v.data.(bool)
	if !ok {
		return false, v.Errorf("neither true nor false")
	}
	return value, nil
}

// Float32 returns a number in single precision, as the game reads floats. It
// is between low and high, both included; NaN for no bound.
func (v Value) Float32(low, high float32) (float32, error) {
	number, ok := v.data.(json.Number)
	if !ok {
		return 0, v.Errorf("not a number")
	}
	f, err := strconv.ParseFloat(number.String(), 32)
	if err != nil || math.IsInf(f, 0) {
		return 0, v.Errorf("%s is beyond single precision", number)
	}
	if value := float32(f); value < low || value > high {
		return 0, v.Errorf("%s is not in %v to %v", number, low, high)
	}
	return float32(f), nil
}

// Float64 returns a finite number in double precision.
func (v Value) Float64() (float64, error) {
	number, ok := v.data.(json.Number)
	if !ok {
		return 0, v.Errorf("not a number")
	}
	f, err := strconv.ParseFloat(number.String(), 64)
	if err != nil {
		return 0, v.Errorf("%s is beyond double precision", number)
	}
	return f, nil
}

// Int returns an integer of low to high.
func (v Value) Int(low, high int32) (int32, error) {
	number, ok := v.data.(json.Number)
	if !ok {
		return 0, v.Errorf("not a number")
	}
	f, err := strconv.ParseFloat(number.String(), 64)
	if err != nil || f != math.Trunc(f) {
		return 0, v.Errorf("%s is not an integer", number)
	}
	if f < float64(low) || f > float64(high) {
		return 0, v.Errorf("%s is not in %d to %d", number, low, high)
	}
	return int32(f), nil
}
