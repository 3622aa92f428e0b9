package chunk_test

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/clients"
	"strata/bench/testbed"
)

// fixtureVersions are those of which the provider has a region file that the
// game wrote, for its own tests.
var fixtureVersions = []string{"1.13.2", "1.14.4", "1.16", "1.17.1", "1.18.2", "1.20.6", "1.21.1"}

// TestLibraryAndWeReadChunksOfTheGameAlike: random chunks say nothing of what
// the game has in them, and both of us could take them wrong in one way.
func TestLibraryAndWeReadChunksOfTheGameAlike(t *testing.T) {
	t.Parallel()
	for _, version := range fixtureVersions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			judgeFixture(t, version)
		})
	}
}

func judgeFixture(t *testing.T, version string) {
	judge := clients.StartChunks(t)
	world, numbering, err := judge.Open(version)
	if err != nil {
		t.Fatal(err)
	}
	s := newSpeaker(numbering.States, numbering.Biomes, -4, 24)
	s.misread = numbering.Misread
	if numbering.HasLevel() {
		s.low, s.count, s.columns = 0, 16, hasColumns(version)
	}
	dir := judge.Fixture(t, version)
	chunks, err := readFolder(dir, chunk.NewDecoder(s.tables), everyChunk(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	chunks, full := fixtureChunks(chunks, numbering.HasLevel())
	want := make([]clients.Chunk, len(chunks))
	for i, c := range chunks {
		if want[i], err = s.chunk(c, true); err != nil {
			t.Fatal(err)
		}
	}
	counts := judgeReads(t, world, numbering, dir, want)
	t.Logf("of the game we both read %v, %d chunks full, with %d different states", counts, full, s.met)
	if full == 0 || s.met < 10 {
		t.Error("that is too few")
	}
	readBack(t, world, numbering, chunks, want, 0)
}

// fixtureChunks picks some of the chunks, most of them full ones, from all
// over the region, and says how many are full. In the form with Level others
// lack biomes and light, which the provider cannot read.
func fixtureChunks(chunks []*chunk.Chunk, fullOnly bool) (picked []*chunk.Chunk, full int) {
	limit := 40
	if testing.Short() {
		limit = 8
	}
	var rest []*chunk.Chunk
	for _, c := range chunks {
		if c.Full() {
			picked = append(picked, c)
		} else if !fullOnly {
			rest = append(rest, c)
		}
	}
	picked = spread(picked, limit*3/4)
	return append(picked, spread(rest, limit/4)...), len(picked)
}

// spread returns at most n elements, at even steps.
func spread[E any](list []E, n int) []E {
	if len(list) <= n {
		return list
	}
	some := make([]E, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}

// TestLibraryReadsOurChunksOf26: the provider does not know the version, but
// prismarine-chunk can read its chunks when it is told the blocks.
func TestLibraryReadsOurChunksOf26(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, 100)
	for i := range chunk.NewBiomes().Len() {
		names = append(names, chunk.NewBiomes().Name(chunk.Biome(i)))
	}
	folders := []string{"vanilla-a", "fabric-b", "paper-c"}
	var paths []string
	for _, folder := range folders {
		paths = append(paths, testbed.Shared(t, "oracle", folder, "overworld", "full"))
	}
	world, states, err := clients.StartChunks(t).Define("26.2", blocksReport(t), names)
	if err != nil {
		t.Fatal(err)
	}
	if states != block.StateCount {
		t.Fatalf("the report has %d states, we %d", states, block.StateCount)
	}
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 262))
	for i, dir := range paths {
		t.Run(folders[i], func(t *testing.T) { judge26(t, world, names, dir, r) })
	}
}

// judge26 has the judge read the chunks of a folder as we write them, and a
// third of them once more after edits.
func judge26(t *testing.T, world *clients.ChunkWorld, biomes []string, dir string, r *rand.Rand) {
	s := newSpeaker(nil, biomes, -4, 24)
	for state := range block.State(block.StateCount) {
		// The numbers of the report are those of the native table.
		s.numbers[state.String()] = uint16(state)
		s.states[uint16(state)], s.said[state] = state, int32(state)
	}
	at := everyChunk(t, dir)
	if testing.Short() {
		at = spread(at, 10)
	}
	chunks, err := readFolder(dir, chunk.NewDecoder(s.tables), at)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]clients.Chunk, len(chunks))
	for i, c := range chunks {
		if want[i], err = s.chunk(c, true); err != nil {
			t.Fatal(err)
		}
	}
	readBack(t, world, &clients.Numbering{}, chunks, want, 0)
	var few []*chunk.Chunk
	var wantFew []clients.Chunk
	for i := 0; i < len(chunks); i += 3 {
		few, wantFew = append(few, chunks[i]), append(wantFew, want[i])
	}
	numbers := slices.Sorted(maps.Keys(s.states))
	for i := range few {
		e := editor{Rand: r, t: t, speaker: s, numbers: numbers, c: few[i], want: &wantFew[i]}
		e.edit()
	}
	readBack(t, world, &clients.Numbering{}, few, wantFew, len(few))
}

// blocksReport returns the game's report of the blocks of 26.2.
func blocksReport(t *testing.T) json.RawMessage {
	t.Helper()
	f, err := os.Open(testbed.Shared(t, "reference", "vanilla-reports-26.2.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for archive := tar.NewReader(z); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			t.Fatal("the archive has no blocks.min.json")
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(head.Name) != "blocks.min.json" {
			continue
		}
		report, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
}
