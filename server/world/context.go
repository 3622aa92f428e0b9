package world

import (
	"math/rand/v2"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
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
	// NoDrops says that blocks yield nothing, NoContents that what containers hold goes
	// with them.
	NoDrops, NoContents bool

	packed map[chunk.BlockPos]bool // whose contents went into their item
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

// Set implements blocks.Context. What a container holds lies on the ground when it is
// gone, or is in the item of one that keeps it.
func (c *Context) Set(p chunk.BlockPos, s block.State) {
	old, _ := c.d.Block(p)
	var members nbt.Compound
	if id := blocks.EntityOf(old); id != "" && id != blocks.EntityOf(s) {
		if e, found := c.d.BlockEntity(p); found {
			members = Members(e)
		}
	}
	if !c.d.SetBlock(p, s) || members == nil || c.NoContents || c.packed[p] {
		return
	}
	if !boxed(old) {
		c.d.spill(p, members)
	} else if len(contents(members)) > 0 { // broken in creative mode, say
		c.d.entities.Spill(p, Packed(item.Named(blocks.ItemOf(old.Block()), 1), old, members))
	}
}

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
	stack := item.Named(s.Item, int32(s.Count))
	if e, found := c.d.BlockEntity(p); found {
		if from, _ := c.d.Block(p); blocks.ItemOf(from.Block()) == s.Item {
			stack = Packed(stack, from, Members(e))
			if boxed(from) {
				if c.packed == nil {
					c.packed = map[chunk.BlockPos]bool{}
				}
				c.packed[p] = true
			}
		}
	}
	for !stack.Empty() {
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
