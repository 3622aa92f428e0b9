package blocks

import "strata/anvil/block"

// shelfRules are shelves; without power they do not join.
func shelfRules(t *table) {
	t.kind(rule{place: func(p *placing, s block.State) (block.State, bool) {
		return with(s, "facing", p.heading.Opposite().String()), true
	}}, "shelf")
}
