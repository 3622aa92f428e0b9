package diff

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// plain makes of a value one that reflect.DeepEqual compares as the game would:
// members in any order, the last of a name.
func plain(v any) any {
	switch v := v.(type) {
	case nbt.Compound:
		m := map[string]any{}
		for _, member := range v {
			m[member.Name] = plain(member.Value)
		}
		return m
	case nbt.List:
		var all []any
		for _, e := range v.Items {
			all = append(all, plain(e))
		}
		return all
	default:
		return v
	}
}

// readRecord is a record as it was read.
type readRecord struct {
	entry region.Entry
	data  []byte
}

// readFile reads everything in a region file.
func readFile(t *testing.T, w *anvil.World, f scan.File) map[region.Slot]readRecord {
	t.Helper()
	records := map[region.Slot]readRecord{}
	var r scan.Reader
	_, err := r.Chunks(ctx, w.FS(), f, true, func(c *scan.Chunk) bool {
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		records[c.Pos.Slot()] = readRecord{c.Entry, slices.Clone(c.Data)}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// contentOf is a document without the times, and these.
func contentOf(t *testing.T, kind store.Kind, data []byte) (content map[string]any, times [2]any) {
	t.Helper()
	var v nbt.Compound
	if err := nbt.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	content = plain(v).(map[string]any)
	if kind == store.Chunks {
		times = [2]any{content["LastUpdate"], content["InhabitedTime"]}
		delete(content, "LastUpdate")
		delete(content, "InhabitedTime")
	}
	return content, times
}

func classOf(t *testing.T, kind store.Kind, a, b readRecord) Class {
	t.Helper()
	if !bytes.Equal(a.data, b.data) {
		old, oldTimes := contentOf(t, kind, a.data)
		now, newTimes := contentOf(t, kind, b.data)
		switch {
		case !reflect.DeepEqual(old, now):
			return Modified
		case oldTimes != newTimes:
			return Touched
		}
	}
	switch {
	case a.entry.Timestamp != b.entry.Timestamp:
		return Touched
	case a.entry.Location != b.entry.Location:
		return Moved
	default:
		return Equal
	}
}

// countKinds compares two worlds by brute force.
func countKinds(t *testing.T, old, now *anvil.World) (counts [kinds]Counts) {
	t.Helper()
	files := map[place][2]*scan.File{}
	for i, w := range []*anvil.World{old, now} {
		for _, f := range scan.Files(w).Files {
			at := place{f.Dimension, f.Kind, f.Pos}
			pair := files[at]
			pair[i] = &f
			files[at] = pair
		}
	}
	for at, pair := range files {
		var a, b map[region.Slot]readRecord
		if pair[0] != nil {
			a = readFile(t, old, *pair[0])
		}
		if pair[1] != nil {
			b = readFile(t, now, *pair[1])
		}
		for slot := range region.Slot(region.Slots) {
			one, inOld := a[slot]
			other, inNew := b[slot]
			switch {
			case inOld && inNew:
				counts[at.kind].Add(classOf(t, at.kind, one, other), 1)
			case inOld:
				counts[at.kind].Add(Deleted, 1)
			case inNew:
				counts[at.kind].Add(Created, 1)
			}
		}
	}
	return counts
}

func openWorldAt(t *testing.T, path string) *anvil.World {
	t.Helper()
	w, err := anvil.Open(path, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestSavesDifferAsBruteForceSays(t *testing.T) {
	if testing.Short() {
		t.Skip("reads two saves of 45 MB whole")
	}
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "history-6-saves.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	old, now := openWorldAt(t, filepath.Join(dir, "history", "save-5")), openWorldAt(t, filepath.Join(dir, "history", "save-6"))
	want := countKinds(t, old, now)
	got, _ := compare(t, OpenWorld(old), OpenWorld(now), Options{})
	if got.Region != want[store.Chunks] || got.Entities != want[store.Entities] || got.POI != want[store.POI] {
		t.Errorf("got %+v %+v %+v, want %+v", got.Region, got.Entities, got.POI, want)
	}
	if want[store.Chunks].Touched == 0 || !differs(want[store.POI]) || len(got.Failed) > 0 {
		t.Errorf("the saves are of no use: %+v", want)
	}
}

func differs(c Counts) bool { return c.Differ() }

// sample copies the chunks of a sample world.
func sample(t *testing.T) (original, copied string) {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	original, copied = filepath.Join(dir, "sample", "world-26.2"), filepath.Join(dir, "copy")
	if err := os.CopyFS(copied, os.DirFS(original)); err != nil {
		t.Fatal(err)
	}
	return original, copied
}

// change writes other blocks into some chunks of a region file, through the chunk
// model, and returns how many blocks differ in each.
func change(t *testing.T, r *rand.Rand, path string) map[region.ChunkPos]int64 {
	t.Helper()
	file, err := region.Open(path, region.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pos, _ := file.Pos()
	tables := chunk.NewTables()
	decoder, encoder := chunk.NewDecoder(tables), chunk.Encoder{}
	var inflate codec.Decoder
	states := []block.State{block.MustParse("stone"), block.MustParse("air"), block.MustParse("oak_stairs[facing=east]")}
	changed := map[region.ChunkPos]int64{}
	for slot := range region.Slot(region.Slots) {
		if file.Entry(slot).Empty() || r.IntN(10) > 0 || len(changed) == 8 {
			continue
		}
		data, _, err := file.Decode(slot, &inflate, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := decoder.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		before := c.Clone()
		for range 40 {
			x, y, z := r.IntN(16), c.MinY()+r.IntN(c.Height()), r.IntN(16)
			if _, ok := c.SetBlock(x, y, z, states[r.IntN(len(states))]); !ok {
				t.Fatalf("no block at height %d", y)
			}
		}
		n := int64(0)
		for y := c.MinY(); y < c.MinY()+c.Height(); y++ {
			for i := range 256 {
				if before.Block(i&15, y, i>>4) != c.Block(i&15, y, i>>4) {
					n++
				}
			}
		}
		if data, err = encoder.Encode(nil, c); err != nil {
			t.Fatal(err)
		}
		if err := file.Write(ctx, region.Write{Slot: slot, Scheme: codec.None, Data: data}); err != nil {
			t.Fatal(err)
		}
		changed[pos.Chunk(slot)] = n
	}
	return changed
}

func TestChangedBlocksOfRealChunksAreFound(t *testing.T) {
	seed := testbed.Seed(t)
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	original, copied := sample(t)
	changed := map[region.ChunkPos]int64{}
	total := int64(0)
	err := filepath.WalkDir(copied, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(filepath.Dir(path)) == "region" && filepath.Ext(path) == ".mca" {
			for pos, n := range change(t, r, path) {
				changed[pos] = n
				total += n
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	old, now := OpenWorld(openWorldAt(t, original)), OpenWorld(openWorldAt(t, copied))
	got, regions := compare(t, old, now, Options{Blocks: 1 << 20})
	for _, one := range regions {
		for _, c := range one.Chunks {
			want, is := changed[c.Pos()]
			if !is {
				t.Fatalf("chunk %v is %v and was not changed", c.Pos(), c.Class)
			}
			if c.Region.Blocks != want || len(c.Region.BlockList) != int(want) {
				t.Errorf("chunk %v: %d blocks, %d listed, want %d", c.Pos(), c.Region.Blocks, len(c.Region.BlockList), want)
			}
			delete(changed, c.Pos())
		}
	}
	for pos, n := range changed {
		if n > 0 {
			t.Errorf("chunk %v: %d blocks were not found", pos, n)
		}
	}
	if got.Blocks != total || total == 0 {
		t.Errorf("%d blocks, want %d", got.Blocks, total)
	}
	back, _ := compare(t, now, old, Options{})
	if back.Blocks != got.Blocks || back.Counts != got.Counts {
		t.Errorf("back %+v, there %+v", back.Counts, got.Counts)
	}
}
