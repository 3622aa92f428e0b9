package play

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/server/physics"
)

// scene is some blocks on stone, which reaches up to y 10.
type scene map[chunk.BlockPos]block.State

func (s scene) Block(p chunk.BlockPos) (block.State, bool) {
	if there, ok := s[p]; ok {
		return there, true
	}
	if p.Y < 10 {
		return block.Stone.Default(), true
	}
	return block.Air.Default(), true
}

// sceneOf makes blocks by their texts, each list upwards from y 10.
func sceneOf(t testing.TB, columns map[[2]int32][]string) scene {
	t.Helper()
	s := scene{}
	for at, texts := range columns {
		for i, text := range texts {
			state, err := block.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			s[chunk.BlockPos{X: at[0], Y: 10 + int32(i), Z: at[1]}] = state
		}
	}
	return s
}

// street is what the tests walk through, from west to east.
func street(t testing.TB) scene {
	return sceneOf(t, map[[2]int32][]string{
		{2, 0}:  {"stone_slab[type=bottom]"},
		{3, 0}:  {"stone"},
		{6, 0}:  {"oak_stairs[facing=east,half=bottom]"},
		{10, 0}: {"stone", "stone", "stone"},
		{14, 0}: {"oak_fence"},
		{18, 0}: {"air", "stone_slab[type=top]"}, // 1.5 high
		{22, 0}: {"air", "stone"},                // 1 high
		{26, 0}: {"air", "oak_trapdoor[half=top,open=false]"},
		{30, 0}: {"water[level=0]", "water[level=0]"},
		{34, 0}: {"ladder[facing=south]"},
		{38, 0}: {"oak_door[facing=east,half=lower,open=false]", "oak_door[facing=east,half=upper,open=false]"},
		{42, 0}: {"stone", "air", "stone", "stone"},
	})
}

