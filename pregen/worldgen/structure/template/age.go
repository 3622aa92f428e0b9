package template

import (
	"strings"

	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
)

// age makes stone bricks old.
type age struct{ mossiness float32 }

// Age returns a processor that cracks stone bricks and grows moss on them.
func Age(mossiness float32) Processor { return age{mossiness} }

// halfChance is that of a block to be looked at, cryingChance that of obsidian
// to weep.
const (
	halfChance   = 0.5
	cryingChance = 0.15
)

// horizontal are the directions in the game's order.
var horizontal = [...]block.Direction{block.North, block.East, block.South, block.West}

func (p age) process(w *work, b *placed) bool {
	random := w.drawn(b)
	id := b.state.Block()
	switch kind := id.Kind(); {
	case id == block.StoneBricks || id == block.Stone || id == block.ChiseledStoneBricks:
		if random.Float() < halfChance {
			fresh := [2]block.State{block.CrackedStoneBricks.Default(), randomStairs(block.StoneBrickStairs, random)}
			mossy := [2]block.State{block.MossyStoneBricks.Default(), randomStairs(block.MossyStoneBrickStairs, random)}
			b.state = p.choose(fresh, mossy, random)
		}
	case isStairs(kind):
		if random.Float() < halfChance {
			fresh := [2]block.State{block.StoneSlab.Default(), block.StoneBrickSlab.Default()}
			mossy := [2]block.State{likeness(b.state, block.MossyStoneBrickStairs), block.MossyStoneBrickSlab.Default()}
			b.state = p.choose(fresh, mossy, random)
		}
	case strings.HasSuffix(kind, "slab"):
		if random.Float() < p.mossiness {
			b.state = likeness(b.state, block.MossyStoneBrickSlab)
		}
	case kind == "wall":
		if random.Float() < p.mossiness {
			b.state = likeness(b.state, block.MossyStoneBrickWall)
		}
	case id == block.Obsidian:
		if random.Float() < cryingChance {
			b.state = block.CryingObsidian.Default()
		}
	}
	return true
}

func isStairs(kind string) bool { return strings.HasSuffix(kind, "stair") }

func (p age) choose(fresh, mossy [2]block.State, random *rng.Worldgen) block.State {
	if random.Float() < p.mossiness {
		return mossy[random.IntN(2)]
	}
	return fresh[random.IntN(2)]
}

// randomStairs turns stairs at random.
func randomStairs(id block.ID, random *rng.Worldgen) block.State {
	s, _ := id.Default().With("facing", horizontal[random.IntN(4)].String())
	s, _ = s.With("half", [2]string{"top", "bottom"}[random.IntN(2)])
	return s
}

// likeness returns the state of a block with the properties that another has.
func likeness(s block.State, id block.ID) block.State {
	to := id.Default()
	for name, value := range s.Values() {
		to, _ = to.With(name, value)
	}
	return to
}

// blackened are the blocks that become another in the Nether.
var blackened = map[block.ID]block.ID{
	block.Cobblestone: block.Blackstone, block.MossyCobblestone: block.Blackstone,
	block.Stone: block.PolishedBlackstone, block.StoneBricks: block.PolishedBlackstoneBricks,
	block.MossyStoneBricks: block.PolishedBlackstoneBricks, block.CobblestoneStairs: block.BlackstoneStairs,
	block.MossyCobblestoneStairs: block.BlackstoneStairs, block.StoneStairs: block.PolishedBlackstoneStairs,
	block.StoneBrickStairs:      block.PolishedBlackstoneBrickStairs,
	block.MossyStoneBrickStairs: block.PolishedBlackstoneBrickStairs, block.CobblestoneSlab: block.BlackstoneSlab,
	block.MossyCobblestoneSlab: block.BlackstoneSlab, block.SmoothStoneSlab: block.PolishedBlackstoneSlab,
	block.StoneSlab: block.PolishedBlackstoneSlab, block.StoneBrickSlab: block.PolishedBlackstoneBrickSlab,
	block.MossyStoneBrickSlab: block.PolishedBlackstoneBrickSlab,
	block.StoneBrickWall:      block.PolishedBlackstoneBrickWall,
	block.MossyStoneBrickWall: block.PolishedBlackstoneBrickWall, block.CobblestoneWall: block.BlackstoneWall,
	block.MossyCobblestoneWall: block.BlackstoneWall, block.ChiseledStoneBricks: block.ChiseledPolishedBlackstone,
	block.CrackedStoneBricks: block.CrackedPolishedBlackstoneBricks, block.IronBars: block.IronChain,
}

// blacken makes stone black.
type blacken struct{}

// Blacken returns a processor that turns stone into blackstone.
func Blacken() Processor { return blacken{} }

func (blacken) process(_ *work, b *placed) bool {
	id, ok := blackened[b.state.Block()]
	if !ok {
		return true
	}
	to := id.Default()
	for _, name := range [...]string{"facing", "half", "type"} {
		if value := b.state.Property(name); value != "" {
			to, _ = to.With(name, value)
		}
	}
	b.state = to
	return true
}
