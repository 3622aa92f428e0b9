package blocks

import "strata/anvil/block"

// facingRules are blocks that only turn by where the player looks or clicks.
func facingRules(t *table) {
	turned := func(to func(p *placing) block.Direction) rule {
		return rule{place: func(p *placing, s block.State) (block.State, bool) {
			return with(s, "facing", to(p).String()), true
		}}
	}
	// The front looks at the player.
	t.kind(turned(func(p *placing) block.Direction { return p.heading.Opposite() }),
		"furnace", "blast_furnace", "smoker", "ender_chest", "loom", "stonecutter",
		"lectern", "beehive", "jack_o_lantern", "glazed_terracotta", "end_portal_frame",
		"vault", "chiseled_book_shelf", "copper_golem_statue",
		"weathering_copper_golem_statue", "dried_ghast")
	t.kind(turned(func(p *placing) block.Direction { return p.heading }),
		"decorated_pot", "calibrated_sculk_sensor")
	t.kind(turned(func(p *placing) block.Direction { return p.look[0].Opposite() }),
		"piston_base", "dispenser", "dropper", "barrel", "command")
	t.kind(turned(func(p *placing) block.Direction { return p.look[0] }), "observer")
	t.kind(turned(func(p *placing) block.Direction { return p.Face }),
		"shulker_box", "lightning_rod", "weathering_lightning_rod")
	t.kind(rule{place: placeEndRod}, "end_rod")
	t.kind(turned(func(p *placing) block.Direction {
		if vertical(p.Face) {
			return block.Down
		}
		return p.Face.Opposite()
	}), "hopper")

	t.kind(rule{place: func(p *placing, s block.State) (block.State, bool) {
		return with(s, "axis", axis(p.Face)), true
	}}, "rotated_pillar", "chain", "weathering_copper_chain", "hay",
		"infested_rotated_pillar", "creaking_heart")

	t.kind(rule{place: placeCrafter}, "crafter")
	t.kind(rule{place: placeJigsaw}, "jigsaw")
	t.kind(rule{place: placeCampfire, shape: waterShape}, "campfire")
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			return with(s, "facing", p.heading.Opposite().String()), true
		},
		stays: onRigid,
	}, "repeater", "comparator")
}

// placeEndRod turns a rod around that is put on the end of another.
func placeEndRod(p *placing, s block.State) (block.State, bool) {
	d := p.Face
	if b := p.beside(d.Opposite()); b.Block() == s.Block() && facing(b) == d {
		d = d.Opposite()
	}
	return with(s, "facing", d.String()), true
}

func placeCrafter(p *placing, s block.State) (block.State, bool) {
	front, top := p.look[0].Opposite(), block.Up
	switch front {
	case block.Down:
		top = p.heading.Opposite()
	case block.Up:
		top = p.heading
	}
	return with(s, "orientation", front.String()+"_"+top.String()), true
}

func placeJigsaw(p *placing, s block.State) (block.State, bool) {
	top := block.Up
	if vertical(p.Face) {
		top = p.heading.Opposite()
	}
	return with(s, "orientation", p.Face.String()+"_"+top.String()), true
}

// placeCampfire lights it unless it stands in water. Smoke rises higher from
// one on hay.
func placeCampfire(p *placing, s block.State) (block.State, bool) {
	return with(s, "facing", p.heading.String(),
		"lit", flag(!water(p.there)),
		"signal_fire", flag(p.beside(block.Down).Block() == block.HayBlock)), true
}

// onRigid is the support of rails, repeaters and plates.
func onRigid(v View, p Pos, _ block.State) bool { return holds(v, p, block.Down, rim) }
