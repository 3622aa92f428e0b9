package entity

import (
	"math"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
	"strata/server/blocks"
	"strata/server/item"
	"strata/server/physics"
)

// ground is stone below y 10 and air above, but for what was set.
type ground struct {
	set     map[chunk.BlockPos]block.State
	dropped []blocks.Stack
	events  []blocks.Event
}

func newGround(there map[chunk.BlockPos]string) *ground {
	g := &ground{set: map[chunk.BlockPos]block.State{}}
	for p, name := range there {
		g.set[p] = state(name)
	}
	return g
}

func state(name string) block.State {
	s, err := block.Parse(name)
	if err != nil {
		panic(err)
	}
	return s
}

func (g *ground) Block(p chunk.BlockPos) (block.State, bool) {
	if s, ok := g.set[p]; ok {
		return s, true
	}
	if p.Chunk() != (region.ChunkPos{}) {
		return block.Air.Default(), false
	}
	if p.Y < 10 && p.Y >= 0 {
		return block.Stone.Default(), true
	}
	return block.Air.Default(), true
}

func (g *ground) Bounds() (lowest, highest int32)                 { return 0, 255 }
func (g *ground) Hot() bool                                       { return false }
func (g *ground) Renews(f block.Fluid) bool                       { return f == block.WaterFluid }
func (g *ground) Random(int) int                                  { return 0 }
func (g *ground) Set(p chunk.BlockPos, s block.State)             { g.set[p] = s }
func (g *ground) ScheduleBlock(chunk.BlockPos, block.ID, int)     {}
func (g *ground) ScheduleFluid(chunk.BlockPos, block.Fluid, int)  {}
func (g *ground) Drop(_ chunk.BlockPos, s blocks.Stack)           { g.dropped = append(g.dropped, s) }
func (g *ground) Fall(chunk.BlockPos, block.State)                {}
func (g *ground) Event(_ chunk.BlockPos, e blocks.Event, _ int32) { g.events = append(g.events, e) }

