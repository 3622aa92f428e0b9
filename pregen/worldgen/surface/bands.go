package surface

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
)

// bandCount is the period of the clay bands in blocks.
const bandCount = 192

// clayBands are the states of the bands of badlands from y 0 upwards.
type clayBands [bandCount]block.State

// newBands draws the bands of a world.
func newBands(random rng.Source) *clayBands {
	bands := new(clayBands)
	plain := block.MustParse("terracotta")
	for i := range bands {
		bands[i] = plain
	}
	orange := block.MustParse("orange_terracotta")
	// The last draw is the one that leaves the table, or none if a band ends it.
	for i := int32(0); i < bandCount; i++ {
		if i += random.IntN(5) + 1; i < bandCount {
			bands[i] = orange
		}
	}
	bands.scatter(random, 1, block.MustParse("yellow_terracotta"))
	bands.scatter(random, 2, block.MustParse("brown_terracotta"))
	bands.scatter(random, 1, block.MustParse("red_terracotta"))
	bands.whiten(random)
	return bands
}

// scatter lays bands of one state and of up to 3 different widths.
func (bands *clayBands) scatter(random rng.Source, width int32, state block.State) {
	for range rng.Between(random, 6, 15) {
		thickness := width + random.IntN(3)
		start := random.IntN(bandCount)
		for i := start; i < min(start+thickness, bandCount); i++ {
			bands[i] = state
		}
	}
}

// whiten lays thin white bands, some with grey ones beside them.
func (bands *clayBands) whiten(random rng.Source) {
	white, grey := block.MustParse("white_terracotta"), block.MustParse("light_gray_terracotta")
	count := rng.Between(random, 9, 15)
	start := int32(0)
	for i := int32(0); i < count && start < bandCount; i++ {
		bands[start] = white
		if start > 1 && random.Bool() {
			bands[start-1] = grey
		}
		if start+1 < bandCount && random.Bool() {
			bands[start+1] = grey
		}
		start += random.IntN(16) + 4
	}
}

// at returns the band at a height, moved by the offset noise's value. The game
// has no band below y -192 less the offset; the pattern goes on there.
func (bands *clayBands) at(y int, offset float64) block.State {
	offset = float64(offset * 4)
	whole := math.Floor(offset)
	moved := y + int(toInt(whole))
	if offset-whole >= 0.5 { // halves are rounded up
		moved++
	}
	if moved %= bandCount; moved < 0 {
		moved += bandCount
	}
	return bands[moved]
}
