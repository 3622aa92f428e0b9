package noise

import (
	"math"

	"strata/pregen/worldgen/rng"
)

// Islands is the height field of the End: the main island's slope and,
// 1,024 blocks from the centre and beyond, islands where simplex noise is
// lowest. It is constant over 8 by 8 blocks.
type Islands struct{ noise *Simplex }

// islandsSkip is how many steps of the world's generator come first.
const islandsSkip = 17292

// NewIslands makes the field of a world.
func NewIslands(world int64) *Islands {
	source := rng.NewLegacy(world)
	source.Consume(islandsSkip)
	return &Islands{NewSimplex(&source)}
}

// At is the density of the field at a block: -0.84375 to 0.5625, or NaN in
// the empty rings where Height is.
func (n *Islands) At(blockX, blockZ int32) float64 {
	return densityOf(n.Height(blockX/8, blockZ/8))
}

func densityOf(height float32) float64 { return float64(float64(height)-8) / 128 }

const (
	islandReach     = 12 // in chunks
	islandThreshold = float64(float32(-0.9))
)

// Height is the field's height, -100 to 80, at a place counted in half chunks
// and rounded towards 0. Single precision and 32-bit products are the game's:
// about 370,000 blocks out the product overflows, and the height is NaN in
// rings, where no land is.
//
// It takes 625 samples of simplex noise; IslandsView remembers them.
func (n *Islands) Height(halfX, halfZ int32) float32 {
	height := mainIsland(halfX, halfZ)
	chunkX, chunkZ := halfX/2, halfZ/2
	for stepX := int32(-islandReach); stepX <= islandReach; stepX++ {
		for stepZ := int32(-islandReach); stepZ <= islandReach; stepZ++ {
			if n.startsIn(chunkX+stepX, chunkZ+stepZ) {
				height = max(height, outerIsland(halfX, halfZ, stepX, stepZ))
			}
		}
	}
	return height
}

// startsIn reports whether an outer island has its peak in a chunk.
func (n *Islands) startsIn(chunkX, chunkZ int32) bool {
	x, z := int64(chunkX), int64(chunkZ)
	return x*x+z*z > 64*64 && n.noise.At2(float64(x), float64(z)) < islandThreshold
}

func mainIsland(halfX, halfZ int32) float32 {
	return clampHeight(100 - float32(root(float32(halfX*halfX+halfZ*halfZ))*8))
}

// outerIsland is the height that an island gives which peaks the steps away
// from the chunk of the place.
func outerIsland(halfX, halfZ, stepX, stepZ int32) float32 {
	awayX, awayZ := float32(halfX%2-stepX*2), float32(halfZ%2-stepZ*2)
	distance := root(float32(awayX*awayX) + float32(awayZ*awayZ))
	return clampHeight(100 - float32(distance*steepness(int64(halfX/2+stepX), int64(halfZ/2+stepZ))))
}

// steepness of an island by its chunk, 9 to 22. The sum is of whole numbers,
// rounded to single precision, and so is the remainder.
func steepness(chunkX, chunkZ int64) float32 {
	sum := float32(float32(magnitude(chunkX))*3439) + float32(float32(magnitude(chunkZ))*147)
	return float32(int64(sum)%13) + 9
}

func magnitude(v int64) int64 { return max(v, -v) }

func root(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// clampHeight lets NaN through, as the game's does.
func clampHeight(v float32) float32 {
	if v < -100 {
		return -100
	}
	return min(v, 80)
}
