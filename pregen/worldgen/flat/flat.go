package flat

import (
	"errors"
	"fmt"

	"strata/anvil/block"
	"strata/anvil/level"
	"strata/pregen/worldgen/proto"
)

// ErrBlock says that a layer is of a block that the game does not have.
var ErrBlock = errors.New("no such block")

// voidBiome is the biome that has features in a world of air.
const voidBiome = "minecraft:the_void"

// Flat is the generator of a flat world.
type Flat struct {
	biome      string
	decoration Decoration
	terrain    []layer // from the bottom up, and within the dimension
	late       []layer // those of Decorate
	// surface and floor are the y above the highest layer of the terrain that
	// counts for either heightmap.
	surface, floor int
}

// layer is one block high.
type layer struct {
	y     int
	state block.State
}

// Decoration is what of the biome's features a flat world has.
type Decoration struct {
	// Features are those of the biome, of all steps but underground structures
	// and surface structures, and but lakes if Lakes is set.
	Features bool
	// Lakes are the two lava lakes of the overworld, whatever the biome has.
	Lakes bool
}

// New returns the generator of a dimension whose lowest block is at minY and
// which is height blocks high. f must have been checked, as package preset
// does; what is not checked there is that the layers are low enough. The error
// wraps ErrBlock.
func New(f level.Flat, minY, height int) (*Flat, error) {
	g := &Flat{biome: f.Biome, surface: minY, floor: minY}
	y, void := minY, true
	for _, l := range f.Layers {
		id, ok := block.Find(l.Block)
		if !ok {
			return nil, fmt.Errorf("layer of %s: %w", l.Block, ErrBlock)
		}
		state := id.Default()
		void = void && (!state.WorldSurface() || l.Height <= 0)
		for range l.Height {
			if y >= minY+height {
				break
			}
			g.add(layer{y, state})
			y++
		}
	}
	g.decoration = Decoration{Features: f.Features && (!void || f.Biome == voidBiome), Lakes: f.Lakes}
	return g, nil
}

func (g *Flat) add(l layer) {
	if !l.state.MotionBlocking() { // air too, which takes the place of cave air
		g.late = append(g.late, l)
		return
	}
	g.terrain = append(g.terrain, l)
	g.surface = l.y + 1
	if l.state.OceanFloor() {
		g.floor = l.y + 1
	}
}

// Biomes lists the biomes of the dimension by their numbers in chunks.
func (g *Flat) Biomes() []string { return []string{g.biome} }

// Decoration returns what else is to be placed in the features stage.
func (g *Flat) Decoration() Decoration { return g.decoration }

// Terrain fills a chunk that was reset: blocks and heights. All biomes are
// number 0 already. The chunk must have the height of the dimension.
func (g *Flat) Terrain(c *proto.Chunk) {
	for _, l := range g.terrain {
		plane := c.Blocks[c.Index(0, l.y, 0):][:256]
		for i := range plane {
			plane[i] = l.state
		}
	}
	for z := range 16 {
		for x := range 16 {
			c.SetHeight(proto.WorldSurface, x, z, g.surface)
			c.SetHeight(proto.OceanFloor, x, z, g.floor)
		}
	}
}

// Decorate places the layers that are no terrain, where there is air. It comes
// after all other features.
func (g *Flat) Decorate(c *proto.Chunk) {
	for _, l := range g.late {
		plane := c.Blocks[c.Index(0, l.y, 0):][:256]
		for i := range plane {
			if !plane[i].WorldSurface() {
				plane[i] = l.state
			}
		}
	}
}
