package tree

import (
	"strconv"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// fungus is the feature huge_fungus.
type fungus struct {
	base             block.ID // that it grows on
	stem, hat, decor block.State
	replaceable      feature.Predicate // beside what anything replaces, for the stem
	planted          bool
	vines            bool // hang from the hat
}

func newFungus(l *feature.Loader, config provider.Value) (feature.Feature, error) {
	f := &fungus{}
	base, err := stateOf(l, config, "valid_base_block")
	if err != nil {
		return nil, err
	}
	f.base = base.Block()
	for name, to := range map[string]*block.State{"stem_state": &f.stem, "hat_state": &f.hat, "decor_state": &f.decor} {
		if *to, err = stateOf(l, config, name); err != nil {
			return nil, err
		}
	}
	member, err := config.Member("replaceable_blocks")
	if err != nil {
		return nil, err
	}
	if f.replaceable, err = l.Predicate(member); err != nil {
		return nil, err
	}
	f.vines = f.hat.Block() == block.NetherWartBlock
	f.planted, err = flag(config, "planted")
	return f, err
}

// wideChance is how likely a fungus that nobody planted has a wide stem.
const wideChance = 0.06

// Place builds a huge fungus.
func (f *fungus) Place(c *feature.Context, x, y, z int) bool {
	foot := pos{x, y, z}
	if at(c, foot.up(-1)).Block() != f.base {
		return false
	}
	r := c.Random
	height := between(r, 4, 13)
	if r.IntN(12) == 0 {
		height *= 2
	}
	if !f.planted && y+height+1 >= int(c.Span.Height) {
		return false
	}
	wide := !f.planted && r.Float() < wideChance
	c.Set(x, y, z, 0)
	f.growStem(c, foot, height, wide)
	f.growHat(c, foot, height, wide)
	return true
}

func (f *fungus) growStem(c *feature.Context, foot pos, height int, wide bool) {
	reach := 0
	if wide {
		reach = 1
	}
	for x := -reach; x <= reach; x++ {
		for z := -reach; z <= reach; z++ {
			corner := wide && abs(x) == reach && abs(z) == reach
			for y := range height {
				p := foot.offset(x, y, z)
				if !at(c, p).Replaceable() && !f.replaceable.Test(c.View, p.x, p.y, p.z) {
					continue
				}
				if f.planted || !corner || c.Random.Float() < 0.1 {
					c.Set(p.x, p.y, p.z, f.stem)
				}
			}
		}
	}
}

// hatChances are how likely blocks of a part of the hat are decoration, hat,
// and, for a hat with vines, have a vine below.
type hatChances struct{ decor, hat, vine float32 }

var (
	insideHat = hatChances{0.1, 0.2, 0.1}
	cornerHat = hatChances{0.01, 0.7, 0.083}
	outerHat  = hatChances{5e-4, 0.98, 0.07}
)

func (f *fungus) growHat(c *feature.Context, foot pos, height int, wide bool) {
	r := c.Random
	depth := min(draw(r, 1+height/3)+5, height)
	lowest := height - depth
	for y := lowest; y <= height; y++ {
		reach := 1
		if y < height-draw(r, 3) {
			reach = 2
		}
		if depth > 8 && y < lowest+4 {
			reach = 3
		}
		if wide {
			reach++
		}
		for x := -reach; x <= reach; x++ {
			for z := -reach; z <= reach; z++ {
				p := foot.offset(x, y, z)
				if !at(c, p).Replaceable() {
					continue
				}
				rimX, rimZ := abs(x) == reach, abs(z) == reach
				inside := !rimX && !rimZ && y != height
				switch {
				case y < lowest+3:
					if !inside {
						f.drop(c, p)
					}
				case inside:
					f.putHat(c, p, insideHat)
				case rimX && rimZ:
					f.putHat(c, p, cornerHat)
				default:
					f.putHat(c, p, outerHat)
				}
			}
		}
	}
}

func (f *fungus) putHat(c *feature.Context, p pos, likely hatChances) {
	r := c.Random
	if r.Float() < likely.decor {
		c.Set(p.x, p.y, p.z, f.decor)
		return
	}
	if r.Float() >= likely.hat {
		return
	}
	c.Set(p.x, p.y, p.z, f.hat)
	vine := likely.vine
	if !f.vines {
		vine = 0
	}
	if r.Float() < vine {
		hangVine(c, p)
	}
}

// drop places a block of the hat's lower rim, below one more likely.
func (f *fungus) drop(c *feature.Context, p pos) {
	r := c.Random
	switch {
	case at(c, p.up(-1)).Block() == f.hat.Block():
		c.Set(p.x, p.y, p.z, f.hat)
	case r.Float() < 0.15:
		c.Set(p.x, p.y, p.z, f.hat)
		if f.vines && r.IntN(11) == 0 {
			hangVine(c, p)
		}
	}
}

// The ages of the tips of vines below hats, of 0 to 25: they grow no more soon.
const (
	youngestTip = 23
	oldestTip   = 25
)

var vineTips = func() (tips [oldestTip - youngestTip + 1]block.State) {
	for i := range tips {
		tips[i], _ = block.WeepingVines.Default().With("age", strconv.Itoa(youngestTip+i))
	}
	return tips
}()

// hangVine lets a weeping vine hang from a block.
func hangVine(c *feature.Context, from pos) {
	p := from.up(-1)
	if !isAir(c, p) {
		return
	}
	length := between(c.Random, 1, 5)
	if c.Random.IntN(7) == 0 {
		length *= 2
	}
	for i := 0; i <= length; i++ {
		if isAir(c, p) {
			if i == length || !isAir(c, p.up(-1)) {
				c.Set(p.x, p.y, p.z, vineTip(c.Random))
				return
			}
			c.Set(p.x, p.y, p.z, block.WeepingVinesPlant.Default())
		}
		p.y--
	}
}

func vineTip(r *rng.Worldgen) block.State { return vineTips[r.IntN(int32(len(vineTips)))] }
