package oracle_test

import (
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/oracle"
	"strata/region"
	"strata/region/codec"
)

// stored is a chunk of the world that a test makes.
type stored struct {
	pos       region.ChunkPos
	status    chunk.Status
	version   int32
	inhabited int64
	marked    bool
	starts    []chunk.StructureStart
	refers    []chunk.StructureReference
	old       bool // has blending data
}

// worldOf makes a world with chunks in its overworld.
func worldOf(t *testing.T, seed int64, chunks []stored) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a world")
	w, err := anvil.Create(dir, anvil.CreateOptions{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Dimension(anvil.Overworld)
	if err != nil {
		t.Fatal(err)
	}
	tables := chunk.NewTables()
	for _, s := range chunks {
		data := s.encode(t, tables)
		f, err := region.Open(filepath.Join(folder(t, d.Region), s.pos.Region().Name()), region.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Write(t.Context(), region.Write{Slot: s.pos.Slot(), Scheme: codec.None, Data: data}); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// folder makes a folder.
func folder(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func (s stored) encode(t *testing.T, tables *chunk.Tables) []byte {
	t.Helper()
	c, err := chunk.New(tables, s.pos, chunk.Options{DataVersion: s.version, MinSection: -4, Sections: 24, Status: s.status})
	if err != nil {
		t.Fatal(err)
	}
	c.SetInhabitedTime(s.inhabited)
	if err := c.SetStructures(s.starts, s.refers); err != nil {
		t.Fatal(err)
	}
	if s.marked {
		if err := c.SetMarks(chunk.PostProcessing, []chunk.BlockPos{{X: s.pos.X * 16, Y: 3, Z: s.pos.Z * 16}}); err != nil {
			t.Fatal(err)
		}
	}
	if s.old {
		value, err := nbt.MarshalRaw(map[string]int32{"min_section": 0, "max_section": 16})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.SetMember("blending_data", value); err != nil {
			t.Fatal(err)
		}
	}
	var encoder chunk.Encoder
	data, err := encoder.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// village is a start with one piece over the blocks x0 to x1, z 0 to 5.
func village(t *testing.T, x0, x1 int32) chunk.StructureStart {
	t.Helper()
	value, err := nbt.MarshalRaw(map[string]any{
		"id":       "minecraft:village_plains",
		"Children": []map[string]any{{"id": "minecraft:jigsaw", "BB": []int32{x0, 60, 0, x1, 70, 5}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return chunk.StructureStart{Name: "minecraft:village_plains", NBT: value}
}

func refersTo(pos region.ChunkPos) []chunk.StructureReference {
	return []chunk.StructureReference{{Name: "minecraft:village_plains", Chunks: []region.ChunkPos{pos}}}
}

func TestWorldsAreReadByTheirChunks(t *testing.T) {
	at := func(x, z int32) region.ChunkPos { return region.ChunkPos{X: x, Z: z} }
	dir := worldOf(t, -77, []stored{
		{pos: at(0, 0), status: chunk.StatusFull, version: 4903, marked: true},
		{pos: at(1, 0), status: chunk.StatusFull, version: 4903},
		{pos: at(2, 0), status: chunk.StatusFull, version: 4903, marked: true, inhabited: 1},
		{pos: at(-1, 0), status: chunk.StatusCarvers, version: 4790},
		{pos: at(-1, 1), status: chunk.StatusLight, version: 4903},
		{pos: at(-1, 2), status: chunk.StatusFeatures, version: 4903},
		{pos: at(3, 3), status: chunk.StatusStructureStarts, version: 4903},
		{pos: at(3, 4), status: chunk.StatusFull, version: 4440},
		{pos: at(3, 5), status: chunk.StatusFull, version: 4903, old: true},
	})
	got := make(map[region.ChunkPos]oracle.Key)
	for _, s := range read(t, dir, oracle.Filter{}) {
		got[s.Pos()] = oracle.Key{Stage: s.Stage, Tier: s.Tier}
		want := oracle.World{Seed: -77, DataVersion: s.Chunk.DataVersion(), Path: dir}
		if s.World != want || s.Folder != "a world" || s.Dimension != anvil.Overworld || !s.HasBiomes {
			t.Errorf("sample %+v is not of this world", s)
		}
	}
	want := map[region.ChunkPos]oracle.Key{
		at(0, 0):  {Stage: oracle.Full, Tier: "A"},
		at(1, 0):  {Stage: oracle.Full, Tier: "B"},
		at(2, 0):  {Stage: oracle.Full, Tier: "C"},
		at(-1, 0): {Stage: oracle.Carvers},
		at(-1, 1): {Stage: oracle.InitializeLight},
		at(-1, 2): {Stage: oracle.InitializeLight},
	}
	if len(got) != len(want) {
		t.Errorf("%d samples, want %d", len(got), len(want))
	}
	for pos, key := range want {
		if got[pos] != key {
			t.Errorf("chunk %v is %v, want %v", pos, got[pos], key)
		}
	}
	if n := len(read(t, dir, oracle.Filter{Stages: []oracle.Stage{oracle.Carvers}})); n != 1 {
		t.Errorf("%d samples at carvers, want 1", n)
	}
	if n := len(read(t, dir, oracle.Filter{Dimensions: []string{"minecraft:the_end"}})); n != 0 {
		t.Errorf("%d samples in the End, want none", n)
	}
}

// Starts are looked up where references lead, also into other regions, and
// pieces reach 12 blocks.
func TestStartsOfWorldsAreFoundByReferences(t *testing.T) {
	at := func(x, z int32) region.ChunkPos { return region.ChunkPos{X: x, Z: z} }
	full := func(x int32, refers []chunk.StructureReference) stored {
		return stored{pos: at(x, 0), status: chunk.StatusFull, version: 4903, refers: refers}
	}
	start := stored{pos: at(-1, 0), status: chunk.StatusStructureStarts, version: 4903, starts: []chunk.StructureStart{village(t, -16, 51)}}
	dir := worldOf(t, 1, []stored{
		start, full(3, refersTo(at(-1, 0))), full(4, refersTo(at(-1, 0))), full(5, refersTo(at(-1, 0))),
		full(6, refersTo(at(9, 9))), // a start that is not there: near, as far as is known
		full(2, nil),
	})
	adapts := func(id string) bool { return id == "minecraft:village_plains" }
	near := make(map[int32]bool)
	for _, s := range read(t, dir, oracle.Filter{}) {
		ids, err := s.Near(adapts)
		if err != nil {
			t.Fatal(err)
		}
		near[s.Pos().X] = len(ids) > 0
		if none, err := s.Near(func(string) bool { return false }); len(none) > 0 || err != nil {
			t.Errorf("structures that do not adapt: %v, %v", none, err)
		}
	}
	// 51+12 is the last block of chunk 3; chunk 4 begins at 64.
	for x, want := range map[int32]bool{2: false, 3: true, 4: false, 5: false, 6: true} {
		if near[x] != want {
			t.Errorf("chunk %d,0 is near the village: %v, want %v", x, near[x], want)
		}
	}
}

func TestStartsThatAreNoneFail(t *testing.T) {
	pos := region.ChunkPos{X: 1, Z: 1}
	bad, err := nbt.MarshalRaw(map[string]any{"Children": []map[string]any{{"BB": []int32{1, 2, 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	dir := worldOf(t, 1, []stored{{
		pos: pos, status: chunk.StatusFull, version: 4903, refers: refersTo(pos),
		starts: []chunk.StructureStart{{Name: "minecraft:village_plains", NBT: bad}},
	}})
	for _, s := range read(t, dir, oracle.Filter{}) {
		if ids, err := s.Near(func(string) bool { return true }); err == nil {
			t.Errorf("a piece of three coordinates is %v", ids)
		}
	}
}
