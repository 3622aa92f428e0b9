package flat

import (
	"errors"
	"fmt"
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
)

// ErrVersion says that the block states of a data version are not known.
var ErrVersion = errors.New("block states of this data version are not known")

// The heights of the debug world.
const (
	barrierY = 60
	gridY    = 70
)

// debugBiome is that of the debug world, whatever its dimension.
const debugBiome = "minecraft:plains"

// Debug is the generator of the debug world.
type Debug struct {
	grid
	states  []block.State // in the order of the world's version
	barrier block.State
}

// grid is how the states are laid out.
type grid struct {
	count int
	width int // states in a row, from north to south
	depth int // rows, from west to east
}

// newGrid lays out so many states. The root is that of a float, as the game
// takes it.
func newGrid(count int) grid {
	width := int(math.Ceil(float64(float32(math.Sqrt(float64(float32(count)))))))
	return grid{count, width, (count + width - 1) / width}
}

// index returns which state is at a place, false for none.
func (g grid) index(x, z int) (int, bool) {
	if x <= 0 || z <= 0 || x%2 == 0 || z%2 == 0 {
		return 0, false
	}
	row, place := x/2, z/2
	i := row*g.width + place
	return i, place <= g.depth && i < g.count
}

// NewDebug returns the generator of a debug world of a data version: 4786 to
// 4790 or 4903. The error wraps ErrVersion.
func NewDebug(dataVersion int32) (*Debug, error) {
	for _, v := range block.Versions() {
		if int(dataVersion) < v.FirstDataVersion || int(dataVersion) > v.DataVersion {
			continue
		}
		d := &Debug{grid: newGrid(v.States), states: make([]block.State, v.States), barrier: block.Barrier.Default()}
		for i := range d.states {
			state, ok := v.State(uint16(i))
			if !ok {
				return nil, fmt.Errorf("state %d of %s: %w", i, v.Name, ErrVersion)
			}
			d.states[i] = state
		}
		return d, nil
	}
	return nil, fmt.Errorf("data version %d: %w", dataVersion, ErrVersion)
}

// Biomes lists the biomes of the dimension by their numbers in chunks.
func (d *Debug) Biomes() []string { return []string{debugBiome} }

// At returns the state that stands at y 70, air for none.
func (d *Debug) At(x, z int) block.State {
	if i, ok := d.index(x, z); ok {
		return d.states[i]
	}
	return 0
}

// Terrain is for a chunk that was reset, which has its biomes and heights
// already, and no blocks before it is decorated.
func (d *Debug) Terrain(*proto.Chunk) {}

// Decorate places the barriers and the states, as far as the dimension is high
// enough for them.
func (d *Debug) Decorate(c *proto.Chunk) {
	within := func(y int) bool { return y >= c.MinY && y < c.MinY+c.Height }
	if within(barrierY) {
		plane := c.Blocks[c.Index(0, barrierY, 0):][:256]
		for i := range plane {
			plane[i] = d.barrier
		}
	}
	if !within(gridY) {
		return
	}
	plane := c.Blocks[c.Index(0, gridY, 0):][:256]
	for z := range 16 {
		for x := range 16 {
			plane[z<<4|x] = d.At(int(c.X)*16+x, int(c.Z)*16+z)
		}
	}
}
