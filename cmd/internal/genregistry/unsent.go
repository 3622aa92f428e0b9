package main

import (
	"fmt"
	"slices"

	"strata/nbt"
)

// elsewhere are fields of biomes that stand in other tables: spawning in the
// section of biomes, and what world generation reads.
var elsewhere = []string{
	"worldgen/biome/carvers", "worldgen/biome/creature_spawn_probability", "worldgen/biome/features",
	"worldgen/biome/spawn_costs", "worldgen/biome/spawners",
}

// encodeUnsent writes what the network leaves out of the synced registries,
// for the server's own use: a compound for each entry that has such fields,
// else nothing.
func encodeUnsent(s *schema, g *game) ([]byte, error) {
	e := newEncoder()
	for _, r := range g.list {
		if r.kind != kindSynced {
			continue
		}
		for _, name := range r.names {
			n, err := g.pack.json(r.name + "/" + name + ".json")
			if err != nil {
				return nil, err
			}
			t, err := s.unsent(r.name, n)
			if err != nil {
				return nil, fmt.Errorf("%s/%s: %w", r.name, name, err)
			}
			if len(t.members) == 0 {
				e.number(0)
				continue
			}
			data, err := t.network()
			if err != nil {
				return nil, err
			}
			e.bytes(data)
		}
	}
	return e.data, nil
}

// unsent returns the members, at any depth, that convert leaves out.
func (s *schema) unsent(path string, n *node) (typed, error) {
	t := typed{kind: nbt.TypeCompound}
	for _, m := range n.members {
		p := path + "/" + m.name
		if slices.Contains(elsewhere, p) {
			continue
		}
		var v typed
		var err error
		switch sent, known := s.attributes[m.name]; {
		case s.dropped[p], known && !sent && isAttribute(p):
			v, err = s.whole(p, m.value)
		case m.value.kind == kindObject:
			if v, err = s.unsent(p, m.value); len(v.members) == 0 && err == nil {
				continue
			}
		default:
			continue
		}
		if err != nil {
			return t, err
		}
		t.members = append(t.members, typedMember{m.name, v})
	}
	return t, nil
}

// whole converts a value of a field that is not sent. Its types are those by
// the look: 26.1 shows none.
func (s *schema) whole(path string, n *node) (typed, error) {
	plain := newSchema()
	plain.doubles = s.doubles
	return plain.convert(path, n)
}
