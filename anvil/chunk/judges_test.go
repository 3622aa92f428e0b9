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

// judgedVersions are those whose chunks are made by prismarine-provider-anvil.
var judgedVersions = []string{"1.14.4", "1.15.2", "1.16.5", "1.17.1", "1.18.2", "1.20.6"}

// judgedChunks is how many chunks of each version there are.
const judgedChunks = 50

// TestLibraryAndWeReadEachOthersChunks: another implementation writes chunks
// of every form, we read in them what it was told; we write them, some of them
// edited, and it reads what ours hold.
func TestLibraryAndWeReadEachOthersChunks(t *testing.T) {
	for i, version := range judgedVersions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			judgeVersion(t, version, rand.New(rand.NewPCG(uint64(testbed.Seed(t)), uint64(i))))
		})
	}
}

func judgeVersion(t *testing.T, version string, r *rand.Rand) {
	world, numbering, err := clients.StartChunks(t).Open(version)
	if err != nil {
		t.Fatal(err)
	}
	s := newSpeaker(numbering.States, numbering.Biomes, -4, 24)
	if numbering.HasLevel() {
		s.low, s.count, s.columns = 0, 16, version == "1.14.4"
	}
	n := judgedChunks
	if testing.Short() {
		n = 5
	}
	d := newDealer(r, s, numbering.HasLevel(), len(numbering.States))
	told, counts := make([]clients.Chunk, n), tally{}
	for i := range told {
		told[i] = d.chunk(i%10-5, i/10-2, len(d.pack)/judgedChunks)
		for _, deviation := range numbering.WriteDeviations(told[i]) {
			if deviation != clients.IntsFromZero {
				t.Fatalf("chunk %d runs into %s", i, deviation)
			}
		}
	}
	dir := t.TempDir()
	if err := world.Write(dir, told); err != nil {
		t.Fatal(err)
	}
	chunks, err := readFolder(dir, chunk.NewDecoder(s.tables), positions(told))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		got, err := s.chunk(c, false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := clients.DiffChunks(got, told[i]); diff != "" {
			t.Fatalf("we read: %s", diff)
		}
		if !c.Full() {
			t.Errorf("chunk %v is %s, not full", c.Pos(), c.StatusName())
		}
	}
	counts.add(told)
	t.Logf("of the library we read %v, %d of %d states", counts, len(d.dealt), len(d.pack))
	if !testing.Short() && len(d.dealt) != len(d.pack) {
		t.Errorf("%d states of %d occur", len(d.dealt), len(d.pack))
	}
	edited := editHalf(t, r, s, chunks, told)
	readBack(t, world, chunks, told, edited)
}

// editHalf edits every other chunk and what should be in it.
func editHalf(t *testing.T, r *rand.Rand, s *speaker, chunks []*chunk.Chunk, want []clients.Chunk) (edited int) {
	t.Helper()
	numbers := slices.Sorted(maps.Keys(s.states))
	for i := 0; i < len(chunks); i += 2 {
		e := editor{Rand: r, t: t, speaker: s, numbers: numbers, c: chunks[i], want: &want[i]}
		e.edit()
		edited++
	}
	return edited
}

// readBack has the judge read chunks that we write.
func readBack(t *testing.T, world *clients.ChunkWorld, chunks []*chunk.Chunk, want []clients.Chunk, edited int) {
	t.Helper()
	dir := t.TempDir()
	if err := writeFolder(dir, chunks); err != nil {
		t.Fatal(err)
	}
	judgeReads(t, world, dir, want)
	var counts tally
	counts.add(want)
	t.Logf("of us the library read %v, %d chunks edited", counts, edited)
}

// TestLibraryReadsOurChunksOf26: nothing but our own code writes chunks of
// 26.2 so far, but a library that is told the blocks of 26.2 can read them.
func TestLibraryReadsOurChunksOf26(t *testing.T) {
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
		s.states[uint16(state)], s.said[state] = state, uint16(state)
	}
	at := everyChunk(t, dir)
	if testing.Short() {
		at = at[:10]
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
	readBack(t, world, chunks, want, 0)
	var few []*chunk.Chunk
	var wantFew []clients.Chunk
	for i := 0; i < len(chunks); i += 3 {
		few, wantFew = append(few, chunks[i]), append(wantFew, want[i])
	}
	numbers := slices.Collect(maps.Keys(s.states))
	slices.Sort(numbers)
	for i := range few {
		e := editor{Rand: r, t: t, speaker: s, numbers: numbers, c: few[i], want: &wantFew[i]}
		e.edit()
	}
	readBack(t, world, few, wantFew, len(few))
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
