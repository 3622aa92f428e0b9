package blocks

import (
	"strings"

	"strata/anvil/block"
)

func chestRules(t *table) {
	t.kind(rule{place: placeChest, shape: chestShape},
		"chest", "trapped_chest", "copper_chest", "weathering_copper_chest")
}

func isChest(s block.State) bool {
	return has(s, "type") && strings.HasSuffix(kind(s), "chest")
}

// chestsJoin reports whether two kinds of chest make a double one: copper chests
// of any age do.
func chestsJoin(a, b block.State) bool {
	copper := func(s block.State) bool { return strings.HasSuffix(kind(s), "copper_chest") }
	return isChest(a) && isChest(b) && (a.Block() == b.Block() || copper(a) && copper(b))
}

// chestOther returns where the other half of a double chest is.
func chestOther(s block.State) block.Direction {
	if is(s, "type", "left") {
		return facing(s).Clockwise()
	}
	return facing(s).Clockwise().Opposite()
}

// placeChest joins a single chest beside it that faces the same way; sneaking,
// only the one that was clicked.
func placeChest(p *placing, s block.State) (block.State, bool) {
	front := p.heading.Opposite()
	kindOf := "single"
	partner := func(d block.Direction) (block.Direction, bool) {
		n := p.beside(d)
		return facing(n), chestsJoin(s, n) && is(n, "type", "single")
	}
	if p.Sneaking && horizontal(p.Face) {
		back := p.Face.Opposite()
		if f, ok := partner(back); ok && axis(f) != axis(p.Face) {
			front = f
			kindOf = "right"
			if f.Clockwise() == back {
				kindOf = "left"
			}
		}
	}
	if kindOf == "single" && !p.Sneaking {
		if f, ok := partner(front.Clockwise()); ok && f == front {
			kindOf = "left"
		} else if f, ok := partner(front.Clockwise().Opposite()); ok && f == front {
			kindOf = "right"
		}
	}
	return with(s, "facing", front.String(), "type", kindOf), true
}

// chestShape joins when a half comes to the side, and parts when it goes.
func chestShape(_ *update, s block.State, d block.Direction, n block.State) block.State {
	if vertical(d) {
		return s
	}
	if !chestsJoin(s, n) {
		if !is(s, "type", "single") && d == chestOther(s) {
			return with(s, "type", "single")
		}
		return s
	}
	if is(s, "type", "single") && !is(n, "type", "single") &&
		facing(n) == facing(s) && chestOther(n) == d.Opposite() {
		to := "left"
		if is(n, "type", "left") {
			to = "right"
		}
		return with(s, "type", to)
	}
	return s
}
