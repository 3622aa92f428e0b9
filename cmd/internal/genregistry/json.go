package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// node is a JSON value with the order of members and the text of numbers.
type node struct {
	kind    nodeKind
	text    string // of a string or number
	truth   bool
	members []member // of an object
	items   []*node  // of an array
}

type member struct {
	name  string
	value *node
}

type nodeKind uint8

const (
	kindNull nodeKind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

var errJSON = errors.New("unexpected JSON")

func parseJSON(data []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w after the value", errJSON)
	}
	return n, nil
}

func parseValue(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case nil:
		return &node{}, nil
	case bool:
		return &node{kind: kindBool, truth: v}, nil
	case json.Number:
		return &node{kind: kindNumber, text: v.String()}, nil
	case string:
		return &node{kind: kindString, text: v}, nil
	case json.Delim:
		if v == '[' {
			return parseArray(d)
		}
		return parseObject(d)
	}
	return nil, errJSON
}

func parseArray(d *json.Decoder) (*node, error) {
	n := &node{kind: kindArray}
	for d.More() {
		item, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err := d.Token()
	return n, err
}

func parseObject(d *json.Decoder) (*node, error) {
	n := &node{kind: kindObject}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := parseValue(d)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, member{name.(string), value})
	}
	_, err := d.Token()
	return n, err
}

// get returns a member of an object, or nil. It may be called on nil.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i := range n.members {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// str returns a string, "" for what is none.
func (n *node) str() string {
	if n == nil || n.kind != kindString {
		return ""
	}
	return n.text
}

// num returns a number, 0 for what is none.
func (n *node) num() float64 {
	if n == nil || n.kind != kindNumber {
		return 0
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		return 0
	}
	return v
}

func (n *node) int() int { return int(n.num()) }

// yes reports whether the value is true; absent gives the fallback.
func (n *node) yes(fallback bool) bool {
	if n == nil || n.kind != kindBool {
		return fallback
	}
	return n.truth
}

// whole reports whether a number has neither point nor exponent: the game
// writes integers so, and floats always with a point.
func (n *node) whole() bool { return !strings.ContainsAny(n.text, ".eE") }
