package climate

import "strata/anvil/block"

// Ground is the finished chunks around the spawn, for Settle. Methods are asked
// for blocks of up to 11 by 11 chunks, chunk by chunk, in the game's order.
type Ground interface {
	// Heights returns the y of the highest block of a column that counts for
	// the heightmaps MOTION_BLOCKING, WORLD_SURFACE and OCEAN_FLOOR; one below
	// the dimension if none does.
	Heights(blockX, blockZ int) (Heights, error)
	// Block returns a block of the column last asked for; air above and below
	// the dimension.
	Block(blockX, blockY, blockZ int) block.State
}

// Heights are those of a column.
type Heights struct{ MotionBlocking, WorldSurface, OceanFloor int }

// Landing is what Settle needs to know of the dimension.
type Landing struct {
	MinY int
	// SpawnHeight is that of the chunk generator: 64 for those of type noise.
	SpawnHeight int
	HasCeiling  bool
}

// NoiseSpawnHeight is the spawn height of generators of type noise.
const NoiseSpawnHeight = 64

// spawnReach is how many chunks around the first one Settle looks at.
const spawnReach = 5

// Settle returns the block that the game makes the world's spawn, given the
// block that FindSpawn found: the first one to stand on, going through the
// chunks around it in a spiral and through each chunk along z, then x. Without
// any it is the middle of the first chunk at the spawn height. Errors are those
// of the ground.
func Settle(g Ground, l Landing, blockX, blockZ int) (x, y, z int, err error) {
	chunkX, chunkZ := blockX>>4, blockZ>>4
	for i := range (2*spawnReach + 1) * (2*spawnReach + 1) {
		stepX, stepZ := spiralStep(i)
		for column := range 256 {
			x, z := (chunkX+stepX)*16+column>>4, (chunkZ+stepZ)*16+column&15
			y, ok, err := l.stand(g, x, z)
			if ok || err != nil {
				return x, y, z, err
			}
		}
	}
	x, y, z = chunkX*16+8, l.SpawnHeight, chunkZ*16+8
	if y < l.MinY {
		h, err := g.Heights(x, z)
		return x, h.WorldSurface + 1, z, err
	}
	return x, y, z, nil
}

// spiralStep is the place of a number on the spiral around 0, 0 that goes along
// x first: 0 0, 1 0, 1 1, 0 1, -1 1, -1 0, -1 -1, 0 -1, 1 -1, 2 -1 and so on.
func spiralStep(number int) (x, z int) {
	stepX, stepZ := 0, -1
	for range number {
		if x == z || x < 0 && x == -z || x > 0 && x == 1-z {
			stepX, stepZ = -stepZ, stepX
		}
		x, z = x+stepX, z+stepZ
	}
	return x, z
}

// stand returns the y at which one stands in a column, if one can.
func (l Landing) stand(g Ground, x, z int) (y int, ok bool, err error) {
	h, err := g.Heights(x, z)
	if err != nil {
		return 0, false, err
	}
	top := h.MotionBlocking
	if l.HasCeiling {
		top = l.SpawnHeight
	}
	underWater := h.WorldSurface <= top && h.WorldSurface > h.OceanFloor
	if top < l.MinY || underWater {
		return 0, false, nil
	}
	for y := top + 1; y >= l.MinY; y-- {
		state := g.Block(x, y, z)
		if state.Fluid() != block.NoFluid {
			break
		}
		if fullTop(state) {
			return y + 1, true, nil
		}
	}
	return 0, false, nil
}

// fullTop reports whether a block's collision shape covers all of its upper
// side. Boxes of one shape that reach the top do not overlap there.
func fullTop(state block.State) bool {
	covered := 0.0
	for _, b := range state.Collision() {
		if b.MinY < 1 && b.MaxY >= 1 {
			covered += float64((min(b.MaxX, 1) - max(b.MinX, 0)) * (min(b.MaxZ, 1) - max(b.MinZ, 0)))
		}
	}
	return covered > 1-1e-6
}
