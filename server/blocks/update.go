package blocks

import "strata/anvil/block"

// chain is a run of updates, breadth first.
type chain struct {
	Context
	queue []Pos // whose neighbours are to be told
	left  int
}

// Apply sets blocks and lets their neighbours follow. Changes to what is not
// loaded are dropped.
func Apply(ctx Context, changes []Change) {
	c := &chain{Context: ctx, left: MaxUpdates}
	for _, ch := range changes {
		c.put(ch.Pos, ch.State)
	}
	c.run()
}

// Notify lets the neighbours of a block follow that has been set by others.
func Notify(ctx Context, p Pos) {
	c := &chain{Context: ctx, left: MaxUpdates, queue: []Pos{p}}
	c.run()
}

func (c *chain) put(p Pos, s block.State) {
	before, loaded := c.Block(p)
	low, high := c.Bounds()
	if !loaded || before == s || c.left <= 0 || p.Y < low || p.Y > high {
		return
	}
	c.left--
	c.Set(p, s)
	c.queue = append(c.queue, p)
	if set := ruleOf(s).set; set != nil {
		set(c.Context, p, s, before)
	}
	if !c.react(p, s) {
		flow(c.Context, p, s)
	}
}

func (c *chain) run() {
	for len(c.queue) > 0 {
		p := c.queue[0]
		c.queue = c.queue[1:]
		for _, d := range order {
			c.tell(step(p, d), d.Opposite(), p)
		}
		c.diagonal(p)
	}
}

// tell gives a block at p the update of its neighbour in direction d.
func (c *chain) tell(p Pos, d block.Direction, from Pos) {
	s, ok := c.Block(p)
	if !ok || s.Air() {
		return
	}
	if c.react(p, s) {
		return
	}
	t := shape(c.Context, p, s, d, at(c, from))
	if t == s {
		return
	}
	if t.Air() || t == remains(s) {
		c.breakUp(p, s, t)
		return
	}
	c.put(p, t)
}

// breakUp removes what has lost its hold, with its drops.
func (c *chain) breakUp(p Pos, s, rest block.State) {
	if s.Block() == block.Water || s.Block() == block.Lava {
		c.put(p, rest)
		return
	}
	for _, d := range loot(s) {
		c.Drop(p, d)
	}
	c.Event(p, EventBreak, int32(s))
	c.put(p, rest)
}

// Shape returns what a block becomes because of its neighbour n in direction
// d: itself, another state, or air (or its water) if it breaks. It may schedule
// ticks in the context and sets nothing.
func Shape(ctx Context, p Pos, s block.State, d block.Direction, n block.State) block.State {
	return shape(ctx, p, s, d, n)
}

func shape(ctx Context, p Pos, s block.State, d block.Direction, n block.State) block.State {
	r := ruleOf(s)
	flow(ctx, p, s)
	if r.stays != nil && !r.stays(ctx, p, s) {
		if r.late == 0 {
			return remains(s)
		}
		ctx.ScheduleBlock(p, s.Block(), r.late)
	}
	if r.shape == nil {
		return s
	}
	return r.shape(&update{Context: ctx, pos: p, from: step(p, d)}, s, d, n)
}

// flow schedules the fluid of a block.
func flow(ctx Context, p Pos, s block.State) {
	if f := s.Fluid(); f != block.NoFluid {
		ctx.ScheduleFluid(p, f, fluidDelay(ctx, f))
	}
}

// waterShape is for blocks that only hold water: shape has scheduled it.
func waterShape(_ *update, s block.State, _ block.Direction, _ block.State) block.State { return s }

// Tick does what a block scheduled. It must be called only if the block is
// still the one that was scheduled.
func Tick(ctx Context, p Pos, s block.State) {
	r := ruleOf(s)
	if r.tick != nil {
		r.tick(ctx, p, s)
		return
	}
	if r.late > 0 && !Stays(ctx, p, s) {
		destroy(ctx, p, s)
	}
}

// destroy breaks a block by itself, with drops.
func destroy(ctx Context, p Pos, s block.State) {
	c := &chain{Context: ctx, left: MaxUpdates}
	c.breakUp(p, s, remains(s))
	c.run()
}

// diagonal lets wire follow that leads up or down to beside a changed block.
func (c *chain) diagonal(p Pos) {
	for _, d := range horizontals {
		for _, e := range [2]block.Direction{block.Up, block.Down} {
			q := step(step(p, d), e)
			if s, ok := c.Block(q); ok && s.Block() == block.RedstoneWire {
				if t := wireShape(c, q, s); t != s {
					c.put(q, t)
				}
			}
		}
	}
}

// react turns lava to stone where it has met water.
func (c *chain) react(p Pos, s block.State) bool {
	t, ok := hardens(c, p, s)
	if ok {
		c.Event(p, EventFizz, 0)
		c.put(p, t)
	}
	return ok
}