func loaded(t *testing.T) *Set {
	t.Helper()
	s := NewSet(&IDs{})
	if err := s.Load(region.ChunkPos{}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func ticks(s *Set, g *ground, n int) {
	for range n {
		s.Tick(g)
	}
}

func stone(n int32) item.Stack { return item.Named("minecraft:stone", n) }

func TestAnItemFallsAndComesToRest(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	if !s.Throw(stone(1), 8.5, 20, 8.5, 0.3, 0, 0, 0) {
		t.Fatal("not taken in")
	}
	e := s.All()[0]
	s.Tick(g)
	// The game's order: gravity, the way, and then what slows it.
	if e.VY != -gravity*drag || math.Abs(e.Y-(20-gravity)) > 1e-12 || math.Abs(e.X-8.8) > 1e-12 || math.Abs(e.VX-0.3*drag) > 1e-12 {
		t.Errorf("after a tick it is at %v %v with %v %v", e.X, e.Y, e.VX, e.VY)
	}
	ticks(s, g, 60)
	if math.Abs(e.Y-10) > 1e-6 || !e.OnGround {
		t.Errorf("it lies at %v, on the ground: %v", e.Y, e.OnGround)
	}
	x := e.X
	ticks(s, g, 40)
	if math.Abs(e.X-x) > 1e-3 {
		t.Errorf("it has not come to rest: %v, %v", x, e.X)
	}
}

func TestItemsOfTheSameJoin(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	s.Throw(stone(3), 8.5, 10, 8.5, 0, 0, 0, 0)
	s.Throw(stone(5), 8.9, 10, 8.5, 0, 0, 0, 20)
	s.Throw(stone(62), 8.7, 10, 8.5, 0, 0, 0, 0)                       // too many for one stack
	s.Throw(item.Named("minecraft:dirt", 1), 8.5, 10, 8.5, 0, 0, 0, 0) // another item
	s.Throw(stone(1), 8.5, 10, 8.5, 0, 0, 0, NoPickup)                 // not to be taken
	s.Throw(stone(1), 12.5, 10, 8.5, 0, 0, 0, 0)                       // too far away
	ticks(s, g, mergeResting+1)
	var counts []int32
	for _, e := range s.All() {
		counts = append(counts, e.Stack.Count)
	}
	slices.Sort(counts)
	if want := []int32{1, 1, 1, 8, 62}; !slices.Equal(counts, want) {
		t.Errorf("%v, want %v", counts, want)
	}
}

func TestAnItemIsGoneInTime(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	s.Throw(stone(1), 8.5, 10, 8.5, 0, 0, 0, 0)
	s.Throw(item.Named("minecraft:dirt", 1), 2.5, 10, 8.5, 0, 0, 0, 0)
	s.All()[1].Age = Ageless
	ticks(s, g, lifetime)
	if s.Len() != 1 || s.All()[0].Age != Ageless {
		t.Errorf("%d left", s.Len())
	}
}

func TestFluidsCarryItemsAndLavaTakesThem(t *testing.T) {
	water := map[chunk.BlockPos]string{}
	for y := int32(10); y < 14; y++ {
		water[chunk.BlockPos{X: 8, Y: y, Z: 8}] = "water"
		water[chunk.BlockPos{X: 2, Y: y, Z: 2}] = "lava"
		water[chunk.BlockPos{X: 5, Y: y, Z: 5}] = "lava"
	}
	s, g := loaded(t), newGround(water)
	s.Throw(stone(1), 8.5, 10.5, 8.5, 0, 0, 0, 0)
	s.Throw(stone(2), 2.5, 10.5, 2.5, 0, 0, 0, 0)
	s.Throw(item.Named("minecraft:netherite_ingot", 3), 5.5, 10.5, 5.5, 0, 0, 0, 0)
	ticks(s, g, 100)
	if s.Len() != 2 || !slices.Contains(g.events, blocks.EventFizz) {
		t.Fatalf("%d left, events %v", s.Len(), g.events)
	}
	for _, e := range s.All() {
		if e.Y < 10.6 {
			t.Errorf("%v has not risen: %v", e.Stack.Name(), e.Y)
		}
	}
}

func TestAnItemInABlockGetsOut(t *testing.T) {
	s, g := loaded(t), newGround(map[chunk.BlockPos]string{{X: 8, Y: 10, Z: 8}: "stone"})
	s.Throw(stone(1), 8.9, 10.3, 8.5, 0, 0, 0, 0)
	ticks(s, g, 30)
	if e := s.All()[0]; !new(physics.Mover).Free(g, e.Box()) {
		t.Errorf("it is in the block still: %v %v %v", e.X, e.Y, e.Z)
	}
}

func TestBlocksFallAndLand(t *testing.T) {
	at := func(y int32) chunk.BlockPos { return chunk.BlockPos{X: 8, Y: y, Z: 8} }
	for _, c := range []struct {
		name, falls string
		there       map[chunk.BlockPos]string
		y           int32
		becomes     string // "" for an item
	}{
		{"onto the ground", "sand", nil, 10, "sand"},
		{"onto grass", "gravel", map[chunk.BlockPos]string{at(10): "short_grass"}, 10, "gravel"},
		{"onto a torch", "sand", map[chunk.BlockPos]string{at(10): "torch"}, 10, ""},
		{"onto a slab", "sand", map[chunk.BlockPos]string{at(10): "stone_slab[type=bottom]"}, 10, ""},
		{"into water", "red_concrete_powder", map[chunk.BlockPos]string{at(12): "water", at(11): "water", at(10): "water"}, 12, "red_concrete"},
		{"sand through water", "sand", map[chunk.BlockPos]string{at(11): "water", at(10): "water"}, 10, "sand"},
	} {
		s, g := loaded(t), newGround(c.there)
		s.Fall(at(20), state(c.falls))
		ticks(s, g, 100)
		if s.Len() != 0 {
			t.Errorf("%s: it falls still", c.name)
		}
		got, _ := g.Block(at(c.y))
		if c.becomes == "" && len(g.dropped) != 1 || c.becomes != "" && (got != state(c.becomes) || len(g.dropped) != 0) {
			t.Errorf("%s: %v, dropped %v", c.name, got, g.dropped)
		}
	}
}

func TestWhatIsOutsideOfTheWorldIsGone(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	s.Throw(stone(1), 8.5, -10, 8.5, 0, 0, 0, 0)
	s.Fall(chunk.BlockPos{X: 3, Y: -5, Z: 3}, state("sand"))
	ticks(s, g, 200)
	if s.Len() != 0 {
		t.Errorf("%d left", s.Len())
	}
}

func TestEntitiesComeBackAsTheyWereSaved(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	s.Throw(stone(7), 8.5, 20, 8.5, 0.1, 0, 0, 40)
	s.Fall(chunk.BlockPos{X: 3, Y: 200, Z: 3}, state("anvil[facing=east]"))
	ticks(s, g, 3)
	data, err := s.Document(region.ChunkPos{}, 4903)
	if err != nil {
		t.Fatal(err)
	}
	back := NewSet(&IDs{})
	if err := back.Load(region.ChunkPos{}, data); err != nil {
		t.Fatal(err)
	}
	if back.Len() != 2 {
		t.Fatalf("%d are back", back.Len())
	}
	for i, want := range s.All() {
		got := back.All()[i]
		if got.UUID != want.UUID || got.X != want.X || got.Y != want.Y || got.VY != want.VY || got.Age != want.Age || got.Delay != want.Delay ||
			got.State != want.State || !got.Stack.Equal(want.Stack) || got.Kind != want.Kind {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	back.Changed(func(pos region.ChunkPos, c Change) { t.Errorf("%v is changed by loading: %v", pos, c) })
}

// What we do not know stays, byte for byte, and what belongs to our own as well.
func TestOtherEntitiesAreKept(t *testing.T) {
	cow := nbt.Compound{{Name: "id", Value: "minecraft:cow"}, {Name: "Pos", Value: doubles(1, 10, 1)}, {Name: "Age", Value: int32(-5)}}
	thing := nbt.Compound{
		{Name: "id", Value: "minecraft:item"}, {Name: "Pos", Value: doubles(2, 10, 2)}, {Name: "Item", Value: stone(2).NBT()},
		{Name: "custom", Value: "kept"},
	}
	data, err := nbt.Marshal(nbt.Compound{
		{Name: "DataVersion", Value: int32(4903)}, {Name: "Position", Value: []int32{0, 0}}, {Name: "more", Value: int8(3)},
		{Name: "Entities", Value: nbt.List{Elem: nbt.TypeCompound, Items: []any{cow, thing}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSet(&IDs{})
	if err := s.Load(region.ChunkPos{}, data); err != nil {
		t.Fatal(err)
	}
	if s.Len() != 1 || s.All()[0].Stack.Count != 2 {
		t.Fatalf("%d entities", s.Len())
	}
	s.Take(s.All()[0], 1)
	after, err := s.Document(region.ChunkPos{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(after); err != nil {
		t.Fatal(err)
	}
	root := tape.Root()
	list := root.Get("Entities")
	wantCow, _ := nbt.MarshalRaw(cow)
	if list.Len() != 2 || string(list.Item(0).Raw().Data) != string(wantCow.Data) {
		t.Error("the cow is another one")
	}
	if !list.Item(1).Get("custom").Is("kept") {
		t.Error("the item has lost a member")
	}
	if n, _ := list.Item(1).Get("Item").Get("count").Int(); n != 1 {
		t.Errorf("count %d", n)
	}
	if v, _ := root.Get("more").Int(); v != 3 {
		t.Error("the document has lost a member")
	}
}

// TestChangesAreNoticed: what is taken must not be there after a kill, so its chunk
// is written at once.
func TestChangesAreNoticed(t *testing.T) {
	s, g := loaded(t), newGround(nil)
	changed := func() (most Change) {
		s.Changed(func(_ region.ChunkPos, c Change) { most = max(most, c) })
		if _, err := s.Document(region.ChunkPos{}, 4903); err != nil {
			t.Fatal(err)
		}
		return most
	}
	if c := changed(); c != Same {
		t.Errorf("nothing was done: %v", c)
	}
	s.Throw(stone(2), 8.5, 20, 8.5, 0, 0, 0, 0)
	if c := changed(); c != Structural {
		t.Errorf("one was thrown: %v", c)
	}
	s.Tick(g)
	if c := changed(); c != Moved {
		t.Errorf("it falls: %v", c)
	}
	s.Take(s.All()[0], 1)
	if c := changed(); c != Structural {
		t.Errorf("one was taken: %v", c)
	}
	s.Take(s.All()[0], 1)
	if c := changed(); c != Structural {
		t.Errorf("the last one was taken: %v", c)
	}
	s.Tick(g)
	if s.Len() != 0 {
		t.Error("it is there still")
	}
}

func FuzzLoad(f *testing.F) {
	s := NewSet(&IDs{})
	_ = s.Load(region.ChunkPos{}, nil)
	s.Throw(stone(7), 8.5, 20, 8.5, 0.1, 0, 0, 40)
	s.Fall(chunk.BlockPos{X: 3, Y: 200, Z: 3}, state("anvil[facing=east]"))
	data, err := s.Document(region.ChunkPos{}, 4903)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, g := NewSet(&IDs{}), newGround(nil)
		if s.Load(region.ChunkPos{}, data) != nil {
			return
		}
		n := s.Len()
		saved, err := s.Document(region.ChunkPos{}, 4903)
		if err != nil {
			t.Fatal(err)
		}
		again := NewSet(&IDs{})
		if err := again.Load(region.ChunkPos{}, saved); err != nil || again.Len() != n {
			t.Errorf("%d of %d are back: %v", again.Len(), n, err)
		}
		ticks(s, g, 5)
	})
}

func BenchmarkTick(b *testing.B) {
	s, g := NewSet(&IDs{}), newGround(nil)
	_ = s.Load(region.ChunkPos{}, nil)
	for i := range 1000 {
		s.Throw(item.Named("minecraft:stone", 64), float64(i%16)+0.5, 12, float64(i/16%16)+0.5, 0, 0, 0, 0)
		s.All()[i].Age = Ageless
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Tick(g)
	}
}
