package structure

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

// Coordinates of the methods here are the piece's own: see Base.World. All of
// them change only what lies in p.Box, and take what is outside for air.

// fitted are the blocks that are marked to be fitted to their neighbours.
var fitted = map[block.ID]bool{
	block.NetherBrickFence: true, block.Torch: true, block.WallTorch: true, block.OakFence: true,
	block.SpruceFence: true, block.DarkOakFence: true, block.PaleOakFence: true, block.AcaciaFence: true,
	block.BirchFence: true, block.JungleFence: true, block.Ladder: true, block.IronBars: true,
}

// Put sets a block. The state is that of a piece that faces north: it is
// reflected and turned as the piece is.
func (b *Base) Put(p *Placer, s block.State, x, y, z int32) {
	wx, wy, wz := b.World(x, y, z)
	if !p.Inside(wx, wy, wz) || b.Fixed != nil && b.Fixed(p.BlockAt(wx, wy, wz)) {
		return
	}
	mirror, rotation := b.Facing.Turns()
	s = s.Mirror(mirror).Rotate(rotation)
	p.SetBlock(wx, wy, wz, s)
	p.FluidTick(wx, wy, wz)
	if fitted[s.Block()] {
		p.MarkShape(wx, wy, wz)
	}
}

// At returns a block, as it stands in the world.
func (b *Base) At(p *Placer, x, y, z int32) block.State {
	wx, wy, wz := b.World(x, y, z)
	if !p.Inside(wx, wy, wz) {
		return 0
	}
	return p.BlockAt(wx, wy, wz)
}

// Interior reports whether the block above lies below the floor of the sea or
// the ground, as it is before decoration.
func (b *Base) Interior(p *Placer, x, y, z int32) bool {
	wx, wy, wz := b.World(x, y+1, z)
	return p.Inside(wx, wy, wz) && int(wy) < p.oceanFloor(wx, wz)
}

// box calls f for the blocks of a box in the game's order, with whether each is
// on the box's surface.
func box(x0, y0, z0, x1, y1, z1 int32, f func(x, y, z int32, edge bool)) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			for z := z0; z <= z1; z++ {
				f(x, y, z, y == y0 || y == y1 || x == x0 || x == x1 || z == z0 || z == z1)
			}
		}
	}
}

// FillAir fills a box, its ends included, with cave air.
func (b *Base) FillAir(p *Placer, x0, y0, z0, x1, y1, z1 int32) {
	b.Fill(p, x0, y0, z0, x1, y1, z1, block.CaveAir.Default(), block.CaveAir.Default(), false)
}

// Fill fills a box: its surface with edge, the rest with inside. If keepAir is
// true blocks that are air stay so.
func (b *Base) Fill(p *Placer, x0, y0, z0, x1, y1, z1 int32, edge, inside block.State, keepAir bool) {
	box(x0, y0, z0, x1, y1, z1, func(x, y, z int32, isEdge bool) {
		if keepAir && b.At(p, x, y, z).Air() {
			return
		}
		if isEdge {
			b.Put(p, edge, x, y, z)
		} else {
			b.Put(p, inside, x, y, z)
		}
	})
}

// Chooser chooses the states of a wall, drawing from p.Random. edge is false
// for the inside of a box.
type Chooser func(p *Placer, edge bool) block.State

// FillChosen is Fill with states that are chosen for each block.
func (b *Base) FillChosen(p *Placer, x0, y0, z0, x1, y1, z1 int32, keepAir bool, choose Chooser) {
	box(x0, y0, z0, x1, y1, z1, func(x, y, z int32, isEdge bool) {
		if !keepAir || !b.At(p, x, y, z).Air() {
			b.Put(p, choose(p, isEdge), x, y, z)
		}
	})
}

