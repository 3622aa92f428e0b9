package world

import (
	gocmp "cmp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/server/blocks"
	"strata/server/stream"
)

var here = stream.View{Distance: 2}

// floor is a chunk with a floor of stone.
func floor(c *chunk.Chunk) {
	pos := c.Pos()
	for z := range 16 {
		for x := range 16 {
			c.SetBlock(int(pos.X)*16+x, 63, int(pos.Z)*16+z, block.Stone.Default())
		}
	}
}

func ticksOf(t *testing.T, c *chunk.Chunk, kind chunk.TickKind) []chunk.Tick {
	t.Helper()
	all, err := c.Ticks(kind)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func beside(dx, dz int32) chunk.BlockPos {
	return chunk.BlockPos{X: source0.X + dx, Y: source0.Y, Z: source0.Z + dz}
}

var (
	source0 = chunk.BlockPos{X: 4, Y: 64, Z: 4}
	flown   = chunk.BlockPos{X: 5, Y: 64, Z: 4}
)

var anyOrder = cmpopts.SortSlices(func(a, b chunk.Tick) bool {
	return gocmp.Or(gocmp.Compare(a.Pos.X, b.Pos.X), gocmp.Compare(a.Pos.Z, b.Pos.Z)) < 0
})

// pour lets lava begin to flow, which takes 30 ticks for each step.
func (r *rig) pour() {
	blocks.Apply(r.d.Context(), []blocks.Change{{Pos: source0, State: block.Lava.Default()}})
}

func (r *rig) hasFlown() bool {
	s, loaded := r.d.Block(flown)
	return loaded && s.Fluid() == block.LavaFluid
}

func TestWhatFlowsGoesOnAfterARestart(t *testing.T) {
	r := memoryRig(t)
	r.put(3, floor)
	r.open(here)
	r.pour()
	r.tick(10)
	if r.hasFlown() {
		t.Fatal("lava is too fast")
	}
	r.close()
	want := []chunk.Tick{{Name: "minecraft:lava", Pos: source0, Delay: 20}}
	if diff := cmp.Diff(want, ticksOf(t, r.onDisk(region.ChunkPos{}), chunk.FluidTicks)); diff != "" {
		t.Errorf("kept ticks (-want +got)\n%s", diff)
	}
	r.open(here)
	r.tick(19)
	if r.hasFlown() {
		t.Error("it did not wait for the rest of its time")
	}
	r.tick(1)
	if !r.hasFlown() {
		t.Error("it does not go on")
	}
	r.close()
}

// TestAnEpochHasTheTicksOfItsBlocks looks at the disk while the world is open, as
// somebody does who comes after a kill.
func TestAnEpochHasTheTicksOfItsBlocks(t *testing.T) {
	r := memoryRig(t)
	r.put(3, floor)
	r.open(here)
	check := func(want []chunk.Tick) {
		t.Helper()
		if err := r.store.BarrierHere(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, ticksOf(t, r.onDisk(region.ChunkPos{}), chunk.FluidTicks), anyOrder); diff != "" {
			t.Errorf("ticks on the disk (-want +got)\n%s", diff)
		}
	}
	r.pour()
	r.tick(1)
	check([]chunk.Tick{{Name: "minecraft:lava", Pos: source0, Delay: 29}})
	r.tick(29)
	if !r.hasFlown() {
		t.Fatal("nothing flows")
	}
	check([]chunk.Tick{
		{Name: "minecraft:lava", Pos: source0, Delay: 30},
		{Name: "minecraft:flowing_lava", Pos: beside(-1, 0), Delay: 30},
		{Name: "minecraft:flowing_lava", Pos: beside(1, 0), Delay: 30},
		{Name: "minecraft:flowing_lava", Pos: beside(0, -1), Delay: 30},
		{Name: "minecraft:flowing_lava", Pos: beside(0, 1), Delay: 30},
	})
	r.close()
}

func TestTicksWaitInChunksThatNobodyViews(t *testing.T) {
	r := memoryRig(t)
	unknown := chunk.Tick{Name: "other:machine", Pos: chunk.BlockPos{X: 1, Y: 70, Z: 1}, Delay: -3, Priority: 2}
	last := chunk.Tick{Name: "minecraft:stone", Pos: chunk.BlockPos{X: 2, Y: 63, Z: 2}, Delay: 50, Priority: -1}
	first := chunk.Tick{Name: "minecraft:stone", Pos: chunk.BlockPos{X: 3, Y: 63, Z: 2}, Delay: 50, Priority: -2}
	late := chunk.Tick{Name: "minecraft:stone", Pos: chunk.BlockPos{X: 3, Y: 63, Z: 3}, Delay: -7}
	kept := []chunk.Tick{unknown, last, late, first}
	r.put(1, func(c *chunk.Chunk) {
		floor(c)
		if c.Pos() == (region.ChunkPos{}) {
			if err := c.SetTicks(chunk.BlockTicks, kept); err != nil {
				t.Fatal(err)
			}
		}
	})
	r.open(here)
	r.d.SetViews(nil)
	r.tick(5) // nobody is there
	r.d.SetViews([]stream.View{here})
	r.tick(0)
	r.close()
	if diff := cmp.Diff(kept, ticksOf(t, r.onDisk(region.ChunkPos{}), chunk.BlockTicks)); diff != "" {
		t.Errorf("without a tick (-want +got)\n%s", diff)
	}
	r.open(here)
	r.tick(3)
	r.d.SetViews(nil)
	r.tick(4)
	r.close()
	first.Delay, last.Delay = 47, 47
	if diff := cmp.Diff([]chunk.Tick{first, last, unknown}, ticksOf(t, r.onDisk(region.ChunkPos{}), chunk.BlockTicks)); diff != "" {
		t.Errorf("after three ticks (-want +got)\n%s", diff)
	}
}

// TestPendingTicksOfRealChunksStay loads chunks of the game's with pending ticks,
// and lets go of them.
func TestPendingTicksOfRealChunksStay(t *testing.T) {
	all, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	r := memoryRig(t)
	before := map[region.ChunkPos]*chunk.Chunk{}
	s, err := store.Open(r.parts, store.Options{NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	decoder := chunk.NewDecoder(s.Tables())
	for _, c := range all {
		c, err := decoder.Decode(c.NBT)
		if err != nil || !c.Full() || len(before) == 10 {
			continue
		}
		if len(ticksOf(t, c, chunk.BlockTicks))+len(ticksOf(t, c, chunk.FluidTicks)) > 0 {
			before[c.Pos()] = c.Clone()
			if err := s.Put(t.Context(), 0, c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(before) < 10 {
		t.Fatalf("%d chunks with ticks", len(before))
	}
	r.open(here)
	for pos := range before {
		r.d.SetViews([]stream.View{{Center: pos, Distance: 1}})
		r.tick(0)
		if r.d.Loaded() == 0 {
			t.Errorf("chunk %v is absent", pos)
		}
	}
	r.close()
	for pos, want := range before {
		got := r.onDisk(pos)
		for _, kind := range []chunk.TickKind{chunk.BlockTicks, chunk.FluidTicks} {
			if diff := cmp.Diff(ticksOf(t, want, kind), ticksOf(t, got, kind)); diff != "" {
				t.Errorf("chunk %v (-want +got)\n%s", pos, diff)
			}
		}
	}
}

// TestTicksOfOldChunksStay: chunks of before 26.1 cannot be changed, so nothing runs
// in them.
func TestTicksOfOldChunksStay(t *testing.T) {
	r := memoryRig(t)
	s, err := store.Open(r.parts, store.Options{NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.New(s.Tables(), region.ChunkPos{}, chunk.Options{
		DataVersion: 3955, MinSection: -4, Sections: 24, Status: chunk.StatusFull,
	})
	if err != nil {
		t.Fatal(err)
	}
	floor(c)
	c.SetBlock(int(source0.X), int(source0.Y), int(source0.Z), block.Lava.Default())
	want := []chunk.Tick{{Name: "minecraft:lava", Pos: source0, Delay: 2}}
	if err := c.SetTicks(chunk.FluidTicks, want); err != nil {
		t.Fatal(err)
	}
	var encoder chunk.Encoder
	data, err := encoder.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := s.Raw(0, store.Chunks)
	if err != nil {
		t.Fatal(err)
	}
	record := region.Record{Scheme: codec.None, Data: data}
	if err := raw.Replace(t.Context(), region.ChunkPos{}, store.RawWrite{Record: record}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r.open(here)
	r.tick(5)
	if err := r.d.SaveTicks(); err != nil {
		t.Error(err)
	}
	r.close()
	if diff := cmp.Diff(want, ticksOf(t, r.onDisk(region.ChunkPos{}), chunk.FluidTicks)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
