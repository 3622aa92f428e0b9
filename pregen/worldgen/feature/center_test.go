package feature_test

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

func TestBlocksHoldWhatHangsFromTheirMiddle(t *testing.T) {
	for _, c := range []struct {
		state string
		side  block.Direction
		holds bool
	}{
		{"minecraft:stone", block.Down, true},
		{"minecraft:oak_fence", block.Down, true},
		{"minecraft:oak_fence_gate", block.Down, false},
		{"minecraft:iron_chain[axis=y]", block.Down, true}, // lanterns hang from chains
		{"minecraft:oak_slab[type=top]", block.Down, false},
		{"minecraft:oak_slab[type=bottom]", block.Down, true},
		{"minecraft:oak_leaves", block.Down, false},
		{"minecraft:hopper", block.Up, false},
		{"minecraft:air", block.Up, false},
	} {
		if got := feature.HoldsCenter(block.MustParse(c.state), c.side); got != c.holds {
			t.Errorf("%s %v: %v", c.state, c.side, got)
		}
	}
}
