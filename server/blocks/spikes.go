package blocks

import "strata/anvil/block"

// spikeRules are pointed dripstone and sulfur spikes.
func spikeRules(t *table) {
	t.kind(rule{place: placeSpike, stays: spikeStays, shape: spikeShape, late: 1, tick: spikeTick},
		"pointed_dripstone", "sulfur_spike")
}

func spikeTo(s block.State) block.Direction { return direction(s.Property("vertical_direction")) }

// spikeAt reports whether a block is a spike of the same kind that points to d.
func spikeAt(s, n block.State, d block.Direction) bool {
	return n.Block() == s.Block() && spikeTo(n) == d
}

func spikeStays(v View, p Pos, s block.State) bool {
	b := at(v, step(p, spikeTo(s).Opposite()))
	return sturdy(b, spikeTo(s), whole) || spikeAt(s, b, spikeTo(s))
}

func placeSpike(p *placing, s block.State) (block.State, bool) {
	to := block.Up
	for _, d := range p.look {
		if vertical(d) {
			to = d.Opposite()
			break
		}
	}
	s = with(s, "vertical_direction", to.String())
	if !spikeStays(p.View, p.pos, s) {
		to = to.Opposite()
		if s = with(s, "vertical_direction", to.String()); !spikeStays(p.View, p.pos, s) {
			return 0, false
		}
	}
	return with(s, "thickness", thickness(p.View, p.pos, s, !p.Sneaking)), true
}

// thickness is that of a spike by its neighbours in line. Two tips merge if they
// meet and may.
func thickness(v View, p Pos, s block.State, merge bool) string {
	to := spikeTo(s)
	next := at(v, step(p, to))
	switch {
	case spikeAt(s, next, to.Opposite()):
		if merge || is(next, "thickness", "tip_merge") {
			return "tip_merge"
		}
		return "tip"
	case !spikeAt(s, next, to):
		return "tip"
	case is(next, "thickness", "tip"), is(next, "thickness", "tip_merge"):
		return "frustum"
	case !spikeAt(s, at(v, step(p, to.Opposite())), to):
		return "base"
	}
	return "middle"
}

func spikeShape(u *update, s block.State, d block.Direction, _ block.State) block.State {
	if horizontal(d) || !spikeStays(u, u.pos, s) {
		return s
	}
	return with(s, "thickness", thickness(u, u.pos, s, is(s, "thickness", "tip_merge")))
}

// spikeTick lets one that hangs fall and breaks one that stands.
func spikeTick(ctx Context, p Pos, s block.State) {
	if spikeStays(ctx, p, s) {
		return
	}
	if spikeTo(s) == block.Up {
		destroy(ctx, p, s)
		return
	}
	for spikeAt(s, at(ctx, p), block.Down) {
		ctx.Fall(p, at(ctx, p))
		p = step(p, block.Down)
	}
}
