package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// RuleTest tests a block that a feature or a structure may replace.
type RuleTest struct {
	blocks *Blocks     // nil for any
	state  block.State // if exact
	exact  bool
	chance float32 // of passing; 1 draws nothing
}

// RuleTest reads a rule test.
func (l *Loader) RuleTest(v provider.Value) (t RuleTest, err error) {
	t.chance = 1
	kind, err := memberID(v, "predicate_type")
	if err != nil {
		return t, err
	}
	name := "block"
	switch kind {
	case "minecraft:always_true":
		return t, nil
	case "minecraft:tag_match":
		member, err := v.Member("tag")
		if err != nil {
			return t, err
		}
		t.blocks, err = l.Tag(member)
		return t, err
	case "minecraft:block_match", "minecraft:random_block_match":
	case "minecraft:blockstate_match", "minecraft:random_blockstate_match":
		t.exact, name = true, "block_state"
	default:
		return t, v.Errorf("unknown rule test %s", kind)
	}
	member, err := v.Member(name)
	if err != nil {
		return t, err
	}
	if t.exact {
		t.state, err = l.State(member)
	} else {
		t.blocks, err = l.oneBlock(member)
	}
	if err == nil && (kind == "minecraft:random_block_match" || kind == "minecraft:random_blockstate_match") {
		// The game draws for a probability of 1 as well.
		t.chance, err = Float(v, "probability", 0, 1)
		t.chance = min(t.chance, certain)
	}
	return t, err
}

// certain is a chance that always passes, and is drawn for: floats are less
// than 1 by at least 2^-24.
const certain = 1 - 1.0/(1<<25)

func (l *Loader) oneBlock(v provider.Value) (*Blocks, error) {
	id, err := v.ID()
	if err != nil {
		return nil, err
	}
	return blocksOf(v, []string{id})
}

// Test tests a block.
func (t *RuleTest) Test(state block.State, random *rng.Worldgen) bool {
	switch {
	case t.exact && state != t.state:
		return false
	case t.blocks != nil && !t.blocks.Has(state):
		return false
	}
	return t.chance == 1 || random.Float() < t.chance
}
