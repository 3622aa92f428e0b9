package template

import (
	"strings"
	"sync"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

// fitOrder is the order in which a block looks at its neighbours.
var fitOrder = [...]block.Direction{block.West, block.East, block.North, block.South, block.Down, block.Up}

// fit fits the blocks that were set to their neighbours: first those at the
// edges, with what is beside them, then each by itself.
func (s *setter) fit() {
	inside := make(map[pos]bool, len(s.all))
	for _, at := range s.all {
		inside[at] = true
	}
	for _, at := range s.all {
		for _, d := range fitOrder {
			dx, dy, dz := d.Step()
			beside := pos{at.x + dx, at.y + dy, at.z + dz}
			if inside[beside] {
				continue
			}
			s.fitBlock(at, d)
			s.fitBlock(beside, d.Opposite())
		}
	}
	for _, at := range s.all {
		for _, d := range fitOrder {
			s.fitBlock(at, d)
		}
	}
}

// fitBlock fits a block to its neighbour in a direction.
func (s *setter) fitBlock(at pos, d block.Direction) {
	if !s.context.CanWrite(int(at.x), int(at.z)) {
		return
	}
	state := s.block(at)
	if fitted := fitState(s.context.View, at, state, d); fitted != state {
		e := s.context.BlockEntityAt(int(at.x), int(at.y), int(at.z))
		var kept feature.BlockEntity
		if e != nil {
			kept = *e
		}
		s.put(at, fitted)
		if e != nil {
			s.context.AddBlockEntity(kept)
		}
	}
}

// fitKind is how a block is fitted.
type fitKind uint8

const (
	fitNone fitKind = iota
	fitFence
	fitPane
	fitWall
	fitStairs
	fitGate
	fitChest
	fitSnowy
)

// kindsOfFit are the ways by block.
var kindsOfFit = sync.OnceValue(func() []fitKind {
	kinds := make([]fitKind, block.BlockCount)
	for id := range kinds {
		kind := block.ID(id).Kind()
		switch {
		case kind == "fence":
			kinds[id] = fitFence
		case kind == "fence_gate":
			kinds[id] = fitGate
		case kind == "wall":
			kinds[id] = fitWall
		case isStairs(kind):
			kinds[id] = fitStairs
		case kind == "iron_bars" || kind == "stained_glass_pane" || kind == "weathering_copper_bar":
			kinds[id] = fitPane
		case block.ID(id) == block.Chest || block.ID(id) == block.TrappedChest || strings.HasSuffix(kind, "copper_chest"):
			kinds[id] = fitChest
		case kind == "grass" || kind == "mycelium" || kind == "snowy_dirt":
			kinds[id] = fitSnowy
		}
	}
	return kinds
})

func kindOfFit(s block.State) fitKind {
	if kinds := kindsOfFit(); int(s.Block()) < len(kinds) {
		return kinds[s.Block()]
	}
	return fitNone
}

// fitState is a block's state when it is fitted to its neighbour in a direction.
func fitState(v *feature.View, at pos, s block.State, d block.Direction) block.State {
	kind := kindOfFit(s)
	if kind == fitNone {
		return s
	}
	horizontal := d >= block.North
	beside := neighbour(v, at, d)
	switch kind {
	case fitFence:
		if horizontal {
			s = withBool(s, d.String(), joinsFence(s, beside, d.Opposite()))
		}
	case fitPane:
		if horizontal {
			joined := kindOfFit(beside) == fitPane || kindOfFit(beside) == fitWall ||
				!neverJoined(beside) && feature.Sturdy(beside, d.Opposite())
			s = withBool(s, d.String(), joined)
		}
	case fitWall:
		s = fitWallState(v, at, s, d, beside)
	case fitStairs:
		if horizontal {
			s, _ = s.With("shape", stairsShape(v, at, s))
		}
	case fitGate:
		facing := direction(s)
		if horizontal && facing.Clockwise()>>1 == d>>1 {
			s = withBool(s, "in_wall", kindOfFit(beside) == fitWall || kindOfFit(neighbour(v, at, d.Opposite())) == fitWall)
		}
	case fitChest:
		s = fitChestState(s, d, beside)
	case fitSnowy:
		if d == block.Up {
			id := beside.Block()
			s = withBool(s, "snowy", id == block.Snow || id == block.SnowBlock || id == block.PowderSnow)
		}
	}
	return s
}

func neighbour(v *feature.View, at pos, d block.Direction) block.State {
	dx, dy, dz := d.Step()
	return v.Block(int(at.x+dx), int(at.y+dy), int(at.z+dz))
}

func withBool(s block.State, name string, value bool) block.State {
	text := "false"
	if value {
		text = "true"
	}
	s, _ = s.With(name, text)
	return s
}

// direction is where a block faces.
func direction(s block.State) block.Direction {
	name := s.Property("facing")
	for d := block.Down; d <= block.East; d++ {
		if d.String() == name {
			return d
		}
	}
	return block.North
}

// neverJoined reports whether fences and the like pass by a block that is full.
func neverJoined(s block.State) bool {
	switch s.Block() {
	case block.Barrier, block.CarvedPumpkin, block.JackOLantern, block.Melon, block.Pumpkin:
		return true
	}
	return s.Leaves() || s.Block().Kind() == "shulker_box"
}

// joinsGate reports whether a gate joins what is on one of its sides.
func joinsGate(s block.State, side block.Direction) bool {
	return kindOfFit(s) == fitGate && direction(s)>>1 == side.Clockwise()>>1
}

func joinsFence(s, beside block.State, side block.Direction) bool {
	same := kindOfFit(beside) == fitFence &&
		(beside.Block() == block.NetherBrickFence) == (s.Block() == block.NetherBrickFence)
	return same || joinsGate(beside, side) || !neverJoined(beside) && feature.Sturdy(beside, side)
}

func joinsWall(beside block.State, side block.Direction) bool {
	kind := kindOfFit(beside)
	return kind == fitWall || kind == fitPane || joinsGate(beside, side) || !neverJoined(beside) && feature.Sturdy(beside, side)
}

// sides are the names of a wall's sides, with what must be covered above for
// them to be tall, in 16ths: low and high x, low and high z.
var sides = [...]struct {
	direction block.Direction
	area      [4]float64
}{
	{block.North, [4]float64{7, 9, 0, 9}}, {block.East, [4]float64{7, 16, 7, 9}},
	{block.South, [4]float64{7, 9, 7, 16}}, {block.West, [4]float64{0, 9, 7, 9}},
}

// fitWallState fits a wall: its sides are as tall as what is above them asks,
// and it has a post unless it runs straight.
func fitWallState(v *feature.View, at pos, s block.State, d block.Direction, beside block.State) block.State {
	if d == block.Down {
		return s
	}
	above := neighbour(v, at, block.Up)
	cover := above.Collision()
	var joined [4]bool
	for i, side := range sides {
		joined[i] = s.Property(side.direction.String()) != "none"
		if side.direction == d {
			joined[i] = joinsWall(beside, d.Opposite())
		}
	}
	var heights [4]string
	for i, side := range sides {
		heights[i] = "none"
		if joined[i] {
			heights[i] = "low"
			if covered(cover, side.area) {
				heights[i] = "tall"
			}
		}
		s, _ = s.With(side.direction.String(), heights[i])
	}
	return withBool(s, "up", hasPost(above, cover, heights))
}

func hasPost(above block.State, cover []block.Box, heights [4]string) bool {
	if kindOfFit(above) == fitWall && above.Property("up") == "true" {
		return true
	}
	north, east, south, west := heights[0] != "none", heights[1] != "none", heights[2] != "none", heights[3] != "none"
	if !north && !east && !south && !west || north != south || east != west {
		return true
	}
	if heights[0] == "tall" && heights[2] == "tall" || heights[1] == "tall" && heights[3] == "tall" {
		return false
	}
	return raisesPost(above) || covered(cover, [4]float64{7, 9, 7, 9})
}

// raisesPost reports whether a block is in the tag wall_post_override of 26.2.
func raisesPost(s block.State) bool {
	id := s.Block()
	switch kind := id.Kind(); kind {
	case "standing_sign", "wall_sign", "banner", "wall_banner":
		return true
	case "torch", "redstone_torch", "pressure_plate", "weighted_pressure_plate", "tripwire":
		return true
	}
	switch id {
	case block.CactusFlower, block.CopperTorch, block.SoulTorch:
		return true
	}
	return false
}

// covered reports whether boxes that reach down to the block below cover an
// area of it.
func covered(boxes []block.Box, area [4]float64) bool {
	for x := area[0]; x < area[1]; x++ {
		for z := area[2]; z < area[3]; z++ {
			midX, midZ := (x+0.5)/16, (z+0.5)/16
			hit := false
			for _, b := range boxes {
				hit = hit || b.MinY <= 0 && b.MinX < midX && midX < b.MaxX && b.MinZ < midZ && midZ < b.MaxZ
			}
			if !hit {
				return false
			}
		}
	}
	return true
}

// stairsShape is the shape of stairs beside others.
func stairsShape(v *feature.View, at pos, s block.State) string {
	facing := direction(s)
	left := facing.Clockwise().Opposite()
	if front := neighbour(v, at, facing); likeStairs(s, front) {
		if to := direction(front); to>>1 != facing>>1 && turnsStairs(v, at, s, to.Opposite()) {
			if to == left {
				return "outer_left"
			}
			return "outer_right"
		}
	}
	if back := neighbour(v, at, facing.Opposite()); likeStairs(s, back) {
		if to := direction(back); to>>1 != facing>>1 && turnsStairs(v, at, s, to) {
			if to == left {
				return "inner_left"
			}
			return "inner_right"
		}
	}
	return "straight"
}

// likeStairs reports whether a block is stairs of the same half.
func likeStairs(s, o block.State) bool {
	return kindOfFit(o) == fitStairs && o.Property("half") == s.Property("half")
}

// turnsStairs reports whether the stairs do not go on straight in a direction.
func turnsStairs(v *feature.View, at pos, s block.State, d block.Direction) bool {
	beside := neighbour(v, at, d)
	return !likeStairs(s, beside) || direction(beside) != direction(s)
}

// fitChestState joins the halves of large chests, and parts one from a half that
// is not there.
func fitChestState(s block.State, d block.Direction, beside block.State) block.State {
	own := s.Property("type")
	if beside.Block() == s.Block() && d >= block.North {
		other := beside.Property("type")
		if own == "single" && other != "single" && direction(s) == direction(beside) && otherHalf(beside) == d.Opposite() {
			s, _ = s.With("type", map[string]string{"left": "right", "right": "left"}[other])
		}
		return s
	}
	if own != "single" && otherHalf(s) == d {
		s, _ = s.With("type", "single")
	}
	return s
}

// otherHalf is where the other half of a large chest is.
func otherHalf(s block.State) block.Direction {
	if s.Property("type") == "left" {
		return direction(s).Clockwise()
	}
	return direction(s).Clockwise().Opposite()
}
