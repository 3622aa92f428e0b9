package blocks

import "strata/anvil/block"

// tallRules are plants of two halves, and dripleaves.
func tallRules(t *table) {
	tall := func(tag string) rule {
		return rule{place: placeTall, more: moreTall, stays: tallStays(growsOn(tag)), shape: tallShape}
	}
	t.kind(tall("supports_vegetation"), "double_plant", "tall_flower")
	t.kind(rule{stays: tallStays(seagrassStays), shape: tallShape}, "tall_seagrass")
	t.kind(rule{
		stays: func(v View, p Pos, s block.State) bool {
			return tallStays(growsOn("supports_crops"))(v, p, s)
		},
		shape: func(u *update, s block.State, d block.Direction, n block.State) block.State {
			if number(s, "age") < 3 {
				return s // one block high
			}
			return tallShape(u, s, d, n)
		},
	}, "pitcher_crop")
	small := tall("")
	small.stays = tallStays(func(v View, p Pos, _ block.State) bool {
		below := at(v, step(p, block.Down))
		return tagged(below, "supports_small_dripleaf") ||
			water(at(v, p)) && tagged(below, "supports_vegetation")
	})
	small.place = func(p *placing, s block.State) (block.State, bool) {
		s, ok := placeTall(p, s)
		return with(s, "facing", p.heading.Opposite().String()), ok
	}
	t.kind(small, "small_dripleaf")
	t.kind(rule{place: placeDripleaf, stays: dripleafStays, shape: dripleafShape}, "big_dripleaf")
	t.kind(rule{stays: dripstemStays, late: 1}, "big_dripleaf_stem")
}

func placeTall(p *placing, s block.State) (block.State, bool) {
	up := step(p.pos, block.Up)
	if up.Y > p.Highest || !at(p.View, up).Replaceable() {
		return 0, false
	}
	return with(s, "half", "lower"), true
}

func moreTall(p *placing, s block.State) []Change {
	up := step(p.pos, block.Up)
	return []Change{{up, flood(with(s, "half", "upper"), at(p.View, up))}}
}

// tallStays is the rule of lower halves; upper ones need their lower half.
func tallStays(lower func(View, Pos, block.State) bool) func(View, Pos, block.State) bool {
	return func(v View, p Pos, s block.State) bool {
		if !is(s, "half", "upper") {
			return lower(v, p, s)
		}
		below := at(v, step(p, block.Down))
		return below.Block() == s.Block() && is(below, "half", "lower")
	}
}

// tallShape breaks a lower half that has lost its upper one.
func tallShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if is(s, "half", "lower") && d == block.Up &&
		(n.Block() != s.Block() || !is(n, "half", "upper")) {
		return remains(s)
	}
	return s
}

func isDripleaf(s block.State) bool {
	return s.Block() == block.BigDripleaf || s.Block() == block.BigDripleafStem
}

func placeDripleaf(p *placing, s block.State) (block.State, bool) {
	front := p.heading.Opposite()
	if below := p.beside(block.Down); isDripleaf(below) {
		front = facing(below)
	}
	return with(s, "facing", front.String()), true
}

func dripleafStays(v View, p Pos, _ block.State) bool {
	below := at(v, step(p, block.Down))
	return isDripleaf(below) || tagged(below, "supports_big_dripleaf") ||
		sturdy(below, block.Up, whole)
}

// dripleafShape makes a leaf under a leaf its stem.
func dripleafShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if d == block.Up && n.Block() == block.BigDripleaf {
		return withProperties(block.BigDripleafStem.Default(), s)
	}
	return s
}

func dripstemStays(v View, p Pos, s block.State) bool {
	below := at(v, step(p, block.Down))
	return isDripleaf(at(v, step(p, block.Up))) &&
		(below.Block() == s.Block() || tagged(below, "supports_big_dripleaf") ||
			sturdy(below, block.Up, whole))
}
