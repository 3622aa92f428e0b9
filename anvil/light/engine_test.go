package light

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
)

// one is a chunk that is all of one state.
type one block.State

func (o one) Section(chunk.SectionY, *[cells]block.State) (*[cells]block.State, block.State) {
	return nil, block.State(o)
}

func column(t testing.TB, low, high chunk.SectionY, blocks Blocks) *Column {
	t.Helper()
	c := new(Column)
	if err := c.Set(low, high, blocks, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSetRefusesHeightsOutOfRange(t *testing.T) {
	for _, r := range [][2]chunk.SectionY{{0, 0}, {4, 3}, {0, MaxSections + 1}, {-1 << 31, 1<<31 - 1}, {1 << 30, 1<<30 + 1}, {-1 << 30, -1<<30 + 1}} {
		if err := new(Column).Set(r[0], r[1], one(0), nil); !errors.Is(err, ErrRange) {
			t.Errorf("sections %d to %d: %v", r[0], r[1], err)
		}
		var e Engine
		if err := e.Update(newMemoryWorld(1, 1, Dimension{High: 1}), Dimension{Low: r[0], High: r[1]}, nil); !errors.Is(err, ErrRange) {
			t.Errorf("update of sections %d to %d: %v", r[0], r[1], err)
		}
	}
}

func TestLightRefusesAreasItCanNotLight(t *testing.T) {
	c, higher := column(t, 0, 2, one(0)), column(t, 0, 3, one(0))
	nine := func(c *Column) []*Column { return []*Column{c, c, c, c, c, c, c, c, c} }
	mixed := nine(c)
	mixed[8] = higher
	for name, refused := range map[string]struct {
		area Area
		err  error
	}{
		"nothing":     {Area{}, ErrRange},
		"too small":   {Area{Width: 2, Depth: 3, Columns: nine(c)[:6]}, ErrRange},
		"negative":    {Area{Width: -3, Depth: -3, Columns: nine(c)}, ErrRange},
		"too large":   {Area{Width: 1 << 20, Depth: 1 << 20}, ErrRange},
		"few columns": {Area{Width: 3, Depth: 3, Columns: nine(c)[:8]}, ErrRange},
		"not set":     {Area{Width: 3, Depth: 3, Columns: nine(new(Column))}, ErrRange},
		"mixed":       {Area{Width: 3, Depth: 3, Columns: mixed}, ErrMismatch},
	} {
		var e Engine
		if err := e.Light(refused.area); !errors.Is(err, refused.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestResultIsOfTheLastAreaOnly(t *testing.T) {
	var e Engine
	var c Chunk
	if err := e.Result(1, 1, &c); !errors.Is(err, ErrRange) {
		t.Errorf("before any: %v", err)
	}
	a := Area{Width: 3, Depth: 4, Columns: make([]*Column, 12)}
	a.Columns[4] = column(t, 0, 1, one(0))
	if err := e.Light(a); err != nil {
		t.Fatal(err)
	}
	for _, at := range [][2]int{{0, 1}, {1, 0}, {2, 1}, {1, 3}, {-1, 1}, {9, 9}, {1, 2}} {
		if err := e.Result(at[0], at[1], &c); !errors.Is(err, ErrRange) {
			t.Errorf("at the rim, or nil: %v", err)
		}
	}
	if err := e.Result(1, 1, &c); err != nil {
		t.Error(err)
	}
	w := newMemoryWorld(1, 1, Dimension{High: 1})
	if err := e.Update(w, w.Dimension, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Result(1, 1, &c); !errors.Is(err, ErrRange) {
		t.Errorf("after an update: %v", err)
	}
}

// TestLayersOfPlainChunks states which layers are stored, of chunks that need
// no array.
func TestLayersOfPlainChunks(t *testing.T) {
	var e Engine
	light := func(middle, around block.State) *Chunk {
		a := Area{Width: 3, Depth: 3, Sky: true}
		for i := range 9 {
			s := around
			if i == 4 {
				s = middle
			}
			a.Columns = append(a.Columns, column(t, 0, 2, one(s)))
		}
		c := new(Chunk)
		if err := e.Light(a); err != nil {
			t.Fatal(err)
		}
		if err := e.Result(1, 1, c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	air, stone, lamp := block.Air.Default(), block.Stone.Default(), block.Glowstone.Default()
	day := Layer{Level: 15}
	for name, is := range map[string]struct {
		got  *Chunk
		sky  [4]Layer
		dark bool
	}{
		"air":              {light(air, air), [4]Layer{day, day, day, day}, true},
		"stone":            {light(stone, stone), [4]Layer{{}, {}, {}, {Level: 15, Stored: true}}, true},
		"cave air":         {light(block.CaveAir.Default(), air), [4]Layer{day, day, day, day}, true},
		"glass":            {light(block.Glass.Default(), air), [4]Layer{{Level: 15, Stored: true}, {Level: 15, Stored: true}, {Level: 15, Stored: true}, {Level: 15, Stored: true}}, true},
		"air beside stone": {light(air, stone), [4]Layer{{}, {Level: 15, Stored: true}, {Level: 15, Stored: true}, {Level: 15, Stored: true}}, true},
		"glowstone":        {light(lamp, stone), [4]Layer{{}, {}, {}, {Level: 15, Stored: true}}, false},
	} {
		for i := range 4 {
			if i == 0 && name == "air beside stone" {
				continue // its light goes below the stone
			}
			if is.got.Sky[i] != is.sky[i] {
				t.Errorf("%s: sky of layer %d is %+v, want %+v", name, i, is.got.Sky[i], is.sky[i])
			}
			if b := is.got.Block[i]; is.dark && b != (Layer{}) || !is.dark && (i == 1 || i == 2) && b != (Layer{Level: 15, Stored: true}) {
				t.Errorf("%s: block light of layer %d is %+v", name, i, b)
			}
		}
	}
}

// TestForeignStatesHaveTheLightOfTheirBase interns states and lights them.
func TestForeignStatesHaveTheLightOfTheirBase(t *testing.T) {
	foreign := block.NewStates(block.StatesOptions{})
	lamp, err := foreign.Intern([]byte("a"), []byte("minecraft:glowstone"), []block.Pair{{Key: []byte("mood"), Value: []byte("good")}})
	if err != nil {
		t.Fatal(err)
	}
	other, err := foreign.Intern([]byte("b"), []byte("mod:glass"), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newMemoryWorld(1, 1, Dimension{High: 2, Sky: true, Foreign: foreign})
	native := newMemoryWorld(1, 1, Dimension{High: 2, Sky: true})
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	for range 500 {
		p := xyz(int32(r.IntN(16)), int32(r.IntN(32)), int32(r.IntN(16)))
		if r.IntN(4) == 0 {
			w.set(p, lamp)
			native.set(p, block.Glowstone.Default())
		} else {
			w.set(p, other)
			native.set(p, block.Stone.Default())
		}
	}
	var e Engine
	want := native.relight(t, &e)
	native.judge(t, want, "native")
	w.take(want)
	w.compare(t, w.relight(t, new(Engine)), "foreign")
	p := xyz(7, 7, 7)
	w.set(p, lamp)
	native.set(p, block.Glowstone.Default())
	if err := e.Update(w, w.Dimension, []chunk.BlockPos{p}); err != nil {
		t.Fatal(err)
	}
	w.compare(t, native.relight(t, &e), "foreign after an edit")
}

// TestColumnsAreSharedByEngines lights one area from several goroutines.
func TestColumnsAreSharedByEngines(t *testing.T) {
	w := newMemoryWorld(3, 3, Dimension{High: 3, Sky: true})
	newBrush(rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))).landscape(w)
	a := w.area(t)
	w.take(w.relight(t, new(Engine)))
	want := w.chunks[4].light
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			var e Engine
			var c Chunk
			if err := errors.Join(e.Light(a), e.Result(2, 2, &c)); err != nil {
				t.Error(err)
				return
			}
			for y := range c.Sky {
				for cell := range cells {
					if c.Sky[y].At(cell) != want[skyLight][y].At(cell) || c.Block[y].At(cell) != want[blockLight][y].At(cell) {
						t.Error("differs")
						return
					}
				}
			}
		})
	}
	wait.Wait()
}

// TestSteadyStateAllocatesNothing lights and updates again and again.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop some of what they get under the race detector")
	}
	w := newMemoryWorld(3, 3, Dimension{High: 3, Sky: true})
	newBrush(rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 7))).landscape(w)
	a := w.area(t)
	var e Engine
	var c Chunk
	n := testing.AllocsPerRun(10, func() {
		if err := errors.Join(e.Light(a), e.Result(2, 2, &c)); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for an area", n)
	}
	again := new(Column)
	n = testing.AllocsPerRun(10, func() {
		if err := again.Set(w.Low, w.High, w.chunks[0], nil); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for a column", n)
	}
	// A world that keeps nothing: only the engine's memory counts.
	w.take(w.relight(t, &e))
	still := stillWorld{w}
	list := []chunk.BlockPos{xyz(20, 30, 20), xyz(15, 20, 15), xyz(3, 40, 44)}
	for _, p := range list {
		w.set(p, block.Glowstone.Default())
	}
	n = testing.AllocsPerRun(10, func() {
		if err := e.Update(still, w.Dimension, list); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for an update", n)
	}
}

// stillWorld does not take light.
type stillWorld struct{ *memoryWorld }

func (stillWorld) SetLight(SectionPos, bool, *Array, uint8) {}

// TestUpdatePassesOverWhatIsNotThere edits outside of the world.
func TestUpdatePassesOverWhatIsNotThere(t *testing.T) {
	w := newMemoryWorld(1, 1, Dimension{High: 1, Sky: true})
	var e Engine
	w.take(w.relight(t, &e))
	list := []chunk.BlockPos{xyz(0, -1, 0), xyz(0, 16, 0), xyz(-1, 3, 0), xyz(16, 3, 0), xyz(-1<<31, -1<<31, -1<<31), xyz(1<<31-1, 1<<31-1, 1<<31-1)}
	if err := e.Update(w, w.Dimension, list); err != nil {
		t.Fatal(err)
	}
	if w.written != 0 {
		t.Errorf("%d layers written", w.written)
	}
	if err := e.Update(w, w.Dimension, make([]chunk.BlockPos, MaxEdits+1)); !errors.Is(err, ErrRange) {
		t.Errorf("too many edits: %v", err)
	}
}

// TestUpdateWritesOnlyWhatChanged changes blocks that are alike to light.
func TestUpdateWritesOnlyWhatChanged(t *testing.T) {
	w := newMemoryWorld(3, 3, Dimension{High: 3, Sky: true})
	newBrush(rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 8))).landscape(w)
	var e Engine
	w.take(w.relight(t, &e))
	var list []chunk.BlockPos
	for x := range int32(48) {
		p := xyz(x, 20, 20)
		list = append(list, p)
		if w.chunk(x>>4, 1).blocks[1][4<<8|4<<4|x&15] == block.Stone.Default() {
			w.set(p, block.Dirt.Default())
		}
	}
	if err := e.Update(w, w.Dimension, list); err != nil {
		t.Fatal(err)
	}
	if w.written != 0 {
		t.Errorf("%d layers written", w.written)
	}
}

// TestUpdateOfUnsoundLightEnds gives light that no blocks could have made.
func TestUpdateOfUnsoundLightEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 9))
	w := newMemoryWorld(2, 2, Dimension{High: 2, Sky: true})
	b := newBrush(r)
	b.landscape(w)
	for _, c := range w.chunks {
		for kind := range c.light {
			for y := range c.light[kind] {
				c.light[kind][y] = Layer{Level: uint8(r.IntN(256))}
				if r.IntN(3) > 0 {
					array := new(Array)
					for i := range array {
						array[i] = uint8(r.Uint32())
					}
					c.light[kind][y].Array = array
				}
			}
		}
	}
	var e Engine
	for range 20 {
		if err := e.Update(w, w.Dimension, b.edit(w, 50)); err != nil {
			t.Fatal(err)
		}
	}
}
