package chunk_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/anvil/chunk"
	"strata/bench/clients"
	"strata/bench/testbed"
)

// judgedVersions are those whose chunks are made by prismarine-provider-anvil.
var judgedVersions = []string{"1.14.4", "1.15.2", "1.16.5", "1.17.1", "1.18.2", "1.20.6"}

const (
	// judgedChunks is how many chunks of each version there are.
	judgedChunks = 50
	// judgedBatch is how many chunks the judge is asked about at once, so that
	// it answers in time on a busy machine too.
	judgedBatch = 10
)

// TestLibraryAndWeReadEachOthersChunks: another implementation writes chunks
// of every form, we read in them what it was told; we write them, some of them
// edited, and it reads what ours hold.
func TestLibraryAndWeReadEachOthersChunks(t *testing.T) {
	t.Parallel()
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
		s.low, s.count, s.columns = 0, 16, hasColumns(version)
	}
	n := judgedChunks
	if testing.Short() {
		n = 5
	}
	d := newDealer(r, s, numbering.HasLevel(), len(numbering.States))
	told, counts := make([]clients.Chunk, n), tally{}
	for i := range told {
		told[i] = d.chunk(i%10-5, i/10-2, len(d.pack)/judgedChunks)
		if met := numbering.WriteDeviations(told[i]); len(met) != 0 {
			t.Fatalf("chunk %d runs into %v", i, met)
		}
	}
	dir := t.TempDir()
	for part := range slices.Chunk(told, judgedBatch) {
		if err := world.Write(dir, part); err != nil {
			t.Fatal(err)
		}
	}
	chunks, err := readFolder(dir, chunk.NewDecoder(s.tables), positions(told))
	if err != nil {
		t.Fatal(err)
	}
	inFile := make([]clients.Chunk, n)
	for i, c := range chunks {
		inFile[i] = numbering.OnDisk(told[i])
		got, err := s.chunk(c, false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := clients.DiffChunks(got, inFile[i]); diff != "" {
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
	edited := editHalf(t, r, s, chunks, inFile)
	readBack(t, world, numbering, chunks, inFile, edited)
}

// hasColumns reports whether a version gives biomes by column.
func hasColumns(version string) bool { return version == "1.13.2" || version == "1.14.4" }

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
func readBack(t *testing.T, world *clients.ChunkWorld, numbering *clients.Numbering, chunks []*chunk.Chunk, want []clients.Chunk, edited int) {
	t.Helper()
	dir := t.TempDir()
	if err := writeFolder(dir, chunks); err != nil {
		t.Fatal(err)
	}
	counts := judgeReads(t, world, numbering, dir, want)
	t.Logf("of us the library read %v, %d chunks edited", counts, edited)
}
