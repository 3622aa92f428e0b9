package blocks

import (
	"strconv"
	"strings"

	"strata/anvil/block"
)

// flowing is a fluid as it spreads: an amount from 1 to 8, 0 for none.
type flowing struct {
	kind    block.Fluid
	amount  int
	source  bool
	falling bool
}

// stream is a fluid in a world: how fast and far it goes.
type stream struct {
	Context
	kind    block.Fluid
	dropoff int // what it loses a block
	slope   int // how far it looks for a way down
}

func fluidDelay(ctx Context, f block.Fluid) int {
	switch {
	case f == block.WaterFluid:
		return 5
	case ctx.Hot():
		return 10
	}
	return 30
}

func streamOf(ctx Context, f block.Fluid) stream {
	if f == block.LavaFluid && !ctx.Hot() {
		return stream{ctx, f, 2, 2}
	}
	return stream{ctx, f, 1, 4}
}

func fluidOf(s block.State) flowing {
	return flowing{s.Fluid(), s.FluidAmount(), s.FluidSource(), s.FluidFalling()}
}

func (f flowing) state() block.State {
	id := block.Water
	if f.kind == block.LavaFluid {
		id = block.Lava
	}
	level := 0
	switch {
	case f.amount == 0:
		return block.Air.Default()
	case f.falling:
		level = 8
	case !f.source:
		level = 8 - f.amount
	}
	return with(id.Default(), "level", strconv.Itoa(level))
}

// FluidTick lets the fluid of a block flow. It must be called only if the fluid
// is still of the kind that was scheduled.
func FluidTick(ctx Context, p Pos, s block.State) {
	f := fluidOf(s)
	if f.kind == block.NoFluid {
		return
	}
	w := streamOf(ctx, f.kind)
	if !f.source && (s.Block() == block.Water || s.Block() == block.Lava) {
		next := w.fed(p, s)
		if next != f {
			delay := w.delay(f, next)
			Apply(ctx, []Change{{p, next.state()}})
			if next.amount == 0 {
				return
			}
			ctx.ScheduleFluid(p, f.kind, delay)
			if now := at(ctx, p); now != next.state() {
				return // it has met another fluid
			}
			f, s = next, next.state()
		}
	}
	w.spread(p, s, f)
}

// delay is longer for lava that rises, three times of four.
func (w stream) delay(old, next flowing) int {
	d := fluidDelay(w, w.kind)
	if w.kind == block.LavaFluid && next.amount > old.amount &&
		!old.falling && !next.falling && w.Random(4) != 0 {
		d *= 4
	}
	return d
}

// fed returns what the neighbours of a place make its fluid.
func (w stream) fed(p Pos, s block.State) flowing {
	most, sources := 0, 0
	for _, d := range horizontals {
		n := at(w, step(p, d))
		if n.Fluid() != w.kind || !open(s, n, d) {
			continue
		}
		if n.FluidSource() {
			sources++
		}
		most = max(most, n.FluidAmount())
	}
	if sources >= 2 && w.Renews(w.kind) {
		below := at(w, step(p, block.Down))
		if below.BlocksMotion() || below.Fluid() == w.kind && below.FluidSource() {
			return flowing{w.kind, block.FullFluid, true, false}
		}
	}
	above := at(w, step(p, block.Up))
	if above.Fluid() == w.kind && open(s, above, block.Up) {
		return flowing{w.kind, block.FullFluid, false, true}
	}
	if most <= w.dropoff {
		return flowing{}
	}
	return flowing{w.kind, most - w.dropoff, false, false}
}

func (w stream) spread(p Pos, s block.State, f flowing) {
	under := step(p, block.Down)
	below, loaded := w.Block(under)
	if loaded && w.mayPass(s, below, block.Down) {
		next := w.fed(under, below)
		if gives(below, w.kind, block.Down) && takes(below, next) {
			w.to(under, below, block.Down, next)
			if w.sourcesBeside(p) >= 3 {
				w.sides(p, s, f)
			}
			return
		}
	}
	if f.source || !w.hole(s, below) {
		w.sides(p, s, f)
	}
}

func (w stream) sourcesBeside(p Pos) int {
	n := 0
	for _, d := range horizontals {
		if s := at(w, step(p, d)); s.Fluid() == w.kind && s.FluidSource() {
			n++
		}
	}
	return n
}

// sides spreads to those sides from where the way down is shortest.
func (w stream) sides(p Pos, s block.State, f flowing) {
	left := f.amount - w.dropoff
	if f.falling {
		left = 7
	}
	if left <= 0 {
		return
	}
	type way struct {
		to   Pos
		was  block.State
		d    block.Direction
		next flowing
	}
	var ways []way
	best := 1000
	for _, d := range horizontals {
		q := step(p, d)
		n, loaded := w.Block(q)
		if !loaded || !w.mayPass(s, n, d) {
			continue
		}
		next := w.fed(q, n)
		if !takes(n, next) {
			continue
		}
		dist := 0
		if !w.hole(n, at(w, step(q, block.Down))) {
			dist = w.wayDown(q, n, 1, d.Opposite())
		}
		if dist < best {
			ways, best = ways[:0], dist
		}
		if dist <= best && gives(n, w.kind, d) {
			ways = append(ways, way{q, n, d, next})
		}
	}
	for _, y := range ways {
		w.to(y.to, y.was, y.d, y.next)
	}
}

