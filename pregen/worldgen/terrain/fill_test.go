package terrain

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

// slowly fills a chunk block by block, in the order of the game.
func (d *dimension) slowly(x, z int32, beard *Beard) *proto.Chunk {
	f := d.filler
	c := proto.New(d.chunk.MinY, d.chunk.Height)
	c.Reset(x, z)
	d.values.Begin(x, z)
	f.aquifer.Begin(x, z, d.values)
	f.aquifer.noise = Barrier
	width, height := f.shape.CellWidth, f.shape.CellHeight
	cells, layers := f.shape.Cells()
	for cellX := range cells {
		for cellZ := range cells {
			for cellY := layers - 1; cellY >= 0; cellY-- {
				densities := slices.Clone(d.values.Density(cellX, cellY, cellZ))
				toggles := slices.Clone(d.values.VeinToggle(cellX, cellY, cellZ))
				for inY := height - 1; inY >= 0; inY-- {
					for inX := range width {
						for inZ := range width {
							i := (inY*width+inZ)*width + inX
							d.slowBlock(c, cellX*width+inX, f.shape.FirstY()+cellY*height+inY, cellZ*width+inZ, densities[i], toggles[i], beard)
						}
					}
				}
			}
		}
	}
	return c
}

// slowBlock decides about one block.
func (d *dimension) slowBlock(c *proto.Chunk, x, y, z int, value, toggle float64, beard *Beard) {
	f := d.filler
	blockX, blockZ := int(c.X)*16+x, int(c.Z)*16+z
	if beard != nil {
		value += beard.At(blockX, y, blockZ)
	}
	state, solid, mark := f.aquifer.At(blockX, y, blockZ, value)
	if solid {
		state = f.ground
		if f.veins != nil {
			if ore, found := f.veins.At(blockX, y, blockZ, toggle, d.values); found {
				state = ore
			}
		}
	}
	if mark && state.Fluid() != block.NoFluid && y >= c.MinY && y < c.MinY+c.Height {
		c.Mark(c.Index(x, y, z))
	}
	if state != 0 {
		c.SetBlock(x, y, z, state)
	}
}

func TestFillIsWhatBlockByBlockGives(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, test := range []struct {
		name, id     string
		minY, height int
		change       func(s *Settings)
		chunks       int
	}{
		{"overworld", "overworld", -64, 384, nil, 6},
		{"amplified", "amplified", -64, 384, nil, 2},
		{"large biomes", "large_biomes", -64, 384, nil, 2},
		{"nether", "nether", 0, 256, nil, 2},
		{"end", "end", 0, 256, nil, 2},
		{"caves", "caves", -64, 384, nil, 2},
		{"floating", "floating_islands", 0, 256, nil, 2},
		{"low dimension", "overworld", 0, 128, nil, 2},
		{"high dimension", "overworld", -128, 512, nil, 2},
		{"wide cells", "overworld", -64, 384, func(s *Settings) { s.Shape.CellWidth = 16 }, 2},
		{"high cells", "overworld", -64, 384, func(s *Settings) { s.Shape.CellHeight = 16 }, 2},
		{"cells over ends", "overworld", -64, 384, func(s *Settings) { s.Shape.CellHeight, s.Shape.CellWidth = 12, 8 }, 2},
		{"lava sea", "overworld", -64, 384, func(s *Settings) { s.DefaultFluid = lava }, 2},
		{"low sea", "overworld", -64, 384, func(s *Settings) { s.SeaLevel = -58 }, 2},
		{"wet caves", "caves", -64, 384, func(s *Settings) { s.Aquifers, s.OreVeins = true, true }, 2},
		{"flooded", "overworld", -64, 384, flood, 3},
		{"above the noise", "overworld", 320, 64, nil, 1},
		{"ground of air", "overworld", -64, 384, func(s *Settings) { s.DefaultBlock = 0 }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := LoadSettings(oracletest.Datapack(t), test.id)
			if err != nil {
				t.Fatal(err)
			}
			if test.change != nil {
				test.change(s)
			}
			d := newDimensionOf(t, s, random.Int64(), test.minY, test.height)
			for i := range test.chunks {
				x, z := int32(random.IntN(1000)-500), int32(random.IntN(1000)-500)
				var beard *Beard
				if i%2 == 1 {
					beard = randomBeard(random, x, z)
				}
				compareFills(t, d.slowly(x, z, beard), d.make(x, z, beard))
			}
		})
	}
}

