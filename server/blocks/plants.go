package blocks

import "strata/anvil/block"

// plantRules are what stands on ground of some kind.
func plantRules(t *table) {
	t.kind(rule{stays: growsOn("supports_vegetation")},
		"sapling", "tall_grass", "bush", "flower", "eyeblossom", "firefly_bush",
		"sweet_berry_bush")
	t.kind(rule{stays: growsOn("supports_dry_vegetation")},
		"dry_vegetation", "short_dry_grass", "tall_dry_grass")
	t.kind(rule{stays: growsOn("supports_crops")},
		"crop", "carrot", "potato", "beetroot", "torchflower_crop")
	t.kind(rule{stays: growsOn("supports_azalea")}, "azalea")
	t.kind(rule{stays: growsOn("supports_nether_wart")}, "nether_wart")
	t.kind(rule{stays: growsOn("supports_nether_sprouts")}, "nether_sprouts")
	t.kind(rule{stays: growsOn("supports_wither_rose")}, "wither_rose")
	for _, n := range []string{
		"crimson_roots", "warped_roots", "crimson_fungus", "warped_fungus",
		"melon_stem", "pumpkin_stem",
	} {
		t.name(rule{stays: growsOn("supports_" + n)}, n)
	}
	for stem, fruit := range map[string]block.ID{
		"attached_melon_stem": block.Melon, "attached_pumpkin_stem": block.Pumpkin,
	} {
		t.name(attachedStem(stem, fruit), stem)
	}
	t.kind(rule{stays: mushroomStays}, "mushroom")
	t.kind(rule{stays: lilyStays}, "lily_pad", "frogspawn")
	t.kind(rule{stays: cactusStays, late: 1}, "cactus")
	t.kind(rule{stays: func(v View, p Pos, _ block.State) bool {
		below := at(v, step(p, block.Down))
		return tagged(below, "support_override_cactus_flower") || sturdy(below, block.Up, centre)
	}}, "cactus_flower")
	t.kind(rule{stays: caneStays, late: 1}, "sugar_cane")
	t.kind(rule{place: placeBamboo, stays: growsOn("supports_bamboo"), late: 1,
		shape: bambooShape}, "bamboo_stalk")
	t.kind(rule{stays: growsOn("supports_bamboo"), shape: bambooShape}, "bamboo_sapling")
	t.kind(rule{place: inWater, stays: seagrassStays}, "seagrass")
	t.kind(rule{stays: propaguleStays}, "mangrove_propagule")
	t.kind(rule{place: placeChorus, stays: chorusStays, shape: chorusShape, late: 1}, "chorus_plant")
	t.kind(rule{stays: chorusFlowerStays, late: 1}, "chorus_flower")
}

// growsOn returns a support rule: the block below is in a tag of the game.
func growsOn(tag string) func(View, Pos, block.State) bool {
	return func(v View, p Pos, _ block.State) bool {
		return tagged(at(v, step(p, block.Down)), tag)
	}
}

// attachedStem is a stem that lets its head hang when the fruit is gone.
func attachedStem(name string, fruit block.ID) rule {
	stem, _ := find(name[len("attached_"):])
	return rule{
		stays: growsOn("supports_" + name[len("attached_"):]),
		shape: func(_ *update, s block.State, d block.Direction, n block.State) block.State {
			if d == facing(s) && n.Block() != fruit {
				return with(stem.Default(), "age", "7")
			}
			return s
		},
	}
}

// mushroomStays leaves out the light that mushrooms bear: a View has none.
func mushroomStays(v View, p Pos, _ block.State) bool {
	below := at(v, step(p, block.Down))
	return tagged(below, "overrides_mushroom_light_requirement") || below.SolidRender()
}

func lilyStays(v View, p Pos, s block.State) bool {
	below := at(v, step(p, block.Down))
	tag := "supports_lily_pad"
	if s.Block() == block.Frogspawn {
		tag = "supports_frogspawn"
	}
	return at(v, p).Fluid() == block.NoFluid && (water(below) || tagged(below, tag))
}

