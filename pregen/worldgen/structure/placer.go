package structure

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/structure/template"
)

// Placer is what pieces are built with: the chunk that is decorated, and its
// neighbours to look at. One worker has one.
type Placer struct {
	*feature.Context
	// Box has the blocks that may be written: those of the chunk but for the
	// lowest layer.
	Box            Box
	ChunkX, ChunkZ int32
	Start          *Start
	Templates      *template.Library
	// Pivot is below the middle of the structure's first piece.
	PivotX, PivotY, PivotZ int32
}

// Template returns a template, nil if its blocks are not at hand.
func (p *Placer) Template(id string) *template.Template {
	t, err := p.Templates.Template(id)
	if err != nil {
		return nil
	}
	return t
}

// Inside reports whether a block may be written.
func (p *Placer) Inside(x, y, z int32) bool { return p.Box.Contains(x, y, z) }

// BlockAt returns a block of the world.
func (p *Placer) BlockAt(x, y, z int32) block.State { return p.Block(int(x), int(y), int(z)) }

// SetBlock sets a block of the world, if it may be written, with the block
// entity that the game gives such a block.
func (p *Placer) SetBlock(x, y, z int32, s block.State) bool {
	if !p.Inside(x, y, z) {
		return false
	}
	p.Set(int(x), int(y), int(z), s)
	if id := EntityOf(s.Block()); id != "" {
		p.AddBlockEntity(feature.BlockEntity{X: x, Y: y, Z: z, ID: id})
	}
	return true
}

// MarkShape marks a block to be fitted to its neighbours when its chunk first
// ticks.
func (p *Placer) MarkShape(x, y, z int32) { p.Mark(int(x), int(y), int(z)) }

// FluidTick schedules a tick of the fluid of a block, if it has one.
func (p *Placer) FluidTick(x, y, z int32) {
	s := p.BlockAt(x, y, z)
	switch s.Fluid() {
	case block.WaterFluid:
		p.TickFluid(int(x), int(y), int(z), fluidID("water", s), 0)
	case block.LavaFluid:
		p.TickFluid(int(x), int(y), int(z), fluidID("lava", s), 0)
	}
}

func fluidID(name string, s block.State) string {
	if s.FluidSource() {
		return "minecraft:" + name
	}
	return "minecraft:flowing_" + name
}

// SetBelow is SetBlock for columns that leave the layer of Box.
func (p *Placer) SetBelow(x, y, z int32, s block.State) { p.Set(int(x), int(y), int(z), s) }

func (p *Placer) oceanFloor(x, z int32) int {
	return p.Height(chunk.OceanFloorWG, int(x), int(z))
}

// Chest sets a chest with loot at a block of the world, turned by what is
// around it, unless there is one. It draws the loot's seed.
func (p *Placer) Chest(x, y, z int32, table string) bool {
	if !p.Inside(x, y, z) || p.BlockAt(x, y, z).Block() == block.Chest {
		return false
	}
	p.SetBlock(x, y, z, p.turnToOpen(x, y, z, block.Chest.Default()))
	p.AddBlockEntity(feature.BlockEntity{
		X: x, Y: y, Z: z, ID: "minecraft:chest", LootTable: table, LootSeed: p.Random.Long(),
	})
	return true
}

// Spawner sets a spawner at a block of the world.
func (p *Placer) Spawner(x, y, z int32, entity string) bool {
	if !p.SetBlock(x, y, z, block.Spawner.Default()) {
		return false
	}
	p.AddBlockEntity(feature.BlockEntity{X: x, Y: y, Z: z, ID: "minecraft:mob_spawner", Spawner: entity})
	return true
}

// horizontal are the directions in the game's order.
var horizontal = [...]block.Direction{block.North, block.East, block.South, block.West}

// turnToOpen turns a chest away from the one solid block beside it; without
// one it turns until there is none in front.
func (p *Placer) turnToOpen(x, y, z int32, s block.State) block.State {
	solid := func(d block.Direction) bool {
		dx, dy, dz := d.Step()
		return p.BlockAt(x+dx, y+dy, z+dz).SolidRender()
	}
	facing, walls := block.North, 0
	for _, d := range horizontal {
		dx, _, dz := d.Step()
		if p.BlockAt(x+dx, y, z+dz).Block() == block.Chest {
			return s
		}
		if solid(d) {
			if walls++; walls > 1 {
				break
			}
			facing = d.Opposite()
		}
	}
	if walls != 1 {
		facing = block.North
		if solid(facing) {
			facing = facing.Opposite()
		}
		if solid(facing) {
			facing = facing.Clockwise()
		}
		if solid(facing) {
			facing = facing.Opposite()
		}
	}
	s, _ = s.With("facing", facing.String())
	return s
}
