package pregen

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// storedChunk is a chunk as the game may have left it.
func storedChunk(t testing.TB, c region.ChunkPos, status chunk.Status, version int32) *chunk.Chunk {
	t.Helper()
	o := chunk.Options{DataVersion: version, MinSection: -4, Sections: 24, Status: status}
	k, err := chunk.New(chunk.NewTables(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.SetMember("theirs", mustRaw("keep me")); err != nil {
		t.Fatal(err)
	}
	k.SetInhabitedTime(1000)
	return k
}

// records reads what a region file of the overworld has.
func records(t testing.TB, fsys vfs.FS, world string, p region.Pos) map[region.ChunkPos]region.Record {
	t.Helper()
	f, err := region.Open(filepath.Join(world, overworld("region"), p.Name()), region.Options{FS: fsys, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := make(map[region.ChunkPos]region.Record)
	for s := range region.Slot(region.Slots) {
		rec, err := f.Read(s, nil)
		if errors.Is(err, region.ErrAbsent) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all[p.Chunk(s)] = rec
	}
	return all
}

// content inflates a record.
func content(t testing.TB, rec region.Record) map[string]nbt.Raw {
	t.Helper()
	data, err := rec.AppendDecoded(new(codec.Decoder), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	members := make(map[string]nbt.Raw)
	err = nbt.ScanRoot(data, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		members[string(name)] = value
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return members
}

func text(members map[string]nbt.Raw, name string) string {
	s, _ := members[name].Text()
	return s
}

func TestExistingChunksAreKeptAndLowerOnesContinued(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	full, proto, beside := region.ChunkPos{X: 1, Z: 1}, region.ChunkPos{X: 2, Z: 1}, region.ChunkPos{X: 20, Z: 20}
	putChunk(t, mem, world, storedChunk(t, full, chunk.StatusFull, anvil.NativeVersion))
	putChunk(t, mem, world, storedChunk(t, proto, chunk.StatusNoise, 4786))
	putChunk(t, mem, world, storedChunk(t, beside, chunk.StatusNoise, anvil.NativeVersion))
	before := records(t, mem, world, region.Pos{})

	r := mustRun(t, mem, world, options(square(t, 0, 0, 5), newFake()))
	if r.New != 120 || r.Existing != 1 || r.Failed != 0 || r.Committed != 0 {
		t.Errorf("report %+v", r)
	}
	after := records(t, mem, world, region.Pos{})
	for _, c := range []region.ChunkPos{full, beside} {
		is, was := after[c], before[c]
		if !bytes.Equal(is.Data, was.Data) || is.Scheme != was.Scheme || is.Entry.Timestamp != was.Entry.Timestamp {
			t.Errorf("chunk %v has changed", c)
		}
	}
	made := content(t, after[proto])
	if text(made, "theirs") != "keep me" || text(made, "continued") != "minecraft:noise" || text(made, "Status") != "minecraft:full" {
		t.Errorf("the continued chunk is %v", maps.Keys(made))
	}
	if v, _ := made["InhabitedTime"].Int(); v != 1000 {
		t.Errorf("its InhabitedTime is %d", v)
	}
	if after[proto].Entry.Timestamp != before[proto].Entry.Timestamp+1 {
		t.Errorf("its timestamp was %d, is %d", before[proto].Entry.Timestamp, after[proto].Entry.Timestamp)
	}
	if e := after[region.ChunkPos{X: 3, Z: 3}].Entry; e.Timestamp != 0 {
		t.Errorf("a new chunk has timestamp %d", e.Timestamp)
	}
	checkWorld(t, mem, world)
	noTraces(t, mem, world)
}

func TestExistingChunksOnly(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	for i, s := range []chunk.Status{chunk.StatusFull, chunk.StatusEmpty, chunk.StatusCarvers} {
		putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: int32(100 * i), Z: -7}, s, anvil.NativeVersion))
	}
	r := mustRun(t, mem, world, options(nil, newFake()))
	if r.New != 2 || r.Existing != 1 || r.Planned != 3 {
		t.Errorf("report %+v", r)
	}
	want := map[region.ChunkPos]chunk.Status{{X: 0, Z: -7}: chunk.StatusFull, {X: 100, Z: -7}: chunk.StatusFull, {X: 200, Z: -7}: chunk.StatusFull}
	if got := checkWorld(t, mem, world); !maps.Equal(want, got) {
		t.Errorf("chunks %v", got)
	}
}

func TestWhatCannotBeReadIsFailedAndNeverOverwritten(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	bad := map[region.ChunkPos]error{
		{X: 0, Z: 0}: store.ErrUnreadable, {X: 1, Z: 0}: store.ErrUnreadable, {X: 2, Z: 0}: store.ErrTooNew,
		{X: 3, Z: 0}: store.ErrWrongPosition, {X: 4, Z: 0}: store.ErrTooOld, {X: 5, Z: 0}: store.ErrUnreadable,
	}
	putStream(t, mem, world, region.ChunkPos{X: 0, Z: 0}, codec.Zlib, []byte("this is no zlib stream"))
	putStream(t, mem, world, region.ChunkPos{X: 1, Z: 0}, codec.Custom, []byte("\x00\x01x..."))
	putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: 2, Z: 0}, chunk.StatusFull, anvil.NativeVersion+1))
	moved := storedChunk(t, region.ChunkPos{X: 3, Z: 0}, chunk.StatusFull, anvil.NativeVersion)
	putMoved(t, mem, world, moved, region.ChunkPos{X: 9, Z: 9})
	putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: 4, Z: 0}, chunk.StatusNoise, 3465))
	odd := storedChunk(t, region.ChunkPos{X: 5, Z: 0}, chunk.StatusNoise, anvil.NativeVersion)
	odd.SetStatusName("minecraft:half_done")
	putChunk(t, mem, world, odd)
	name := filepath.Join(world, overworld("region"), "r.0.0.mca")
	before := rawSlots(t, mem, name)

	o := options(square(t, 0, 0, 8), newFake())
	commits := 0
	o.Events = func(e Event) {
		if e.Kind == RegionCommitted {
			commits++
		}
	}
	r := mustRun(t, mem, world, o)
	if r.New != 17*17-6 || r.Failed != 6 || r.Committed != 1 || commits != 1 {
		t.Errorf("report %+v, %d commits", r, commits)
	}
	for _, f := range r.Failures {
		if want := bad[f.Pos]; want == nil || !errors.Is(f.Err, want) {
			t.Errorf("chunk %v failed: %v, want %v", f.Pos, f.Err, want)
		}
	}
	after := rawSlots(t, mem, name)
	for c := range bad {
		if !bytes.Equal(before[c.Slot()], after[c.Slot()]) {
			t.Errorf("chunk %v was overwritten", c)
		}
	}
	// The rest of the damaged region is there, by ordinary commits.
	f, err := region.Open(name, region.Options{FS: mem, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for z := range int32(9) {
		for x := range int32(9) {
			c := region.ChunkPos{X: x, Z: z}
			if _, _, err := f.Decode(c.Slot(), new(codec.Decoder), nil, nil); err != nil && bad[c] == nil {
				t.Errorf("chunk %v: %v", c, err)
			}
		}
	}
}

// putMoved stores a chunk that says it is elsewhere.
func putMoved(t testing.TB, fsys vfs.FS, world string, c *chunk.Chunk, says region.ChunkPos) {
	t.Helper()
	at := c.Pos()
	c.SetPos(says)
	var enc chunk.Encoder
	data, err := enc.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	putStream(t, fsys, world, at, codec.None, data)
}

// rawSlots returns entry and sectors of each slot that is not empty.
func rawSlots(t testing.TB, fsys vfs.FS, name string) map[region.Slot][]byte {
	t.Helper()
	data, err := vfs.ReadFile(fsys, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	var h region.Header
	copy(h[:], data)
	all := make(map[region.Slot][]byte)
	for s := range region.Slot(region.Slots) {
		if e := h.Entry(s); !e.Empty() {
			all[s] = append(bytes.Clone(h[4*int(s):4*int(s)+4]), data[int64(e.Location.Sector())*region.SectorBytes:][:e.Location.Count()*region.SectorBytes]...)
		}
	}
	return all
}

func TestChunksBesideOldOnesAreLeftOut(t *testing.T) {
	for _, blending := range []bool{false, true} {
		mem := vfs.NewMem(vfs.MemOptions{})
		world := createWorld(t, mem, "w")
		if blending {
			c := storedChunk(t, region.ChunkPos{X: 33, Z: 2}, chunk.StatusFull, anvil.NativeVersion)
			if err := c.SetMember("blending_data", mustRaw(map[string]int32{"min_section": -4, "max_section": 20})); err != nil {
				t.Fatal(err)
			}
			putChunk(t, mem, world, c)
		} else {
			putChunk(t, mem, world, storedChunk(t, region.ChunkPos{X: 33, Z: 2}, chunk.StatusFull, 2730))
		}
		o := options(square(t, 30, 0, 12), newFake())
		r := mustRun(t, mem, world, o)
		// 15 by 15 around it, less itself, as far as the area goes (x 26 to 40,
		// z -5 to 9).
		if r.Blended != 15*15-1 || r.Failed != r.Blended || r.Existing != 1 || r.New != 25*25-15*15 {
			t.Errorf("report %+v", r)
		}
		if !errors.Is(r.Failures[0].Err, ErrBlending) {
			t.Error(r.Failures[0].Err)
		}
		all := checkWorld(t, mem, world)
		if all[region.ChunkPos{X: 26, Z: 2}] != 0 || all[region.ChunkPos{X: 25, Z: 2}] == 0 {
			t.Error("the border is not 7 chunks away")
		}
		o = options(square(t, 30, 0, 12), newFake())
		o.NoBlending = true
		if r := mustRun(t, mem, world, o); r.New != 15*15-1 || r.Failed != 0 {
			t.Errorf("without blending: %+v", r)
		}
	}
}

func TestStoredNeighboursAreThoseFromBeforeTheRun(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	theirs := region.ChunkPos{X: 1, Z: 1}
	putChunk(t, mem, world, storedChunk(t, theirs, chunk.StatusFull, anvil.NativeVersion))
	asked := 0
	g := generatorFunc(func(done func(Made) error, b *Batch) error {
		for _, w := range b.Chunks {
			if c, err := b.Stored(theirs); err != nil || c.Pos() != theirs {
				t.Errorf("stored: %v", err)
			}
			if _, err := b.Stored(region.ChunkPos{X: -40, Z: 0}); !errors.Is(err, ErrNotStored) {
				t.Errorf("not stored: %v", err)
			}
			if _, err := b.Stored(region.ChunkPos{X: 0, Z: 0}); !errors.Is(err, ErrNotStored) {
				t.Errorf("of this run: %v", err)
			}
			asked++
			c, err := fakeChunk(chunk.NewTables(), w, chunk.StatusFull, 0)
			if err := done(Made{Pos: w.Pos, Chunk: c, Err: err}); err != nil {
				return err
			}
		}
		return nil
	})
	o := options(square(t, 0, 0, 2), g)
	o.Workers = 1
	mustRun(t, mem, world, o)
	if asked != 24 {
		t.Errorf("asked %d times", asked)
	}
}

func TestEntitiesThatAreThereStay(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	st, err := openStore(mem, world)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := nbt.Marshal(struct {
		DataVersion int32
		Of          string
	}{anvil.NativeVersion, "another program"})
	if err != nil {
		t.Fatal(err)
	}
	area := square(t, 0, 0, 5)
	for x := int32(-5); x <= 5; x++ {
		if err := st.PutDocument(t.Context(), store.Ref{Kind: store.Entities, Pos: region.ChunkPos{X: x}}, theirs); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, mem, world, options(area, newFake())); r.New != 121 {
		t.Errorf("report %+v", r)
	}
	if st, err = openStore(mem, world); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for x := int32(-5); x <= 5; x++ {
		got, err := st.LoadDocument(t.Context(), store.Ref{Kind: store.Entities, Pos: region.ChunkPos{X: x}}, store.Normal)
		if err != nil || !bytes.Equal(got, theirs) {
			t.Errorf("entities of %d: %v", x, err)
		}
	}
}

// TestARegionInUseIsNotRewritten holds a chunk of a region while the run wants
// to write it, as a server in the same process does.
func TestARegionInUseIsNotRewritten(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	far := region.ChunkPos{X: 30, Z: 30}
	putChunk(t, mem, world, storedChunk(t, far, chunk.StatusFull, anvil.NativeVersion))
	st, err := openStore(mem, world)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	hold, err := st.Load(t.Context(), 0, far, store.Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	o := options(square(t, 8, 8, 5), newFake())
	o.Seed = testSeed
	r, err := Run(context.Background(), st, o)
	if err != nil || r.New != 121 || r.Committed != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := hold.Read(func(c *chunk.Chunk) {
		if c.Pos() != far {
			t.Errorf("chunk %v", c.Pos())
		}
	}); err != nil {
		t.Error(err)
	}
	if len(records(t, mem, world, region.Pos{})) != 122 {
		t.Error("chunks are missing")
	}
}
