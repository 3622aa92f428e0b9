package chunk

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/nbt"
	"strata/region"
)

func newChunk(t *testing.T) *Chunk {
	t.Helper()
	c, err := New(NewTables(), region.ChunkPos{X: -2, Z: 3}, Options{DataVersion: 4903, MinSection: -4, Sections: 24})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reloaded is the chunk after a save and a load.
func reloaded(t *testing.T, c *Chunk) *Chunk {
	t.Helper()
	var e Encoder
	out, err := e.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewDecoder(c.Tables()).Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func compound(t testing.TB, members map[string]any) nbt.Raw {
	t.Helper()
	raw, err := nbt.MarshalRaw(members)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestBlockEntitiesByPosition(t *testing.T) {
	c := newChunk(t)
	chest := func(x, y, z int32, lock string) nbt.Raw {
		return compound(t, map[string]any{"id": "minecraft:chest", "x": x, "y": y, "z": z, "Lock": lock})
	}
	for _, e := range []nbt.Raw{chest(-32, 5, 48, "a"), chest(-17, -64, 63, "b"), chest(-32, 5, 48, "c")} {
		if err := c.SetBlockEntity(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.SetBlockEntity(chest(0, 5, 48, "")); !errors.Is(err, ErrRange) {
		t.Errorf("one of another chunk: %v", err)
	}
	if err := c.SetBlockEntity(compound(t, map[string]any{"id": "x"})); !errors.Is(err, ErrNBT) {
		t.Errorf("one without position: %v", err)
	}
	if err := c.SetBlockEntity(nbt.Raw{Type: nbt.TypeCompound, Data: []byte{1, 0}}); !errors.Is(err, ErrNBT) {
		t.Errorf("half a tag: %v", err)
	}
	clone := c.Clone()
	c = reloaded(t, c)
	all, err := c.BlockEntities()
	if err != nil || len(all) != 2 || all[0].Pos != (BlockPos{-17, -64, 63}) || all[1].ID != "minecraft:chest" {
		t.Fatalf("%v, %v", all, err)
	}
	e, ok := c.BlockEntityAt(BlockPos{-32, 5, 48})
	var lock struct{ Lock string }
	if err := e.NBT.Decode(&lock); !ok || err != nil || lock.Lock != "c" {
		t.Errorf("%v, %v", lock, err)
	}
	if !c.RemoveBlockEntity(e.Pos) || c.RemoveBlockEntity(e.Pos) {
		t.Error("not removed once")
	}
	if all, _ := clone.BlockEntities(); len(all) != 2 {
		t.Error("the clone changed")
	}
}

func TestTicksMarksAndMasks(t *testing.T) {
	c := newChunk(t)
	ticks := []Tick{{"minecraft:water", BlockPos{-32, -64, 48}, -3, -1}, {"minecraft:lava", BlockPos{-17, 319, 63}, 30, 0}}
	marks := []BlockPos{{-31, -64, 50}, {-17, -50, 63}, {-32, 319, 48}}
	mask := make(CarvingMask, 9, 12)
	mask[8] = 1 << 63
	if err := errors.Join(c.SetTicks(FluidTicks, ticks), c.SetMarks(PostProcessing, marks), c.SetCarvingMask(append(mask, 0, 0))); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		c.SetTicks(BlockTicks, []Tick{{Name: "x"}}), c.SetMarks(PostProcessing, []BlockPos{{-32, 320, 48}}),
		c.SetMarks(PostProcessing, []BlockPos{{0, 0, 48}}), c.SetCarvingMask(make(CarvingMask, 384*4+1)),
	} {
		if !errors.Is(err, ErrRange) {
			t.Errorf("taken: %v", err)
		}
	}
	if err := c.SetMarks(BlocksToTick, marks); !errors.Is(err, ErrForm) {
		t.Errorf("marks of old chunks: %v", err)
	}
	c = reloaded(t, c)
	gotTicks, err := c.Ticks(FluidTicks)
	if diff := cmp.Diff(ticks, gotTicks); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	gotMarks, err := c.Marks(PostProcessing)
	if diff := cmp.Diff(marks, gotMarks); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	gotMask, err := c.CarvingMask()
	if !slices.Equal(gotMask, mask) || err != nil || !gotMask.At(15, 2, 3) {
		t.Errorf("%x, %v", gotMask, err)
	}
}

func TestStructures(t *testing.T) {
	c := newChunk(t)
	starts := []StructureStart{{"minecraft:mineshaft", compound(t, map[string]any{"id": "minecraft:mineshaft", "ChunkX": int32(-2)})}}
	refs := []StructureReference{{"minecraft:mineshaft", []region.ChunkPos{{X: -2, Z: 3}, {X: 5, Z: -6}}}, {"mod:hut", nil}}
	if err := c.SetMember("structures", compound(t, map[string]any{"mod:kept": int32(1)})); err != nil {
		t.Fatal(err)
	}
	if err := c.SetStructures(starts, refs); err != nil {
		t.Fatal(err)
	}
	c = reloaded(t, c)
	gotStarts, err := c.StructureStarts()
	if diff := cmp.Diff(starts, gotStarts); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	gotRefs, err := c.StructureReferences()
	if diff := cmp.Diff(refs, gotRefs); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	raw, _ := c.Member("structures")
	var kept struct {
		Kept int32 `nbt:"mod:kept"`
	}
	if err := raw.Decode(&kept); err != nil || kept.Kept != 1 {
		t.Errorf("%v, %v", kept, err)
	}
}

func TestMembersThatAreNotKnown(t *testing.T) {
	c := newChunk(t)
	one, two := compound(t, map[string]any{"a": int32(1)}), compound(t, map[string]any{"a": int32(2)})
	for _, err := range []error{
		c.SetMember("mod:a", one), c.SetMember("mod:b", one), c.SetMember("mod:a", two),
		c.SetSectionMember(3, "mod:s", one), c.SetSectionMember(20, "mod:s", two),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(c.SetMember("xPos", one), c.SetSectionMember(3, "Y", one)); !errors.Is(err, ErrRange) {
		t.Errorf("names of the model: %v", err)
	}
	clone := c.Clone()
	c.RemoveMember("mod:b")
	c.RemoveSectionMember(3, "mod:s")
	c, clone = reloaded(t, c), reloaded(t, clone)
	if a, ok := c.Member("mod:a"); !ok || !cmp.Equal(a, two) {
		t.Errorf("%v", a)
	}
	if _, ok := c.Member("mod:b"); ok {
		t.Error("not removed")
	}
	if _, ok := c.SectionMember(3, "mod:s"); ok {
		t.Error("not removed from its section")
	}
	if s, ok := c.SectionMember(20, "mod:s"); !ok || !cmp.Equal(s, two) || c.HasBlocks(20) {
		t.Errorf("%v", s)
	}
	if _, ok := clone.Member("mod:b"); !ok {
		t.Error("removed from the clone")
	}
}

func TestLightOfSections(t *testing.T) {
	c := newChunk(t)
	if _, ok := c.Light(SkyLight, 0, 0, 0); ok {
		t.Error("light in a new chunk")
	}
	var full [LightBytes]byte
	for i := range full {
		full[i] = 0xFF
	}
	if err := errors.Join(c.SetSectionLight(SkyLight, 20, &full), c.FillLight(BlockLight, -5, 3)); err != nil {
		t.Fatal(err)
	}
	if err := c.SetLight(SkyLight, 1, 320, 2, 4); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.SetLight(SkyLight, 0, 0, 0, 16), c.FillLight(SkyLight, 128, 1)); !errors.Is(err, ErrRange) {
		t.Errorf("%v", err)
	}
	c.SetLightOn(true)
	c = reloaded(t, c)
	state, _ := c.LightState(SkyLight, 20)
	state2, level := c.LightState(BlockLight, -5)
	if state != LightArray || state2 != LightUniform || level != 3 || !c.LightOn() {
		t.Errorf("%v, %v %d, %v", state, state2, level, c.LightOn())
	}
	if v, _ := c.Light(SkyLight, 1, 320, 2); v != 4 {
		t.Errorf("light %d", v)
	}
	if v, _ := c.Light(SkyLight, 0, 320, 2); v != 15 {
		t.Errorf("light %d", v)
	}
	clone := c.Clone()
	if err := c.SetSectionLight(SkyLight, 20, new([LightBytes]byte)); err != nil {
		t.Fatal(err)
	}
	if v, _ := clone.Light(SkyLight, 1, 320, 2); v != 4 {
		t.Error("the clone changed")
	}
	if err := c.SetSectionMember(3, starlightSky, nbt.Raw{Type: nbt.TypeInt, Data: []byte{0, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	c.RemoveLight()
	c = reloaded(t, c)
	if low, high := c.SectionRange(); low != -4 || high != 20 || c.LightOn() {
		t.Errorf("sections %d to %d, light on %v", low, high, c.LightOn())
	}
	if _, ok := c.SectionMember(3, starlightSky); ok {
		t.Error("Paper would not light it")
	}
}

func TestRange(t *testing.T) {
	c := newChunk(t)
	c.SetBlock(0, -64, 0, block.Stone.Default())
	if err := c.SetRange(0, 16); !errors.Is(err, ErrRange) {
		t.Errorf("blocks cut off: %v", err)
	}
	c.SetBlock(0, -64, 0, block.Air.Default())
	if err := c.SetRange(0, 16); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.SetBlock(0, -1, 0, block.Stone.Default()); ok || c.Height() != 256 {
		t.Errorf("set below %d", c.MinY())
	}
	if err := c.Fill(0, 0, 0, 15, 256, 15, 1); !errors.Is(err, ErrRange) {
		t.Errorf("filled above: %v", err)
	}
	for _, o := range []Options{{DataVersion: 4903}, {DataVersion: 4903, Sections: 257}, {DataVersion: 1450, Sections: 1}, {DataVersion: 4903, MinSection: 127, Sections: 2}} {
		if _, err := New(c.Tables(), c.Pos(), o); err == nil {
			t.Errorf("%+v made a chunk", o)
		}
	}
}

// Generation sets some members of each chunk, and hundreds of ticks in many.
func TestSettingMembersAllocatesLittle(t *testing.T) {
	c := newChunk(t)
	value := compound(t, map[string]any{"a": int32(1), "b": map[string]any{"c": "text"}})
	ticks := make([]Tick, 300)
	for i := range ticks {
		ticks[i] = Tick{Name: "minecraft:water", Pos: BlockPos{X: -32 + int32(i&15), Y: int32(i >> 4), Z: 48}, Delay: 5}
	}
	for name, set := range map[string]struct {
		do    func() error
		limit float64 // pools drop some of what they get under the race detector
	}{
		"a member": {func() error { return c.SetMember("structures", value) }, 2},
		"ticks":    {func() error { return c.SetTicks(BlockTicks, ticks) }, 1},
	} {
		n := testing.AllocsPerRun(100, func() {
			if err := set.do(); err != nil {
				t.Fatal(err)
			}
		})
		if n > set.limit {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if again, err := reloaded(t, c).Ticks(BlockTicks); err != nil || !slices.Equal(again, ticks) {
		t.Errorf("%d ticks, %v", len(again), err)
	}
}
