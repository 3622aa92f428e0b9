package plant

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// pickles are the states of sea pickles, by their number less one.
var pickles = [...]block.State{
	block.MustParse("minecraft:sea_pickle[pickles=1,waterlogged=true]"),
	block.MustParse("minecraft:sea_pickle[pickles=2,waterlogged=true]"),
	block.MustParse("minecraft:sea_pickle[pickles=3,waterlogged=true]"),
	block.MustParse("minecraft:sea_pickle[pickles=4,waterlogged=true]"),
}

// seaPickles is the feature sea_pickle.
type seaPickles struct {
	count    provider.Int
	survival *feature.Survival
}

func newPickles(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	count, err := l.Int(config, "count", 0, 256)
	if err != nil {
		return nil, err
	}
	survival, err := l.Survival()
	return seaPickles{count, survival}, err
}

func (f seaPickles) Place(c *feature.Context, x, _, z int) bool {
	placed := false
	for range f.count.Sample(c.Random) {
		px := x + around(c.Random, 8)
		pz := z + around(c.Random, 8)
		py := c.Height(chunk.OceanFloor, px, pz)
		state := pickles[c.Random.IntN(4)]
		if c.Block(px, py, pz).Block() == block.Water && f.survival.Survives(c.View, state, px, py, pz) {
			c.Set(px, py, pz, state)
			placed = true
		}
	}
	return placed
}
