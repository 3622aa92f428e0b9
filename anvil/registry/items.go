package registry

import (
	"encoding/binary"
	"iter"
	"strings"

	"strata/nbt"
)

// Item is an item with the values its stacks have unless they say otherwise.
type Item struct {
	ID           int32
	Name         string // with namespace
	MaxStackSize int32
	MaxDamage    int32  // 0 for items that do not wear
	Rarity       string // "common", "uncommon", "rare" or "epic"
	// FuelTicks is how long the item burns in a furnace, 0 if it does not.
	FuelTicks int32
	// CompostPercent is the chance that it raises a composter's level, 0 if a
	// composter does not take it.
	CompostPercent int32
	// Remainder is the item that is left of one in a crafting grid or as fuel,
	// or -1. Assumed: no source has it. What is left of eating is a component.
	Remainder int32

	values []itemComponent // of all items
	refs   []uint16        // the item's components, by number of a value
}

// Component is a data component of an item stack.
type Component struct {
	Type  int32  // number in minecraft:data_component_type
	Name  string // with namespace
	Value nbt.Raw
}

// Items returns all items by number. The result is shared and must not be
// changed.
func Items(v Version) []Item { return of(v).items() }

// ItemByName returns the item of a name, or nil.
func ItemByName(name string, v Version) *Item {
	id, ok := Of("item", v).ID(name)
	if !ok {
		return nil
	}
	return &of(v).items()[id]
}

// Numbers that stand for values which say the item's own name, as the
// generator writes them; other values begin at firstRef.
const (
	refModel = iota
	refItemName
	refBlockName
	firstRef
)

const (
	componentModel = "minecraft:item_model"
	componentName  = "minecraft:item_name"
)

// itemComponent is a component with a value that items share.
type itemComponent struct {
	Component
	own uint8 // 1 + refModel and so on for values made from the item's name
}

// Components returns the item's default components. Their values must not be
// changed.
//
// NBT types are assumed: the report has JSON, where a number without a decimal
// point is an int, one with a point a float, or a double in fields where some
// number has more digits than a float; amplifiers and flight durations are
// bytes as in files of the game.
func (i *Item) Components() iter.Seq[Component] {
	return func(yield func(Component) bool) {
		for _, ref := range i.refs {
			if !yield(i.component(ref)) {
				return
			}
		}
	}
}

// Component returns the value of a default component by the name of its type,
// with or without the game's namespace.
func (i *Item) Component(name string) (nbt.Raw, bool) {
	for _, ref := range i.refs {
		if c := &i.values[ref]; nameIs(c.Name, name) {
			return i.component(ref).Value, true
		}
	}
	return nbt.Raw{}, false
}

func (i *Item) component(ref uint16) Component {
	c := i.values[ref].Component
	bare := strings.TrimPrefix(i.Name, namespace)
	switch i.values[ref].own {
	case 1 + refModel:
		c.Value = stringPayload(i.Name)
	case 1 + refItemName:
		c.Value = translationPayload("item.minecraft." + bare)
	case 1 + refBlockName:
		c.Value = translationPayload("block.minecraft." + bare)
	}
	return c
}

// stringPayload is the NBT of a string of plain ASCII.
func stringPayload(s string) nbt.Raw {
	return nbt.Raw{Type: nbt.TypeString, Data: appendString(nil, s)}
}

// translationPayload is the NBT of a text component that names a translation.
func translationPayload(key string) nbt.Raw {
	data := append([]byte{byte(nbt.TypeString)}, appendString(nil, "translate")...)
	data = append(appendString(data, key), byte(nbt.TypeEnd))
	return nbt.Raw{Type: nbt.TypeCompound, Data: data}
}

func appendString(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}

// decodeItems reads n values: type of component, NBT; then for each item:
// ticks as fuel, compost percent, number of the remainder plus one, m
// components by number of value.
func decodeItems(data []byte, names *nameTable) ([]Item, error) {
	d := newDecoder(data)
	values := decodeItemValues(d, names)
	registry := names.get(d, "item")
	items := make([]Item, len(registry.names))
	for id := range items {
		i := &items[id]
		*i = Item{ID: int32(id), Name: registry.names[id], values: values}
		i.FuelTicks = d.int32()
		i.CompostPercent = d.int32()
		i.Remainder = d.optional(len(items))
		i.refs = make([]uint16, d.count())
		for k := range i.refs {
			i.refs[k] = uint16(d.index(len(values)))
		}
		i.takeScalars()
	}
	return items, d.end()
}

func decodeItemValues(d *decoder, names *nameTable) []itemComponent {
	types := names.get(d, "data_component_type")
	values := make([]itemComponent, firstRef+d.count())
	for ref, name := range [...]string{refModel: componentModel, refItemName: componentName, refBlockName: componentName} {
		id, ok := types.ID(name)
		if !ok {
			d.fail("no component %s", name)
		}
		values[ref] = itemComponent{Component{Type: id, Name: name}, uint8(1 + ref)}
	}
	for ref := firstRef; ref < len(values) && d.err == nil; ref++ {
		values[ref].Component = decodeComponent(d, types)
	}
	if len(values) > 1<<16 {
		d.fail("%d values", len(values))
	}
	return values
}

// decodeComponent reads the number of a component's type, and its value as a
// network document.
func decodeComponent(d *decoder, types *Registry) Component {
	if len(types.names) == 0 {
		return Component{}
	}
	id := d.index(len(types.names))
	document := d.bytes()
	if len(document) == 0 {
		d.fail("component without a value")
		return Component{}
	}
	return Component{int32(id), types.names[id], nbt.Raw{Type: nbt.Type(document[0]), Data: document[1:]}}
}

// takeScalars fills the fields that are components.
func (i *Item) takeScalars() {
	for _, ref := range i.refs {
		c := &i.values[ref]
		switch c.Name {
		case "minecraft:max_stack_size":
			i.MaxStackSize = number(c.Value)
		case "minecraft:max_damage":
			i.MaxDamage = number(c.Value)
		case "minecraft:rarity":
			i.Rarity = rarity(c.Value)
		}
	}
}

func number(r nbt.Raw) int32 {
	v, _ := r.Int()
	return int32(v)
}

// rarity returns one of the four names without allocating.
func rarity(r nbt.Raw) string {
	text, _ := r.Bytes()
	for _, name := range [...]string{"common", "uncommon", "rare", "epic"} {
		if string(text) == name {
			return name
		}
	}
	return ""
}
