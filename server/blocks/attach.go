package blocks

import "strata/anvil/block"

// attachRules are blocks that hang on one face of another.
func attachRules(t *table) {
	t.kind(rule{stays: onCentre}, "torch", "redstone_torch")
	t.kind(rule{place: placeWall, stays: onWall}, "wall_torch", "redstone_wall_torch")
	t.kind(rule{place: placeLadder, stays: onWall}, "ladder")
	t.kind(rule{place: placeFaced, stays: facedStays}, "lever", "button")
	t.kinds["button"].tick = buttonTick
	t.kind(rule{place: placeFaced}, "grindstone")
	t.kind(rule{place: placeWall, stays: onWall}, "trip_wire_hook")
	t.kind(rule{place: placeBell, stays: bellStays, shape: bellShape}, "bell")
	t.kind(rule{place: placeLantern, stays: lanternStays}, "lantern", "weathering_lantern")
	t.kind(rule{place: func(p *placing, s block.State) (block.State, bool) {
		return with(s, "facing", p.Face.String()), true
	}, stays: func(v View, p Pos, s block.State) bool {
		return holds(v, p, facing(s).Opposite(), whole)
	}}, "amethyst_cluster")
	t.kind(rule{stays: func(v View, p Pos, _ block.State) bool {
		return holds(v, p, block.Down, rim) || holds(v, p, block.Down, centre)
	}}, "pressure_plate", "weighted_pressure_plate")
	t.kind(rule{place: placeCocoa, stays: func(v View, p Pos, s block.State) bool {
		return tagged(at(v, step(p, facing(s))), "supports_cocoa")
	}}, "cocoa")
	t.kind(rule{stays: func(v View, p Pos, _ block.State) bool {
		return !at(v, step(p, block.Down)).Air()
	}}, "wool_carpet", "carpet")
	t.kind(rule{stays: func(v View, p Pos, _ block.State) bool {
		return at(v, step(p, block.Down)).BlocksMotion()
	}}, "cake", "candle_cake")
	t.kind(rule{stays: hangsCentre}, "spore_blossom")
	t.kinds["spore_blossom"].stays = func(v View, p Pos, s block.State) bool {
		return hangsCentre(v, p, s) && at(v, p).Fluid() != block.WaterFluid
	}
	t.kind(rule{stays: func(v View, p Pos, _ block.State) bool {
		return holds(v, p, block.Up, whole)
	}}, "hanging_roots")
}

func onCentre(v View, p Pos, _ block.State) bool    { return holds(v, p, block.Down, centre) }
func hangsCentre(v View, p Pos, _ block.State) bool { return holds(v, p, block.Up, centre) }

// onWall is for blocks that face away from what they hang on.
func onWall(v View, p Pos, s block.State) bool {
	return holds(v, p, facing(s).Opposite(), whole)
}

// placeWall takes the first wall, as the player looks, that holds the block.
func placeWall(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		if vertical(d) {
			continue
		}
		if t := with(s, "facing", d.Opposite().String()); Stays(p.View, p.pos, t) {
			return t, true
		}
	}
	return 0, false
}

// placeLadder refuses a ladder on the face of a ladder.
func placeLadder(p *placing, s block.State) (block.State, bool) {
	if !p.replaced {
		b := p.beside(p.Face.Opposite())
		if b.Block() == s.Block() && facing(b) == p.Face {
			return 0, false
		}
	}
	return placeWall(p, s)
}

// placeFaced is for what may be on floor, wall and ceiling.
func placeFaced(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		t := with(s, "face", "wall", "facing", d.Opposite().String())
		switch d {
		case block.Up:
			t = with(s, "face", "ceiling", "facing", p.heading.String())
		case block.Down:
			t = with(s, "face", "floor", "facing", p.heading.String())
		}
		if Stays(p.View, p.pos, t) {
			return t, true
		}
	}
	return 0, false
}

// faced returns where a block with floor, wall and ceiling forms hangs.
func faced(s block.State) block.Direction {
	switch s.Property("face") {
	case "floor":
		return block.Down
	case "ceiling":
		return block.Up
	}
	return facing(s).Opposite()
}

func facedStays(v View, p Pos, s block.State) bool { return holds(v, p, faced(s), whole) }

func placeCocoa(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		if vertical(d) {
			continue
		}
		if t := with(s, "facing", d.String()); Stays(p.View, p.pos, t) {
			return t, true
		}
	}
	return 0, false
}

func placeLantern(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		if horizontal(d) {
			continue
		}
		if t := with(s, "hanging", flag(d == block.Up)); Stays(p.View, p.pos, t) {
			return t, true
		}
	}
	return 0, false
}

func lanternStays(v View, p Pos, s block.State) bool {
	if is(s, "hanging", "true") {
		return hangsCentre(v, p, s)
	}
	return onCentre(v, p, s)
}

func placeBell(p *placing, s block.State) (block.State, bool) {
	if vertical(p.Face) {
		to := "floor"
		if p.Face == block.Down {
			to = "ceiling"
		}
		t := with(s, "attachment", to, "facing", p.heading.String())
		return t, Stays(p.View, p.pos, t)
	}
	to := "single_wall"
	if holds(p.View, p.pos, p.Face, whole) && holds(p.View, p.pos, p.Face.Opposite(), whole) {
		to = "double_wall"
	}
	t := with(s, "attachment", to, "facing", p.Face.Opposite().String())
	if Stays(p.View, p.pos, t) {
		return t, true
	}
	to = "ceiling"
	if holds(p.View, p.pos, block.Down, whole) {
		to = "floor"
	}
	t = with(t, "attachment", to)
	return t, Stays(p.View, p.pos, t)
}

// bellSide returns where a bell hangs.
func bellSide(s block.State) block.Direction {
	switch s.Property("attachment") {
	case "floor":
		return block.Down
	case "ceiling":
		return block.Up
	}
	return facing(s)
}

func bellStays(v View, p Pos, s block.State) bool {
	d := bellSide(s)
	if is(s, "attachment", "double_wall") {
		return holds(v, p, d, whole) || holds(v, p, d.Opposite(), whole)
	}
	if d == block.Up {
		return holds(v, p, d, centre)
	}
	return holds(v, p, d, whole)
}

// bellShape turns a bell between two walls into one on one wall and back.
func bellShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if vertical(d) || axis(d) != axis(facing(s)) {
		return s
	}
	switch s.Property("attachment") {
	case "double_wall":
		if !sturdy(n, d.Opposite(), whole) {
			return with(s, "attachment", "single_wall", "facing", d.Opposite().String())
		}
	case "single_wall":
		if d == facing(s).Opposite() && sturdy(n, d.Opposite(), whole) {
			return with(s, "attachment", "double_wall")
		}
	}
	return s
}
