package building

import (
	"fmt"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// unsettled is the height of a piece that has not been placed anywhere.
const unsettled = -1

// scattered is a piece that is a structure of its own and gets its height from
// the ground when it is first placed.
type scattered struct {
	structure.Base
	sizeX, sizeY, sizeZ int32
	height              int32
}

// newScattered returns a piece at the lowest corner of the chunk that faces
// somewhere.
func newScattered(l *structure.Layouter, id string, sizeX, sizeY, sizeZ int32) scattered {
	x, z := l.MinBlock()
	facing := randomFacing(l.Random)
	return scattered{
		Base:  structure.Base{ID: id, Facing: facing, Box: structure.Oriented(x, 64, z, facing, sizeX, sizeY, sizeZ)},
		sizeX: sizeX, sizeY: sizeY, sizeZ: sizeZ, height: unsettled,
	}
}

// Save implements structure.Piece for what these pieces have in common.
func (s *scattered) Save() nbt.Compound {
	var c nbt.Compound
	c.Set("Width", s.sizeX)
	c.Set("Height", s.sizeY)
	c.Set("Depth", s.sizeZ)
	c.Set("HPos", s.height)
	return c
}

// readScattered reads what these pieces have in common. All of a kind have one
// size.
func readScattered(b structure.Base, f *structure.Fields, sizeX, sizeY, sizeZ int32) (scattered, error) {
	s := scattered{
		Base: b, sizeX: f.Int("Width"), sizeY: f.Int("Height"), sizeZ: f.Int("Depth"), height: f.Int("HPos"),
	}
	if err := f.Err(); err != nil {
		return s, err
	}
	return s, checkSize(b, sizeX, sizeY, sizeZ)
}

// checkSize returns an error unless the box of a piece has a size and the piece
// faces somewhere. It bounds what is looked through when the piece is placed.
func checkSize(b structure.Base, sizeX, sizeY, sizeZ int32) error {
	box := b.Box
	if b.Facing == structure.FacesNone || box != structure.Oriented(box.MinX, box.MinY, box.MinZ, b.Facing, sizeX, sizeY, sizeZ) {
		return fmt.Errorf("%w: BB", structure.ErrPiece)
	}
	return nil
}

// settleOnAverage moves the piece to the average height of the ground below it
// in the first chunk that it is placed in.
func (s *scattered) settleOnAverage(p *structure.Placer) bool {
	if s.height >= 0 {
		return true
	}
	total, columns := 0, 0
	for z := s.Box.MinZ; z <= s.Box.MaxZ; z++ {
		for x := s.Box.MinX; x <= s.Box.MaxX; x++ {
			if p.Inside(x, 64, z) {
				total += p.Height(chunk.MotionBlockingNoLeaves, int(x), int(z))
				columns++
			}
		}
	}
	if columns == 0 {
		return false
	}
	s.settle(int32(total/columns), 0)
	return true
}

// settleOnLowest moves the piece to the lowest ground below it, and from there.
func (s *scattered) settleOnLowest(p *structure.Placer, from int32) {
	if s.height >= 0 {
		return
	}
	lowest := p.Top()
	for z := s.Box.MinZ; z <= s.Box.MaxZ; z++ {
		for x := s.Box.MinX; x <= s.Box.MaxX; x++ {
			lowest = min(lowest, p.Height(chunk.MotionBlockingNoLeaves, int(x), int(z)))
		}
	}
	s.settle(int32(lowest), from)
}

func (s *scattered) settle(height, from int32) {
	s.height = height
	s.Move(0, height-s.Box.MinY+from, 0)
}

// single is the layout of a structure of one scattered piece of a size that
// stands above the sea.
type single struct {
	sizeX, sizeZ int32
	dry          bool // its corners must be
	piece        func(l *structure.Layouter) structure.Piece
}

// Find implements structure.Layout.
func (s *single) Find(l *structure.Layouter) (structure.Point, bool) {
	x, z := l.MinBlock()
	if s.dry && l.Lowest(x, z, s.sizeX, s.sizeZ) < l.SeaLevel {
		return structure.Point{}, false
	}
	return onTop(l, proto.WorldSurface, func(l *structure.Layouter) []structure.Piece {
		return []structure.Piece{s.piece(l)}
	})
}

// regionRandom is the random source of a chunk that is decorated that is not
// seeded by what is built.
func regionRandom(p *structure.Placer) rng.Xoroshiro {
	source := rng.NewXoroshiro(p.Seed)
	named := source.Factory().ValueHash("minecraft:worldgen_region_random")
	return named.Factory().ValueAt(p.ChunkX<<4, 0, p.ChunkZ<<4)
}
