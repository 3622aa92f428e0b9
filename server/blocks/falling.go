package blocks

import (
	"strings"

	"strata/anvil/block"
)

// fallDelay is how long loose blocks wait before they fall, in ticks.
const fallDelay = 2

func fallingRules(t *table) {
	loose := func(delay int) rule {
		return rule{
			set: func(ctx Context, p Pos, s, _ block.State) { ctx.ScheduleBlock(p, s.Block(), delay) },
			shape: func(u *update, s block.State, _ block.Direction, _ block.State) block.State {
				u.ScheduleBlock(u.pos, s.Block(), delay)
				return s
			},
			tick: fallTick,
		}
	}
	t.kind(loose(fallDelay), "sand", "colored_falling", "brushable")
	t.kind(loose(5), "dragon_egg")
	anvil := loose(fallDelay)
	anvil.place = func(p *placing, s block.State) (block.State, bool) {
		return with(s, "facing", p.heading.Clockwise().String()), true
	}
	t.kind(anvil, "anvil")

	powder := loose(fallDelay)
	powder.place = func(p *placing, s block.State) (block.State, bool) {
		if p.there.Fluid() == block.WaterFluid || wetted(p.View, p.pos) {
			return concrete(s), true
		}
		return s, true
	}
	powder.shape = func(u *update, s block.State, _ block.Direction, _ block.State) block.State {
		if wetted(u, u.pos) {
			return concrete(s)
		}
		u.ScheduleBlock(u.pos, s.Block(), fallDelay)
		return s
	}
	t.kind(powder, "concrete_powder")
}

// Land returns what a falling block becomes where it lands in a block.
func Land(v View, p Pos, s, there block.State) block.State {
	if kind(s) == "concrete_powder" && (there.Fluid() == block.WaterFluid || wetted(v, p)) {
		return concrete(s)
	}
	return flood(s, there)
}

// Yields reports whether a falling block passes a block.
func Yields(s block.State) bool {
	return s.Air() || s.Replaceable() || tagged(s, "fire")
}

func fallTick(ctx Context, p Pos, s block.State) {
	low, _ := ctx.Bounds()
	below, loaded := ctx.Block(step(p, block.Down))
	if loaded && p.Y >= low && Yields(below) {
		ctx.Fall(p, s)
	}
}

func concrete(s block.State) block.State {
	id, ok := find(strings.TrimSuffix(name(s), "_powder"))
	if !ok {
		return s
	}
	return id.Default()
}

// wetted reports whether water touches a block from above or beside.
func wetted(v View, p Pos) bool {
	for _, d := range order {
		n := at(v, step(p, d))
		if d != block.Down && n.Fluid() == block.WaterFluid && !sturdy(n, d.Opposite(), whole) {
			return true
		}
	}
	return false
}

// Drained returns a block without the water in it, and what is left where it falls
// from: that water, or air.
func Drained(s block.State) (dry, left block.State) {
	if !is(s, "waterlogged", "true") {
		return s, block.Air.Default()
	}
	return with(s, "waterlogged", "false"), block.Water.Default()
}

// Hardens reports whether water makes another block of a falling one.
func Hardens(s block.State) bool { return kind(s) == "concrete_powder" }

// DropFallen throws out the item of a falling block that finds no place.
func DropFallen(ctx Context, p Pos, s block.State) {
	if n := ItemOf(s.Block()); n != "" {
		ctx.Drop(p, Stack{Item: n, Count: 1})
	}
}