func TestWhoGetsThrough(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to [3]float64
		height   float64
		want     bool
	}{
		{"along the ground", [3]float64{0.5, 10, 0.5}, [3]float64{0.78, 10, 0.6}, heightStanding, true},
		{"a jump", [3]float64{0.5, 10, 0.5}, [3]float64{0.8, 10.42, 0.5}, heightStanding, true},
		{"ten blocks through the air", [3]float64{0.5, 20, 0.5}, [3]float64{6.5, 25, 5.5}, heightStanding, true},
		{"a step onto a slab", [3]float64{1.69, 10, 0.5}, [3]float64{1.9, 10.5, 0.5}, heightStanding, true},
		{"into a slab", [3]float64{1.69, 10, 0.5}, [3]float64{1.9, 10, 0.5}, heightStanding, false},
		{"from the slab up to stone", [3]float64{2.6, 10.5, 0.5}, [3]float64{2.9, 11, 0.5}, heightStanding, true},
		{"down from it", [3]float64{4.2, 11, 0.5}, [3]float64{4.5, 10.9, 0.5}, heightStanding, true},
		{"up stairs", [3]float64{5.69, 10, 0.5}, [3]float64{5.9, 10.5, 0.5}, heightStanding, true},
		{"up stairs, the other half", [3]float64{6.19, 10.5, 0.5}, [3]float64{6.4, 11, 0.5}, heightStanding, true},
		{"as near to a wall as it gets", [3]float64{9.5, 10, 0.5}, [3]float64{9.7, 10, 0.5}, heightStanding, true},
		{"along a wall", [3]float64{9.7, 10, 0.5}, [3]float64{9.7, 10, 0.8}, heightStanding, true},
		{"as near as the game's client gets", [3]float64{9.5, 10, 0.5}, [3]float64{10 - float64(float32(0.6)/2), 10, 0.5}, heightStanding, true},
		{"into a wall", [3]float64{9.5, 10, 0.5}, [3]float64{9.75, 10, 0.5}, heightStanding, false},
		{"through a wall", [3]float64{9.5, 10, 0.5}, [3]float64{11.5, 10, 0.5}, heightStanding, false},
		{"over a wall", [3]float64{9.5, 13, 0.5}, [3]float64{11.5, 13, 0.5}, heightStanding, true},
		{"through the ground", [3]float64{0.5, 10, 0.5}, [3]float64{0.5, 4, 0.5}, heightStanding, false},
		{"less than can be seen into the ground", [3]float64{0.5, 10, 0.5}, [3]float64{0.5, 9.999995, 0.5}, heightStanding, true},
		{"over a fence from the ground", [3]float64{13.5, 10, 0.5}, [3]float64{14.3, 11.25, 0.5}, heightStanding, false},
		{"onto a fence from above", [3]float64{13.5, 12, 0.5}, [3]float64{13.9, 11.5, 0.5}, heightStanding, true},
		{"sneaking where it is lower", [3]float64{17.5, 10, 0.5}, [3]float64{17.8, 10, 0.5}, heightSneaking, true},
		{"standing there", [3]float64{17.6, 10, 0.5}, [3]float64{17.8, 10, 0.5}, heightStanding, false},
		{"crawling below a block", [3]float64{21.6, 10, 0.5}, [3]float64{21.9, 10, 0.5}, heightSwimming, true},
		{"sneaking there", [3]float64{21.6, 10, 0.5}, [3]float64{21.9, 10, 0.5}, heightSneaking, false},
		{"below a trapdoor", [3]float64{25.6, 10, 0.5}, [3]float64{25.9, 10, 0.5}, heightStanding, true},
		{"up against a trapdoor", [3]float64{26.5, 10, 0.5}, [3]float64{26.5, 10.0125, 0.5}, heightStanding, true},
		{"through water", [3]float64{29.5, 10, 0.5}, [3]float64{30.1, 10.3, 0.5}, heightStanding, true},
		{"up a ladder", [3]float64{34.5, 10, 0.5}, [3]float64{34.5, 10.12, 0.4876}, heightStanding, true},
		{"through a ladder", [3]float64{34.5, 10, 0.5}, [3]float64{34.5, 10.12, 0.3}, heightStanding, false},
		{"through a door", [3]float64{37.6, 10, 0.5}, [3]float64{38.4, 10, 0.5}, heightStanding, false},
		{"behind a door", [3]float64{38.5, 10, 0.5}, [3]float64{38.6, 10, 0.5}, heightStanding, true},
		{"into a window", [3]float64{41.6, 11, 0.5}, [3]float64{42.2, 11, 0.5}, heightStanding, false},
		{"about the corner of a wall", [3]float64{9.6, 10, -0.5}, [3]float64{10.1, 10, -0.4}, heightStanding, true},
		{"out of a block", [3]float64{10.4, 11, 0.5}, [3]float64{9.7, 11, 0.5}, heightStanding, true},
		{"on in the block that one is in", [3]float64{10.4, 11, 0.5}, [3]float64{10.5, 11, 0.5}, heightStanding, true},
	} {
		var m physics.Mover
		w := walk{&m, street(t), c.from[0], c.from[1], c.from[2], c.to[0], c.to[1], c.to[2]}
		if got := w.fits(c.height); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWhoDoesNotFitStandingCrouches(t *testing.T) {
	for _, c := range []struct {
		name string
		at   [3]float64
		want float64
	}{
		{"outside", [3]float64{0.5, 10, 0.5}, heightStanding},
		{"below a slab", [3]float64{18.5, 10, 0.5}, heightSneaking},
		{"below a block", [3]float64{22.5, 10, 0.5}, heightSwimming},
		{"at the edge of it", [3]float64{21.71, 10, 0.5}, heightSwimming},
		{"as near to it as standing gets", [3]float64{21.7, 10, 0.5}, heightStanding},
		{"in a wall", [3]float64{10.5, 10, 0.5}, heightStanding},
	} {
		var m physics.Mover
		w := walk{mover: &m, view: street(t), fromX: c.at[0], fromY: c.at[1], fromZ: c.at[2]}
		if got := w.height(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWalkingDoesNotAllocate(t *testing.T) {
	var m physics.Mover
	view := physics.View(street(t))
	w := walk{&m, view, 5.69, 10, 0.5, 5.9, 10.5, 0.5}
	if n := testing.AllocsPerRun(100, func() { w.fits(w.height()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// plain is stone up to y 10, and costs nothing to ask.
type plain struct{}

func (plain) Block(p chunk.BlockPos) (block.State, bool) {
	if p.Y < 10 {
		return block.Stone.Default(), true
	}
	return block.Air.Default(), true
}

func BenchmarkWalk(b *testing.B) {
	var m physics.Mover
	w := walk{&m, plain{}, 0.5, 10, 0.5, 0.78, 10, 0.6}
	b.ReportAllocs()
	for b.Loop() {
		if !w.fits(w.height()) {
			b.Fatal("does not fit")
		}
	}
}
