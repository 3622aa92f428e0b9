package main

import (
	"fmt"
	"strconv"

	"strata/nbt"
)

// itemTypes are fields of item components whose NBT type the JSON does not
// tell: bytes that look like ints. Assumed from how the game stores them in
// files (minecraft.wiki, Data component format, 26.1).
var itemTypes = map[string]shape{
	"minecraft:fireworks/flight_duration=number":                           {kind: nbt.TypeByte},
	"minecraft:consumable/on_consume_effects[]/effects[]/amplifier=number": {kind: nbt.TypeByte},
	"minecraft:death_protection/death_effects[]/effects[]/amplifier=number": {
		kind: nbt.TypeByte,
	},
}

// itemSchema types item components: as noted above, doubles where digits
// prove it (the amounts of attribute modifiers), else by the look.
func itemSchema(games []*game) (*schema, error) {
	s := newSchema()
	for path, t := range itemTypes {
		s.types[path] = t
	}
	for _, g := range games {
		for _, name := range g.byName["item"].names {
			components, err := itemComponents(g, name)
			if err != nil {
				return nil, err
			}
			for _, m := range components.members {
				s.findDoubles(m.name, m.value)
			}
		}
	}
	return s, nil
}

func itemComponents(g *game, name string) (*node, error) {
	n, err := g.reports.json("minecraft/components/item/" + name + ".json")
	if err != nil {
		return nil, err
	}
	return n.get("components"), nil
}

// Two components say the item's own name in nearly every item; they stand as
// one of these numbers instead of as a value.
const (
	refModel     = iota // item_model: the item's name
	refItemName         // item_name: the translation key item.minecraft.NAME
	refBlockName        // item_name: the translation key block.minecraft.NAME
	firstRef            // number of the first value
)

// itemValues collects different values of components.
type itemValues struct {
	*game
	schema *schema
	refs   map[string]int
	out    *encoder
}

// encodeItems writes the section of items: the different values of their
// components, then the items by number.
func encodeItems(s *schema, g *game) ([]byte, error) {
	v := &itemValues{game: g, schema: s, refs: map[string]int{}, out: newEncoder()}
	items := newEncoder()
	fuels, err := g.extracted.json("fuels.json")
	if err != nil {
		return nil, err
	}
	compost, err := g.extracted.json("composter_increase_chance.json")
	if err != nil {
		return nil, err
	}
	for id, name := range g.byName["item"].names {
		remainder, err := craftingRemainder(g, name)
		if err != nil {
			return nil, err
		}
		number := strconv.Itoa(id)
		items.number(fuels.get(number).int())
		items.number(int(compost.get(number).num()*100 + 0.5))
		items.number(remainder)
		if err := v.item(items, name); err != nil {
			return nil, fmt.Errorf("item %s: %w", name, err)
		}
	}
	e := newEncoder()
	e.number(len(v.refs))
	e.data = append(append(e.data, v.out.data...), items.data...)
	return e.data, nil
}

// craftingRemainders are what is left of items in crafting and of fuel in a
// furnace. No source has them: this list of five is assumed from how the game
// is known to play. What is left of eating and drinking is another thing, the
// component use_remainder.
var craftingRemainders = map[string]string{
	"dragon_breath": "glass_bottle",
	"honey_bottle":  "glass_bottle",
	"lava_bucket":   "bucket",
	"milk_bucket":   "bucket",
	"water_bucket":  "bucket",
}

// craftingRemainder returns the number of what is left of an item plus one, or
// 0.
func craftingRemainder(g *game, name string) (int, error) {
	left, ok := craftingRemainders[name]
	if !ok {
		return 0, nil
	}
	id, err := g.id("item", left)
	return id + 1, err
}

func (v *itemValues) item(e *encoder, name string) error {
	components, err := itemComponents(v.game, name)
	if err != nil {
		return err
	}
	e.number(len(components.members))
	for _, m := range components.members {
		ref, err := v.ref(name, m)
		if err != nil {
			return err
		}
		e.number(ref)
	}
	return nil
}

// ref returns the number of a component with its value.
func (v *itemValues) ref(item string, m member) (int, error) {
	switch key := m.value.get("translate").str(); {
	case m.name == "minecraft:item_model" && m.value.str() == "minecraft:"+item:
		return refModel, nil
	case m.name == "minecraft:item_name" && len(m.value.members) == 1 && key == "item.minecraft."+item:
		return refItemName, nil
	case m.name == "minecraft:item_name" && len(m.value.members) == 1 && key == "block.minecraft."+item:
		return refBlockName, nil
	}
	id, err := v.id("data_component_type", m.name)
	if err != nil {
		return 0, err
	}
	t, err := v.schema.convert(m.name, m.value)
	if err != nil {
		return 0, err
	}
	data, err := t.network()
	if err != nil {
		return 0, err
	}
	key := m.name + " " + string(data)
	ref, ok := v.refs[key]
	if !ok {
		ref = firstRef + len(v.refs)
		v.refs[key] = ref
		v.out.number(id)
		v.out.bytes(data)
	}
	return ref, nil
}
