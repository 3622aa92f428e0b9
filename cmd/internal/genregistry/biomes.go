package main

import "fmt"

// defaultSpawnProbability is that of biomes whose file says none (65 - 5 of
// 26.1); assumed from the game's default of 0.1.
const defaultSpawnProbability = 0.1

// encodeBiomes writes the section of biomes, by number: climate and spawning.
func encodeBiomes(g *game) ([]byte, error) {
	e := newEncoder()
	for _, name := range g.byName["worldgen/biome"].names {
		n, err := g.pack.json("worldgen/biome/" + name + ".json")
		if err != nil {
			return nil, err
		}
		e.float(n.get("temperature").num())
		e.float(n.get("downfall").num())
		e.truth(n.get("has_precipitation").yes(false))
		frozen := n.get("temperature_modifier").str()
		if frozen != "" && frozen != "frozen" {
			return nil, fmt.Errorf("biome %s: temperature modifier %q", name, frozen)
		}
		e.truth(frozen != "")
		probability := defaultSpawnProbability
		if p := n.get("creature_spawn_probability"); p != nil {
			probability = p.num()
		}
		e.float(probability)
		if err := encodeSpawns(e, g, n); err != nil {
			return nil, fmt.Errorf("biome %s: %w", name, err)
		}
	}
	return e.data, nil
}

func encodeSpawns(e *encoder, g *game, n *node) error {
	var categories []member
	for _, m := range n.get("spawners").members {
		if len(m.value.items) > 0 {
			categories = append(categories, m)
		}
	}
	e.number(len(categories))
	for _, m := range categories {
		e.shared(m.name)
		e.number(len(m.value.items))
		for _, s := range m.value.items {
			id, err := g.id("entity_type", s.get("type").str())
			if err != nil {
				return err
			}
			e.number(id)
			e.number(s.get("weight").int())
			e.number(s.get("minCount").int())
			e.number(s.get("maxCount").int())
		}
	}
	costs := n.get("spawn_costs").members
	e.number(len(costs))
	for _, m := range costs {
		id, err := g.id("entity_type", m.name)
		if err != nil {
			return err
		}
		e.number(id)
		e.double(m.value.get("energy_budget").num())
		e.double(m.value.get("charge").num())
	}
	return nil
}
