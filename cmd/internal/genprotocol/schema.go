package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/anvil/registry"
)

// node is a type of the schema: the name of one, or a list of the name of a
// constructor and its options.
type node = any

// schema is the types by name, and the packets.
type schema struct {
	types   map[string]node
	packets []packet
}

// packet is a packet of one state and direction.
type packet struct {
	state     registry.State
	direction registry.Direction
	name      string // the game's
	layout    node   // never a name
}

// protocolNumber is the protocol version that the schema describes.
const protocolNumber = 775

var (
	schemaStates     = []string{"handshaking", "status", "login", "configuration", "play"}
	schemaDirections = []string{"toClient", "toServer"}
)

// empty is a packet without fields.
var empty = []any{"container", []any{}}

// readSchema reads protocol.json and corrects it.
func readSchema(data []byte) (*schema, error) {
	var file map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		return nil, err
	}
	s := &schema{types: map[string]node{}}
	for name, t := range object(file["types"]) {
		s.types[name] = t
	}
	for i, state := range schemaStates {
		for j, direction := range schemaDirections {
			part := object(object(object(file[state])[direction])["types"])
			if err := s.addPart(registry.State(i), registry.Direction(j), part); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", state, direction, err)
			}
		}
	}
	return s, s.patch()
}

// addPart takes over the types of a state and direction, and its packets by
// number.
func (s *schema) addPart(state registry.State, direction registry.Direction, part map[string]any) error {
	for name, t := range part {
		if name == "packet" || strings.HasPrefix(name, "packet_") {
			continue
		}
		if s.types[name] != nil {
			return fmt.Errorf("type %s is there twice", name)
		}
		s.types[name] = t
	}
	fields := list(list(part["packet"])[1])
	ids := object(object(list(object(fields[0])["type"])[1])["mappings"])
	types := object(object(list(object(fields[1])["type"])[1])["fields"])
	names := registry.PacketsOf(protocolNumber)
	found := make([]packet, names.Len(state, direction))
	for id, schemaName := range ids {
		n, err := strconv.ParseInt(id, 0, 32)
		if err != nil {
			return err
		}
		if state == registry.Handshake && n != 0 {
			continue // the ping of before 1.7, which is no packet
		}
		name, ok := names.Name(state, direction, int32(n))
		if !ok {
			return fmt.Errorf("no packet %d (%s)", n, schemaName)
		}
		layout := s.resolve(types[schemaName.(string)], part)
		found[n] = packet{state, direction, name, layout}
	}
	for n, p := range found {
		if p.layout == nil {
			return fmt.Errorf("the schema has no packet %d", n)
		}
	}
	s.packets = append(s.packets, found...)
	return nil
}

// resolve follows the names of packet types.
func (s *schema) resolve(t node, part map[string]any) node {
	for {
		name, ok := t.(string)
		switch {
		case !ok:
			return t
		case name == "void":
			return empty
		case strings.HasPrefix(name, "packet_") && part[name] != nil:
			t = part[name]
		default:
			t = s.types[name]
		}
	}
}

// find returns the packet, which must be there.
func (s *schema) find(key string) (*packet, error) {
	for i := range s.packets {
		if p := &s.packets[i]; p.key() == key {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no packet %s", key)
}

func (p *packet) key() string {
	return p.state.String() + "/" + p.direction.String() + "/" + p.name
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }

// constructor splits a type into the name of its constructor, or its own, and
// the options.
func constructor(t node) (string, any) {
	if l := list(t); len(l) == 2 {
		return l[0].(string), l[1]
	}
	name, _ := t.(string)
	return name, nil
}

// text returns the type as JSON, in which equal types are equal.
func jsonOf(t node) string {
	data, err := json.Marshal(t)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(data)
}

// mapping returns the values of an enumeration in order, which must be those
// from 0 on.
func mapping(options any) ([]string, error) {
	m := object(object(options)["mappings"])
	values := make([]string, len(m))
	for key, value := range m {
		n, err := strconv.ParseInt(key, 0, 32)
		if err != nil || int(n) >= len(values) || values[n] != "" {
			return nil, fmt.Errorf("value %s of an enumeration", key)
		}
		values[n] = value.(string)
	}
	return values, nil
}

// sortedKeys returns the labels of a switch: numbers by value, then names in
// the order that rank gives them, if any.
func sortedKeys(m map[string]any, rank func(string) int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return keys
}
