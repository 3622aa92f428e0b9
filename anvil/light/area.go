package light

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
)

// Area is a rectangle of chunks to light. The chunks at its rim only lend
// their blocks: the light of the others is final, as light goes no further than
// 15 blocks.
type Area struct {
	// Width and Depth are the numbers of chunks along x and z, 3 or more.
	Width, Depth int
	// Columns has the chunk x, z at z*Width + x. Where it is nil light ends,
	// as at the border of what is loaded.
	Columns []*Column
	// Sky tells that the dimension has sky light.
	Sky bool
}

// area is the state of the last call of Light.
type area struct {
	Area
	low, high chunk.SectionY
	// rows is how many slots a column has: the sections from the one below
	// low to the one above the highest that is not air.
	rows int
}

// Light computes the light of an area from nothing. Result returns it.
func (e *Engine) Light(a Area) error {
	low, high, top, err := a.check()
	if err != nil {
		return err
	}
	e.reset()
	e.area = area{Area: a, low: low, high: high, rows: top + 2}
	e.lay()
	e.seedBlocks()
	e.spread(blockLight)
	if a.Sky {
		e.seedSky()
		e.spread(skyLight)
	}
	return nil
}

func (a *Area) check() (low, high chunk.SectionY, top int, err error) {
	if a.Width < 3 || a.Depth < 3 || a.Width > MaxArea/3 || a.Depth > MaxArea/3 ||
		a.Width*a.Depth > MaxArea || len(a.Columns) != a.Width*a.Depth {
		return 0, 0, 0, fmt.Errorf("area of %d by %d chunks, %d given: %w", a.Width, a.Depth, len(a.Columns), ErrRange)
	}
	found := false
	for _, c := range a.Columns {
		switch {
		case c == nil:
			continue
		case len(c.sections) == 0:
			return 0, 0, 0, fmt.Errorf("chunk that was not set: %w", ErrRange)
		case !found:
			low, high, found = c.low, c.high, true
		case c.low != low || c.high != high:
			return 0, 0, 0, fmt.Errorf("sections %d to %d beside %d to %d: %w", c.low, c.high, low, high, ErrMismatch)
		}
		top = max(top, c.top)
	}
	return low, high, top, nil
}

func (e *Engine) reset() {
	e.slots = e.slots[:0]
	e.pages.reset()
	e.update.active = false
	for i := range e.queues {
		e.queues[i] = e.queues[i][:0]
	}
}

// lay makes the slots of the area and joins them.
func (e *Engine) lay() {
	a := &e.area
	air := airSection()
	for i, c := range a.Columns {
		dark := floorOf(i%a.Width, i/a.Width, a.Width, a.Depth)
		for row := range a.rows {
			s := slot{section: air, level: [2]*page{dark, dark}}
			if c != nil && row > 0 && row <= len(c.sections) {
				s.section = c.sections[row-1]
			}
			for d := range block.Direction(6) {
				s.beside[d] = a.beside(i, row, d)
			}
			e.slots = append(e.slots, s)
		}
	}
}

// beside returns the slot next to a column's slot, or wall.
func (a *area) beside(column, row int, d block.Direction) int32 {
	x, z := column%a.Width, column/a.Width
	switch d {
	case block.Down:
		row--
	case block.Up:
		row++
	case block.North:
		z--
	case block.South:
		z++
	case block.West:
		x--
	case block.East:
		x++
	}
	if row < 0 || row >= a.rows || x < 0 || x >= a.Width || z < 0 || z >= a.Depth || a.Columns[z*a.Width+x] == nil {
		return wall
	}
	return int32((z*a.Width+x)*a.rows + row)
}

// floors has the levels that the cells of chunks at the rim start with: how far
// they are from the chunks within. Light that is no brighter than that does not
// arrive there, so it need not be followed. The places are those of the rim
// around the middle: 0 to 2 along x, and along z times 3.
var floors = func() (pages [9]*page) {
	distance := func(side, at int) int {
		switch side {
		case 0:
			return 16 - at
		case 2:
			return at + 1
		}
		return 0
	}
	for side := range pages {
		pages[side] = new(page)
		for cell := range cells {
			pages[side][cell] = uint8(min(15, distance(side%3, cell&15)+distance(side/3, cell>>4&15)))
		}
	}
	return pages
}()

func floorOf(x, z, width, depth int) *page {
	side := func(at, size int) int {
		switch at {
		case 0:
			return 0
		case size - 1:
			return 2
		}
		return 1
	}
	return floors[side(z, depth)*3+side(x, width)]
}

// seedBlocks puts what gives off light into the queues.
func (e *Engine) seedBlocks() {
	a := &e.area
	for i, c := range a.Columns {
		if c == nil {
			continue
		}
		for row := range c.sections {
			if row+1 < a.rows && c.sections[row].any&kindEmits != 0 && c.sections[row].states == nil {
				e.shine(&e.slots[i*a.rows+row+1], c.sections[row].one.LightEmission())
			}
		}
		for _, m := range c.emitters {
			slot, level := i*a.rows+m.section()+1, m.level()
			s := &e.slots[slot]
			if s.level[blockLight][m.cell()] < level {
				e.own(s, blockLight)[m.cell()] = level
			} else if s.states != nil {
				continue // it is too far from where light matters
			}
			if !m.buried() {
				e.push(level, place(uint32(slot)<<12|m.cell()))
			}
		}
	}
}

// shine sets all of a slot to what its blocks give off.
func (e *Engine) shine(s *slot, level uint8) {
	if s.level[blockLight] == floors[4] {
		s.level[blockLight] = evenPage(level)
		return
	}
	for cell, floor := range s.level[blockLight] {
		if floor < level {
			e.own(s, blockLight)[cell] = level
		}
	}
}
