package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// value is a JSON value. Equal ones are the same value.
type value struct {
	kind  valueKind
	text  string   // of a scalar: its JSON text
	keys  []string // of an object: the names of its members, sorted, as JSON
	items []*value // of an array or an object
	// uses counts the places in distinct values and documents that have it.
	uses   int
	number int // in the order of first appearance, children before parents
}

type valueKind uint8

const (
	scalar valueKind = iota
	object
	array
)

// values makes values, each distinct one once.
type values struct {
	made map[string]*value // by an unambiguous text
	list []*value
}

func newValues() *values { return &values{made: map[string]*value{}} }

var errJSON = errors.New("unexpected JSON")

// parse reads a document.
func (vs *values) parse(data []byte) (*value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var parsed any
	if err := d.Decode(&parsed); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w after the value", errJSON)
	}
	return vs.of(parsed)
}

func (vs *values) of(parsed any) (*value, error) {
	switch v := parsed.(type) {
	case map[string]any:
		n := &value{kind: object}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			item, err := vs.of(v[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			n.keys = append(n.keys, quote(name))
			n.items = append(n.items, item)
		}
		return vs.unique(n), nil
	case []any:
		n := &value{kind: array}
		for i, one := range v {
			item, err := vs.of(one)
			if err != nil {
				return nil, fmt.Errorf("[%d]: %w", i, err)
			}
			n.items = append(n.items, item)
		}
		return vs.unique(n), nil
	case json.Number:
		text, err := canonical(v.String())
		return vs.unique(&value{text: text}), err
	case string:
		return vs.unique(&value{text: quote(v)}), nil
	case bool:
		return vs.unique(&value{text: strconv.FormatBool(v)}), nil
	case nil:
		return vs.unique(&value{text: "null"}), nil
	}
	return nil, errJSON
}

// unique returns the one value equal to n.
func (vs *values) unique(n *value) *value {
	var key strings.Builder
	fmt.Fprintf(&key, "%d %s", n.kind, n.text)
	for _, k := range n.keys {
		key.WriteString(k)
	}
	for _, item := range n.items {
		fmt.Fprintf(&key, " %d", item.number)
	}
	if old := vs.made[key.String()]; old != nil {
		return old
	}
	for _, item := range n.items {
		item.uses++
	}
	n.number = len(vs.list)
	vs.list = append(vs.list, n)
	vs.made[key.String()] = n
	return n
}

// quote writes a string as JSON. Names and texts of the data are plain.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// canonical writes a number in one way: whole ones, which have neither point
// nor exponent, as they are, others as the shortest text of their double with
// a point or an exponent.
func canonical(text string) (string, error) {
	if !strings.ContainsAny(text, ".eE") {
		_, err := strconv.ParseInt(text, 10, 64)
		return text, err
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", err
	}
	format := byte('f')
	if v != 0 && (abs(v) < 1e-6 || abs(v) >= 1e15) {
		format = 'e'
	}
	short := strconv.FormatFloat(v, format, -1, 64)
	if !strings.ContainsAny(short, ".e") {
		short += ".0"
	}
	return short, nil
}

func abs(v float64) float64 { return max(v, -v) }
