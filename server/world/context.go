package world

import (
	"math/rand/v2"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/blocks"
	"strata/server/item"
)

// Context is the dimension as package blocks changes it.
type Context struct {
	d *Dimension
	// Happened is told of sounds and particles; nil for nobody.
	Happened func(p chunk.BlockPos, e blocks.Event, data int32)
	// WaterEnds says that two sources of water make no third, LavaRenews that two of
	// lava do.
	WaterEnds, LavaRenews bool
	// NoDrops says that blocks yield nothing.
	NoDrops bool
}

var _ blocks.Context = (*Context)(nil)

// Context returns the dimension for package blocks.
func (d *Dimension) Context() *Context { return &Context{d: d} }

// Block implements blocks.View: outside of the world's height there is air.
func (c *Context) Block(p chunk.BlockPos) (block.State, bool) {
	lowest, highest := c.d.Height()
	s, loaded := c.d.Block(p)
	if loaded && (p.Y < lowest || p.Y > highest) {
		return block.Air.Default(), true
	}
	return s, loaded
}

// Bounds implements blocks.Context.
func (c *Context) Bounds() (lowest, highest int32) { return c.d.Height() }

// Hot implements blocks.Context.
func (c *Context) Hot() bool { return c.d.options.Hot }

// Renews implements blocks.Context.
func (c *Context) Renews(f block.Fluid) bool {
	return f == block.WaterFluid && !c.WaterEnds || f == block.LavaFluid && c.LavaRenews
}

// Random implements blocks.Context.
func (c *Context) Random(n int) int { return rand.IntN(n) }

// Set implements blocks.Context.
func (c *Context) Set(p chunk.BlockPos, s block.State) { c.d.SetBlock(p, s) }

// ScheduleBlock implements blocks.Context.
func (c *Context) ScheduleBlock(p chunk.BlockPos, id block.ID, delay int) {
	c.d.ticks.add(tickKey{p, uint16(id), false}, c.d.now+int64(max(delay, 1)), 0)
}

// ScheduleFluid implements blocks.Context.
func (c *Context) ScheduleFluid(p chunk.BlockPos, f block.Fluid, delay int) {
	c.d.ticks.add(tickKey{p, uint16(f), true}, c.d.now+int64(max(delay, 1)), 0)
}

// Drop implements blocks.Context: the items lie on the ground.
func (c *Context) Drop(p chunk.BlockPos, s blocks.Stack) {
	if c.NoDrops {
		return
	}
	for stack := item.Named(s.Item, int32(s.Count)); !stack.Empty(); {
		var some item.Stack
		some, stack = stack.Split(stack.MaxSize())
		c.d.entities.Spill(p, some)
	}
}

// Fall implements blocks.Context.
func (c *Context) Fall(p chunk.BlockPos, s block.State) {
	dry, wet := blocks.Drained(s)
	if c.d.entities.Fall(p, dry) {
		blocks.Apply(c, []blocks.Change{{Pos: p, State: wet}})
	}
}

// Event implements blocks.Context.
func (c *Context) Event(p chunk.BlockPos, e blocks.Event, data int32) {
	if c.Happened != nil {
		c.Happened(p, e, data)
	}
}
