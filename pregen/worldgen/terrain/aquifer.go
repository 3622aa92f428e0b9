package terrain

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
)

// Aquifer decides about the blocks that the density leaves open. It is scratch
// for one worker.
type Aquifer struct {
	sea     sea
	enabled bool
	factory factory
	shape   density.Shape
	router  Router

	// The centres of the cells around the chunk: 3 by 3 columns of layers.
	cells  []centre
	firstX int32
	firstY int32
	firstZ int32
	layers int32

	skip    int32    // the highest block that is looked at
	skipped bool     // skip is known for this chunk
	noise   Function // Barrier or BarrierAlone
	barrier float64
	asked   bool // barrier is that of the block
}

// columns is the number of columns of cells that a chunk's blocks can be near
// to, on one axis.
const columns = 3

// A block's nearest centres are those of the cells of the block this far away,
// and of the next ones: one more along x and z, one below and above.
const offsetX, offsetY, offsetZ = -5, 1, -5

// NewAquifer returns the aquifer of a dimension with settings and a seed. shape
// is the settings' own, cut to the dimension.
func NewAquifer(s *Settings, shape density.Shape, noises *noise.Set) *Aquifer {
	a := &Aquifer{
		sea:     newSea(s),
		enabled: s.Aquifers,
		factory: newFactory(noises.Factory(), "minecraft:aquifer"),
		shape:   shape,
	}
	if a.enabled {
		a.firstY = floorDiv(int32(shape.MinY+offsetY), cellY) - 1
		a.layers = floorDiv(int32(shape.MinY+shape.Height+offsetY), cellY) + 1 - a.firstY + 1
		a.cells = make([]centre, columns*columns*a.layers)
	}
	return a
}

// Begin moves the aquifer to a chunk. The router is asked for values within and
// around the chunk until the next Begin.
func (a *Aquifer) Begin(chunkX, chunkZ int32, router Router) {
	a.router = router
	a.noise = BarrierAlone
	if !a.enabled {
		return
	}
	a.firstX = (chunkX*16 + offsetX) >> 4
	a.firstZ = (chunkZ*16 + offsetZ) >> 4
	for i := range a.cells {
		a.cells[i].placed = false
	}
	a.skipped = false
}

// At decides about a block of the chunk with a density. It is solid, or has a
// state (air or a fluid), which is to be marked if it holds a fluid and mark is
// true.
func (a *Aquifer) At(x, y, z int, density float64) (state block.State, solid, mark bool) {
	if density > 0 {
		return 0, true, false
	}
	if !a.enabled {
		return a.sea.at(int32(y)), false, false
	}
	return a.open(int32(x), int32(y), int32(z), density)
}

// plain reports whether the blocks of a height are open or not by their density
// alone, and have what the sea leaves there.
func (a *Aquifer) plain(y int32) bool {
	return a.sea.at(y).Block() == lavaBlock || a.above(y)
}

// open is At for a density that is not above zero.
func (a *Aquifer) open(x, y, z int32, density float64) (state block.State, solid, mark bool) {
	if a.plain(y) {
		return a.sea.at(y), false, false
	}
	near := a.nearest(x, y, z)
	return a.decide(&near, x, y, z, density)
}

// decide is open for a block whose nearest centres are known.
func (a *Aquifer) decide(near *nearest, x, y, z int32, density float64) (state block.State, solid, mark bool) {
	first := near.entry[0].fluid
	state = first.at(y)
	pull01 := near.similarity(0, 1)
	if pull01 <= 0 {
		mark = pull01 >= flowing && first != near.entry[1].fluid
		return state, false, mark
	}
	if state.Block() == waterBlock && a.sea.at(y-1).Block() == lavaBlock {
		return state, false, true
	}
	a.asked = false
	second := near.entry[1].fluid
	if density+float64(pull01*a.pressure(x, y, z, first, second)) > 0 {
		return 0, true, false
	}
	third := near.entry[2].fluid
	pull02, pull12 := near.similarity(0, 2), near.similarity(1, 2)
	if pull02 > 0 && density+float64(float64(pull01*pull02)*a.pressure(x, y, z, first, third)) > 0 {
		return 0, true, false
	}
	if pull12 > 0 && density+float64(float64(pull01*pull12)*a.pressure(x, y, z, second, third)) > 0 {
		return 0, true, false
	}
	// That the first and the third differ is in the second condition too.
	mark = first != second ||
		pull12 >= flowing && second != third ||
		pull02 >= flowing && near.similarity(0, 3) >= flowing && first != near.entry[3].fluid
	return state, false, mark
}

// flowing is the similarity from which on a block near two fluids is marked, and
// flowingDistance how much two squared distances differ there.
const (
	flowing         = 1 - float64(flowingDistance)/25
	flowingDistance = 12*12 - 10*10
)

// pressure is how much two fluids harden the ground between them: by what their
// levels differ, and by the barrier noise.
func (a *Aquifer) pressure(x, y, z int32, one, other fluid) float64 {
	if one == other {
		return 0
	}
	here, there := one.at(y).Block(), other.at(y).Block()
	if here == lavaBlock && there == waterBlock || here == waterBlock && there == lavaBlock {
		return 2
	}
	between := abs32(one.level - other.level)
	if between == 0 {
		return 0
	}
	middle := float64(0.5 * float64(one.level+other.level))
	height := float64(y) + 0.5 - middle
	depth := float64(float64(between)/2) - max(height, -height)
	switch {
	case height > 0 && depth > 0:
		depth /= 1.5
	case height > 0:
		depth /= 2.5
	case depth+3 > 0:
		depth = (depth + 3) / 3
	default:
		depth = (depth + 3) / 10
	}
	noise := 0.0
	if depth >= -2 && depth <= 2 {
		if !a.asked {
			a.barrier, a.asked = a.router.Value(a.noise, int(x), int(y), int(z)), true
		}
		noise = a.barrier
	}
	return 2 * (noise + depth)
}

// filled is the fluid of a cell's centre.
func (a *Aquifer) filled(index int32) fluid {
	c := &a.cells[index]
	if !c.filled {
		c.fluid = a.fluidOf(c.x, c.y, c.z)
		c.filled = true
	}
	return c.fluid
}
