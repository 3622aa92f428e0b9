package plant

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// vines is the feature vines: one vine on the first side that can hold it.
type vines struct{}

func newVines(*feature.Loader, provider.Value) (feature.Feature, error) { return vines{}, nil }

// vineSides are the sides of a vine, in the order in which they are tried.
var vineSides = [...]struct {
	x, y, z int
	side    block.Direction
}{
	{0, 1, 0, block.Up},
	{0, 0, -1, block.North},
	{0, 0, 1, block.South},
	{-1, 0, 0, block.West},
	{1, 0, 0, block.East},
}

func (vines) Place(c *feature.Context, x, y, z int) bool {
	if !c.Block(x, y, z).Air() {
		return false
	}
	for _, s := range vineSides {
		if feature.Attachable(c.Block(x+s.x, y+s.y, z+s.z), s.side.Opposite()) {
			vine, _ := block.Vine.Default().With(s.side.String(), "true")
			c.Set(x, y, z, vine)
			return true
		}
	}
	return false
}
