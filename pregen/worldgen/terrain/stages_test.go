package terrain

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// ground is what the noise stage decides about a block and later stages keep:
// the stages of surface and carvers put other ground in the place of ground.
func ground(s block.State) string {
	switch {
	case s.Block() == waterBlock:
		return "water"
	case s.Block() == lavaBlock:
		return "lava"
	case s.BlocksMotion():
		return "ground"
	}
	return "open" // plants of neighbours that were decorated before count too
}

// adapting are structures that change the ground, by the start of their names.
var adapting = map[string]Adaptation{
	"minecraft:trial_chambers": Encapsulate, "minecraft:ancient_city": BeardBox, "minecraft:nether_fossil": BeardThin,
	"minecraft:village": BeardThin, "minecraft:pillager_outpost": BeardThin, "minecraft:stronghold": Bury, "minecraft:trail_ruins": Bury,
}

func adaptationOf(structure string) Adaptation {
	for start, adaptation := range adapting {
		if strings.HasPrefix(structure, start) {
			return adaptation
		}
	}
	return NoAdaptation
}

// Chunks of the carvers stage have the ground and the fluids of the noise stage
// wherever no carver was. Neighbours that are decorated write into their rim,
// so the middle counts, and a tree may reach even there.
func TestRealChunksOfTheCarversStageHaveTheGround(t *testing.T) {
	if testing.Short() {
		t.Skip("116 chunks")
	}
	tables := chunk.NewTables()
	chunks, exact, blocks, wrong, marks := 0, 0, 0, 0, 0
	var veins veinCount
	for _, world := range oracletest.Worlds {
		for _, name := range oracletest.Dimensions {
			s := noiseSettings[name]
			d := newDimension(t, s.id, world.Seed, s.minY, s.height)
			for _, stored := range oracletest.Chunks(t, tables, world.Folder, name, "carvers") {
				if isAdapted(t, stored) {
					continue
				}
				c := d.make(stored.Pos().X, stored.Pos().Z, nil)
				mask, err := stored.CarvingMask()
				if err != nil {
					t.Fatal(err)
				}
				compareFirstMarks(t, fmt.Sprintf("%s %v", world.Folder, stored.Pos()), stored, c, &marks)
				before := wrong
				for y := c.MinY; y < c.MinY+c.Height; y++ {
					for z := 4; z < 12; z++ {
						for x := 4; x < 12; x++ {
							if mask.At(x, y-c.MinY, z) {
								continue
							}
							blocks++
							if ground(stored.Block(x, y, z)) != ground(c.Block(x, y, z)) {
								wrong++
							}
						}
					}
				}
				veins.compare(stored, c, mask)
				chunks++
				if wrong == before {
					exact++
				}
			}
		}
	}
	t.Logf("%d of %d chunks are exact; %d of %d blocks differ; %d marks; veins %+v", exact, chunks, wrong, blocks, marks, veins)
	if chunks < 95 || exact*100 < chunks*80 || wrong*4000 > blocks || marks < 2000 || veins.made < 1000 || veins.right < veins.made {
		t.Error("the ground differs")
	}
}

// compareFirstMarks finds the marks of the noise stage at the beginning of those
// of each section, before those of the carvers.
func compareFirstMarks(t *testing.T, label string, stored *chunk.Chunk, c *proto.Chunk, count *int) {
	t.Helper()
	list, err := stored.Marks(chunk.PostProcessing)
	if err != nil {
		t.Fatal(err)
	}
	want := marksBySection(c, list)
	for section, marks := range ownMarks(c) {
		*count += len(marks)
		first := want[section][:min(len(marks), len(want[section]))]
		if d := cmp.Diff(first, marks); d != "" {
			t.Errorf("%s: section %d (-want +got)\n%.800s", label, section, d)
		}
	}
}

// veinCount counts the blocks of veins that are made, and those of them that
// are in the chunk of the game.
type veinCount struct{ made, right int }

func (v *veinCount) compare(stored *chunk.Chunk, c *proto.Chunk, mask chunk.CarvingMask) {
	for i, made := range c.Blocks {
		x, y, z := i&15, c.MinY+i>>8, i>>4&15
		if kindOfVein(made) == nil || mask.At(x, i>>8, z) {
			continue
		}
		v.made++
		if made == stored.Block(x, y, z) {
			v.right++
		}
	}
}

// kindOfVein is the vein that a block is of.
func kindOfVein(s block.State) *vein {
	for _, kind := range []*vein{&copperVein, &ironVein} {
		if s == kind.ore || s == kind.raw || s == kind.around {
			return kind
		}
	}
	return nil
}

