package noise

import "math/bits"

// IslandsView is Islands for a goroutine that asks for places near each
// other: it keeps where islands peak. It must not be used concurrently.
type IslandsView struct {
	islands *Islands
	tiles   [viewTiles]peakTile
}

const (
	tileShift = 5 // a tile is 32 by 32 chunks
	tileSide  = 1 << tileShift

	// viewTiles holds 4 by 4 tiles around a place without collisions; the
	// reach of one place touches 2 by 2.
	viewTiles = 16
)

// peakTile has a row of bits for each z and a bit for each x.
type peakTile struct {
	x, z   int32
	filled bool
	rows   [tileSide]uint32
}

// View returns a new view, of about 2 KiB.
func (n *Islands) View() *IslandsView { return &IslandsView{islands: n} }

// At is Islands.At.
func (v *IslandsView) At(blockX, blockZ int32) float64 {
	return densityOf(v.Height(blockX/8, blockZ/8))
}

// Height is Islands.Height.
func (v *IslandsView) Height(halfX, halfZ int32) float32 {
	height := mainIsland(halfX, halfZ)
	lowX, lowZ := halfX/2-islandReach, halfZ/2-islandReach
	const reachMask = 1<<(2*islandReach+1) - 1
	for row := range int32(2*islandReach + 1) {
		z := lowZ + row
		left, right := v.row(lowX>>tileShift, z), uint32(0)
		if lowX&(tileSide-1)+2*islandReach >= tileSide {
			right = v.row(lowX>>tileShift+1, z)
		}
		peaks := (uint64(right)<<tileSide | uint64(left)) >> (lowX & (tileSide - 1)) & reachMask
		for ; peaks != 0; peaks &= peaks - 1 {
			stepX := int32(bits.TrailingZeros64(peaks)) - islandReach
			height = max(height, outerIsland(halfX, halfZ, stepX, row-islandReach))
		}
	}
	return height
}

// row returns the bits of a tile's row.
func (v *IslandsView) row(tileX, chunkZ int32) uint32 {
	tileZ := chunkZ >> tileShift
	tile := &v.tiles[tileX&3|tileZ&3<<2]
	if !tile.filled || tile.x != tileX || tile.z != tileZ {
		v.fill(tile, tileX, tileZ)
	}
	return tile.rows[chunkZ&(tileSide-1)]
}

func (v *IslandsView) fill(tile *peakTile, tileX, tileZ int32) {
	*tile = peakTile{x: tileX, z: tileZ, filled: true}
	for z := range int32(tileSide) {
		for x := range int32(tileSide) {
			if v.islands.startsIn(tileX<<tileShift+x, tileZ<<tileShift+z) {
				tile.rows[z] |= 1 << x
			}
		}
	}
}
