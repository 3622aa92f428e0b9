package building

import "strata/anvil/block"

// exit is where a bridge leaves a tower.
type exit struct {
	turn    block.Rotation
	x, y, z int32
}

var towerExits = [...]exit{
	{block.NoRotation, 1, -1, 0}, {block.Clockwise90, 6, -1, 1},
	{block.Counterclockwise90, 0, -1, 5}, {block.Clockwise180, 5, -1, 6},
}

var fatTowerExits = [...]exit{
	{block.NoRotation, 4, -1, 0}, {block.Clockwise90, 12, -1, 4},
	{block.Counterclockwise90, 0, -1, 8}, {block.Clockwise180, 8, -1, 12},
}

// bridges draws which of a tower's exits have bridges.
func (c *city) bridges(to *part, depth int, from *cityPiece, exits [4]exit) {
	for _, e := range exits {
		if c.random.Bool() {
			end := c.next(to, from, e.x, e.y, e.z, "bridge_end", from.rotation.Then(e.turn), true)
			c.branch(to, c.bridge, depth+1, end, spot{})
		}
	}
}

// tower grows a tower, with bridges or a fat tower on it.
func (c *city) tower(to *part, depth int, from *cityPiece, _ spot) bool {
	r := from.rotation
	x := 3 + c.random.IntN(2)
	z := 3 + c.random.IntN(2)
	p := c.next(to, from, x, -3, z, "tower_base", r, true)
	p = c.next(to, p, 0, 7, 0, "tower_piece", r, true)
	var landing *cityPiece
	if c.random.IntN(3) == 0 {
		landing = p
	}
	storeys := 1 + c.random.IntN(3)
	for i := range storeys {
		p = c.next(to, p, 0, 4, 0, "tower_piece", r, true)
		if i < storeys-1 && c.random.Bool() {
			landing = p
		}
	}
	switch {
	case landing != nil:
		c.bridges(to, depth, landing, towerExits)
	case depth != maxCityDepth-1:
		return c.branch(to, c.fatTower, depth+1, p, spot{})
	}
	c.next(to, p, -1, 4, -1, "tower_top", r, true)
	return true
}

// fatTower grows the thick upper part of a tower.
func (c *city) fatTower(to *part, depth int, from *cityPiece, _ spot) bool {
	r := from.rotation
	p := c.next(to, from, -3, 4, -3, "fat_tower_base", r, true)
	p = c.next(to, p, 0, 4, 0, "fat_tower_middle", r, true)
	for i := 0; i < 2 && c.random.IntN(3) != 0; i++ {
		p = c.next(to, p, 0, 8, 0, "fat_tower_middle", r, true)
		c.bridges(to, depth, p, fatTowerExits)
	}
	c.next(to, p, -2, 8, -2, "fat_tower_top", r, true)
	return true
}

// bridge grows a bridge to another house or to a ship.
func (c *city) bridge(to *part, depth int, from *cityPiece, _ spot) bool {
	r := from.rotation
	length := c.random.IntN(4) + 1
	p := c.next(to, from, 0, 0, -4, "bridge_piece", r, true)
	p.Depth = -1
	var rise int32
	for range length {
		switch {
		case c.random.Bool():
			p = c.next(to, p, 0, rise, -4, "bridge_piece", r, true)
			rise = 0
			continue
		case c.random.Bool():
			p = c.next(to, p, 0, rise, -4, "bridge_steep_stairs", r, true)
		default:
			p = c.next(to, p, 0, rise, -8, "bridge_gentle_stairs", r, true)
		}
		rise = 4
	}
	if !c.hasShip && c.random.IntN(10-int32(depth)) == 0 {
		x := -8 + c.random.IntN(8)
		z := -70 + c.random.IntN(10)
		c.next(to, p, x, rise, z, "ship", r, true)
		c.hasShip = true
	} else if !c.branch(to, c.nextHouse, depth+1, p, spot{-3, rise + 1, -11}) {
		return false
	}
	p = c.next(to, p, 4, rise, 0, "bridge_end", r.Then(block.Clockwise180), true)
	p.Depth = -1
	return true
}

// nextHouse grows a house at the end of a bridge.
func (c *city) nextHouse(to *part, depth int, from *cityPiece, at spot) bool {
	r := from.rotation
	p := c.next(to, from, at.x, at.y, at.z, "base_floor", r, true)
	switch c.random.IntN(3) {
	case 0:
		c.next(to, p, -1, 4, -1, "base_roof", r, true)
		return true
	case 1:
		p = c.next(to, p, -1, 0, -1, "second_floor_2", r, false)
		p = c.next(to, p, -1, 8, -1, "second_roof", r, false)
	default:
		p = c.next(to, p, -1, 0, -1, "second_floor_2", r, false)
		p = c.next(to, p, -1, 4, -1, "third_floor_2", r, false)
		p = c.next(to, p, -1, 8, -1, "third_roof", r, true)
	}
	c.branch(to, c.tower, depth+1, p, spot{})
	return true
}
