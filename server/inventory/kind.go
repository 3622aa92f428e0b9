package inventory

import (
	"slices"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
)

// Kind is a kind of window.
type Kind uint8

// The kinds. Chests and barrels are Generic with the rows that they have.
const (
	Own Kind = iota
	Generic9x1
	Generic9x2
	Generic9x3
	Generic9x4
	Generic9x5
	Generic9x6
	Generic3x3 // dispensers and droppers
	Hopper
	ShulkerBox
	Crafting
)

// menus are the names of the kinds in the registry minecraft:menu, and how many
// slots the container has. A player's own window has no name.
var menus = [...]struct {
	name  string
	slots int
}{
	Own: {"", 0}, Generic9x1: {"generic_9x1", 9}, Generic9x2: {"generic_9x2", 18}, Generic9x3: {"generic_9x3", 27},
	Generic9x4: {"generic_9x4", 36}, Generic9x5: {"generic_9x5", 45}, Generic9x6: {"generic_9x6", 54},
	Generic3x3: {"generic_3x3", 9}, Hopper: {"hopper", 5}, ShulkerBox: {"shulker_box", 27}, Crafting: {"crafting", 0},
}

// Size returns how many slots a container must have for a window of the kind.
func (k Kind) Size() int { return menus[k].slots }

// Menu returns the kind's number in a version, for the packet open_screen.
func (k Kind) Menu(v registry.Version) (int32, bool) { return registry.Of("menu", v).ID(menus[k].name) }

// wornIn returns the slot that a stack is worn in by players, "" if in none.
func wornIn(s item.Stack) string {
	members := compound(s, "equippable")
	slot, _ := members.Get("slot")
	name, _ := slot.(string)
	switch name {
	case "head", "chest", "legs", "feet", "offhand":
	default:
		return ""
	}
	who, ok := members.Get("allowed_entities")
	if !ok {
		return name
	}
	switch who := who.(type) {
	case string:
		if who == "minecraft:player" || len(who) > 1 && who[0] == '#' && playerIn(who[1:]) {
			return name
		}
	case nbt.List:
		if slices.Contains(who.Items, any("minecraft:player")) {
			return name
		}
	}
	return ""
}

func playerIn(tag string) bool {
	id, _ := registry.Of("entity_type", registry.Native).ID("player")
	t := registry.TagsOf("entity_type", registry.Native).Tag(tag)
	return t != nil && t.Has(id)
}

// stuck reports whether a worn stack cannot be taken off.
func stuck(s item.Stack) bool {
	_, bound := compound(s, "enchantments").Get("minecraft:binding_curse")
	return bound
}

func compound(s item.Stack, component string) nbt.Compound {
	raw, ok := s.Component(component)
	if !ok {
		return nil
	}
	var members nbt.Compound
	if raw.Decode(&members) != nil {
		return nil
	}
	return members
}

// isShulkerBox reports whether a stack does not go into shulker boxes.
func isShulkerBox(s item.Stack) bool {
	t := registry.TagsOf("item", registry.Native).Tag("shulker_boxes")
	return t != nil && t.Has(s.ID)
}
