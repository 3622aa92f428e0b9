package blocks

import "strata/anvil/block"

// stackRules are blocks of which several go into one place.
func stackRules(t *table) {
	stacked := func(property string, most int, turned bool) rule {
		return rule{
			joins: func(p *placing, there block.State) bool {
				return !p.Sneaking && number(there, property) < most
			},
			place: func(p *placing, s block.State) (block.State, bool) {
				if p.there.Block() == s.Block() {
					return withNumber(p.there, property, number(p.there, property)+1), true
				}
				if turned {
					s = with(s, "facing", p.heading.Opposite().String())
				}
				return s, true
			},
		}
	}
	candle := stacked("candles", 4, false)
	candle.stays = onCentre
	t.kind(candle, "candle")

	pickle := stacked("pickles", 4, false)
	pickle.stays = func(v View, p Pos, _ block.State) bool {
		below := at(v, step(p, block.Down))
		return len(below.Collision()) > 0 && touches(below.Collision(), block.Up, .5, .5) ||
			sturdy(below, block.Up, whole)
	}
	t.kind(pickle, "sea_pickle")

	t.kind(stacked("eggs", 4, false), "turtle_egg")

	bed := stacked("flower_amount", 4, true)
	bed.stays = growsOn("supports_vegetation")
	t.kind(bed, "flower_bed")

	litter := stacked("segment_amount", 4, true)
	litter.stays = func(v View, p Pos, _ block.State) bool { return holds(v, p, block.Down, whole) }
	t.kind(litter, "leaf_litter")

	t.kind(rule{joins: snowJoins, stays: snowStays,
		place: func(p *placing, s block.State) (block.State, bool) {
			if p.there.Block() == s.Block() {
				return withNumber(p.there, "layers", min(8, number(p.there, "layers")+1)), true
			}
			return s, true
		}}, "snow_layer")
}

func snowJoins(p *placing, there block.State) bool {
	return number(there, "layers") < 8 && (!p.replaced || p.Face == block.Up)
}

func snowStays(v View, p Pos, _ block.State) bool {
	below := at(v, step(p, block.Down))
	switch {
	case tagged(below, "cannot_support_snow_layer"):
		return false
	case tagged(below, "support_override_snow_layer"):
		return true
	}
	return faceFull(below, block.Up) || below.Block() == block.Snow && number(below, "layers") == 8
}
