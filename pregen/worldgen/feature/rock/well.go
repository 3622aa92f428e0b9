package rock

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// well is the feature desert_well.
type well struct{}

func newWell(*feature.Loader, provider.Value) (feature.Feature, error) { return well{}, nil }

func (well) Place(c *feature.Context, x, y, z int) bool {
	y++
	for y > c.MinY()+2 && c.Block(x, y, z).Air() {
		y--
	}
	if c.Block(x, y, z).Block() != block.Sand {
		return false
	}
	for dx := -2; dx <= 2; dx++ {
		for dz := -2; dz <= 2; dz++ {
			if c.Block(x+dx, y-1, z+dz).Air() && c.Block(x+dx, y-2, z+dz).Air() {
				return false
			}
		}
	}
	buildWell(c, x, y, z)
	for depth := 1; depth <= 2; depth++ {
		px, pz := x, z
		switch c.Random.IntN(5) {
		case 1:
			px++
		case 2:
			pz++
		case 3:
			px--
		case 4:
			pz--
		}
		bury(c, px, y-depth, pz)
	}
	return true
}

// buildWell builds a well whose water is at a place.
func buildWell(c *feature.Context, x, y, z int) {
	stone, slab := block.Sandstone.Default(), block.SandstoneSlab.Default()
	for dx := -2; dx <= 2; dx++ {
		for dz := -2; dz <= 2; dz++ {
			for dy := -2; dy <= 0; dy++ {
				c.Set(x+dx, y+dy, z+dz, stone)
			}
			if abs(dx) == 2 || abs(dz) == 2 {
				rim := stone
				if dx == 0 || dz == 0 {
					rim = slab
				}
				c.Set(x+dx, y+1, z+dz, rim)
			}
		}
	}
	for i, state := range [...]block.State{block.Water.Default(), block.Sand.Default()} {
		c.Set(x, y-i, z, state)
		for _, d := range beside {
			c.Set(x+d.x, y-i, z+d.z, state)
		}
	}
	for dx := -1; dx <= 1; dx++ {
		for dz := -1; dz <= 1; dz++ {
			if dx != 0 && dz != 0 {
				for dy := 1; dy <= 3; dy++ {
					c.Set(x+dx, y+dy, z+dz, stone)
				}
			}
			c.Set(x+dx, y+4, z+dz, slab)
		}
	}
	c.Set(x, y+4, z, stone)
}

// bury puts something to find at a place. Its loot seed is the number of the
// place: 26 bits of x, 26 of z and 12 of y.
func bury(c *feature.Context, x, y, z int) {
	c.Set(x, y, z, block.SuspiciousSand.Default())
	c.AddBlockEntity(feature.BlockEntity{
		X: int32(x), Y: int32(y), Z: int32(z), ID: "minecraft:brushable_block",
		LootTable: "minecraft:archaeology/desert_well",
		LootSeed:  int64(x)&(1<<26-1)<<38 | int64(z)&(1<<26-1)<<12 | int64(y)&(1<<12-1),
	})
}
