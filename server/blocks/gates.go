package blocks

import "strata/anvil/block"

func gateRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			s = with(s, "facing", p.heading.String())
			return inWall(p.View, p.pos, s), true
		},
		shape: func(u *update, s block.State, d block.Direction, _ block.State) block.State {
			if vertical(d) || axis(d) == axis(facing(s)) {
				return s
			}
			return inWall(u, u.pos, s)
		},
	}, "fence_gate")
}

// inWall lowers a gate between walls.
func inWall(v View, p Pos, s block.State) block.State {
	side := facing(s).Clockwise()
	low := kind(at(v, step(p, side))) == "wall" ||
		kind(at(v, step(p, side.Opposite()))) == "wall"
	return with(s, "in_wall", flag(low))
}
