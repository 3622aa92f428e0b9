package blocks

import "strata/anvil/block"

func bedRules(t *table) {
	t.kind(rule{place: placeBed, more: placeHead, shape: bedShape}, "bed")
}

func placeBed(p *placing, s block.State) (block.State, bool) {
	if _, loaded := p.View.Block(step(p.pos, p.heading)); !loaded {
		return 0, false
	}
	if !p.beside(p.heading).Replaceable() {
		return 0, false
	}
	return with(s, "facing", p.heading.String(), "part", "foot"), true
}

func placeHead(p *placing, s block.State) []Change {
	return []Change{{step(p.pos, facing(s)), with(s, "part", "head")}}
}

// bedOther returns where the other half of a bed is.
func bedOther(s block.State) block.Direction {
	if is(s, "part", "foot") {
		return facing(s)
	}
	return facing(s).Opposite()
}

func bedShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if d != bedOther(s) {
		return s
	}
	if n.Block() != s.Block() || n.Property("part") == s.Property("part") {
		return block.Air.Default()
	}
	return with(s, "occupied", n.Property("occupied"))
}
