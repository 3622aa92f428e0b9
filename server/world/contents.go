package world

import (
	"slices"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/server/blocks"
	"strata/server/item"
)

// The forms of what a container holds: block entities have it in Items, the items of
// blocks in a component.
const (
	memberItems        = "Items"
	memberName         = "CustomName"
	memberLoot         = "LootTable"
	componentContents  = "minecraft:container"
	componentName      = "minecraft:custom_name"
	componentBlockData = "minecraft:block_entity_data"
)

// carried are the members that go from a block entity into its block's item and back,
// by their component, beside the contents.
var carried = []struct{ component, member string }{
	{componentName, memberName},
	{"minecraft:banner_patterns", "patterns"},
	{"minecraft:profile", "profile"},
	{"minecraft:note_block_sound", "note_block_sound"},
	{"minecraft:pot_decorations", "sherds"},
	{"minecraft:lock", "lock"},
	{"minecraft:bees", "bees"},
}

// Members returns what a block entity has; nil if it cannot be read.
func Members(e chunk.BlockEntity) nbt.Compound {
	var c nbt.Compound
	if e.NBT.Decode(&c) != nil {
		return nil
	}
	return c
}

// Unopened reports whether a container's contents are not made yet: the game does
// that from a loot table when somebody opens or breaks it.
func Unopened(members nbt.Compound) bool {
	_, has := members.Get(memberLoot)
	return has
}

// contents are the stacks that a block entity holds.
func contents(members nbt.Compound) []item.Slot {
	v, ok := members.Get(memberItems)
	if !ok {
		return nil
	}
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		return nil
	}
	slots, err := item.ParseSlots(raw)
	if err != nil {
		return nil
	}
	return slots
}

// Packed returns the item of a block with what goes into it of the block entity: a
// name, what a banner shows, and, of shulker boxes, the contents.
func Packed(stack item.Stack, s block.State, members nbt.Compound) item.Stack {
	for _, c := range carried {
		v, has := members.Get(c.member)
		raw, err := nbt.MarshalRaw(v)
		if has && err == nil && keeps(s, c.member) {
			stack = stack.With(c.component, raw)
		}
	}
	if !boxed(s) {
		return stack
	}
	var list []any
	for _, slot := range contents(members) {
		var c nbt.Compound
		if slot.Stack.Empty() || slot.Stack.NBT().Decode(&c) != nil {
			continue
		}
		list = append(list, nbt.Compound{{Name: "slot", Value: int32(slot.Number)}, {Name: "item", Value: c}})
	}
	raw, err := nbt.MarshalRaw(nbt.List{Elem: nbt.TypeCompound, Items: list})
	if len(list) == 0 || err != nil {
		return stack
	}
	return stack.With(componentContents, raw)
}

// boxed reports whether a block's contents stay in its item.
func boxed(s block.State) bool { return blocks.EntityOf(s) == "minecraft:shulker_box" }

// keeps reports whether the item of a block has a member of its block entity when it
// is broken: names of what has a menu, and what can be seen of the item.
func keeps(s block.State, member string) bool {
	switch member {
	case "lock":
		return boxed(s)
	case "bees":
		return false // only silk touch keeps them
	default:
		return true
	}
}

// Unpacked returns the members of the block entity that an item's block gets.
func Unpacked(stack item.Stack) nbt.Compound {
	var members nbt.Compound
	if raw, ok := stack.Component(componentBlockData); ok {
		if raw.Decode(&members) != nil {
			members = nil
		}
	}
	for _, c := range carried {
		raw, ok := stack.Component(c.component)
		var v any
		if ok && raw.Decode(&v) == nil {
			members = put(members, c.member, v)
		}
	}
	raw, ok := stack.Component(componentContents)
	var list []struct {
		Slot int32        `nbt:"slot"`
		Item nbt.Compound `nbt:"item"`
	}
	if !ok || raw.Decode(&list) != nil || len(list) == 0 {
		return members
	}
	items := nbt.List{Elem: nbt.TypeCompound}
	for _, e := range list {
		items.Items = append(items.Items, append(nbt.Compound{{Name: "Slot", Value: int8(e.Slot)}}, e.Item...))
	}
	return put(members, memberItems, items)
}

// put sets a member.
func put(c nbt.Compound, name string, value any) nbt.Compound {
	i := slices.IndexFunc(c, func(m nbt.Member) bool { return m.Name == name })
	if i >= 0 {
		c[i].Value = value
		return c
	}
	return append(c, nbt.Member{Name: name, Value: value})
}

// spill throws what a block entity holds onto the ground, for a block that is gone.
func (d *Dimension) spill(pos chunk.BlockPos, members nbt.Compound) {
	for _, slot := range contents(members) {
		if !slot.Stack.Empty() {
			d.entities.Spill(pos, slot.Stack)
		}
	}
}
