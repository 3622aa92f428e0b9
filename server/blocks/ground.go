package blocks

import "strata/anvil/block"

// groundRules are soils: snowy grass, farmland and paths.
func groundRules(t *table) {
	snowy := func(s, above block.State) block.State {
		return with(s, "snowy", flag(tagged(above, "snow")))
	}
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			return snowy(s, p.beside(block.Up)), true
		},
		shape: func(_ *update, s block.State, d block.Direction, n block.State) block.State {
			if d != block.Up {
				return s
			}
			return snowy(s, n)
		},
	}, "grass", "mycelium", "snowy_dirt")
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			if soilCovered(p.View, p.pos) {
				return block.Dirt.Default(), true
			}
			return s, true
		},
		shape: func(u *update, s block.State, d block.Direction, _ block.State) block.State {
			if d == block.Up && soilCovered(u, u.pos) {
				u.ScheduleBlock(u.pos, s.Block(), 1)
			}
			return s
		},
		tick: func(ctx Context, p Pos, _ block.State) {
			if soilCovered(ctx, p) {
				Apply(ctx, []Change{{p, block.Dirt.Default()}})
			}
		},
	}, "dirt_path", "farmland")
}

// soilCovered reports whether something solid is on farmland or a path.
func soilCovered(v View, p Pos) bool {
	above := at(v, step(p, block.Up))
	return above.BlocksMotion() && kind(above) != "fence_gate"
}
