package feature

import (
	"errors"
	"io/fs"

	"strata/anvil/block"
)

// Survival tells whether plants and the like can stand where they are. It does
// not change.
type Survival struct {
	rules                                 map[block.ID]rule
	mushroomGround, snowNever, snowAlways *Blocks
	caneBeside, cane, kelpNever           *Blocks
}

// rule reports whether a block can stand at a place.
type rule func(v *View, state block.State, x, y, z int) bool

// Survival returns the rules with the tags of the loader's source. What rests
// on a tag that the source does not have rests on nothing.
func (l *Loader) Survival() (*Survival, error) {
	if l.survival != nil {
		return l.survival, nil
	}
	s := &Survival{rules: make(map[block.ID]rule)}
	var failed error
	get := func(name string) *Blocks {
		set, err := l.OptionalTag("minecraft:" + name)
		failed = errors.Join(failed, err)
		return set
	}
	s.standing(get)
	s.mushroomGround = get("overrides_mushroom_light_requirement")
	s.snowNever, s.snowAlways = get("cannot_support_snow_layer"), get("support_override_snow_layer")
	s.cane, s.caneBeside = get("supports_sugar_cane"), get("supports_sugar_cane_adjacently")
	s.kelpNever = get("cannot_support_kelp")
	s.special(get)
	if failed != nil {
		return nil, failed
	}
	l.survival = s
	return s, nil
}

// OptionalTag returns the blocks of a tag, none if the source does not have it.
func (l *Loader) OptionalTag(id string) (*Blocks, error) {
	names, err := l.source.Tag("block", id)
	if errors.Is(err, fs.ErrNotExist) {
		return &Blocks{}, nil
	}
	if err != nil {
		return nil, err
	}
	set := &Blocks{}
	for _, name := range names {
		if number, ok := block.Find(name); ok {
			set.add(number)
		}
	}
	return set, nil
}

// standing are plants that need a block of a tag below.
var standing = map[string][]block.ID{
	"supports_vegetation": {
		block.OakSapling, block.SpruceSapling, block.BirchSapling, block.JungleSapling, block.AcaciaSapling,
		block.CherrySapling, block.DarkOakSapling, block.PaleOakSapling,
		block.ShortGrass, block.Fern, block.Bush, block.FireflyBush, block.SweetBerryBush, block.PinkPetals, block.Wildflowers,
		block.Dandelion, block.GoldenDandelion, block.Torchflower, block.Poppy, block.BlueOrchid, block.Allium, block.AzureBluet,
		block.RedTulip, block.OrangeTulip, block.WhiteTulip, block.PinkTulip, block.OxeyeDaisy, block.Cornflower,
		block.LilyOfTheValley, block.OpenEyeblossom, block.ClosedEyeblossom,
		block.Sunflower, block.Lilac, block.RoseBush, block.Peony, block.TallGrass, block.LargeFern,
	},
	"supports_dry_vegetation": {block.DeadBush, block.ShortDryGrass, block.TallDryGrass},
	"supports_azalea":         {block.Azalea, block.FloweringAzalea},
	"supports_bamboo":         {block.Bamboo, block.BambooSapling},
	"supports_crimson_fungus": {block.CrimsonFungus},
	"supports_warped_fungus":  {block.WarpedFungus},
	"supports_crimson_roots":  {block.CrimsonRoots},
	"supports_warped_roots":   {block.WarpedRoots},
	"supports_nether_sprouts": {block.NetherSprouts},
	"supports_wither_rose":    {block.WitherRose},
	"soul_fire_base_blocks":   {block.SoulFire},
}

func (s *Survival) standing(get func(string) *Blocks) {
	for tag, plants := range standing {
		ground := get(tag)
		stands := func(v *View, _ block.State, x, y, z int) bool { return ground.Has(v.Block(x, y-1, z)) }
		for _, id := range plants {
			s.rules[id] = stands
			if id.PropertyIndex("half") >= 0 {
				s.rules[id] = tall(stands)
			}
		}
	}
}

// tall is the rule of plants of two blocks, the lower of which has a rule.
func tall(lower rule) rule {
	return func(v *View, state block.State, x, y, z int) bool {
		if state.Property("half") != "upper" {
			return lower(v, state, x, y, z)
		}
		below := v.Block(x, y-1, z)
		return below.Block() == state.Block() && below.Property("half") == "lower"
	}
}