// flood makes all centres below the surface have the fluid of the sea, so that
// water lies over the lava.
func flood(s *Settings) {
	var router map[string]json.RawMessage
	if err := json.Unmarshal(s.Router, &router); err != nil {
		panic(err)
	}
	router["fluid_level_floodedness"] = json.RawMessage("1")
	router["lava"] = json.RawMessage("0")
	router["erosion"] = json.RawMessage("0")
	s.Router, _ = json.Marshal(router)
}

func randomBeard(random *rand.Rand, x, z int32) *Beard {
	beard := new(Beard)
	beard.Begin(x, z)
	for range 12 {
		p := randomPiece(random)
		p.Box.MinX, p.Box.MaxX = p.Box.MinX+x*16, p.Box.MaxX+x*16
		p.Box.MinZ, p.Box.MaxZ = p.Box.MinZ+z*16, p.Box.MaxZ+z*16
		beard.Add(p)
		beard.Join(Junction{x*16 + int32(random.IntN(40)-12), int32(random.IntN(100)), z*16 + int32(random.IntN(40)-12)})
	}
	return beard
}

func compareFills(t *testing.T, want, got *proto.Chunk) {
	t.Helper()
	found := make(differences)
	for i, state := range want.Blocks {
		found.add(state, got.Blocks[i])
	}
	found.report(t, "chunk")
	if !slices.Equal(want.Marks, got.Marks) {
		t.Errorf("%d marks, want %d", len(got.Marks), len(want.Marks))
	}
	for column := range 256 {
		for _, kind := range []proto.Heightmap{proto.WorldSurface, proto.OceanFloor} {
			x, z := column&15, column>>4
			if want.HeightAt(kind, x, z) != got.HeightAt(kind, x, z) {
				t.Fatalf("height of column %d, %d is %d, want %d", x, z, got.HeightAt(kind, x, z), want.HeightAt(kind, x, z))
			}
		}
	}
}

func TestFillLeavesNothingOfTheChunkBefore(t *testing.T) {
	d := newDimension(t, "overworld", 77, -64, 384)
	first := slices.Clone(d.make(100, -100, nil).Blocks)
	marks := slices.Clone(d.chunk.Marks)
	d.make(101, -100, randomBeard(rand.New(rand.NewPCG(1, 2)), 101, -100))
	if again := d.make(100, -100, nil); !slices.Equal(first, again.Blocks) || !slices.Equal(marks, again.Marks) {
		t.Error("a chunk differs the second time")
	}
}

func TestFillAllocatesNothing(t *testing.T) {
	d := newDimension(t, "overworld", 77, -64, 384)
	d.make(3, 4, nil)
	if n := testing.AllocsPerRun(3, func() { d.make(3, 4, nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestVeinsAreInTheirRange(t *testing.T) {
	d := newDimension(t, "overworld", 1234, -64, 384)
	counts := make(map[block.ID]int)
	for i := range int32(60) {
		c := d.make(i*9, i*-5, nil)
		for index, state := range c.Blocks {
			y := c.MinY + index>>8
			for _, kind := range []*vein{&copperVein, &ironVein} {
				if state != kind.ore && state != kind.raw && state != kind.around {
					continue
				}
				counts[state.Block()]++
				if int32(y) < kind.minY || int32(y) > kind.maxY {
					t.Fatalf("%v at height %d", state, y)
				}
			}
		}
	}
	if len(counts) != 6 {
		t.Errorf("blocks of veins %v", counts)
	}
}
