package main

import (
	"bytes"
	"fmt"
	"slices"
)

// learnSchema learns from the entries of 26.1, and checks that what it has
// learned turns the JSON of each into exactly the bytes that the game sends.
func learnSchema(in *inputs, games []*game) (*schema, error) {
	s := newSchema()
	oldest := games[0]
	for _, m := range in.login.get("dimensionCodec").members {
		if err := s.learnRegistry(oldest, bare(m.name), m.value); err != nil {
			return nil, err
		}
	}
	for _, g := range games {
		for _, r := range g.list {
			if r.kind != kindSynced {
				continue
			}
			for _, name := range r.names {
				n, err := g.pack.json(r.name + "/" + name + ".json")
				if err != nil {
					return nil, err
				}
				s.findDoubles(r.name, n)
			}
		}
	}
	s.finish()
	return s, nil
}

func (s *schema) learnRegistry(g *game, name string, packet *node) error {
	for _, e := range packet.get("entries").items {
		n, err := g.pack.json(name + "/" + bare(e.get("key").str()) + ".json")
		if err != nil {
			return err
		}
		t, err := parseTyped(e.get("value"))
		if err != nil {
			return fmt.Errorf("%s: %w", e.get("key").str(), err)
		}
		if err := s.learn(name, n, &t); err != nil {
			return err
		}
		s.learnOrder(name+"/"+bare(e.get("key").str()), &t)
	}
	return nil
}

// seenEntries returns the entries of 26.1 as the game sends them, by registry
// and name.
func seenEntries(in *inputs) (map[string][]byte, error) {
	seen := map[string][]byte{}
	for _, m := range in.login.get("dimensionCodec").members {
		for _, e := range m.value.get("entries").items {
			t, err := parseTyped(e.get("value"))
			if err != nil {
				return nil, err
			}
			data, err := t.network()
			if err != nil {
				return nil, err
			}
			seen[bare(m.name)+"/"+bare(e.get("key").str())] = data
		}
	}
	return seen, nil
}

// encodeSynced writes the section of synced registries: the network NBT of
// each entry, registries and entries in the order of the names.
func encodeSynced(in *inputs, s *schema, g *game) ([]byte, error) {
	var seen map[string][]byte
	if g.name == "26.1" {
		var err error
		if seen, err = seenEntries(in); err != nil {
			return nil, err
		}
	}
	e := newEncoder()
	for _, r := range g.list {
		if r.kind != kindSynced {
			continue
		}
		if err := checkOrder(in, g, r); err != nil {
			return nil, err
		}
		for _, name := range r.names {
			path := r.name + "/" + name
			data, err := s.entry(g, r.name, path)
			if err != nil {
				return nil, err
			}
			if known := seen[path]; seen != nil && !bytes.Equal(known, data) {
				return nil, fmt.Errorf("%s: the JSON became other NBT than the game sends", path)
			}
			e.bytes(data)
		}
	}
	return e.data, nil
}

// checkOrder compares the entries of 26.1 with the order they are sent in.
func checkOrder(in *inputs, g *game, r *nameList) error {
	packet := in.login.get("dimensionCodec").get("minecraft:" + r.name)
	if g.name != "26.1" {
		return nil
	}
	var sent []string
	for _, e := range packet.get("entries").items {
		sent = append(sent, bare(e.get("key").str()))
	}
	if !slices.Equal(sent, r.names) {
		return fmt.Errorf("registry %s is sent in another order or with other entries", r.name)
	}
	return nil
}

func (s *schema) entry(g *game, registry, path string) ([]byte, error) {
	n, err := g.pack.json(path + ".json")
	if err != nil {
		return nil, err
	}
	t, err := s.convert(registry, n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.sortMembers(s.order(registry, path))
	return t.network()
}
