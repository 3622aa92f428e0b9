package blocks

import (
	"strings"

	"strata/anvil/block"
)

// fenceRules are what connects to four sides: fences, panes and bars.
func fenceRules(t *table) {
	connecting := func(to func(s, n block.State, d block.Direction) bool) rule {
		return rule{
			place: func(p *placing, s block.State) (block.State, bool) {
				for _, d := range horizontals {
					s = with(s, d.String(), flag(to(s, p.beside(d), d)))
				}
				return s, true
			},
			shape: func(_ *update, s block.State, d block.Direction, n block.State) block.State {
				if vertical(d) {
					return s
				}
				return with(s, d.String(), flag(to(s, n, d)))
			},
		}
	}
	t.kind(connecting(fenceJoins), "fence")
	t.kind(connecting(paneJoins), "stained_glass_pane", "iron_bars", "weathering_copper_bar")
}

// unjoined are blocks that nothing connects to although they are whole.
func unjoined(s block.State) bool {
	switch s.Block() {
	case block.Barrier, block.CarvedPumpkin, block.JackOLantern, block.Melon, block.Pumpkin:
		return true
	}
	return s.Leaves() || kind(s) == "shulker_box"
}

// gateAcross reports whether a block is a gate that continues a line along d.
func gateAcross(n block.State, d block.Direction) bool {
	return kind(n) == "fence_gate" && axis(facing(n)) != axis(d)
}

func fenceJoins(s, n block.State, d block.Direction) bool {
	if kind(n) == "fence" {
		return tagged(n, "wooden_fences") == tagged(s, "wooden_fences")
	}
	return gateAcross(n, d) || !unjoined(n) && sturdy(n, d.Opposite(), whole)
}

func paneJoins(_, n block.State, d block.Direction) bool {
	return isPane(n) || kind(n) == "wall" || !unjoined(n) && sturdy(n, d.Opposite(), whole)
}

func isPane(s block.State) bool {
	k := kind(s)
	return k == "iron_bars" || k == "weathering_copper_bar" || strings.HasSuffix(k, "glass_pane")
}
