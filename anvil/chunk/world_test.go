package chunk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
)

// corpusChunks are the chunks of the corpus, which all tests share and none
// changes.
func corpusChunks(tb testing.TB) [][]byte {
	tb.Helper()
	path := testbed.Shared(tb, "worlds", corpusFile)
	loadCorpus.Do(func() {
		var chunks []corpus.Chunk
		if chunks, corpusError = corpus.Load(path); corpusError != nil {
			return
		}
		for _, c := range chunks {
			corpusNBT = append(corpusNBT, c.NBT)
		}
	})
	if corpusError != nil {
		tb.Fatal(corpusError)
	}
	return corpusNBT
}

// corpusIfThere is corpusChunks for tests that have other chunks as well and do
// without where there is no corpus.
func corpusIfThere(tb testing.TB) [][]byte {
	tb.Helper()
	root, err := testbed.Root()
	if err == nil {
		_, err = os.Stat(filepath.Join(filepath.Dir(root), "shared", "worlds", corpusFile))
	}
	if err != nil && !testbed.MustRun() {
		tb.Logf("without the corpus: %v", err)
		return nil
	}
	return corpusChunks(tb)
}

const corpusFile = "chunks-998.bin.zst"

var (
	loadCorpus  sync.Once
	corpusNBT   [][]byte
	corpusError error
)

// trip decodes and encodes chunks, and counts them.
type trip struct {
	decoder   *Decoder
	encoder   Encoder
	deep      int // every so many chunks are compared cell by cell
	n, proto  int
	compared  int
	heights   int // full chunks whose heightmaps were computed
	different map[string]int
}

func newTrip(deep int) *trip {
	return &trip{decoder: NewDecoder(NewTables()), deep: deep, different: map[string]int{}}
}

func (r *trip) chunk(t *testing.T, name string, data []byte) *Chunk {
	t.Helper()
	c, err := r.decoder.Decode(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out, err := r.encoder.Encode(nil, c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if r.n%r.deep == 0 {
		if err := compareDocuments(data, out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.compared++
	}
	again, err := r.decoder.Decode(out)
	if err != nil {
		t.Fatalf("%s: decode what was encoded: %v", name, err)
	}
	if err := sameModel(c, again); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out2, err := r.encoder.Encode(nil, again)
	if err != nil || !bytes.Equal(out, out2) {
		t.Fatalf("%s: encoding is not stable: %v", name, err)
	}
	r.n++
	if !c.Full() {
		r.proto++
	}
	return c
}

func TestRoundTripOfTheCorpus(t *testing.T) {
	r := newTrip(testStride(t, 1, 8))
	for i, data := range corpusChunks(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		r.chunk(t, fmt.Sprintf("chunk %d", i), data)
	}
	t.Logf("%d chunks, %d compared cell by cell", r.n, r.compared)
	if r.n == 0 || r.compared == 0 {
		t.Error("no chunk was looked at")
	}
}

func testStride(_ testing.TB, long, short int) int {
	if testing.Short() {
		return short
	}
	return long
}

// eachChunk calls visit with all chunks in the region files below a folder:
// those in folders named region, or all if any is set.
func eachChunk(t *testing.T, dir string, visit func(name string, data []byte)) {
	t.Helper()
	var dec codec.Decoder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".mca" {
			return err
		}
		if kind := filepath.Base(filepath.Dir(path)); kind == "entities" || kind == "poi" {
			return nil
		}
		f, err := region.Open(path, region.Options{ReadOnly: true})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer f.Close()
		for s := range region.Slot(region.Slots) {
			data, _, err := f.Decode(s, &dec, nil, nil)
			if errors.Is(err, region.ErrAbsent) {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s slot %d: %w", path, s, err)
			}
			rel, _ := filepath.Rel(dir, path)
			visit(fmt.Sprintf("%s slot %d", rel, s), data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoundTripOfTheOracle(t *testing.T) {
	r := newTrip(testStride(t, 1, 20))
	eachChunk(t, testbed.Shared(t, "oracle"), func(name string, data []byte) {
		c := r.chunk(t, name, data)
		// These are as the generator left them, so that nothing that ticks
		// has moved the heights.
		if strings.Contains(name, "full") {
			r.heights++
			if n := c.CheckHeightmaps(); n != 0 {
				r.different[name] = n
			}
		}
	})
	t.Logf("%d chunks, %d of them unfinished, %d compared cell by cell, heightmaps of %d computed", r.n, r.proto, r.compared, r.heights)
	if r.n == 0 || r.proto == 0 || r.heights == 0 {
		t.Error("too little was looked at")
	}
	for name, n := range r.different {
		t.Errorf("%s: %d heights differ", name, n)
	}
}

func TestRoundTripOfWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 100,000 chunks; not under -short")
	}
	for _, archive := range []string{"sample-worlds.tar.zst", "history-6-saves.tar.zst"} {
		dir := t.TempDir()
		if err := corpus.Unpack(testbed.Shared(t, "worlds", archive), dir); err != nil {
			t.Fatal(err)
		}
		r := newTrip(50)
		versions := map[int32]int{}
		eachChunk(t, dir, func(name string, data []byte) {
			versions[r.chunk(t, name, data).DataVersion()]++
		})
		t.Logf("%s: %d chunks, %d of them unfinished, %d compared cell by cell, DataVersions %v", archive, r.n, r.proto, r.compared, versions)
		if r.n == 0 {
			t.Errorf("%s: no chunks", archive)
		}
		os.RemoveAll(dir)
	}
}
