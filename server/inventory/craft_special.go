package inventory

import (
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
)

// transmute makes another item of one, with its components.
func transmute(r *registry.Recipe, in input) item.Stack {
	base, material := named(r, "input"), named(r, "material")
	var from item.Stack
	n := int32(0)
	for _, s := range in.used {
		switch {
		case from.Empty() && base.Has(s.ID):
			from = s
		case material.Has(s.ID):
			n++
		default:
			return item.Stack{}
		}
	}
	if from.Empty() || n < r.MinMaterial || n > r.MaxMaterial {
		return item.Stack{}
	}
	out := made(r)
	if r.AddMaterial {
		out = out.WithCount(out.Count + n)
	}
	for _, c := range from.Changes() {
		if c.Removed {
			out = out.Without(c.Name)
		} else {
			out = out.With(c.Name, c.Value)
		}
	}
	for _, c := range r.Result.Components {
		out = out.With(c.Name, c.Value)
	}
	if out.Same(from) && out.Count == 1 {
		return item.Stack{}
	}
	return out
}

// imbue puts the contents of a potion in the middle onto the eight round it.
func imbue(r *registry.Recipe, in input) item.Stack {
	const middle = 4
	if in.width != 3 || in.height != 3 {
		return item.Stack{}
	}
	source, material := named(r, "source"), named(r, "material")
	for i, s := range in.cells {
		fits := material
		if i == middle {
			fits = source
		}
		if s.Empty() || !fits.Has(s.ID) {
			return item.Stack{}
		}
	}
	out := made(r)
	if contents, ok := in.cells[middle].Component("potion_contents"); ok {
		out = out.With("potion_contents", contents)
	}
	return out
}

// repair makes one of two worn items of the same kind: what is left of both and
// a twentieth more. Only curses stay.
func repair(in input) item.Stack {
	if len(in.used) != 2 {
		return item.Stack{}
	}
	a, b := in.used[0], in.used[1]
	if a.ID != b.ID || a.Count != 1 || b.Count != 1 || !wears(a) || !wears(b) {
		return item.Stack{}
	}
	most := max(a.Int("max_damage"), b.Int("max_damage"))
	left := a.Int("max_damage") - a.Int("damage") + b.Int("max_damage") - b.Int("damage") + most*5/100
	out := item.New(a.ID, 1)
	if a.Int("max_damage") != out.Int("max_damage") {
		out = out.WithInt("max_damage", most)
	}
	out = out.WithInt("damage", max(most-left, 0))
	if kept := curses(a, b); len(kept) > 0 {
		if raw, err := nbt.MarshalRaw(kept); err == nil {
			out = out.With("enchantments", raw)
		}
	}
	return out
}

func wears(s item.Stack) bool {
	if s.ID == item.Unknown || s.Int("max_damage") <= 0 {
		return false
	}
	_, damage := s.Component("damage")
	_, unbreakable := s.Component("unbreakable")
	return damage && !unbreakable
}

func curses(stacks ...item.Stack) nbt.Compound {
	tag := registry.TagsOf("enchantment", registry.Native).Tag("curse")
	kept := nbt.Compound{}
	for _, s := range stacks {
		for _, m := range compound(s, "enchantments") {
			id, ok := registry.Of("enchantment", registry.Native).ID(m.Name)
			if ok && tag != nil && tag.Has(id) {
				kept.Set(m.Name, m.Value)
			}
		}
	}
	return kept
}

// dye mixes dyes, and the color that the item has, by the game's rule: the mean
// of each part, brightened to the mean of the brightest parts.
func dye(r *registry.Recipe, in input) item.Stack {
	target, dyes := named(r, "target"), named(r, "dye")
	var onto item.Stack
	var sum [3]int32
	brightest, n := int32(0), int32(0)
	mix := func(rgb int32) {
		part := [3]int32{rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255}
		for i := range sum {
			sum[i] += part[i]
		}
		brightest += max(part[0], part[1], part[2])
		n++
	}
	for _, s := range in.used {
		rgb, isDye := dyeColor(s)
		switch {
		case onto.Empty() && target.Has(s.ID):
			onto = s
			if raw, ok := s.Component("dyed_color"); ok {
				v, _ := raw.Int()
				mix(int32(v))
			}
		case dyes.Has(s.ID) && isDye:
			mix(rgb)
		default:
			return item.Stack{}
		}
	}
	if onto.Empty() || len(in.used) < 2 {
		return item.Stack{}
	}
	for i := range sum {
		sum[i] /= n
	}
	top := max(sum[0], sum[1], sum[2], 1)
	gain := float32(brightest) / float32(n) / float32(top)
	var rgb int32
	for _, part := range sum {
		rgb = rgb<<8 | min(int32(float32(part)*gain), 255)
	}
	return onto.WithCount(1).WithInt("dyed_color", rgb)
}

// dyeColor returns the color of a dye.
func dyeColor(s item.Stack) (int32, bool) {
	d, ok := dyeOf(s)
	return d.Texture & 0xffffff, ok
}

func dyeOf(s item.Stack) (registry.Dye, bool) {
	raw, ok := s.Component("dye")
	if !ok {
		return registry.Dye{}, false
	}
	name, _ := raw.Text()
	for _, d := range registry.Dyes(registry.Native) {
		if strings.TrimPrefix(d.Name, "minecraft:") == strings.TrimPrefix(name, "minecraft:") {
			return d, true
		}
	}
	return registry.Dye{}, false
}

// pot makes a pot of four bricks or sherds laid in a cross.
func pot(r *registry.Recipe, in input) item.Stack {
	if in.width != 3 || in.height != 3 || len(in.used) != 4 {
		return item.Stack{}
	}
	sides := [...]struct {
		role string
		cell int
	}{{"back", 1}, {"left", 3}, {"right", 5}, {"front", 7}}
	list := nbt.List{Elem: nbt.TypeString}
	for _, side := range sides {
		s := in.cells[side.cell]
		if s.Empty() || !named(r, side.role).Has(s.ID) {
			return item.Stack{}
		}
		list.Items = append(list.Items, s.Name())
	}
	raw, err := nbt.MarshalRaw(list)
	if err != nil {
		return item.Stack{}
	}
	return made(r).With("pot_decorations", raw)
}
