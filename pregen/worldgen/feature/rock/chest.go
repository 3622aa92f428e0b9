package rock

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// bonusChest is the feature bonus_chest: a chest with torches around, somewhere
// in the chunk. The game builds it where players start, if they asked for it.
type bonusChest struct{ survival *feature.Survival }

func newBonusChest(l *feature.Loader, _ provider.Value) (feature.Feature, error) {
	survival, err := l.Survival()
	return bonusChest{survival}, err
}

func (f bonusChest) Place(c *feature.Context, x, _, z int) bool {
	var columns [2][16]int
	for axis, low := range [...]int{x &^ 15, z &^ 15} {
		for i := range columns[axis] {
			columns[axis][i] = low + i
		}
		rng.Shuffle(c.Random, columns[axis][:])
	}
	for _, px := range columns[0] {
		for _, pz := range columns[1] {
			py := c.Height(chunk.MotionBlockingNoLeaves, px, pz)
			if len(c.Block(px, py, pz).Collision()) == 0 {
				f.build(c, px, py, pz)
				return true
			}
		}
	}
	return false
}

func (f bonusChest) build(c *feature.Context, x, y, z int) {
	c.Set(x, y, z, block.Chest.Default())
	c.AddBlockEntity(feature.BlockEntity{
		X: int32(x), Y: int32(y), Z: int32(z), ID: "minecraft:chest",
		LootTable: "minecraft:chests/spawn_bonus_chest", LootSeed: c.Random.Long(),
	})
	torch := block.Torch.Default()
	for _, d := range beside {
		if f.survival.Survives(c.View, torch, x+d.x, y, z+d.z) {
			c.Set(x+d.x, y, z+d.z, torch)
		}
	}
}
