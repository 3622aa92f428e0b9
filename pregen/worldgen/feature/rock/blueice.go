package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// blueIce is the feature blue_ice: a lump under an iceberg.
type blueIce struct{}

func newBlueIce(*feature.Loader, provider.Value) (feature.Feature, error) { return blueIce{}, nil }

// around are the six places beside one, the one below first.
var around = [...]struct{ x, y, z int }{{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}}

func (blueIce) Place(c *feature.Context, x, y, z int) bool {
	if y > c.SeaLevel()-1 || !isWater(c.Block(x, y, z)) && !isWater(c.Block(x, y-1, z)) {
		return false
	}
	packed := false
	for _, d := range around[1:] {
		packed = packed || c.Block(x+d.x, y+d.y, z+d.z).Block() == block.PackedIce
	}
	if !packed {
		return false
	}
	ice := block.BlueIce.Default()
	c.Set(x, y, z, ice)
	for range 200 {
		dy := int(c.Random.IntN(5))
		dy -= int(c.Random.IntN(6))
		reach := int32(3)
		if dy < 2 {
			reach += int32(dy / 2)
		}
		if reach < 1 {
			continue
		}
		px := x + int(c.Random.IntN(reach))
		px -= int(c.Random.IntN(reach))
		pz := z + int(c.Random.IntN(reach))
		pz -= int(c.Random.IntN(reach))
		switch before := c.Block(px, y+dy, pz); before.Block() {
		case block.Water, block.PackedIce, block.Ice:
		default:
			if !before.Air() {
				continue
			}
		}
		for _, d := range around {
			if c.Block(px+d.x, y+dy+d.y, pz+d.z).Block() == block.BlueIce {
				c.Set(px, y+dy, pz, ice)
				break
			}
		}
	}
	return true
}
