package blocks

import (
	"math"
	"slices"
	"strings"

	"strata/anvil/block"
)

// placing is a Placement at work.
type placing struct {
	*Placement
	pos Pos // where the block comes
	// replaced says that the clicked block itself gives way.
	replaced bool
	there    block.State // what is at pos
	look     [6]block.Direction
	heading  block.Direction // the horizontal direction looked in
}

// Place returns what using an item on a block places. It changes nothing.
func Place(in Placement) Placed {
	which, ok := blocksOfItems()[in.Item]
	if !ok {
		return Placed{Refusal: NotPlaceable}
	}
	if strings.HasSuffix(in.Item, "_bucket") && which.block != block.PowderSnow {
		return empty(in)
	}
	p := &placing{Placement: &in, pos: in.Clicked}
	p.turn()
	if r := p.target(which); r != Accepted {
		return Placed{Refusal: r}
	}
	s, ok := p.state(which)
	if !ok {
		return Placed{Refusal: Unsupported}
	}
	changes := []Change{{p.pos, s}}
	if more := ruleOf(s).more; more != nil {
		changes = append(changes, more(p, s)...)
	}
	if in.Occupied != nil && in.Occupied(p.pos, s) {
		return Placed{Refusal: EntityInTheWay}
	}
	left := ""
	if which.block == block.PowderSnow {
		left = "minecraft:bucket"
	}
	return Placed{Changes: changes, Left: left}
}

// target finds the position that the block comes to.
func (p *placing) target(which pair) Refusal {
	there, loaded := p.View.Block(p.Clicked)
	if !loaded {
		return NotLoaded
	}
	p.there, p.replaced = there, true
	if floats(which.block) && water(there) {
		// These are put on the water that was looked at, not into it.
		p.replaced, p.Face = false, block.Up
		p.pos = step(p.Clicked, block.Up)
		if p.there, loaded = p.View.Block(p.pos); !loaded {
			return NotLoaded
		}
	} else if !p.givesWay(which, there) {
		p.replaced = false
		p.pos = step(p.Clicked, p.Face)
		if p.there, loaded = p.View.Block(p.pos); !loaded {
			return NotLoaded
		}
	}
	if which.block == block.Scaffolding && !p.scaffoldTarget() {
		return NotReplaced
	}
	if p.pos.Y < p.Lowest || p.pos.Y > p.Highest {
		return OutOfWorld
	}
	if !p.replaced && !p.givesWay(which, p.there) {
		return NotReplaced
	}
	if !p.replaced {
		// What is behind the clicked face comes first.
		first := p.Face.Opposite()
		i := slices.Index(p.look[:], first)
		copy(p.look[1:i+1], p.look[:i])
		p.look[0] = first
	}
	return Accepted
}

func floats(id block.ID) bool { return id == block.LilyPad || id == block.Frogspawn }

// givesWay reports whether the item may be put in place of a block.
func (p *placing) givesWay(which pair, there block.State) bool {
	if there.Block() == which.block {
		if joins := ruleOf(there).joins; joins != nil {
			return joins(p, there)
		}
		return false
	}
	if there.Block() == block.Snow {
		return number(there, "layers") == 1
	}
	if there.Block() == block.Scaffolding {
		return false
	}
	return there.Replaceable()
}

// state chooses among the forms of an item, the first that may stay.
func (p *placing) state(which pair) (block.State, bool) {
	if which.side == block.Air {
		s, ok := p.form(which.block)
		return s, ok && Stays(p.View, p.pos, s)
	}
	to := block.Down
	if which.hangs {
		to = block.Up
	}
	side, sideOK := p.form(which.side)
	for _, d := range p.look {
		switch {
		case d == to:
			if s, ok := p.form(which.block); ok && Stays(p.View, p.pos, s) {
				return s, true
			}
		case d == to.Opposite():
		case sideOK && Stays(p.View, p.pos, side):
			return side, true
		}
	}
	return 0, false
}

func (p *placing) form(id block.ID) (block.State, bool) {
	s := flood(id.Default(), p.there)
	if place := ruleOf(s).place; place != nil {
		return place(p, s)
	}
	return s, true
}

// turn sorts the six directions by how much the player looks there.
func (p *placing) turn() {
	yaw, pitch := float64(p.Yaw)*math.Pi/180, float64(p.Pitch)*math.Pi/180
	x, y, z := -math.Sin(yaw)*math.Cos(pitch), -math.Sin(pitch), math.Cos(yaw)*math.Cos(pitch)
	dx, dy, dz := block.West, block.Down, block.North
	if x > 0 {
		dx = block.East
	}
	if y > 0 {
		dy = block.Up
	}
	if z > 0 {
		dz = block.South
	}
	x, y, z = math.Abs(x), math.Abs(y), math.Abs(z)
	h1, h2, a, b := dz, dx, z, x
	if x > z {
		h1, h2, a, b = dx, dz, x, z
	}
	switch {
	case y > a:
		p.look = [6]block.Direction{dy, h1, h2, h2.Opposite(), h1.Opposite(), dy.Opposite()}
	case y > b:
		p.look = [6]block.Direction{h1, dy, h2, h2.Opposite(), dy.Opposite(), h1.Opposite()}
	default:
		p.look = [6]block.Direction{h1, h2, dy, dy.Opposite(), h2.Opposite(), h1.Opposite()}
	}
	p.heading = Heading(p.Yaw)
}

// Heading returns the horizontal direction that a yaw in degrees looks in.
func Heading(yaw float32) block.Direction {
	quarter := int(math.Floor(float64(yaw)/90+.5)) & 3
	return [4]block.Direction{block.South, block.West, block.North, block.East}[quarter]
}

// sixteenth returns a yaw as one of sixteen rotations.
func sixteenth(yaw float32) int { return int(math.Floor(float64(yaw)*16/360+.5)) & 15 }

// cursorHigh reports whether the upper half of the place was clicked.
func (p *placing) cursorHigh() bool { return p.Y > .5 }

func (p *placing) random(n int) int {
	if p.Random == nil {
		return 0
	}
	return p.Random(n)
}

// beside returns the block beside the place.
func (p *placing) beside(d block.Direction) block.State { return at(p.View, step(p.pos, d)) }
