package underground

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// treasure is the structure type buried_treasure.
type treasure struct{}

func newTreasure(*structure.Loader, provider.Value) (structure.Layout, error) {
	return treasure{}, nil
}

const (
	treasureID = "minecraft:btp"
	treasureY  = 90 // until its chest is placed
)

// Find implements structure.Layout. The biome is asked for where the ground
// is, the chest may lie deeper.
func (t treasure) Find(l *structure.Layouter) (structure.Point, bool) {
	x, z := l.MiddleBlock()
	return structure.Point{X: x, Y: l.Height(proto.OceanFloor, x, z) - 1, Z: z, Pieces: t.pieces}, true
}

func (treasure) pieces(l *structure.Layouter) []structure.Piece {
	x, z := l.MinBlock()
	x, z = x+9, z+9
	return []structure.Piece{&chest{structure.Base{
		ID: treasureID, Box: structure.Box{MinX: x, MinY: treasureY, MinZ: z, MaxX: x, MaxY: treasureY, MaxZ: z},
	}}}
}

// chest is the piece of a treasure. Its box moves to the chest once that is
// placed; it lies in one chunk.
type chest struct{ structure.Base }

// Save implements structure.Piece.
func (c *chest) Save() nbt.Compound { return nil }

// Place implements structure.Piece.
func (c *chest) Place(p *structure.Placer) {
	x, z := c.Box.MinX, c.Box.MinZ
	for y := int32(p.Height(chunk.OceanFloorWG, int(x), int(z))); int(y) > p.MinY(); y-- {
		ground := p.BlockAt(x, y-1, z)
		switch ground {
		case block.Sandstone.Default(), block.Stone.Default(), block.Andesite.Default(),
			block.Granite.Default(), block.Diorite.Default():
			c.bury(p, x, y, z, ground)
			return
		}
	}
}

// bury places the chest, and blocks around where there is none.
func (c *chest) bury(p *structure.Placer, x, y, z int32, ground block.State) {
	cover := p.BlockAt(x, y, z)
	if open(cover) {
		cover = block.Sand.Default()
	}
	for side := block.Down; side <= block.East; side++ {
		dx, dy, dz := side.Step()
		if !open(p.BlockAt(x+dx, y+dy, z+dz)) {
			continue
		}
		s := cover
		if side != block.Up && open(p.BlockAt(x+dx, y+dy-1, z+dz)) {
			s = ground
		}
		p.SetBlock(x+dx, y+dy, z+dz, s)
	}
	c.Box = structure.Box{MinX: x, MinY: y, MinZ: z, MaxX: x, MaxY: y, MaxZ: z}
	p.Chest(x, y, z, "minecraft:chests/buried_treasure")
}

// open reports whether a block is air or the source of a fluid.
func open(s block.State) bool {
	return s.Air() || s == block.Water.Default() || s == block.Lava.Default()
}
