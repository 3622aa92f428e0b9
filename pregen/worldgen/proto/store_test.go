package proto_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/proto"
)

// members lists the members of a chunk as it is written.
func members(t *testing.T, c *chunk.Chunk) (names []string) {
	t.Helper()
	var encoder chunk.Encoder
	data, err := encoder.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	for name := range tape.Root().Members() {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}

// A real chunk that is loaded and stored is what it was, but for heightmaps
// that the game does not write, and structures and ticks of neighbours.
func TestStoredChunksAreTheGames(t *testing.T) {
	compared := 0
	for _, stage := range []string{"noise", "carvers"} {
		for _, dimension := range oracletest.Dimensions {
			tables := chunk.NewTables()
			var numbers []chunk.Biome
			index := func(b chunk.Biome) (proto.Biome, error) {
				for int(b) >= len(numbers) {
					numbers = append(numbers, chunk.Biome(len(numbers)))
				}
				return proto.Biome(b), nil
			}
			for _, saved := range oracletest.Chunks(t, tables, "vanilla-a", dimension, stage) {
				scratch := proto.New(saved.MinY(), saved.Height())
				if err := scratch.Load(saved, index); err != nil {
					t.Fatal(err)
				}
				form := proto.Form{Tables: tables, Biomes: numbers, DataVersion: saved.DataVersion()}
				again, err := scratch.Store(form, saved.Status())
				if err != nil {
					t.Fatal(err)
				}
				compare(t, saved, again)
				compared++
			}
		}
	}
	if compared < 40 {
		t.Errorf("compared only %d chunks", compared)
	}
}

func compare(t *testing.T, want, got *chunk.Chunk) {
	t.Helper()
	// The oracle was stripped of these.
	optional := func(name string) bool {
		return name == "block_entities" || name == "entities" || name == "LastUpdate"
	}
	wanted, have := slices.DeleteFunc(members(t, want), optional), slices.DeleteFunc(members(t, got), optional)
	if diff := cmp.Diff(wanted, have); diff != "" {
		t.Errorf("chunk %v at %s has other members (-game +ours):\n%s", want.Pos(), want.StatusName(), diff)
	}
	var a, b [chunk.SectionCells]uint16
	low, high := want.Range()
	for y := low; y < high; y++ {
		for i := range a {
			x, z, y := i&15, i>>4&15, int(y)<<4+i>>8
			a[i], b[i] = uint16(want.Block(x, y, z)), uint16(got.Block(x, y, z))
		}
		if a != b {
			t.Errorf("chunk %v: section %d differs", want.Pos(), y)
		}
		var biomesA, biomesB [chunk.BiomeCells]chunk.Biome
		if !want.SectionBiomes(y, &biomesA) || !got.SectionBiomes(y, &biomesB) || biomesA != biomesB {
			t.Errorf("chunk %v: biomes of section %d differ", want.Pos(), y)
		}
	}
	maskA, errA := want.CarvingMask()
	maskB, errB := got.CarvingMask()
	if errA != nil || errB != nil || !slices.Equal(maskA, maskB) {
		t.Errorf("chunk %v: carving masks differ (%v, %v)", want.Pos(), errA, errB)
	}
	marksA, errA := want.Marks(chunk.PostProcessing)
	marksB, errB := got.Marks(chunk.PostProcessing)
	if errA != nil || errB != nil || !slices.Equal(marksA, marksB) {
		t.Errorf("chunk %v: marks differ (%v, %v)", want.Pos(), errA, errB)
	}
	for _, kind := range []chunk.Heightmap{chunk.WorldSurfaceWG, chunk.OceanFloorWG} {
		for column := range 256 {
			y, ok := want.HeightAt(kind, column&15, column>>4)
			if have, _ := got.HeightAt(kind, column&15, column>>4); ok && y != have {
				t.Fatalf("chunk %v: %v differs", want.Pos(), kind)
			}
		}
	}
}

func TestEarlyStatusesHoldLess(t *testing.T) {
	scratch := proto.New(-64, 384)
	scratch.Reset(5, -6)
	scratch.SetBlock(1, 2, 3, 1)
	scratch.Carve(77)
	tables := chunk.NewTables()
	biome, err := tables.Biomes.InternString("minecraft:desert")
	if err != nil {
		t.Fatal(err)
	}
	form := proto.Form{Tables: tables, Biomes: []chunk.Biome{biome}, DataVersion: 4903}
	for status, want := range map[chunk.Status]int{chunk.StatusEmpty: 0, chunk.StatusBiomes: 1, chunk.StatusSurface: 2, chunk.StatusCarvers: 3} {
		c, err := scratch.Store(form, status)
		if err != nil {
			t.Fatal(err)
		}
		mask, err := c.CarvingMask()
		if err != nil {
			t.Fatal(err)
		}
		have := 0
		if b, ok := c.Biome(0, 0, 0); ok && b == biome {
			have++
		}
		if c.Block(1, 2, 3) == 1 {
			have++
		}
		if len(mask) > 0 {
			have++
		}
		if have != want || c.Status() != status {
			t.Errorf("%v holds %d of blocks, biomes and mask, want %d", c.Status(), have, want)
		}
	}
	form.Biomes = nil
	if _, err := scratch.Store(form, chunk.StatusBiomes); err == nil {
		t.Error("a biome without a number was stored")
	}
}
