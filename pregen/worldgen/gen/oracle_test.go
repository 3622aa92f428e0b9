package gen_test

import (
	"fmt"
	"strings"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

const native = 4903

// worldOf makes the generators of a normal world.
func worldOf(t testing.TB, seed int64, dataVersion int32) *gen.World {
	t.Helper()
	source, err := settings.Builtin(dataVersion)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, source, created, dataVersion)
}

func newWorld(t testing.TB, source settings.Source, created level.GenSettings, dataVersion int32) *gen.World {
	t.Helper()
	w, err := gen.New(gen.Options{Source: source, Settings: created, DataVersion: dataVersion})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func dimensionOf(t testing.TB, w *gen.World, id string) *gen.Dimension {
	t.Helper()
	d, err := w.Dimension("minecraft:" + id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDumpsAreExact(t *testing.T) {
	makers := make(map[string]*gen.Maker)
	chunks := make(map[string]*proto.Chunk)
	for _, stage := range []string{"noise", "surface"} {
		for _, dump := range oracletest.Dumps(t, stage) {
			key := fmt.Sprint(dump.Seed, dump.Dimension)
			if makers[key] == nil {
				d := dimensionOf(t, worldOf(t, dump.Seed, native), dump.Dimension)
				makers[key], chunks[key] = d.NewMaker(), d.New()
			}
			c := chunks[key]
			c.Reset(dump.X, dump.Z)
			if err := makers[key].Advance(c, chunk.StatusEmpty, chunk.ParseStatus(stage)); err != nil {
				t.Fatal(err)
			}
			compareDump(t, dump, c, makers[key])
		}
	}
}

// compareDump compares a chunk with a dump. Where two biomes are equally near,
// the dumps have the one that the game met last, which package surface tests;
// here the columns near such cells may differ.
func compareDump(t *testing.T, dump *oracletest.Dump, c *proto.Chunk, maker *gen.Maker) {
	t.Helper()
	tied := make(map[int]bool) // columns of quarter cells around the chunk
	for x := -1; x <= 1; x++ {
		for z := -1; z <= 1; z++ {
			beside := &proto.Chunk{X: c.X + int32(x), Z: c.Z + int32(z), MinY: c.MinY, Height: c.Height, Biomes: make([]proto.Biome, len(c.Biomes))}
			for _, cell := range maker.Ties(beside) {
				tied[(x*4+cell&3+4)*100+z*4+cell>>2&3+4] = true
			}
		}
	}
	wrong, unsettled, pairs := 0, 0, make(map[string]int)
	for i, got := range c.Blocks {
		x, z, y := i&15, i>>4&15, c.MinY+i>>8
		want := dump.Block(x, y, z)
		if want == got {
			continue
		}
		near := false
		for dx := -1; dx <= 1; dx++ {
			for dz := -1; dz <= 1; dz++ {
				near = near || tied[(x>>2+dx+4)*100+z>>2+dz+4]
			}
		}
		if near && dump.Stage == "surface" {
			unsettled++
			continue
		}
		wrong++
		pairs[want.String()+" is "+got.String()]++
	}
	if wrong > 0 || unsettled > 100 {
		t.Errorf("%s: %d wrong blocks, %d near ties: %v", dump.Name, wrong, unsettled, pairs)
	}
}

// score counts what real chunks and ours differ in.
type score struct {
	chunks, exact, wrong, inner, innerWrong, columns, columnsExact, masks, masksEqual, biomes, biomesWrong int
	pairs                                                                                                  map[string]int
}

func TestRealChunks(t *testing.T) {
	for _, world := range oracletest.Worlds {
		version := int32(native)
		if strings.HasSuffix(world.Folder, "26.1.2") {
			version = 4790
		}
		w := worldOf(t, world.Seed, version)
		for _, dimension := range oracletest.Dimensions {
			var maker *gen.Maker
			var d *gen.Dimension
			for _, stage := range []string{"biomes", "noise", "carvers"} {
				tables := chunk.NewTables()
				s := score{pairs: make(map[string]int)}
				for _, saved := range oracletest.Chunks(t, tables, world.Folder, dimension, stage) {
					if maker == nil {
						d = dimensionOf(t, w, dimension)
						maker = d.NewMaker()
					}
					c := d.New()
					c.Reset(saved.Pos().X, saved.Pos().Z)
					if err := maker.Advance(c, chunk.StatusEmpty, saved.Status()); err != nil {
						t.Fatal(err)
					}
					s.compare(t, c, saved, d, tables)
				}
				if s.chunks > 0 {
					t.Logf("%s %s %s: %d chunks, %d exact, %d wrong blocks; inner %d of %d wrong, %d of %d columns exact; masks %d of %d; biomes %d of %d wrong; %v",
						world.Folder, dimension, stage, s.chunks, s.exact, s.wrong, s.innerWrong, s.inner, s.columnsExact, s.columns, s.masksEqual, s.masks, s.biomesWrong, s.biomes, s.pairs)
					if s.biomesWrong > 0 || s.masksEqual != s.masks || stage == "biomes" && s.exact != s.chunks {
						t.Errorf("%s %s %s: biomes, masks or empty chunks are not the game's", world.Folder, dimension, stage)
					}
				}
			}
		}
	}
}

func (s *score) compare(t *testing.T, c *proto.Chunk, saved *chunk.Chunk, d *gen.Dimension, tables *chunk.Tables) {
	t.Helper()
	s.chunks++
	wrong := 0
	for z := range 16 {
		for x := range 16 {
			inner := x >= 4 && x < 12 && z >= 4 && z < 12
			exact := true
			for y := c.MinY; y < c.MinY+c.Height; y++ {
				want, got := saved.Block(x, y, z), c.Block(x, y, z)
				if inner {
					s.inner++
				}
				if want != got {
					wrong++
					exact = false
					if inner {
						s.innerWrong++
						s.pairs[want.String()+" is "+got.String()]++
					}
				}
			}
			if inner {
				s.columns++
				if exact {
					s.columnsExact++
				}
			}
		}
	}
	if s.wrong += wrong; wrong == 0 {
		s.exact++
	}
	for y := c.MinY; y < c.MinY+c.Height; y += 4 {
		for z := 0; z < 16; z += 4 {
			for x := 0; x < 16; x += 4 {
				s.biomes++
				want, _ := saved.Biome(x, y, z)
				if tables.Biomes.Name(want) != d.Biomes()[c.Biomes[c.BiomeIndex(x, y, z)]] {
					s.biomesWrong++
				}
			}
		}
	}
	if mask, err := saved.CarvingMask(); err != nil {
		t.Fatal(err)
	} else if saved.Status() == chunk.StatusCarvers {
		s.masks++
		equal := true
		for i, word := range c.Carved {
			if i < len(mask) && mask[i] != word || i >= len(mask) && word != 0 {
				equal = false
			}
		}
		if equal {
			s.masksEqual++
		}
	}
}