func cactusStays(v View, p Pos, _ block.State) bool {
	for _, d := range horizontals {
		n := at(v, step(p, d))
		if n.BlocksMotion() || n.Fluid() == block.LavaFluid {
			return false
		}
	}
	below := at(v, step(p, block.Down))
	return (below.Block() == block.Cactus || tagged(below, "supports_cactus")) &&
		at(v, step(p, block.Up)).Fluid() == block.NoFluid
}

func caneStays(v View, p Pos, _ block.State) bool {
	under := step(p, block.Down)
	below := at(v, under)
	if below.Block() == block.SugarCane {
		return true
	}
	if !tagged(below, "supports_sugar_cane") {
		return false
	}
	for _, d := range horizontals {
		n := at(v, step(under, d))
		if n.Fluid() == block.WaterFluid || tagged(n, "supports_sugar_cane_adjacently") {
			return true
		}
	}
	return false
}

// placeBamboo plants a shoot, or makes a stalk longer.
func placeBamboo(p *placing, s block.State) (block.State, bool) {
	if p.there.Fluid() != block.NoFluid {
		return 0, false
	}
	below, above := p.beside(block.Down), p.beside(block.Up)
	switch {
	case !tagged(below, "supports_bamboo"):
		return 0, false
	case below.Block() == block.BambooSapling:
		return with(s, "age", "0"), true
	case below.Block() == block.Bamboo:
		return with(s, "age", below.Property("age")), true
	case above.Block() == block.Bamboo:
		return with(s, "age", above.Property("age")), true
	}
	return block.BambooSapling.Default(), true
}

// bambooShape turns a shoot into a stalk when one stands on it, and thickens a
// stalk under a thick one.
func bambooShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if d != block.Up || n.Block() != block.Bamboo {
		return s
	}
	if s.Block() == block.BambooSapling {
		return block.Bamboo.Default()
	}
	if number(n, "age") > number(s, "age") {
		return with(s, "age", n.Property("age"))
	}
	return s
}

func inWater(p *placing, s block.State) (block.State, bool) { return s, water(p.there) }

func seagrassStays(v View, p Pos, _ block.State) bool {
	below := at(v, step(p, block.Down))
	return sturdy(below, block.Up, whole) && !tagged(below, "cannot_support_seagrass")
}

func propaguleStays(v View, p Pos, s block.State) bool {
	if is(s, "hanging", "true") {
		return tagged(at(v, step(p, block.Up)), "supports_hanging_mangrove_propagule")
	}
	return growsOn("supports_mangrove_propagule")(v, p, s)
}

func chorusJoins(n block.State, d block.Direction) bool {
	return n.Block() == block.ChorusPlant || n.Block() == block.ChorusFlower ||
		d == block.Down && tagged(n, "supports_chorus_plant")
}

func placeChorus(p *placing, s block.State) (block.State, bool) {
	for _, d := range order {
		s = with(s, d.String(), flag(chorusJoins(p.beside(d), d)))
	}
	return s, true
}

func chorusShape(u *update, s block.State, d block.Direction, n block.State) block.State {
	if !chorusStays(u, u.pos, s) {
		return s // goes at its tick
	}
	return with(s, d.String(), flag(chorusJoins(n, d)))
}

func chorusStays(v View, p Pos, _ block.State) bool {
	under := step(p, block.Down)
	below := at(v, under)
	covered := !below.Air() && !at(v, step(p, block.Up)).Air()
	for _, d := range horizontals {
		side := step(p, d)
		if at(v, side).Block() != block.ChorusPlant {
			continue
		}
		if covered {
			return false
		}
		b := at(v, step(side, block.Down))
		if b.Block() == block.ChorusPlant || tagged(b, "supports_chorus_plant") {
			return true
		}
	}
	return below.Block() == block.ChorusPlant || tagged(below, "supports_chorus_plant")
}

func chorusFlowerStays(v View, p Pos, _ block.State) bool {
	below := at(v, step(p, block.Down))
	if below.Block() == block.ChorusPlant || tagged(below, "supports_chorus_flower") {
		return true
	}
	if !below.Air() {
		return false
	}
	plants := 0
	for _, d := range horizontals {
		n := at(v, step(p, d))
		if n.Block() == block.ChorusPlant {
			plants++
		} else if !n.Air() {
			return false
		}
	}
	return plants == 1
}
