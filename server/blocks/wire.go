package blocks

import "strata/anvil/block"

// wireRules are redstone wire, as far as it can be seen, and tripwire.
func wireRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			return wireShape(p.View, p.pos, s), true
		},
		stays: func(v View, p Pos, _ block.State) bool {
			below := at(v, step(p, block.Down))
			return sturdy(below, block.Up, whole) || below.Block() == block.Hopper
		},
		shape: func(u *update, s block.State, d block.Direction, _ block.State) block.State {
			if d == block.Down {
				return s
			}
			return wireShape(u, u.pos, s)
		},
	}, "redstone_wire")
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			for _, d := range horizontals {
				s = with(s, d.String(), flag(tripJoins(p.beside(d), d)))
			}
			return s, true
		},
		shape: func(_ *update, s block.State, d block.Direction, n block.State) block.State {
			if vertical(d) {
				return s
			}
			return with(s, d.String(), flag(tripJoins(n, d)))
		},
	}, "tripwire")
}

func tripJoins(n block.State, d block.Direction) bool {
	return n.Block() == block.Tripwire ||
		n.Block() == block.TripwireHook && facing(n) == d.Opposite()
}

// wireShape connects wire to what takes or gives power. One connection makes a
// line, none a cross, or the dot if that was chosen before.
func wireShape(v View, p Pos, s block.State) block.State {
	dot := true
	for _, d := range horizontals {
		dot = dot && is(s, d.String(), "none")
	}
	if dot && at(v, p).Block() != block.RedstoneWire {
		dot = false // just placed
	}
	to := [6]string{}
	joined := false
	for _, d := range horizontals {
		to[d] = wireSide(v, p, d)
		joined = joined || to[d] != "none"
	}
	if !joined && dot {
		return s
	}
	free := func(d block.Direction) bool { return to[d] == "none" }
	ns := free(block.North) && free(block.South)
	ew := free(block.East) && free(block.West)
	for _, d := range horizontals {
		across := ew
		if axis(d) == "x" {
			across = ns
		}
		if free(d) && across {
			to[d] = "side"
		}
	}
	for _, d := range horizontals {
		s = with(s, d.String(), to[d])
	}
	return s
}

func wireSide(v View, p Pos, d block.Direction) string {
	q := step(p, d)
	n := at(v, q)
	if !at(v, step(p, block.Up)).Occludes() || at(v, step(p, block.Up)).Block() == block.Glass {
		slope := sturdy(n, block.Up, whole) || n.Block() == block.Hopper || kind(n) == "trapdoor"
		if slope && at(v, step(q, block.Up)).Block() == block.RedstoneWire {
			if sturdy(n, d.Opposite(), whole) {
				return "up"
			}
			return "side"
		}
	}
	if wireJoins(n, d) {
		return "side"
	}
	if !n.SolidRender() && at(v, step(q, block.Down)).Block() == block.RedstoneWire {
		return "side"
	}
	return "none"
}

func wireJoins(n block.State, d block.Direction) bool {
	switch kind(n) {
	case "redstone_wire", "redstone_torch", "redstone_wall_torch", "powered", "lever",
		"button", "pressure_plate", "weighted_pressure_plate", "comparator", "target",
		"trip_wire_hook", "daylight_detector", "trapped_chest", "detector_rail",
		"lectern", "lightning_rod", "weathering_lightning_rod", "sculk_sensor",
		"calibrated_sculk_sensor", "jukebox":
		return true
	case "repeater":
		return axis(facing(n)) == axis(d)
	case "observer":
		return facing(n) == d
	}
	return false
}
