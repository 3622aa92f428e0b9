package feature

import "strata/anvil/block"

// sides are the properties of the horizontal directions, in the order of beside.
var sides = [4]string{"north", "east", "south", "west"}

// toward are the directions of beside.
var toward = [4]block.Direction{block.North, block.East, block.South, block.West}

// fitCarpet returns the state of a pale moss carpet at a place: it climbs the
// sides of blocks beside it.
func fitCarpet(v *View, state block.State, x, y, z int) block.State {
	for i, side := range sides {
		value := "none"
		d := beside[i]
		if Attachable(v.Block(x+d[0], y, z+d[1]), toward[i].Opposite()) {
			value = "low"
			above := v.Block(x, y+1, z)
			if above.Block() == block.PaleMossCarpet && above.Property(side) != "none" && above.Property("bottom") == "false" {
				value = "tall"
			}
			if below := v.Block(x, y-1, z); state.Property("bottom") == "false" &&
				below.Block() == block.PaleMossCarpet && below.Property(side) == "none" {
				value = "none"
			}
		}
		state, _ = state.With(side, value)
	}
	return state
}

// placeCarpet places a pale moss carpet and what climbs from it.
func placeCarpet(c *Context, x, y, z int) {
	base := fitCarpet(c.View, block.PaleMossCarpet.Default(), x, y, z)
	c.Set(x, y, z, base)
	top, ok := carpetTop(c, x, y+1, z)
	if !ok {
		return
	}
	c.Set(x, y+1, z, top)
	c.Set(x, y, z, fitCarpet(c.View, base, x, y, z))
}

// carpetTop draws the upper part of a carpet.
func carpetTop(c *Context, x, y, z int) (block.State, bool) {
	before := c.Block(x, y, z)
	if carpet := before.Block() == block.PaleMossCarpet; carpet && before.Property("bottom") == "true" || !carpet && !before.Replaceable() {
		return 0, false
	}
	top, _ := block.PaleMossCarpet.Default().With("bottom", "false")
	top = fitCarpet(c.View, top, x, y, z)
	climbs := false
	for _, side := range sides {
		if top.Property(side) == "none" {
			continue
		}
		if c.Region.Bool() {
			climbs = true
		} else {
			top, _ = top.With(side, "none")
		}
	}
	return top, climbs && top != before
}
