package gen

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// Spawn is where the game puts the world's spawn, given a dimension of noise,
// which is the overworld in every world of the game's own presets.
type Spawn struct {
	// X and Z are exact as far as features do not change the ground; Y is that
	// of the ground before features.
	X, Y, Z int
	// Searched is the block that the climate alone leads to.
	SearchedX, SearchedZ int
}

// FindSpawn looks for the spawn as the game does: a search over the climate,
// and then for a block to stand on around what that found.
func (d *Dimension) FindSpawn() (Spawn, error) {
	var s Spawn
	minY, _ := d.Range()
	if d.noiseParts == nil {
		return s, fmt.Errorf("spawn of dimension %s: generator %v: %w", d.preset.ID, d.preset.Generator.Kind, ErrUnsupported)
	}
	target, err := climate.ParsePoints(d.settings.SpawnTarget)
	if err != nil {
		return s, err
	}
	s.SearchedX, s.SearchedZ = climate.FindSpawn(target, d.program.NewChunk())
	g := &ground{maker: d.NewMaker()}
	landing := climate.Landing{MinY: minY, SpawnHeight: climate.NoiseSpawnHeight, HasCeiling: d.preset.Type.HasCeiling}
	s.X, s.Y, s.Z, err = climate.Settle(g, landing, s.SearchedX, s.SearchedZ)
	return s, err
}

// ground is chunks at Last, for climate.Settle. It keeps the present one.
type ground struct {
	maker *Maker
	chunk *proto.Chunk
}

// Heights implements climate.Ground.
func (g *ground) Heights(x, z int) (climate.Heights, error) {
	pos := place{int32(x >> 4), int32(z >> 4)}
	if g.chunk == nil {
		g.chunk = g.maker.dimension.New()
		g.chunk.X = pos.x + 1
	}
	if g.chunk.X != pos.x || g.chunk.Z != pos.z {
		g.chunk.Reset(pos.x, pos.z)
		if err := g.maker.Advance(g.chunk, chunk.StatusEmpty, Last); err != nil {
			return climate.Heights{}, err
		}
	}
	c := g.chunk
	motion := c.MinY - 1
	for y := c.MinY + c.Height - 1; y >= c.MinY; y-- {
		if c.Block(x&15, y, z&15).MotionBlocking() {
			motion = y
			break
		}
	}
	return climate.Heights{
		MotionBlocking: motion,
		WorldSurface:   c.HeightAt(proto.WorldSurface, x&15, z&15) - 1,
		OceanFloor:     c.HeightAt(proto.OceanFloor, x&15, z&15) - 1,
	}, nil
}

// Block implements climate.Ground.
func (g *ground) Block(x, y, z int) block.State { return g.chunk.Block(x&15, y, z&15) }
