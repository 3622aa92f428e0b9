package blocks

import (
	"math"
	"strings"

	"strata/anvil/block"
)

// toolSpeeds are the speeds of tools by material, and their tiers.
var toolSpeeds = map[string]struct {
	speed float64
	tier  block.Tier
}{
	"wooden": {2, block.AnyTier}, "stone": {4, block.StoneTier},
	"copper": {5, block.StoneTier}, "iron": {6, block.IronTier},
	"diamond": {8, block.DiamondTier}, "netherite": {9, block.DiamondTier},
	"golden": {12, block.AnyTier},
}

var toolEnds = map[string]block.Tool{
	"_pickaxe": block.Pickaxe, "_axe": block.Axe, "_shovel": block.Shovel, "_hoe": block.Hoe,
}

// toolOf returns what an item digs and how hard.
func toolOf(item string) (block.Tool, block.Tier) {
	k, m := toolParts(item)
	return k, toolSpeeds[m].tier
}

func toolParts(item string) (block.Tool, string) {
	short := strings.TrimPrefix(item, "minecraft:")
	for end, k := range toolEnds {
		if m, ok := strings.CutSuffix(short, end); ok {
			if _, ok := toolSpeeds[m]; ok {
				return k, m
			}
		}
	}
	return block.NoTool, ""
}

// digSpeed is the speed of an item on a block. Swords and shears have a few of
// their own.
func digSpeed(s block.State, item string) float64 {
	short := strings.TrimPrefix(item, "minecraft:")
	k, m := toolParts(item)
	switch {
	case k != block.NoTool && k == s.Block().Tool():
		return toolSpeeds[m].speed
	case strings.HasSuffix(short, "_sword"):
		switch {
		case tagged(s, "sword_instantly_mines"):
			return math.MaxFloat32
		case s.Block() == block.Cobweb:
			return 15
		case tagged(s, "sword_efficient"):
			return 1.5
		}
	case short == "shears":
		switch {
		case tagged(s, "shears_extreme_breaking_speed"):
			return 15
		case tagged(s, "shears_major_breaking_speed"):
			return 5
		case tagged(s, "shears_minor_breaking_speed"):
			return 2
		}
	}
	return 1
}

// DigTicks returns how many ticks it takes to dig a block with an item, without
// effects and enchantments: 0 for at once, -1 for never. The formula is that of
// the wiki's page "Breaking". In water without the enchantment, and off the
// ground, it takes five times as long: slower is the product of these.
func DigTicks(s block.State, item string, slower float64) int {
	hard := float64(s.Block().Hardness())
	if hard < 0 {
		return -1
	}
	damage := digSpeed(s, item) / max(slower, 1) / hard
	if yields(s, item) || canCut(s, item) {
		damage /= 30
	} else {
		damage /= 100
	}
	if damage > 1 {
		return 0
	}
	return int(math.Ceil(1 / damage))
}

// canCut says that swords and shears are right for cobwebs.
func canCut(s block.State, item string) bool {
	return s.Block() == block.Cobweb &&
		(item == "minecraft:shears" || strings.HasSuffix(item, "_sword"))
}

// Break digs a block: what is left of it, what goes with it and, if drops is
// set, what it yields to the tool. It reports whether there was something.
func Break(ctx Context, p Pos, tool string, drops bool) bool {
	s, ok := ctx.Block(p)
	if !ok || s.Air() || s.Block() == block.Water || s.Block() == block.Lava {
		return false
	}
	c := &chain{Context: ctx, left: MaxUpdates}
	stay := s
	q, double := otherHalf(p, s)
	if double {
		other := at(ctx, q)
		if double = other.Block() == s.Block(); double {
			// Both halves go at once, so that the other does not drop again.
			if len(loot(s)) == 0 {
				stay = other
			}
		}
	}
	if drops {
		for _, d := range Drops(stay, tool) {
			ctx.Drop(p, d)
		}
	}
	ctx.Event(p, EventBreak, int32(s))
	if double {
		other := at(ctx, q)
		ctx.Event(q, EventBreak, int32(other))
		c.put(q, remains(other))
	}
	rest := remains(s)
	if s.Block() == block.Ice && drops && melts(ctx, p) {
		rest = block.Water.Default()
	}
	c.put(p, rest)
	c.run()
	return true
}

// melts reports whether ice that is broken leaves water: over something, where
// it does not evaporate.
func melts(ctx Context, p Pos) bool {
	below := at(ctx, step(p, block.Down))
	return !ctx.Hot() && (below.BlocksMotion() || below.Fluid() != block.NoFluid)
}

// otherHalf returns where the other half of a door, bed or tall plant is.
func otherHalf(p Pos, s block.State) (Pos, bool) {
	switch {
	case kind(s) == "bed":
		return step(p, bedOther(s)), true
	case is(s, "half", "lower"):
		return step(p, block.Up), true
	case is(s, "half", "upper"):
		return step(p, block.Down), true
	}
	return p, false
}
