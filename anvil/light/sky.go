package light

// seedSky fills what is open to the sky, and puts into the queues what of it
// lies beside the rest.
func (e *Engine) seedSky() {
	a := &e.area
	for i, c := range a.Columns {
		if c == nil {
			continue
		}
		for row := range a.rows {
			e.fillOpen(&e.slots[i*a.rows+row], c, row)
		}
		e.seedColumn(i, c)
	}
}

// fillOpen sets the cells of a slot that full sky light falls to.
func (e *Engine) fillOpen(s *slot, c *Column, row int) {
	first := uint16(row * 16)
	switch {
	case first >= c.openHigh:
		s.level[skyLight] = evenPage(15)
		return
	case first+16 <= c.openLow:
		return
	}
	levels := e.own(s, skyLight)
	for y := range uint16(16) {
		layer := (*[256]uint8)(levels[y<<8:])
		for i, from := range &c.open {
			if first+y >= from {
				layer[i] = 15
			}
		}
	}
}

// seedColumn puts into the queues which cells open to the sky light may leave
// sideways or downwards.
func (e *Engine) seedColumn(i int, c *Column) {
	a := &e.area
	x, z := i%a.Width, i/a.Width
	floor := floorOf(x, z, a.Width, a.Depth)
	open := c.openHigh == 0
	beside := func(dx, dz int) *[256]uint16 {
		x, z := x+dx, z+dz
		if x < 0 || x >= a.Width || z < 0 || z >= a.Depth || a.Columns[z*a.Width+x] == nil {
			return &noSky
		}
		c := a.Columns[z*a.Width+x]
		open = open && c.openHigh == 0
		return &c.open
	}
	west, east, north, south := beside(-1, 0), beside(1, 0), beside(0, -1), beside(0, 1)
	if open {
		return // there is nothing but sky
	}
	for at, from := range &c.open {
		if floor[at] >= 15 {
			continue
		}
		to := from
		if from > 0 {
			to++ // the lowest one, for what is below it
		}
		to = max(to, openBeside(&c.open, west, at, at&15 == 0, -1, 15))
		to = max(to, openBeside(&c.open, east, at, at&15 == 15, 1, -15))
		to = max(to, openBeside(&c.open, north, at, at < 16, -16, 240))
		to = max(to, openBeside(&c.open, south, at, at >= 240, 16, -240))
		for row := from; row < to; row++ {
			e.push(15, place((i*a.rows+int(row>>4))<<12|int(row&15)<<8|at))
		}
	}
}

// noSky stands for a column where there is none: nothing flows there.
var noSky [256]uint16

// openBeside returns from where the column beside one is open.
func openBeside(own, other *[256]uint16, at int, crosses bool, step, wrap int) uint16 {
	if crosses {
		return other[at+wrap]
	}
	return own[at+step]
}
