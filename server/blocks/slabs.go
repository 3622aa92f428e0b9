package blocks

import "strata/anvil/block"

func slabRules(t *table) {
	t.kind(rule{place: placeSlab, joins: slabJoins}, "slab", "weathering_copper_slab")
}

func placeSlab(p *placing, s block.State) (block.State, bool) {
	if p.there.Block() == s.Block() {
		return with(s, "type", "double", "waterlogged", "false"), true
	}
	if p.Face == block.Down || p.Face != block.Up && p.cursorHigh() {
		return with(s, "type", "top"), true
	}
	return with(s, "type", "bottom"), true
}

// slabJoins reports whether the other half of a slab's block is what the click
// means.
func slabJoins(p *placing, there block.State) bool {
	switch {
	case is(there, "type", "double"):
		return false
	case !p.replaced:
		return true
	case is(there, "type", "bottom"):
		return p.Face == block.Up || p.cursorHigh() && horizontal(p.Face)
	}
	return p.Face == block.Down || !p.cursorHigh() && horizontal(p.Face)
}
