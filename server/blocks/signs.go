package blocks

import (
	"strings"

	"strata/anvil/block"
)

// signRules are signs, banners and heads: sixteen rotations on the floor, four
// on walls.
func signRules(t *table) {
	solidBelow := func(v View, p Pos, _ block.State) bool {
		return at(v, step(p, block.Down)).BlocksMotion()
	}
	solidBehind := func(v View, p Pos, s block.State) bool {
		return at(v, step(p, facing(s).Opposite())).BlocksMotion()
	}
	t.kind(rule{place: placeRotated(180), stays: solidBelow}, "standing_sign", "banner")
	t.kind(rule{place: placeWall, stays: solidBehind}, "wall_sign", "wall_banner")
	t.kind(rule{place: placeRotated(0)}, "skull", "wither_skull", "player_head")
	t.kind(rule{place: placeWallHead}, "wall_skull", "wither_wall_skull",
		"player_wall_head", "piglinwallskull")
	t.kind(rule{place: placeCeilingSign, stays: hangsCentre}, "ceiling_hanging_sign")
	t.kind(rule{place: placeWallHanging}, "wall_hanging_sign")
}

func placeRotated(offset float32) func(p *placing, s block.State) (block.State, bool) {
	return func(p *placing, s block.State) (block.State, bool) {
		return withNumber(s, "rotation", sixteenth(p.Yaw+offset)), true
	}
}

// placeWallHead needs no support, only something that is not replaceable.
func placeWallHead(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		if horizontal(d) && !p.beside(d).Replaceable() {
			return with(s, "facing", d.Opposite().String()), true
		}
	}
	return 0, false
}

// placeCeilingSign hangs a sign by two chains, or by one point ("attached") when
// sneaking, under what is narrow, or across another hanging sign.
func placeCeilingSign(p *placing, s block.State) (block.State, bool) {
	above := p.beside(block.Up)
	attached := !sturdy(above, block.Down, whole) || p.Sneaking
	if strings.HasSuffix(name(above), "hanging_sign") && !p.Sneaking {
		if has(above, "facing") {
			attached = attached && axis(facing(above)) != axis(p.heading)
		} else if r := number(above, "rotation"); r%4 == 0 {
			turned := [4]block.Direction{block.South, block.West, block.North, block.East}[r/4]
			attached = attached && axis(turned) != axis(p.heading)
		}
	}
	r := sixteenth(p.Yaw + 180)
	if !attached {
		r = map[block.Direction]int{
			block.South: 8, block.West: 12, block.North: 0, block.East: 4,
		}[p.heading]
	}
	return withNumber(with(s, "attached", flag(attached)), "rotation", r), true
}

// placeWallHanging puts a sign on a beam across the wall that was clicked.
func placeWallHanging(p *placing, s block.State) (block.State, bool) {
	for _, d := range p.look {
		if vertical(d) || axis(d) == axis(p.Face) {
			continue
		}
		t := with(s, "facing", d.Opposite().String())
		left, right := d.Clockwise(), d.Clockwise().Opposite()
		if p.hangsOn(left, t) || p.hangsOn(right, t) {
			return t, true
		}
	}
	return 0, false
}

// hangsOn reports whether the beam of a wall hanging sign finds hold at one end:
// a wall, or another such sign in its line.
func (p *placing) hangsOn(d block.Direction, s block.State) bool {
	b := p.beside(d)
	if kind(b) == "wall_hanging_sign" {
		return axis(facing(b)) == axis(facing(s))
	}
	return sturdy(b, d.Opposite(), whole)
}
