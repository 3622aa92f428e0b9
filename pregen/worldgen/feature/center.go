package feature

import "strata/anvil/block"

// HoldsCenter reports whether the middle of a side of a block is whole, so that
// chains and lanterns hang from it and torches stand on it.
func HoldsCenter(s block.State, side block.Direction) bool {
	if side == block.Down && s.Block().Kind() == "fence_gate" {
		return false
	}
	return Sturdy(s, side) || !s.Leaves() && covers(s.Collision(), side, 7, 9)
}
