package blocks

import "strata/anvil/block"

// coralRules are living coral, which dies without water, and dead.
func coralRules(t *table) {
	floor := func(v View, p Pos, _ block.State) bool { return holds(v, p, block.Down, whole) }
	living := rule{
		set: func(ctx Context, p Pos, s, _ block.State) { coralDry(ctx, p, s) },
		shape: func(u *update, s block.State, _ block.Direction, _ block.State) block.State {
			coralDry(u, u.pos, s)
			return s
		},
		tick: func(ctx Context, p Pos, s block.State) {
			dead, ok := find("dead_" + name(s))
			if ok && !coralWet(ctx, p, s) {
				Apply(ctx, []Change{{p, with(withProperties(dead.Default(), s), "waterlogged", "false")}})
			}
		},
	}
	t.kind(living, "coral")
	living.stays = floor
	t.kind(living, "coral_fan", "coral_plant")
	t.kind(rule{stays: floor}, "base_coral_fan", "base_coral_plant")
	living.place, living.stays = placeWall, onWall
	t.kind(living, "coral_wall_fan")
	t.kind(rule{place: placeWall, stays: onWall}, "base_coral_wall_fan")
}

func coralWet(v View, p Pos, s block.State) bool {
	if is(s, "waterlogged", "true") {
		return true
	}
	for _, d := range order {
		if at(v, step(p, d)).Fluid() == block.WaterFluid {
			return true
		}
	}
	return false
}

func coralDry(ctx Context, p Pos, s block.State) {
	if !coralWet(ctx, p, s) {
		ctx.ScheduleBlock(p, s.Block(), 60+ctx.Random(40))
	}
}
