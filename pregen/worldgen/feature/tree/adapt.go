package tree

import (
	"sync"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

const (
	up    = block.Up
	down  = block.Down
	south = block.South
	east  = block.East
)

// adaptation is how blocks of a kind follow a change beside them.
type adaptation uint8

const (
	noAdaptation adaptation = iota
	leavesAdapt             // a tick, to measure their distance again
	fluidAdapts             // a tick, to flow
	plantAdapts             // gone if it does not survive
	tallPlantAdapts
	vineAdapts
	multifaceAdapts
	mossStrandAdapts
	carpetAdapts
	snowyAdapts
	cocoaAdapts
	tickUnlessSurvives
)

// adaptations are those of blocks, by block.
var adaptations = sync.OnceValue(func() *[block.BlockCount]adaptation {
	t := new([block.BlockCount]adaptation)
	for id := range block.ID(block.BlockCount) {
		switch state := id.Default(); {
		case state.Leaves():
			t[id] = leavesAdapt
		case id == block.Water || id == block.Lava:
			t[id] = fluidAdapts
		case id.PropertyIndex("snowy") >= 0:
			t[id] = snowyAdapts
		}
	}
	for kind, ids := range map[adaptation][]block.ID{
		plantAdapts: {
			block.OakSapling, block.SpruceSapling, block.BirchSapling, block.JungleSapling, block.AcaciaSapling,
			block.CherrySapling, block.DarkOakSapling, block.PaleOakSapling, block.MangrovePropagule,
			block.ShortGrass, block.Fern, block.Bush, block.FireflyBush, block.SweetBerryBush, block.PinkPetals,
			block.Wildflowers, block.LeafLitter, block.Dandelion, block.GoldenDandelion, block.Torchflower, block.Poppy,
			block.BlueOrchid, block.Allium, block.AzureBluet, block.RedTulip, block.OrangeTulip, block.WhiteTulip,
			block.PinkTulip, block.OxeyeDaisy, block.Cornflower, block.LilyOfTheValley, block.OpenEyeblossom,
			block.ClosedEyeblossom, block.DeadBush, block.ShortDryGrass, block.TallDryGrass, block.Azalea,
			block.FloweringAzalea, block.BrownMushroom, block.RedMushroom, block.CrimsonFungus, block.WarpedFungus,
			block.CrimsonRoots, block.WarpedRoots, block.NetherSprouts, block.WitherRose, block.LilyPad, block.Seagrass,
			block.MossCarpet, block.Snow, block.SporeBlossom,
		},
		tallPlantAdapts: {
			block.Sunflower, block.Lilac, block.RoseBush, block.Peony, block.TallGrass, block.LargeFern,
			block.PitcherPlant, block.SmallDripleaf, block.TallSeagrass,
		},
		vineAdapts:         {block.Vine},
		multifaceAdapts:    {block.GlowLichen, block.SculkVein},
		mossStrandAdapts:   {block.PaleHangingMoss},
		carpetAdapts:       {block.PaleMossCarpet},
		cocoaAdapts:        {block.Cocoa},
		tickUnlessSurvives: {block.SugarCane, block.Cactus, block.Bamboo, block.Kelp, block.KelpPlant},
	} {
		for _, id := range ids {
			t[id] = kind
		}
	}
	return t
})

// delay is that of all ticks: chunks in the making forget what the game asks for.
const delay = 0

// adapt returns what becomes of a block when the one at its side d is another
// now.
func (w *work) adapt(s block.State, p pos, d direction, near block.State) block.State {
	kind := adaptations()[s.Block()]
	if s.Fluid() == block.WaterFluid && s.Block() != block.Water && (kind != noAdaptation || s.Property("waterlogged") == "true") {
		w.TickFluid(p.x, p.y, p.z, "minecraft:water", delay)
	}
	switch kind {
	case leavesAdapt:
		far, _ := w.distance(s)
		if next, ok := w.distance(near); !ok || next != 0 || far != 1 {
			w.TickBlock(p.x, p.y, p.z, delay)
		}
	case fluidAdapts:
		w.flow(s, p, near)
	case snowyAdapts:
		if d == up {
			value := "false"
			if w.tree.snow.Has(near) {
				value = "true"
			}
			s, _ = s.With("snowy", value)
		}
	case plantAdapts:
		if !w.survives(s, p) {
			return 0
		}
	case tallPlantAdapts:
		return w.adaptTall(s, p, d, near)
	case vineAdapts:
		if d != down {
			return w.adaptVine(s, p)
		}
	case multifaceAdapts:
		return adaptFaces(s, d, near)
	case mossStrandAdapts:
		return w.adaptStrand(s, p)
	case carpetAdapts:
		return w.adaptCarpet(s, p)
	case cocoaAdapts:
		if d.String() == s.Property("facing") && !w.tree.anyLog.Has(near) {
			return 0
		}
	case tickUnlessSurvives:
		if !w.survives(s, p) {
			w.TickBlock(p.x, p.y, p.z, delay)
		}
	}
	return s
}

func (w *work) survives(s block.State, p pos) bool {
	return w.tree.survival.Survives(w.View, s, p.x, p.y, p.z)
}

// flow schedules a tick of a fluid with a source on either side.
func (w *work) flow(s block.State, p pos, near block.State) {
	if !s.FluidSource() && !(near.Fluid() != block.NoFluid && near.FluidSource()) {
		return
	}
	fluid := "minecraft:water"
	if s.Block() == block.Lava {
		fluid = "minecraft:lava"
	}
	w.TickFluid(p.x, p.y, p.z, fluid, delay)
}

// adaptTall is adapt of plants of two blocks: neither half stays alone.
func (w *work) adaptTall(s block.State, p pos, d direction, near block.State) block.State {
	lower := s.Property("half") == "lower"
	if (d == up) == lower && (d == up || d == down) {
		if near.Block() != s.Block() || near.Property("half") == s.Property("half") {
			return 0
		}
	}
	if !w.survives(s, p) {
		return 0
	}
	return s
}

// attaches reports whether vines and the like hold to the side of a block that
// looks to d.
func attaches(s block.State, d direction) bool { return s.Leaves() || feature.Sturdy(s, d) }

// adaptVine lets go of what a vine holds to no more.
func (w *work) adaptVine(s block.State, p pos) block.State {
	above := w.Block(p.x, p.y+1, p.z)
	held := false
	for _, side := range [...]direction{up, block.North, block.East, block.South, block.West} {
		name := side.String()
		if s.Property(name) != "true" {
			continue
		}
		q := p.toward(side, 1)
		holds := attaches(w.Block(q.x, q.y, q.z), side.Opposite())
		if side != up {
			holds = holds || above.Block() == block.Vine && above.Property(name) == "true"
		}
		if holds {
			held = true
		} else {
			s, _ = s.With(name, "false")
		}
	}
	if !held {
		return 0
	}
	return s
}

// adaptFaces takes away the part at a side that does not hold it.
func adaptFaces(s block.State, d direction, near block.State) block.State {
	if s.Property(d.String()) == "true" && !attaches(near, d.Opposite()) {
		s, _ = s.With(d.String(), "false")
	}
	for side := range steps {
		if s.Property(direction(side).String()) == "true" {
			return s
		}
	}
	if s.Property("waterlogged") == "true" {
		return block.Water.Default()
	}
	return 0
}

// adaptStrand is adapt of hanging moss, whose lowest block is the tip.
func (w *work) adaptStrand(s block.State, p pos) block.State {
	above := w.Block(p.x, p.y+1, p.z)
	if above.Block() != block.PaleHangingMoss && !attaches(above, down) {
		w.TickBlock(p.x, p.y, p.z, delay)
	}
	tip := "true"
	if w.Block(p.x, p.y-1, p.z).Block() == block.PaleHangingMoss {
		tip = "false"
	}
	s, _ = s.With("tip", tip)
	return s
}

// adaptCarpet is adapt of pale moss carpets, which climb the blocks beside them.
func (w *work) adaptCarpet(s block.State, p pos) block.State {
	below, above := w.Block(p.x, p.y-1, p.z), w.Block(p.x, p.y+1, p.z)
	base := s.Property("bottom") == "true"
	if base && below.Air() || !base && (below.Block() != block.PaleMossCarpet || below.Property("bottom") != "true") {
		return 0
	}
	climbs := base
	for _, side := range horizontal {
		name := side.String()
		value := "none"
		if q := p.toward(side, 1); attaches(w.Block(q.x, q.y, q.z), side.Opposite()) {
			if value = s.Property(name); base {
				value = "low"
			}
			if value == "low" {
				if above.Block() == block.PaleMossCarpet && above.Property(name) != "none" && above.Property("bottom") == "false" {
					value = "tall"
				}
				if !base && below.Property(name) == "none" {
					value = "none"
				}
			}
		}
		climbs = climbs || value != "none"
		s, _ = s.With(name, value)
	}
	if !climbs {
		return 0
	}
	return s
}