// special are the rules that are more than a tag.
func (s *Survival) special(get func(string) *Blocks) {
	s.rules[block.LeafLitter] = func(v *View, _ block.State, x, y, z int) bool {
		return Sturdy(v.Block(x, y-1, z), block.Up)
	}
	carpet := func(v *View, _ block.State, x, y, z int) bool { return !v.Block(x, y-1, z).Air() }
	s.rules[block.MossCarpet], s.rules[block.PaleMossCarpet] = carpet, carpet
	mushroom := func(v *View, _ block.State, x, y, z int) bool {
		// Chunks are dark while they are decorated.
		below := v.Block(x, y-1, z)
		return s.mushroomGround.Has(below) || below.SolidRender()
	}
	s.rules[block.BrownMushroom], s.rules[block.RedMushroom] = mushroom, mushroom
	s.rules[block.Snow] = func(v *View, _ block.State, x, y, z int) bool { return s.bearsSnow(v.Block(x, y-1, z)) }
	s.rules[block.SugarCane] = s.sugarCane
	s.rules[block.Kelp] = func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return !s.kelpNever.Has(below) && (below.Block() == block.Kelp || below.Block() == block.KelpPlant || Sturdy(below, block.Up))
	}
	s.rules[block.KelpPlant] = s.rules[block.Kelp]
	noSeagrass := get("cannot_support_seagrass")
	seagrass := func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return Sturdy(below, block.Up) && !noSeagrass.Has(below)
	}
	s.rules[block.Seagrass], s.rules[block.TallSeagrass] = seagrass, tall(seagrass)
	s.cactus(get("supports_cactus"), get("support_override_cactus_flower"))
	lily := get("supports_lily_pad")
	s.rules[block.LilyPad] = func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return (fluidBit(below) == waterSource || lily.Has(below)) && v.Block(x, y, z).Fluid() == block.NoFluid
	}
	hanging, ground := get("supports_hanging_mangrove_propagule"), get("supports_mangrove_propagule")
	s.rules[block.MangrovePropagule] = func(v *View, state block.State, x, y, z int) bool {
		if state.Property("hanging") == "true" {
			return hanging.Has(v.Block(x, y+1, z))
		}
		return ground.Has(v.Block(x, y-1, z))
	}
	s.dripleaves(get)
	s.hanging()
	s.attached(get)
	s.inWater()
	s.rules[block.SporeBlossom] = func(v *View, _ block.State, x, y, z int) bool {
		return Sturdy(v.Block(x, y+1, z), block.Down) && v.Block(x, y, z).Fluid() != block.WaterFluid
	}
}

// bearsSnow reports whether a layer of snow stays on a block.
func (s *Survival) bearsSnow(below block.State) bool {
	switch {
	case s.snowNever.Has(below):
		return false
	case s.snowAlways.Has(below):
		return true
	}
	return Attachable(below, block.Up)
}

// beside are the four horizontal directions in the game's order.
var beside = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

func (s *Survival) sugarCane(v *View, _ block.State, x, y, z int) bool {
	below := v.Block(x, y-1, z)
	if below.Block() == block.SugarCane {
		return true
	}
	if !s.cane.Has(below) {
		return false
	}
	for _, d := range beside {
		near := v.Block(x+d[0], y-1, z+d[1])
		if near.Fluid() == block.WaterFluid || s.caneBeside.Has(near) {
			return true
		}
	}
	return false
}

func (s *Survival) cactus(ground, flowerGround *Blocks) {
	s.rules[block.Cactus] = func(v *View, _ block.State, x, y, z int) bool {
		for _, d := range beside {
			near := v.Block(x+d[0], y, z+d[1])
			if Solid(near) || near.Fluid() == block.LavaFluid {
				return false
			}
		}
		below := v.Block(x, y-1, z)
		return (below.Block() == block.Cactus || ground.Has(below)) && !liquid(v.Block(x, y+1, z))
	}
	s.rules[block.CactusFlower] = func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return below.Block() == block.Cactus || flowerGround.Has(below) || Sturdy(below, block.Up)
	}
}

// liquid reports whether a block is a fluid, not merely has one.
func liquid(s block.State) bool {
	return s.Block() == block.Water || s.Block() == block.Lava
}

// Survives reports whether a block could stand at a place. Blocks without a
// rule stand anywhere.
func (s *Survival) Survives(v *View, state block.State, x, y, z int) bool {
	if rule := s.rules[state.Block()]; rule != nil {
		return rule(v, state, x, y, z)
	}
	return true
}
