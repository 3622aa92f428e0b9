package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// encodeRules writes the section of small tables: attributes, effects,
// potions, brewing, game rules, professions, dyes, slot ranges and enums.
func encodeRules(g, oldest, newest *game) ([]byte, error) {
	e := newEncoder()
	for _, part := range []func(*encoder) error{
		func(e *encoder) error { return encodeAttributeDefaults(e, g) },
		func(e *encoder) error { return encodeEffects(e, g) },
		func(e *encoder) error { return encodePotions(e, g) },
		func(e *encoder) error { return encodeBrewing(e, g) },
		func(e *encoder) error { return encodeGameRules(e, g, newest) },
		func(e *encoder) error { return encodeProfessions(e, g, oldest) },
		func(e *encoder) error { return encodeDyes(e, newest) },
		func(e *encoder) error { return encodeSlotRanges(e, g) },
		func(e *encoder) error { return encodeEnums(e, g) },
	} {
		if err := part(e); err != nil {
			return nil, err
		}
	}
	return e.data, nil
}

// each calls fn for the entries of a registry with their values in an
// extracted file, which must have the same numbers where it has any.
func each(g *game, registry, file string, fn func(name string, n *node) error) error {
	all, err := g.extracted.json(file)
	if err != nil {
		return err
	}
	for id, name := range g.byName[registry].names {
		n := all.get(name)
		if n == nil || n.get("id") != nil && n.get("id").int() != id {
			return fmt.Errorf("%s: nothing on %s, or its number is another", file, name)
		}
		if err := fn(name, n); err != nil {
			return fmt.Errorf("%s: %s: %w", file, name, err)
		}
	}
	return nil
}

func encodeAttributeDefaults(e *encoder, g *game) error {
	return each(g, "attribute", "attributes.json", func(_ string, n *node) error {
		e.double(n.get("default_value").num())
		return nil
	})
}

func encodeEffects(e *encoder, g *game) error {
	return each(g, "mob_effect", "effect.json", func(_ string, n *node) error {
		e.shared(strings.ToLower(n.get("category").str()))
		e.number(n.get("color").int())
		modifiers := n.get("attribute_modifiers").items
		e.number(len(modifiers))
		for _, m := range modifiers {
			id, err := g.id("attribute", m.get("attribute").str())
			if err != nil {
				return err
			}
			e.number(id)
			e.shared(m.get("id").str())
			e.shared(strings.ToLower(m.get("operation").str()))
			e.double(m.get("baseValue").num())
		}
		return nil
	})
}

func encodePotions(e *encoder, g *game) error {
	return each(g, "potion", "potion.json", func(_ string, n *node) error {
		e.shared(n.get("base_name").str())
		effects := n.get("effects").items
		e.number(len(effects))
		for _, x := range effects {
			id, err := g.id("mob_effect", x.get("effect_type").str())
			if err != nil {
				return err
			}
			e.number(id)
			e.number(x.get("duration").int())
			e.number(x.get("amplifier").int())
		}
		return nil
	})
}

func encodeBrewing(e *encoder, g *game) error {
	n, err := g.extracted.json("potion_brewing.json")
	if err != nil {
		return err
	}
	for _, list := range []struct{ member, registry string }{{"potion_recipes", "potion"}, {"item_recipes", "item"}} {
		recipes := n.get(list.member).items
		e.number(len(recipes))
		for _, r := range recipes {
			names := append([]*node{r.get("from"), r.get("to")}, r.get("ingredient").items...)
			e.number(len(names) - 2)
			for i, name := range names {
				registry := list.registry
				if i >= 2 {
					registry = "item"
				}
				id, err := g.id(registry, name.str())
				if err != nil {
					return err
				}
				e.number(id)
			}
		}
	}
	return nil
}