// Blocks of raw ore come from veins alone, and stay.
func TestRawOreOfRealChunksIsMade(t *testing.T) {
	if testing.Short() {
		t.Skip("301 chunks")
	}
	tables := chunk.NewTables()
	chunks, raw := 0, 0
	for _, world := range oracletest.Worlds {
		d := newDimension(t, "overworld", world.Seed, -64, 384)
		for _, stored := range oracletest.Chunks(t, tables, world.Folder, "overworld", "full") {
			chunks++
			c := d.make(stored.Pos().X, stored.Pos().Z, nil)
			for i, made := range c.Blocks {
				have := stored.Block(i&15, c.MinY+i>>8, i>>4&15)
				madeRaw := kindOfVein(made) != nil && made == kindOfVein(made).raw
				haveRaw := kindOfVein(have) != nil && have == kindOfVein(have).raw
				if haveRaw {
					raw++
				}
				// A carver may have removed what was made.
				if made != have && (haveRaw || madeRaw && ground(have) == "ground") {
					t.Errorf("%s %v: %v is %v", world.Folder, stored.Pos(), have, made)
				}
			}
		}
	}
	t.Logf("%d blocks of raw ore in %d chunks", raw, chunks)
	if chunks != 301 || raw == 0 {
		t.Errorf("%d chunks have %d blocks of raw ore", chunks, raw)
	}
}

// isAdapted reports whether a structure may change the ground of a chunk.
func isAdapted(t *testing.T, c *chunk.Chunk) bool {
	t.Helper()
	references, err := c.StructureReferences()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range references {
		if adaptationOf(r.Name) != NoAdaptation {
			return true
		}
	}
	return false
}

// start is a structure start of a world's list.
type start struct {
	X, Z   int32
	ID     string
	Pieces []struct{ BB []int32 }
}

func readStarts(t *testing.T, folder, dimension string) []start {
	t.Helper()
	file, err := os.Open(testbed.Shared(t, "oracle", folder, dimension, "starts.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Starts []start }
	if err := json.NewDecoder(unpacked).Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list.Starts
}

// beardOf returns the beard of a chunk by the pieces of a list. It lacks
// junctions, which the list does not have.
func beardOf(t *testing.T, c *chunk.Chunk, starts []start) *Beard {
	t.Helper()
	references, err := c.StructureReferences()
	if err != nil {
		t.Fatal(err)
	}
	beard := new(Beard)
	beard.Begin(c.Pos().X, c.Pos().Z)
	for _, r := range references {
		for _, at := range r.Chunks {
			for _, s := range starts {
				if s.ID != r.Name || s.X != at.X || s.Z != at.Z {
					continue
				}
				for _, p := range s.Pieces {
					beard.Add(Piece{Box: Box{p.BB[0], p.BB[1], p.BB[2], p.BB[3], p.BB[4], p.BB[5]}, Adaptation: adaptationOf(r.Name)})
				}
			}
		}
	}
	return beard
}

// In real chunks beside trial chambers and nether fossils, all blocks that a
// beard turns from ground to open or the other way are so. (The chunks are those
// into which neither the structure's blocks nor carvers and plants reach there.)
func TestBeardsChangeTheGroundOfRealChunks(t *testing.T) {
	tables := chunk.NewTables()
	for _, test := range []struct {
		folder, dimension, stage string
		chunks                   map[region.ChunkPos]int // blocks that change
	}{
		{"paper-c", "overworld", "carvers", map[region.ChunkPos]int{{X: 35, Z: 249}: 754, {X: 33, Z: 252}: 826}},
		{"paper-c", "overworld", "full", map[region.ChunkPos]int{{X: -69, Z: 150}: 604, {X: 39, Z: 218}: 240}},
		{"vanilla-a", "overworld", "full", map[region.ChunkPos]int{{X: 202, Z: -197}: 411, {X: 147, Z: -200}: 12}},
		{"paper-c", "the_nether", "full", map[region.ChunkPos]int{{X: -119, Z: 44}: 196, {X: -118, Z: 43}: 49, {X: -119, Z: 43}: 10}},
		{"vanilla-a", "the_nether", "full", map[region.ChunkPos]int{{X: 45, Z: -66}: 120, {X: 45, Z: -67}: 35}},
	} {
		starts := readStarts(t, test.folder, test.dimension)
		s := noiseSettings[test.dimension]
		seed := seedOf(t, test.folder)
		with, without := newDimension(t, s.id, seed, s.minY, s.height), newDimension(t, s.id, seed, s.minY, s.height)
		seen := 0
		for _, stored := range oracletest.Chunks(t, tables, test.folder, test.dimension, test.stage) {
			x, z := stored.Pos().X, stored.Pos().Z
			want, listed := test.chunks[stored.Pos()]
			if !listed {
				continue
			}
			seen++
			c, bare := with.make(x, z, beardOf(t, stored, starts)), without.make(x, z, nil)
			changed, right := 0, 0
			for i, state := range c.Blocks {
				if ground(state) == ground(bare.Blocks[i]) {
					continue
				}
				changed++
				if ground(state) == ground(stored.Block(i&15, c.MinY+i>>8, i>>4&15)) {
					right++
				}
			}
			if changed != want || right != want {
				t.Errorf("%s %s %v: %d blocks change, %d of them rightly, want %d", test.folder, test.dimension, stored.Pos(), changed, right, want)
			}
		}
		if seen != len(test.chunks) {
			t.Errorf("%s %s: %d chunks, want %d", test.folder, test.dimension, seen, len(test.chunks))
		}
	}
}

func seedOf(t *testing.T, folder string) int64 {
	t.Helper()
	for _, world := range oracletest.Worlds {
		if world.Folder == folder {
			return world.Seed
		}
	}
	t.Fatalf("no world %s", folder)
	return 0
}
