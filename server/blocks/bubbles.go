package blocks

import "strata/anvil/block"

// waterRules are bubble columns and what makes them.
func waterRules(t *table) {
	base := rule{
		set: func(ctx Context, p Pos, s, _ block.State) { ctx.ScheduleBlock(p, s.Block(), 20) },
		shape: func(u *update, s block.State, d block.Direction, n block.State) block.State {
			if d == block.Up && n.Block() == block.Water {
				u.ScheduleBlock(u.pos, s.Block(), 20)
			}
			return s
		},
		tick: func(ctx Context, p Pos, _ block.State) { bubble(ctx, step(p, block.Up)) },
	}
	t.kind(base, "soul_sand", "magma")
	t.kind(rule{
		shape: func(u *update, s block.State, d block.Direction, n block.State) block.State {
			wrong := bubbleState(at(u, step(u.pos, block.Down))) != s
			if wrong || d == block.Down ||
				d == block.Up && n.Block() != block.BubbleColumn && n.Block() == block.Water {
				u.ScheduleBlock(u.pos, s.Block(), 5)
			}
			return s
		},
		tick: func(ctx Context, p Pos, _ block.State) { bubble(ctx, p) },
	}, "bubble_column")
}

// bubbleState is what a source of water becomes over a block.
func bubbleState(below block.State) block.State {
	s := block.BubbleColumn.Default()
	switch {
	case below.Block() == block.BubbleColumn:
		return below
	case tagged(below, "enables_bubble_column_push_up"):
		return with(s, "drag", "false")
	case tagged(below, "enables_bubble_column_drag_down"):
		return with(s, "drag", "true")
	}
	return block.Water.Default()
}

// bubble makes or ends the column from p upwards.
func bubble(ctx Context, p Pos) {
	_, high := ctx.Bounds()
	to := bubbleState(at(ctx, step(p, block.Down)))
	var changes []Change
	for ; p.Y <= high; p = step(p, block.Up) {
		s, loaded := ctx.Block(p)
		full := s.Block() == block.Water && s.FluidSource() || s.Block() == block.BubbleColumn
		if !loaded || !full || s == to {
			break
		}
		changes = append(changes, Change{p, to})
	}
	Apply(ctx, changes)
}
