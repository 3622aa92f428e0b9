package blocks

import (
	"sync"

	"strata/anvil/block"
)

// rule is what blocks of a kind do. A nil field is what most blocks do.
type rule struct {
	// place makes the state to place of the block's default state, false if
	// there is none. Nil: water where it can be, nothing else.
	place func(p *placing, s block.State) (block.State, bool)
	// joins reports whether the same item may be put into a block that is there
	// already, and place then looks at it.
	joins func(p *placing, there block.State) bool
	// more returns what is placed beside the block: a second half.
	more func(p *placing, s block.State) []Change
	// stays reports whether a block may be where it is. Nil: always.
	stays func(v View, p Pos, s block.State) bool
	// shape returns what a block becomes by its neighbour n in direction d.
	// What may not stay is dealt with before. Nil: itself.
	shape func(u *update, s block.State, d block.Direction, n block.State) block.State
	// late says that a block that may not stay goes at its next tick, after
	// that many ticks. 0: at once.
	late int
	// tick is the scheduled tick.
	tick func(ctx Context, p Pos, s block.State)
	// set is called when the block has just come to be there.
	set func(ctx Context, p Pos, s, before block.State)
}

// update is one neighbour looked at.
type update struct {
	Context
	pos  Pos // of the block that may change
	from Pos // of the neighbour
}

// table collects the rules by kind or by name of block.
type table struct {
	kinds map[string]*rule
	names map[string]*rule
}

// kind gives kinds of block a rule.
func (t *table) kind(r rule, kinds ...string) {
	for _, k := range kinds {
		t.kinds[k] = &r
	}
}

// name gives single blocks a rule, before that of their kind.
func (t *table) name(r rule, names ...string) {
	for _, n := range names {
		t.names[n] = &r
	}
}

var (
	rulesOnce sync.Once
	allRules  [block.BlockCount]*rule
)

// makeRules fills allRules on first use: rules refer to each other, which an
// initializer must not.
func makeRules() {
	t := &table{kinds: map[string]*rule{}, names: map[string]*rule{}}
	for _, add := range []func(*table){
		facingRules, attachRules, signRules, doorRules, bedRules, gateRules,
		stairRules, slabRules, fenceRules, wallRules, chestRules, plantRules,
		tallRules, vineRules, columnRules, multifaceRules, railRules, stackRules,
		spikeRules, wireRules, waterRules, fallingRules, leafRules, coralRules,
		scaffoldRules, groundRules, shelfRules,
	} {
		add(t)
	}
	none := &rule{}
	for id := range block.ID(block.BlockCount) {
		s := id.Default()
		switch {
		case t.names[name(s)] != nil:
			allRules[id] = t.names[name(s)]
		case t.kinds[kind(s)] != nil:
			allRules[id] = t.kinds[kind(s)]
		default:
			allRules[id] = none
		}
	}
}

func ruleOf(s block.State) *rule {
	rulesOnce.Do(makeRules)
	return allRules[s.Block()]
}

// Stays reports whether a block's support lets it be where it is.
func Stays(v View, p Pos, s block.State) bool {
	r := ruleOf(s)
	return r.stays == nil || r.stays(v, p, s)
}
