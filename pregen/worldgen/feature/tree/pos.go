package tree

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
)

// pos is the place of a block.
type pos struct{ x, y, z int }

func (p pos) offset(x, y, z int) pos        { return pos{p.x + x, p.y + y, p.z + z} }
func (p pos) up(n int) pos                  { return pos{p.x, p.y + n, p.z} }
func (p pos) toward(d direction, n int) pos { s := steps[d]; return p.offset(s.x*n, s.y*n, s.z*n) }

// apart is the number of steps between two places.
func (p pos) apart(q pos) int { return abs(p.x-q.x) + abs(p.y-q.y) + abs(p.z-q.z) }

// direction is one of the six, in the game's order.
type direction = block.Direction

// steps are the directions as vectors.
var steps = [...]pos{
	block.Down: {0, -1, 0}, block.Up: {0, 1, 0}, block.North: {0, 0, -1},
	block.South: {0, 0, 1}, block.West: {-1, 0, 0}, block.East: {1, 0, 0},
}

// horizontal are the horizontal directions in the order in which they are drawn.
var horizontal = [4]direction{block.North, block.East, block.South, block.West}

// axes are the properties "axis" of logs along a direction.
var axes = [...]string{
	block.Down: "y", block.Up: "y", block.North: "z", block.South: "z", block.West: "x", block.East: "x",
}

// along returns a log that lies along an axis; other blocks stay as they are.
func along(s block.State, axis string) block.State {
	if turned, ok := s.With("axis", axis); ok {
		return turned
	}
	return s
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func floor(v float64) int { return int(math.Floor(v)) }

func draw(r *rng.Worldgen, n int) int { return int(r.IntN(int32(n))) }

func drawSide(r *rng.Worldgen) direction { return horizontal[r.IntN(4)] }

// between draws from low to high. As in the game nothing is drawn if there is no
// choice.
func between(r *rng.Worldgen, low, high int) int {
	if low >= high {
		return low
	}
	return low + draw(r, high-low+1)
}

// shuffle brings places into a random order.
func shuffle(r *rng.Worldgen, list []pos) {
	for i := len(list); i > 1; i-- {
		j := draw(r, i)
		list[i-1], list[j] = list[j], list[i-1]
	}
}

func at(c *feature.Context, p pos) block.State { return c.Block(p.x, p.y, p.z) }

func isAir(c *feature.Context, p pos) bool { return at(c, p).Air() }

// stateFor is what a provider gives for a place: what is there if it gives
// nothing.
func stateFor(c *feature.Context, from feature.Provider, p pos) block.State {
	if s, ok := from.State(c, p.x, p.y, p.z); ok {
		return s
	}
	return at(c, p)
}
