package blocks

import (
	"strconv"

	"strata/anvil/block"
)

// farScaffold is the distance of scaffolding that falls.
const farScaffold = 7

func scaffoldRules(t *table) {
	t.kind(rule{
		place: func(p *placing, s block.State) (block.State, bool) {
			d := scaffoldDistance(p.View, p.pos)
			return scaffold(p.View, p.pos, s, d), d < farScaffold
		},
		joins: func(*placing, block.State) bool { return true },
		set:   func(ctx Context, p Pos, s, _ block.State) { ctx.ScheduleBlock(p, s.Block(), 1) },
		shape: func(u *update, s block.State, _ block.Direction, _ block.State) block.State {
			u.ScheduleBlock(u.pos, s.Block(), 1)
			return s
		},
		tick: scaffoldTick,
	}, "scaffolding")
}

func scaffold(v View, p Pos, s block.State, d int) block.State {
	bottom := d > 0 && at(v, step(p, block.Down)).Block() != block.Scaffolding
	return with(s, "distance", strconv.Itoa(d), "bottom", flag(bottom))
}

func scaffoldDistance(v View, p Pos) int {
	below := at(v, step(p, block.Down))
	dist := farScaffold
	if below.Block() == block.Scaffolding {
		dist = number(below, "distance")
	} else if sturdy(below, block.Up, whole) {
		return 0
	}
	for _, d := range horizontals {
		if n := at(v, step(p, d)); n.Block() == block.Scaffolding {
			dist = min(dist, number(n, "distance")+1)
		}
	}
	return dist
}

func scaffoldTick(ctx Context, p Pos, s block.State) {
	d := scaffoldDistance(ctx, p)
	t := scaffold(ctx, p, s, d)
	switch {
	case d < farScaffold:
		Apply(ctx, []Change{{p, t}})
	case number(s, "distance") == farScaffold:
		ctx.Fall(p, t)
	default:
		destroy(ctx, p, s)
	}
}

// scaffoldTarget moves a placement on scaffolding to its end: upwards, or along
// if its top is clicked, or across the clicked face when sneaking.
func (p *placing) scaffoldTarget() bool {
	if !p.replaced || p.there.Block() != block.Scaffolding {
		return true
	}
	d := block.Up
	switch {
	case p.Sneaking:
		d = p.Face
	case p.Face == block.Up:
		d = p.heading
	}
	q := step(p.pos, d)
	for range farScaffold + int(p.Highest-p.Lowest) {
		s, loaded := p.View.Block(q)
		if !loaded || q.Y > p.Highest || q.Y < p.Lowest {
			return false
		}
		if s.Block() != block.Scaffolding {
			p.pos, p.there = q, s
			return s.Replaceable()
		}
		if dx, dz := q.X-p.pos.X, q.Z-p.pos.Z; dx*dx+dz*dz >= farScaffold*farScaffold {
			return false
		}
		q = step(q, d)
	}
	return false
}
