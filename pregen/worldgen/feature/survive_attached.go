package feature

import "strata/anvil/block"

// dripleaves are the rules of both dripleaves.
func (s *Survival) dripleaves(get func(string) *Blocks) {
	small, vegetation, big := get("supports_small_dripleaf"), get("supports_vegetation"), get("supports_big_dripleaf")
	s.rules[block.SmallDripleaf] = tall(func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return small.Has(below) || fluidBit(v.Block(x, y, z)) == waterSource && vegetation.Has(below)
	})
	s.rules[block.BigDripleaf] = func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		return below.Block() == block.BigDripleaf || below.Block() == block.BigDripleafStem || big.Has(below)
	}
	s.rules[block.BigDripleafStem] = func(v *View, _ block.State, x, y, z int) bool {
		below, above := v.Block(x, y-1, z), v.Block(x, y+1, z).Block()
		return (below.Block() == block.BigDripleafStem || Sturdy(below, block.Up)) &&
			(above == block.BigDripleafStem || above == block.BigDripleaf)
	}
}

// hanging are the rules of what hangs from a block, or grows on one, and from
// more of its own.
func (s *Survival) hanging() {
	for _, kind := range []struct {
		side block.Direction // where it grows to
		ids  []block.ID
	}{
		{block.Down, []block.ID{block.HangingRoots}},
		{block.Down, []block.ID{block.CaveVines, block.CaveVinesPlant}},
		{block.Down, []block.ID{block.WeepingVines, block.WeepingVinesPlant}},
		{block.Down, []block.ID{block.PaleHangingMoss}},
		{block.Up, []block.ID{block.TwistingVines, block.TwistingVinesPlant}},
	} {
		own := &Blocks{}
		if kind.ids[0] != block.HangingRoots {
			for _, id := range kind.ids {
				own.add(id)
			}
		}
		step := steps[kind.side.Opposite()][1]
		for _, id := range kind.ids {
			s.rules[id] = func(v *View, _ block.State, x, y, z int) bool {
				from := v.Block(x, y+step, z)
				return own.Has(from) || Sturdy(from, kind.side) || id == block.PaleHangingMoss && Attachable(from, block.Down)
			}
		}
	}
	for _, id := range []block.ID{block.PointedDripstone, block.SulfurSpike} {
		s.rules[id] = func(v *View, state block.State, x, y, z int) bool {
			side := block.Up
			if state.Property("vertical_direction") == "down" {
				side = block.Down
			}
			from := v.Block(x, y-steps[side][1], z)
			return Sturdy(from, side) || from.Block() == id && from.Property("vertical_direction") == side.String()
		}
	}
}

// allSides are the six directions in the game's order.
var allSides = [...]block.Direction{block.Down, block.Up, block.North, block.South, block.West, block.East}

// attached are the rules of what is fastened to sides of blocks.
func (s *Survival) attached(get func(string) *Blocks) {
	for _, id := range []block.ID{block.GlowLichen, block.SculkVein, block.ResinClump} {
		s.rules[id] = clings
	}
	s.rules[block.Torch] = func(v *View, _ block.State, x, y, z int) bool {
		return HoldsCenter(v.Block(x, y-1, z), block.Up)
	}
	s.rules[block.Fire] = func(v *View, _ block.State, x, y, z int) bool {
		if Sturdy(v.Block(x, y-1, z), block.Up) {
			return true
		}
		for _, step := range steps {
			near := v.Block(x+step[0], y+step[1], z+step[2])
			if ignite, _ := near.Block().Flammability(); ignite > 0 && near.Property("waterlogged") != "true" {
				return true
			}
		}
		return false
	}
	pods := get("supports_cocoa")
	s.rules[block.Cocoa] = func(v *View, state block.State, x, y, z int) bool {
		for i, d := range beside {
			if state.Property("facing") == sides[i] {
				return pods.Has(v.Block(x+d[0], y, z+d[1]))
			}
		}
		return false
	}
}

// clings is the rule of blocks with faces: there are some, and each has a side
// to hold on to.
func clings(v *View, state block.State, x, y, z int) bool {
	faces := false
	for _, side := range allSides {
		if state.Property(side.String()) != "true" {
			continue
		}
		step := steps[side]
		if faces = true; !Attachable(v.Block(x+step[0], y+step[1], z+step[2]), side.Opposite()) {
			return false
		}
	}
	return faces
}

// corals are the plants of corals that stand on the ground.
var corals = []block.ID{
	block.TubeCoral, block.BrainCoral, block.BubbleCoral, block.FireCoral, block.HornCoral,
	block.DeadTubeCoral, block.DeadBrainCoral, block.DeadBubbleCoral, block.DeadFireCoral, block.DeadHornCoral,
	block.TubeCoralFan, block.BrainCoralFan, block.BubbleCoralFan, block.FireCoralFan, block.HornCoralFan,
	block.DeadTubeCoralFan, block.DeadBrainCoralFan, block.DeadBubbleCoralFan, block.DeadFireCoralFan, block.DeadHornCoralFan,
}

// inWater are the rules of what stands on the floor of the sea.
func (s *Survival) inWater() {
	for _, id := range corals {
		s.rules[id] = func(v *View, _ block.State, x, y, z int) bool { return Sturdy(v.Block(x, y-1, z), block.Up) }
	}
	s.rules[block.SeaPickle] = func(v *View, _ block.State, x, y, z int) bool {
		below := v.Block(x, y-1, z)
		for _, box := range below.Collision() {
			if box.MaxY >= 1 {
				return true
			}
		}
		return Sturdy(below, block.Up)
	}
}
