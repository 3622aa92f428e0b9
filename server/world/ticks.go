package world

import (
	"errors"
	"fmt"
	"maps"
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/region"
	"strata/server/blocks"
)

// maxTicks is how many scheduled ticks of each kind are run at a time, as in the
// game.
const maxTicks = 65_536

// RunTicks is a tick of what blocks and fluids have asked for. What was scheduled
// or has run since is written into the chunks, so that an epoch is due; errors of
// that are those of the next Tick.
func (d *Dimension) RunTicks(c *Context) {
	d.now++
	for _, k := range d.ticks.due(d.now) {
		s, loaded := d.Block(k.pos)
		switch {
		case !loaded:
		case k.fluid && s.Fluid() == block.Fluid(k.id):
			blocks.FluidTick(c, k.pos, s)
		case !k.fluid && s.Block() == block.ID(k.id):
			blocks.Tick(c, k.pos, s)
		}
	}
	d.problem = d.writeTicks(func(t *chunkTicks) bool { return !t.marked })
}

// SaveTicks writes what is scheduled into the chunks in which that has changed. It
// belongs before a cut of the store: then an epoch has what is scheduled together
// with the blocks that asked for it.
func (d *Dimension) SaveTicks() error {
	err := d.writeTicks(func(*chunkTicks) bool { return true })
	for _, t := range d.ticks.chunks {
		t.marked = false
	}
	return err
}

// writeTicks writes those that have changed and that which picks.
func (d *Dimension) writeTicks(which func(*chunkTicks) bool) error {
	var errs []error
	for pos, t := range maps.Clone(d.ticks.changed) {
		if !which(t) {
			continue
		}
		t.marked = true
		delete(d.ticks.changed, pos)
		if err := d.writeTicksOf(pos, t, store.Structural); err != nil {
			d.ticks.change(pos, t) // and again
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (d *Dimension) writeTicksOf(pos region.ChunkPos, t *chunkTicks, change store.Change) error {
	t.changed = false
	err := d.columns[pos].Update(change, func(c *chunk.Chunk) error {
		var errs []error
		for _, kind := range []chunk.TickKind{chunk.BlockTicks, chunk.FluidTicks} {
			if !t.damaged[kind] {
				errs = append(errs, c.SetTicks(kind, d.ticksFor(c, t, kind)))
			}
		}
		return errors.Join(errs...)
	})
	if err != nil {
		err = fmt.Errorf("scheduled ticks of chunk %d %d: %w", pos.X, pos.Z, err)
	}
	return err
}

// ticksFor is what is scheduled in a chunk as files have it, with delays from now.
func (d *Dimension) ticksFor(c *chunk.Chunk, t *chunkTicks, kind chunk.TickKind) []chunk.Tick {
	list := t.list(kind)
	all := make([]chunk.Tick, 0, len(list)+len(t.foreign[kind]))
	for _, e := range list {
		name := block.ID(e.key.id).Name()
		if e.key.fluid {
			p := e.key.pos
			name = fluidName(block.Fluid(e.key.id), c.Block(int(p.X), int(p.Y), int(p.Z)))
		}
		delay := min(max(e.due.at-d.now, math.MinInt32), math.MaxInt32)
		all = append(all, chunk.Tick{Name: name, Pos: e.key.pos, Delay: int32(delay), Priority: e.due.priority})
	}
	return append(all, t.foreign[kind]...)
}

// fluidName is what files call the fluid of a tick at a place with a state: the
// game has sources and what flows as fluids of their own.
func fluidName(f block.Fluid, s block.State) string {
	name := map[block.Fluid]string{block.WaterFluid: "water", block.LavaFluid: "lava"}[f]
	if s.Fluid() == f && !s.FluidSource() {
		name = "flowing_" + name
	}
	return "minecraft:" + name
}

var fluidsByName = map[string]block.Fluid{
	"minecraft:water": block.WaterFluid, "minecraft:flowing_water": block.WaterFluid,
	"minecraft:lava": block.LavaFluid, "minecraft:flowing_lava": block.LavaFluid,
}

// loadTicks takes up what a chunk that was loaded has scheduled. A list that cannot
// be read is an error, and stays as it is. Chunks that are too old to be changed
// keep theirs, and nothing is scheduled in them.
func (d *Dimension) loadTicks(pos region.ChunkPos) error {
	var errs []error
	d.Read(pos, func(c *chunk.Chunk) {
		if c.DataVersion() < store.MinVersion {
			return
		}
		t := &chunkTicks{waiting: map[tickKey]due{}, since: d.now}
		d.ticks.chunks[pos] = t
		for _, kind := range []chunk.TickKind{chunk.BlockTicks, chunk.FluidTicks} {
			all, err := c.Ticks(kind)
			if err != nil {
				t.damaged[kind] = true
				errs = append(errs, err)
			}
			for _, tick := range all {
				if tick.Pos.Chunk() == pos { // the game does not take others either
					d.loadTick(t, kind, tick)
				}
			}
		}
	})
	return errors.Join(errs...)
}

func (d *Dimension) loadTick(t *chunkTicks, kind chunk.TickKind, tick chunk.Tick) {
	k := tickKey{pos: tick.Pos, fluid: kind == chunk.FluidTicks}
	var known bool
	if k.fluid {
		var f block.Fluid
		f, known = fluidsByName[tick.Name]
		k.id = uint16(f)
	} else {
		var id block.ID
		id, known = block.Find(tick.Name)
		k.id = uint16(id)
	}
	if !known {
		t.foreign[kind] = append(t.foreign[kind], tick)
		return
	}
	d.ticks.put(t, k, d.now+int64(tick.Delay), tick.Priority)
}

// dropTicks writes what is scheduled in a chunk that is about to be let go of, and
// forgets it.
func (d *Dimension) dropTicks(pos region.ChunkPos) error {
	t := d.ticks.chunks[pos]
	if t == nil {
		return nil
	}
	delete(d.ticks.chunks, pos)
	delete(d.ticks.changed, pos)
	switch {
	case t.changed:
		return d.writeTicksOf(pos, t, store.Structural)
	case len(t.waiting) > 0 && d.now > t.since:
		return d.writeTicksOf(pos, t, store.Drift) // delays are others
	}
	return nil
}
