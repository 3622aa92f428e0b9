package nether

import (
	"strconv"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// The ages of the tips of vines that are placed, of 0 to 25: old ones grow
// little.
const (
	youngestTip = 17
	oldestTip   = 25
)

// tips are the states of a vine's tip by age, from youngestTip.
type tips [oldestTip - youngestTip + 1]block.State

func tipsOf(id block.ID) (t tips) {
	for i := range t {
		t[i], _ = id.Default().With("age", strconv.Itoa(youngestTip+i))
	}
	return t
}

var (
	twistingTips = tipsOf(block.TwistingVines)
	weepingTips  = tipsOf(block.WeepingVines)
)

// vineLength draws how long a vine is: up to most, sometimes twice that, and
// often 1.
func vineLength(r *rng.Worldgen, most int) int {
	length := between(r, 1, most)
	if r.IntN(6) == 0 {
		length *= 2
	}
	if r.IntN(5) == 0 {
		length = 1
	}
	return length
}

// strand places a vine of a number of blocks that grows by step along y, and
// has its tip where there is no more room.
func strand(c *feature.Context, x, y, z, blocks, step int, body block.State, ends *tips) {
	for i := 1; i <= blocks; i, y = i+1, y+step {
		if !empty(c, x, y, z) {
			continue
		}
		if i == blocks || !empty(c, x, y+step, z) {
			c.Set(x, y, z, ends[between(c.Random, 0, len(ends)-1)])
			return
		}
		c.Set(x, y, z, body)
	}
}

// twisting is the feature twisting_vines: a patch of vines that grow up.
type twisting struct{ width, height, most int }

func newTwisting(_ *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := twisting{}
	var err error
	if f.width, err = number(config, "spread_width", 1, maxSpread); err != nil {
		return nil, err
	}
	if f.height, err = number(config, "spread_height", 1, maxSpread); err != nil {
		return nil, err
	}
	f.most, err = number(config, "max_height", 1, maxVine)
	return f, err
}

// climbsFrom reports whether twisting vines can stand at a place.
func climbsFrom(c *feature.Context, x, y, z int) bool {
	if !empty(c, x, y, z) {
		return false
	}
	switch c.Block(x, y-1, z).Block() {
	case block.Netherrack, block.WarpedNylium, block.WarpedWartBlock:
		return true
	}
	return false
}

func (f twisting) Place(c *feature.Context, x, y, z int) bool {
	if !climbsFrom(c, x, y, z) {
		return false
	}
	for range f.width * f.width {
		px := x + between(c.Random, -f.width, f.width)
		py := y + between(c.Random, -f.height, f.height)
		pz := z + between(c.Random, -f.width, f.width)
		py, ok := aboveGround(c, px, py, pz)
		if !ok || !climbsFrom(c, px, py, pz) {
			continue
		}
		length := vineLength(c.Random, f.most)
		strand(c, px, py, pz, length, 1, block.TwistingVinesPlant.Default(), &twistingTips)
	}
	return true
}

// aboveGround returns the y above the first block below a place that is not
// air, and false if there is none.
func aboveGround(c *feature.Context, x, y, z int) (int, bool) {
	for {
		y--
		if c.Outside(y) {
			return 0, false
		}
		if !empty(c, x, y, z) {
			return y + 1, true
		}
	}
}

// weeping is the feature weeping_vines: wart blocks along a ceiling, and vines
// that hang from it.
type weeping struct{}

func newWeeping(*feature.Loader, provider.Value) (feature.Feature, error) { return weeping{}, nil }

const (
	roofTries    = 200
	weepingTries = 100
	longestWeep  = 8 // before doubling
)

// isRoof reports whether weeping vines and their wart blocks hang from a block.
func isRoof(s block.State) bool {
	return s.Block() == block.Netherrack || s.Block() == block.NetherWartBlock
}

func (weeping) Place(c *feature.Context, x, y, z int) bool {
	if !empty(c, x, y, z) || !isRoof(c.Block(x, y+1, z)) {
		return false
	}
	growRoof(c, x, y, z)
	for range weepingTries {
		px := x + around(c.Random, 8)
		py := y + int(c.Random.IntN(2))
		py -= int(c.Random.IntN(7))
		pz := z + around(c.Random, 8)
		if !empty(c, px, py, pz) || !isRoof(c.Block(px, py+1, pz)) {
			continue
		}
		length := vineLength(c.Random, longestWeep)
		strand(c, px, py, pz, length+1, -1, block.WeepingVinesPlant.Default(), &weepingTips)
	}
	return true
}

// growRoof places wart blocks where one block of the ceiling touches.
func growRoof(c *feature.Context, x, y, z int) {
	wart := block.NetherWartBlock.Default()
	c.Set(x, y, z, wart)
	for range roofTries {
		px := x + around(c.Random, 6)
		py := y + int(c.Random.IntN(2))
		py -= int(c.Random.IntN(5))
		pz := z + around(c.Random, 6)
		if empty(c, px, py, pz) && touches(c, px, py, pz, isRoof) == 1 {
			c.Set(px, py, pz, wart)
		}
	}
}
