package building

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
)

// Factories returns the factories of the layouts of this package, by the full
// ids of their types. The map is the caller's, to add others to.
func Factories() map[string]structure.Factory {
	return map[string]structure.Factory{
		"minecraft:desert_pyramid":   newDesertPyramid,
		"minecraft:end_city":         newEndCity,
		"minecraft:igloo":            newIgloo,
		"minecraft:jungle_temple":    newJungleTemple,
		"minecraft:ocean_monument":   newMonument,
		"minecraft:ocean_ruin":       newOceanRuin,
		"minecraft:ruined_portal":    newPortal,
		"minecraft:shipwreck":        newShipwreck,
		"minecraft:swamp_hut":        newSwampHut,
		"minecraft:woodland_mansion": newMansion,
	}
}

// Readers returns the readers of the pieces of this package, by their ids. The
// map is the caller's, to add others to.
func Readers() map[string]structure.Reader {
	return map[string]structure.Reader{
		"minecraft:ecp":       readCity,
		"minecraft:iglu":      readIgloo,
		"minecraft:omb":       readMonument,
		"minecraft:orp":       readOceanRuin,
		"minecraft:rupo":      readPortal,
		"minecraft:shipwreck": readShipwreck,
		"minecraft:tedp":      readPyramid,
		"minecraft:tejp":      readJungle,
		"minecraft:tesh":      readHut,
		"minecraft:wmp":       readMansion,
	}
}

// horizontal are the horizontal directions in the order in which the game draws
// and visits them.
var horizontal = [...]block.Direction{block.North, block.East, block.South, block.West}

func randomFacing(random rng.Source) structure.Facing {
	return structure.FacingOf(horizontal[random.IntN(4)])
}

func randomRotation(random rng.Source) block.Rotation { return block.Rotation(random.IntN(4)) }

// onTop returns the point in the middle of the chunk on the ground.
func onTop(l *structure.Layouter, kind proto.Heightmap, pieces func(l *structure.Layouter) []structure.Piece) (structure.Point, bool) {
	x, z := l.MiddleBlock()
	return structure.Point{X: x, Y: l.Height(kind, x, z) - 1, Z: z, Pieces: pieces}, true
}
