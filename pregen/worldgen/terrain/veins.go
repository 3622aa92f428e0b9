package terrain

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/noise"
)

// vein is a kind of ore vein.
type vein struct {
	ore, raw, around block.State
	minY, maxY       int32
}

var (
	copperVein = vein{
		ore: block.MustParse("minecraft:copper_ore"), raw: block.MustParse("minecraft:raw_copper_block"),
		around: block.MustParse("minecraft:granite"), minY: 0, maxY: 50,
	}
	ironVein = vein{
		ore: block.MustParse("minecraft:deepslate_iron_ore"), raw: block.MustParse("minecraft:raw_iron_block"),
		around: block.MustParse("minecraft:tuff"), minY: -60, maxY: -8,
	}
)

// The numbers of veins. The game has all but the first in single precision, and
// computes with them in double precision.
const (
	veinEdge      = 20 // blocks at the ends of a vein's range where it thins out
	veinThreshold = float64(float32(0.4))
	veinRichest   = float64(float32(0.6))
	veinPoorOre   = float64(float32(0.1))
	veinRichOre   = float64(float32(0.3))
	veinGapFrom   = float64(float32(-0.3))
	veinSolidness = float32(0.7)
	veinRawChance = float32(0.02)
)

// Veins puts ore veins into ground.
type Veins struct {
	factory factory
}

// NewVeins returns the veins of a dimension and a seed.
func NewVeins(noises *noise.Set) *Veins {
	return &Veins{factory: newFactory(noises.Factory(), "minecraft:ore")}
}

// The range of y that has veins.
const (
	lowestVein  = -60
	highestVein = 50
)

// At returns the state of a block in ground, if it is of a vein. toggle is the
// value of vein_toggle there.
func (v *Veins) At(x, y, z int, toggle float64, router Router) (block.State, bool) {
	kind := &ironVein
	richness := -toggle
	if toggle > 0 {
		kind, richness = &copperVein, toggle
	}
	margin := min(kind.maxY-int32(y), int32(y)-kind.minY)
	if margin < 0 || richness+clampRange(float64(margin), 0, veinEdge, -0.2, 0) < veinThreshold {
		return 0, false
	}
	source := v.factory.at(int32(x), int32(y), int32(z))
	if source.float() > veinSolidness || router.Value(VeinRidged, x, y, z) >= 0 {
		return 0, false
	}
	chance := clampRange(richness, veinThreshold, veinRichest, veinPoorOre, veinRichOre)
	switch {
	case float64(source.float()) >= chance || router.Value(VeinGap, x, y, z) <= veinGapFrom:
		return kind.around, true
	case source.float() < veinRawChance:
		return kind.raw, true
	}
	return kind.ore, true
}