// wayDown returns the steps to the nearest place where the fluid can fall.
func (w stream) wayDown(p Pos, s block.State, dist int, from block.Direction) int {
	best := 1000
	for _, d := range horizontals {
		if d == from {
			continue
		}
		q := step(p, d)
		n := at(w, q)
		if !w.mayPass(s, n, d) || !takes(n, flowing{kind: w.kind, amount: 1}) {
			continue
		}
		if w.hole(n, at(w, step(q, block.Down))) {
			return dist
		}
		if dist < w.slope {
			best = min(best, w.wayDown(q, n, dist+1, d.Opposite()))
		}
	}
	return best
}

// hole reports whether the fluid in s can go down into the block below.
func (w stream) hole(s, below block.State) bool {
	if !open(s, below, block.Down) {
		return false
	}
	return below.Fluid() == w.kind || holdsFluid(below) &&
		takes(below, flowing{kind: w.kind, amount: 1})
}

// mayPass reports whether the fluid may go from one block into the next, as far
// as walls and sources are concerned.
func (w stream) mayPass(from, to block.State, d block.Direction) bool {
	return !(to.Fluid() == w.kind && to.FluidSource()) && holdsFluid(to) && open(from, to, d)
}

// open reports whether shapes leave a way between two blocks.
func open(from, to block.State, d block.Direction) bool {
	if from.FullCollision() || to.FullCollision() {
		return false
	}
	a, b := from.Collision(), to.Collision()
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	bit := func(s block.State, d block.Direction) bool {
		return coverage()[s.CollisionShape()]>>(int(d)*int(parts))&1 != 0
	}
	if bit(from, d) || bit(to, d.Opposite()) {
		return false
	}
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	const n = 16
	for i := range n {
		for j := range n {
			u, v := (float64(i)+.5)/n, (float64(j)+.5)/n
			if !touches(a, d, u, v) && !touches(b, d.Opposite(), u, v) {
				return true
			}
		}
	}
	return false
}

// floods reports whether a block can be waterlogged and is not.
func floods(s block.State) bool {
	return is(s, "waterlogged", "false") && !is(s, "type", "double")
}

// holdsFluid reports whether a block can have a fluid in it or gives way to one.
func holdsFluid(s block.State) bool {
	if has(s, "waterlogged") {
		return true
	}
	switch kind(s) {
	case "door", "weathering_copper_door", "ladder", "sugar_cane", "bubble_column",
		"nether_portal", "end_portal", "end_gateway", "structure_void",
		"kelp", "kelp_plant", "seagrass", "tall_seagrass":
		return false
	}
	return !s.BlocksMotion() && !tagged(s, "signs")
}

// takes reports whether a block takes this very fluid: what can be waterlogged
// takes sources of water only.
func takes(s block.State, f flowing) bool {
	if !has(s, "waterlogged") {
		return holdsFluid(s)
	}
	return floods(s) && f.kind == block.WaterFluid && f.source
}

// gives reports whether the fluid that is in a block gives way to another: lava
// that is deep enough to water, water to lava from above.
func gives(s block.State, to block.Fluid, d block.Direction) bool {
	switch s.Fluid() {
	case block.WaterFluid:
		return d == block.Down && to != block.WaterFluid
	case block.LavaFluid:
		return to == block.WaterFluid && s.FluidAmount() >= 4
	}
	return true
}

// to puts the fluid into a block.
func (w stream) to(p Pos, was block.State, d block.Direction, f flowing) {
	if f.amount == 0 {
		return
	}
	if w.kind == block.LavaFluid && d == block.Down && was.Fluid() == block.WaterFluid {
		if was.Block() == block.Water {
			Apply(w, []Change{{p, block.Stone.Default()}})
		}
		w.Event(p, EventFizz, 0)
		return
	}
	if floods(was) {
		Apply(w, []Change{{p, douse(w, p, with(was, "waterlogged", "true"))}})
		return
	}
	if !was.Air() && was.Fluid() == block.NoFluid {
		if w.kind == block.LavaFluid {
			w.Event(p, EventFizz, 0)
		} else {
			for _, drop := range loot(was) {
				w.Drop(p, drop)
			}
		}
	}
	Apply(w, []Change{{p, f.state()}})
}

// douse puts out what burns in a block that has been flooded.
func douse(ctx Context, p Pos, s block.State) block.State {
	k := kind(s)
	if is(s, "lit", "true") && (k == "campfire" || strings.HasPrefix(k, "candle")) {
		ctx.Event(p, EventExtinguish, int32(s))
		return with(s, "lit", "false")
	}
	return s
}

// hardens returns what lava becomes beside water, or over soul soil beside blue
// ice.
func hardens(v View, p Pos, s block.State) (block.State, bool) {
	if s.Block() != block.Lava {
		return s, false
	}
	soul := at(v, step(p, block.Down)).Block() == block.SoulSoil
	for _, d := range order {
		if d == block.Down {
			continue
		}
		n := at(v, step(p, d))
		switch {
		case n.Fluid() == block.WaterFluid && s.FluidSource():
			return block.Obsidian.Default(), true
		case n.Fluid() == block.WaterFluid:
			return block.Cobblestone.Default(), true
		case soul && n.Block() == block.BlueIce:
			return block.Basalt.Default(), true
		}
	}
	return s, false
}
