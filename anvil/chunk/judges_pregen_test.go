package chunk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/datapack"
	"strata/anvil/store"
	"strata/bench/clients"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
)

// TestLibraryReadsGeneratedWorlds: every chunk of a run, the half-generated ones
// around it too. The longer form is a whole world of 65 by 65 chunks, with a
// village in its middle.
func TestLibraryReadsGeneratedWorlds(t *testing.T) {
	radius := int32(1)
	if os.Getenv("STRATA_LONG_RUNS") != "" {
		radius = 32
	}
	biomes := make([]string, chunk.NewBiomes().Len())
	for i := range biomes {
		biomes[i] = chunk.NewBiomes().Name(chunk.Biome(i))
	}
	world, states, err := clients.StartChunks(t).Define("26.2", blocksReport(t), biomes)
	if err != nil || states != block.StateCount {
		t.Fatalf("%d states: %v", states, err)
	}
	folder := generated(t, radius)
	decoder := chunk.NewDecoder(chunk.NewTables())
	at := everyChunk(t, folder)
	read := newSpeaker(nil, biomes, -4, 24)
	for state := range block.State(block.StateCount) {
		read.numbers[state.String()] = uint16(state)
		read.states[uint16(state)], read.said[state] = state, int32(state)
	}
	full := 0
	var counts tally
	for len(at) > 0 {
		some := at[:min(len(at), 20*judgedBatch)]
		at = at[len(some):]
		chunks, err := readFolder(folder, decoder, some)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]clients.Chunk, len(chunks))
		for i, c := range chunks {
			if want[i], err = read.chunk(c, true); err != nil {
				t.Fatal(err)
			}
			if c.Full() {
				full++
			}
		}
		part := judgeReads(t, world, &clients.Numbering{}, folder, want)
		counts.chunks += part.chunks
		counts.biomes += part.biomes
		counts.blocks += part.blocks
		counts.light += part.light
	}
	t.Logf("the library read %v, %d of the chunks full", counts, full)
	if side := int(2*radius + 1); full != side*side || counts.chunks < (side+2)*(side+2) {
		t.Errorf("%d chunks, %d of them full", counts.chunks, full)
	}
}

// generated makes a world with a village, and returns its folder of regions.
func generated(t *testing.T, radius int32) string {
	t.Helper()
	const seed = 2026
	dir := filepath.Join(t.TempDir(), "world")
	created, err := anvil.Create(dir, anvil.CreateOptions{Seed: seed})
	if err == nil {
		err = created.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(dir, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pack, err := datapack.Open(structuretest.Jar(t), datapack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	generators, _, err := gen.Open(w, gen.OpenOptions{Game: pack, Structures: all.New})
	if err != nil {
		t.Fatal(err)
	}
	defer generators.Close()
	tables := chunk.NewTables()
	generator, err := generators.NewGenerator(anvil.Overworld, chunk.StatusFull, tables)
	if err != nil {
		t.Fatal(err)
	}
	area, err := plan.NewArea(plan.Square, plan.Block{X: 400, Z: -192}, plan.Radius{X: radius, Z: radius})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(opened, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := pregen.Run(t.Context(), st, pregen.Options{
		Seed: seed, Until: chunk.StatusFull, Tables: tables,
		Targets: []pregen.Target{{Dimension: anvil.Overworld, Area: area, Generator: generator}},
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	if report.Failed != 0 || report.LeftToGame != 0 {
		t.Fatalf("%+v", report)
	}
	return filepath.Join(dir, "dimensions", "minecraft", "overworld", "region")
}
