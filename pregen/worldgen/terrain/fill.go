package terrain

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/proto"
)

// Filler fills chunks of one dimension with what the noise stage puts there. It
// is scratch for one worker.
type Filler struct {
	ground  block.State
	aquifer *Aquifer
	veins   *Veins // nil where there are none
	shape   density.Shape

	// Of the chunk that is being filled.
	chunk    *proto.Chunk
	values   Densities
	beard    *Beard // nil where no piece is near
	surfaces [256]int16
	floors   [256]int16

	// Of the cell that is being filled.
	toggles  []float64
	bearded  []float64 // densities with beards
	marks    []uint64  // a bit for each block, in the order of the game
	marked   bool
	vicinity vicinity
	column   column
}

// NewFiller returns the filler of a dimension with settings and a seed. The
// range of y of its chunks is minY and height.
func NewFiller(s *Settings, minY, height int, noises *noise.Set) *Filler {
	shape := s.ShapeIn(minY, height)
	blocks := shape.CellWidth * shape.CellWidth * shape.CellHeight
	f := &Filler{
		ground:  s.DefaultBlock,
		aquifer: NewAquifer(s, shape, noises),
		shape:   shape,
		toggles: make([]float64, blocks),
		bearded: make([]float64, blocks),
		marks:   make([]uint64, (blocks+63)/64),
	}
	if s.OreVeins {
		f.veins = NewVeins(noises)
	}
	return f
}

// Shape is the shape of the noise within the dimension.
func (f *Filler) Shape() density.Shape { return f.shape }

// Aquifer is the filler's aquifer.
func (f *Filler) Aquifer() *Aquifer { return f.aquifer }

// Fill writes the blocks, heights and marks of a chunk that has been reset.
// values are those of the chunk, and beard has the pieces near it; a nil beard
// is one without. The aquifer then stands at the chunk, for the carvers, and
// asks values until its next Begin.
func (f *Filler) Fill(c *proto.Chunk, values Densities, beard *Beard) {
	f.aquifer.Begin(c.X, c.Z, values)
	f.aquifer.noise = Barrier
	if beard != nil && beard.Empty() {
		beard = nil
	}
	for i := range f.surfaces {
		f.surfaces[i], f.floors[i] = int16(c.MinY), int16(c.MinY)
	}
	f.chunk, f.values, f.beard = c, values, beard
	values.Corners(f.aquifer.signFrom())
	cells, layers := f.shape.Cells()
	width, height, lowest := f.shape.CellWidth, f.shape.CellHeight, f.shape.FirstY()
	for cellX := range cells {
		for cellZ := range cells {
			for cellY := layers - 1; cellY >= 0; cellY-- {
				f.fill(&cell{
					indexX: cellX, indexY: cellY, indexZ: cellZ,
					x: cellX * width, y: lowest + cellY*height, z: cellZ * width,
				})
			}
		}
	}
	f.aquifer.noise = BarrierAlone
	f.chunk, f.values, f.beard = nil, nil, nil
	for z := range 16 {
		for x := range 16 {
			c.SetHeight(proto.WorldSurface, x, z, int(f.surfaces[z<<4|x]))
			c.SetHeight(proto.OceanFloor, x, z, int(f.floors[z<<4|x]))
		}
	}
}
