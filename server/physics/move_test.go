package physics

import (
	"math"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// blocks are some blocks in air; those with y below 0 are not loaded.
type blocks map[chunk.BlockPos]string

func (b blocks) Block(p chunk.BlockPos) (block.State, bool) {
	if p.Y < 0 {
		return block.Air.Default(), false
	}
	name, ok := b[p]
	if !ok {
		return block.Air.Default(), true
	}
	s, err := block.Parse(name)
	if err != nil {
		panic(err)
	}
	return s, true
}

func TestBoxesStopAtWhatIsInTheWay(t *testing.T) {
	at := func(x, y, z int32) chunk.BlockPos { return chunk.BlockPos{X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name       string
		there      blocks
		box        Box
		dx, dy, dz float64
		want       [3]float64
	}{
		{"air", nil, Around(0.5, 10, 0.5, 0.6, 1.8), 0.3, -0.4, 0.2, [3]float64{0.3, -0.4, 0.2}},
		{"a floor", blocks{at(0, 9, 0): "stone"}, Around(0.5, 10.25, 0.5, 0.6, 1.8), 0, -1, 0, [3]float64{0, -0.25, 0}},
		{"a slab", blocks{at(0, 9, 0): "stone_slab[type=bottom]"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0, -1, 0, [3]float64{0, -0.5, 0}},
		{"a ceiling", blocks{at(0, 12, 0): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0, 1, 0, [3]float64{0, 0.2, 0}},
		{"a wall to the east", blocks{at(1, 10, 0): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 1, 0, 0, [3]float64{0.2, 0, 0}},
		{"a wall to the north", blocks{at(0, 11, -1): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0, 0, -1, [3]float64{0, 0, -0.2}},
		{"a fence below is half a block higher", blocks{at(0, 9, 0): "oak_fence"}, Around(0.5, 10.75, 0.5, 0.25, 0.25), 0, -1, 0, [3]float64{0, -0.25, 0}},
		{"along a floor", blocks{at(0, 9, 0): "stone", at(1, 9, 0): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0.5, -0.08, 0, [3]float64{0.5, 0, 0}},
		{"the longer way first", blocks{at(1, 10, 1): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0.4, 0, 0.6, [3]float64{0.2, 0, 0.6}},
		{"the other is longer", blocks{at(1, 10, 1): "stone"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0.6, 0, 0.4, [3]float64{0.6, 0, 0.2}},
		{"what is in a block gets out", blocks{at(0, 10, 0): "stone"}, Around(0.5, 10.5, 0.5, 0.6, 1.8), 1, 0, 0, [3]float64{1, 0, 0}},
		{"what is not loaded", nil, Around(0.5, 0.5, 0.5, 0.6, 1.8), 0, -1, 0, [3]float64{0, -0.5, 0}},
		{"nothing to collide with", blocks{at(0, 9, 0): "short_grass"}, Around(0.5, 10, 0.5, 0.6, 1.8), 0, -1, 0, [3]float64{0, -1, 0}},
	} {
		var m Mover
		dx, dy, dz := m.Move(c.there, c.box, c.dx, c.dy, c.dz)
		for i, got := range [3]float64{dx, dy, dz} {
			if math.Abs(got-c.want[i]) > 1e-9 {
				t.Errorf("%s: %v %v %v, want %v", c.name, dx, dy, dz, c.want)
				break
			}
		}
	}
}

func TestFree(t *testing.T) {
	there := blocks{{X: 0, Y: 9, Z: 0}: "stone", {X: 1, Y: 10, Z: 0}: "oak_fence"}
	var m Mover
	for _, c := range []struct {
		box  Box
		want bool
	}{
		{Around(0.5, 10, 0.5, 0.6, 1.8), true},
		{Around(0.5, 9.9, 0.5, 0.6, 1.8), false},
		{Around(1.5, 11.4, 0.5, 0.6, 1.8), false},
		{Around(1.5, 11.5, 0.5, 0.6, 1.8), true},
	} {
		if got := m.Free(there, c.box); got != c.want {
			t.Errorf("%+v: %v", c.box, got)
		}
	}
}

func BenchmarkMove(b *testing.B) {
	stone, _ := block.Parse("stone")
	view := flat{stone}
	var m Mover
	b.ReportAllocs()
	for b.Loop() {
		m.Move(view, Around(4.5, 10, 4.5, 0.6, 1.8), 0.2, -0.08, 0.1)
	}
}

// flat is ground up to y 10.
type flat struct{ ground block.State }

func (f flat) Block(p chunk.BlockPos) (block.State, bool) {
	if p.Y < 10 {
		return f.ground, true
	}
	return block.Air.Default(), true
}