// encodeGameRules writes kind, default and range. The extracted file of 26.1
// has no ranges: they are taken from 26.2.
func encodeGameRules(e *encoder, g, newest *game) error {
	ranges, err := newest.extracted.json("game_rules.json")
	if err != nil {
		return err
	}
	return each(g, "game_rule", "game_rules.json", func(name string, n *node) error {
		e.truth(n.kind == kindBool)
		if n.kind == kindBool {
			e.truth(n.truth)
			return nil
		}
		value := n
		if n.kind == kindObject {
			value = n.get("default")
		}
		limits := ranges.get(name)
		low, high := limits.get("min"), limits.get("max")
		if low == nil || high == nil || value == nil || value.num() > math.MaxInt32 {
			return fmt.Errorf("%w: no range", errJSON)
		}
		e.signed(value.int())
		e.signed(low.int())
		e.signed(high.int())
		return nil
	})
}

// encodeProfessions writes what villagers of a profession do. The blocks of
// secondary work places are in the extracted file of 26.1 alone.
func encodeProfessions(e *encoder, g, oldest *game) error {
	all, err := g.extracted.json("villager_data.json")
	if err != nil {
		return err
	}
	old, err := oldest.extracted.json("villager_data.json")
	if err != nil {
		return err
	}
	for _, name := range g.byName["villager_profession"].names {
		n := all.get("professions").get(name)
		if n == nil {
			return fmt.Errorf("nothing on profession %s", name)
		}
		sound := 0
		if s := n.get("work_sound").str(); s != "" {
			id, err := g.id("sound_event", s)
			if err != nil {
				return err
			}
			sound = id + 1
		}
		e.number(sound)
		if err := encodeIDs(e, g, "item", n.get("requested_items")); err != nil {
			return err
		}
		if err := encodeIDs(e, g, "block", old.get("professions").get(name).get("secondary_poi")); err != nil {
			return err
		}
		sets := n.get("trade_sets").members
		e.number(len(sets))
		for _, m := range sets {
			e.text(bare(m.value.str()))
		}
	}
	return nil
}

func encodeIDs(e *encoder, g *game, registry string, list *node) error {
	var items []*node
	if list != nil {
		items = list.items
	}
	e.number(len(items))
	for _, item := range items {
		id, err := g.id(registry, item.str())
		if err != nil {
			return err
		}
		e.number(id)
	}
	return nil
}

// encodeDyes writes the sixteen dye colors, known of 26.2.
func encodeDyes(e *encoder, newest *game) error {
	n, err := newest.extracted.json("dye_colors.json")
	if err != nil {
		return err
	}
	e.number(len(n.items))
	for i, d := range n.items {
		if d.get("id").int() != i {
			return fmt.Errorf("dye %d has number %d", i, d.get("id").int())
		}
		e.text(d.get("name").str())
		for _, m := range []string{"map_color_id", "terracotta_color_id", "texture_diffuse_color", "firework_color", "text_color"} {
			e.number(d.get(m).int())
		}
	}
	return nil
}

func encodeSlotRanges(e *encoder, g *game) error {
	n, err := g.extracted.json("slot_ranges.json")
	if err != nil {
		return err
	}
	e.number(len(n.members))
	for _, m := range n.members {
		e.text(m.name)
		e.number(len(m.value.items))
		for _, slot := range m.value.items {
			e.number(slot.int())
		}
	}
	return nil
}

// enums are numberings that are no registries, by their names in
// anvil/registry and the extracted files.
var enums = [][2]string{
	{"chunk_status", "chunk_status.json"},
	{"entity_event", "entity_statuses.json"},
	{"entity_pose", "entity_pose.json"},
	{"level_event", "world_event.json"},
	{"metadata_type", "meta_data_type.json"},
	{"scoreboard_display_slot", "scoreboard_display_slot.json"},
	{"sound_category", "sound_category.json"},
}

func encodeEnums(e *encoder, g *game) error {
	e.number(len(enums))
	for _, x := range enums {
		n, err := g.extracted.json(x[1])
		if err != nil {
			return err
		}
		type entry struct {
			name string
			id   int
		}
		var list []entry
		for i, item := range n.items {
			list = append(list, entry{strings.ToLower(item.str()), i})
		}
		for _, m := range n.members {
			list = append(list, entry{strings.ToLower(m.name), m.value.int()})
		}
		slices.SortStableFunc(list, func(a, b entry) int { return a.id - b.id })
		e.text(x[0])
		e.number(len(list))
		for _, x := range list {
			e.text(x.name)
			e.number(x.id)
		}
	}
	return nil
}