// FillMaybe is Fill for each block with a chance. If interior is true only what
// lies below the ground is set.
func (b *Base) FillMaybe(p *Placer, chance float32, x0, y0, z0, x1, y1, z1 int32, edge, inside block.State, keepAir, interior bool) {
	box(x0, y0, z0, x1, y1, z1, func(x, y, z int32, isEdge bool) {
		if p.Random.Float() > chance || keepAir && b.At(p, x, y, z).Air() || interior && !b.Interior(p, x, y, z) {
			return
		}
		if isEdge {
			b.Put(p, edge, x, y, z)
		} else {
			b.Put(p, inside, x, y, z)
		}
	})
}

// PutMaybe is Put with a chance.
func (b *Base) PutMaybe(p *Placer, chance float32, s block.State, x, y, z int32) {
	if p.Random.Float() < chance {
		b.Put(p, s, x, y, z)
	}
}

// FillDome fills the upper half of a ball in a box.
func (b *Base) FillDome(p *Placer, x0, y0, z0, x1, y1, z1 int32, s block.State, keepAir bool) {
	sizeX, sizeY, sizeZ := float32(x1-x0+1), float32(y1-y0+1), float32(z1-z0+1)
	middleX, middleZ := float32(x0)+float32(sizeX/2), float32(z0)+float32(sizeZ/2)
	for y := y0; y <= y1; y++ {
		offY := float32(y-y0) / sizeY
		for x := x0; x <= x1; x++ {
			offX := (float32(x) - middleX) / float32(sizeX*0.5)
			for z := z0; z <= z1; z++ {
				offZ := (float32(z) - middleZ) / float32(sizeZ*0.5)
				if keepAir && b.At(p, x, y, z).Air() {
					continue
				}
				if float32(offX*offX)+float32(offY*offY)+float32(offZ*offZ) <= 1.05 {
					b.Put(p, s, x, y, z)
				}
			}
		}
	}
}

// ColumnDown fills from a block down to the ground: what is air, fluid, glow
// lichen or seagrass. The state is not turned.
func (b *Base) ColumnDown(p *Placer, s block.State, x, y, z int32) {
	wx, wy, wz := b.World(x, y, z)
	if !p.Inside(wx, wy, wz) {
		return
	}
	for Replaceable(p.BlockAt(wx, wy, wz)) && int(wy) > p.MinY()+1 {
		p.SetBelow(wx, wy, wz, s)
		wy--
	}
}

// Replaceable reports whether pillars of structures go through a block.
func Replaceable(s block.State) bool {
	switch s.Block() {
	case block.Water, block.Lava, block.GlowLichen, block.Seagrass, block.TallSeagrass:
		return true
	}
	return s.Air()
}

// Chest sets a chest with loot, turned by what is around it, unless there is
// one. It draws the loot's seed.
func (b *Base) Chest(p *Placer, x, y, z int32, table string) bool {
	wx, wy, wz := b.World(x, y, z)
	return p.Chest(wx, wy, wz, table)
}

// Dispenser sets a dispenser with loot, unless there is one; facing is that in
// a piece that faces north. It draws the loot's seed.
func (b *Base) Dispenser(p *Placer, x, y, z int32, facing block.Direction, table string) bool {
	wx, wy, wz := b.World(x, y, z)
	if !p.Inside(wx, wy, wz) || p.BlockAt(wx, wy, wz).Block() == block.Dispenser {
		return false
	}
	s, _ := block.Dispenser.Default().With("facing", facing.String())
	b.Put(p, s, x, y, z)
	p.AddBlockEntity(feature.BlockEntity{
		X: wx, Y: wy, Z: wz, ID: "minecraft:dispenser", LootTable: table, LootSeed: p.Random.Long(),
	})
	return true
}

// Spawner sets a spawner of an entity, such as minecraft:blaze.
func (b *Base) Spawner(p *Placer, x, y, z int32, entity string) bool {
	wx, wy, wz := b.World(x, y, z)
	return p.Spawner(wx, wy, wz, entity)
}
