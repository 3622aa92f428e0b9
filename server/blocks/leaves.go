package blocks

import "strata/anvil/block"

// farLeaves is the distance of leaves that decay.
const farLeaves = 7

func leafRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			return leafDistance(p.View, p.pos, with(s, "persistent", "true")), true
		},
		shape: func(u *update, s block.State, _ block.Direction, n block.State) block.State {
			if d := leafFrom(n) + 1; d != 1 || number(s, "distance") != d {
				u.ScheduleBlock(u.pos, s.Block(), 1)
			}
			return s
		},
		tick: func(ctx Context, p Pos, s block.State) {
			Apply(ctx, []Change{{p, leafDistance(ctx, p, s)}})
		},
	}, "mangrove_leaves", "tinted_particle_leaves", "untinted_particle_leaves")
}

// leafFrom is the distance of a block from the next log.
func leafFrom(s block.State) int {
	switch {
	case tagged(s, "prevents_nearby_leaf_decay"):
		return 0
	case s.Leaves():
		return number(s, "distance")
	}
	return farLeaves
}

func leafDistance(v View, p Pos, s block.State) block.State {
	d := farLeaves
	for _, n := range order {
		d = min(d, leafFrom(at(v, step(p, n)))+1)
	}
	return withNumber(s, "distance", d)
}
