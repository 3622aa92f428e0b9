package terrain

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
	"strata/region"
)

// dimension makes chunks of one dimension and seed.
type dimension struct {
	filler *Filler
	values *Values
	chunk  *proto.Chunk
}

// newDimension returns a dimension with noise settings of the game.
func newDimension(t testing.TB, id string, seed int64, minY, height int) *dimension {
	t.Helper()
	s, err := LoadSettings(oracletest.Datapack(t), id)
	if err != nil {
		t.Fatal(err)
	}
	return newDimensionOf(t, s, seed, minY, height)
}

// newDimensionOf returns a dimension with settings.
func newDimensionOf(t testing.TB, s *Settings, seed int64, minY, height int) *dimension {
	t.Helper()
	source := oracletest.Datapack(t)
	noises := noise.NewSet(seed, s.LegacyRandom, settings.Noises(source))
	loader := density.NewLoader(source, noises)
	router, err := loader.Router(s.ID, s.Router)
	if err != nil {
		t.Fatal(err)
	}
	program, err := density.Compile(loader.Graph(), router, s.ShapeIn(minY, height))
	if err != nil {
		t.Fatal(err)
	}
	return &dimension{
		filler: NewFiller(s, minY, height, noises),
		values: NewValues(program.NewChunk(), router),
		chunk:  proto.New(minY, height),
	}
}

// make fills a chunk.
func (d *dimension) make(x, z int32, beard *Beard) *proto.Chunk {
	d.values.Begin(x, z)
	d.chunk.Reset(x, z)
	d.filler.Fill(d.chunk, d.values, beard)
	return d.chunk
}

// noiseSettings are the noise settings and ranges of y of dimensions.
var noiseSettings = map[string]struct {
	id           string
	minY, height int
}{
	"overworld":  {"minecraft:overworld", -64, 384},
	"the_nether": {"minecraft:nether", 0, 256},
	"the_end":    {"minecraft:end", 0, 256},
}

// differences counts pairs of blocks that should be equal.
type differences map[string]int

func (d differences) add(want, got block.State) {
	if want != got {
		d[fmt.Sprintf("%v is %v", want, got)]++
	}
}

func (d differences) report(t *testing.T, chunk string) {
	t.Helper()
	for _, pair := range slices.Sorted(maps.Keys(d)) {
		t.Errorf("%s: %d blocks: %s", chunk, d[pair], pair)
	}
}

func TestDumpsOfTheNoiseStageAreMade(t *testing.T) {
	for _, dump := range oracletest.Dumps(t, "noise") {
		s := noiseSettings[dump.Dimension]
		c := newDimension(t, s.id, dump.Seed, s.minY, s.height).make(dump.X, dump.Z, nil)
		found := make(differences)
		for y := c.MinY; y < c.MinY+c.Height; y++ {
			for z := range 16 {
				for x := range 16 {
					found.add(dump.Block(x, y, z), c.Block(x, y, z))
				}
			}
		}
		found.report(t, dump.Name)
	}
}

// chambered are chunks that trial chambers change the ground of, whose pieces
// are not known: their start lies in a chunk that was not stored. What the
// chambers fill is all that may differ: so many blocks of stone.
var chambered = map[region.ChunkPos]int{{X: -66, Z: 174}: 277, {X: -66, Z: 175}: 86}

func TestRealChunksOfTheNoiseStageAreMade(t *testing.T) {
	tables := chunk.NewTables()
	count := 0
	for _, world := range oracletest.Worlds {
		for _, name := range oracletest.Dimensions {
			s := noiseSettings[name]
			for _, stored := range oracletest.Chunks(t, tables, world.Folder, name, "noise") {
				count++
				d := newDimension(t, s.id, world.Seed, s.minY, s.height)
				c := d.make(stored.Pos().X, stored.Pos().Z, nil)
				label := fmt.Sprintf("%s %v", world.Folder, stored.Pos())
				found := compareBlocks(stored, c)
				if n := chambered[stored.Pos()]; n > 0 && found["minecraft:stone is minecraft:air"] == n {
					delete(found, "minecraft:stone is minecraft:air")
				}
				found.report(t, label)
				compareHeights(t, label, stored, c)
				compareMarks(t, label, stored, c)
			}
		}
	}
	if count != 7 {
		t.Errorf("%d chunks, want 7", count)
	}
}

func compareBlocks(stored *chunk.Chunk, c *proto.Chunk) differences {
	found := make(differences)
	for y := c.MinY; y < c.MinY+c.Height; y++ {
		for z := range 16 {
			for x := range 16 {
				found.add(stored.Block(x, y, z), c.Block(x, y, z))
			}
		}
	}
	return found
}

func compareHeights(t *testing.T, label string, stored *chunk.Chunk, c *proto.Chunk) {
	t.Helper()
	wrong := 0
	for z := range 16 {
		for x := range 16 {
			for kind, name := range map[proto.Heightmap]chunk.Heightmap{
				proto.WorldSurface: chunk.WorldSurfaceWG, proto.OceanFloor: chunk.OceanFloorWG,
			} {
				want, ok := stored.HeightAt(name, x, z)
				if !ok {
					t.Fatalf("%s has no heights", label)
				}
				if want != c.HeightAt(kind, x, z) {
					wrong++
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d heights differ", label, wrong)
	}
}

// compareMarks compares the marks of each section, and their order.
func compareMarks(t *testing.T, label string, stored *chunk.Chunk, c *proto.Chunk) {
	t.Helper()
	marks, err := stored.Marks(chunk.PostProcessing)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(marksBySection(c, marks), ownMarks(c)); d != "" {
		t.Errorf("%s: %d marks, want %d (-want +got)\n%.800s", label, len(c.Marks), len(marks), d)
	}
}

// marksBySection lists marks by section and block.
func marksBySection(c *proto.Chunk, marks []chunk.BlockPos) map[int][]int {
	sections := make(map[int][]int)
	for _, mark := range marks {
		section := (int(mark.Y) - c.MinY) >> 4
		sections[section] = append(sections[section], c.Index(int(mark.X)&15, int(mark.Y), int(mark.Z)&15))
	}
	return sections
}

// ownMarks lists a chunk's own marks likewise.
func ownMarks(c *proto.Chunk) map[int][]int {
	sections := make(map[int][]int)
	for _, mark := range c.Marks {
		sections[int(mark)>>12] = append(sections[int(mark)>>12], int(mark))
	}
	return sections
}
