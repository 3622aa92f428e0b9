package light

import (
	"math/bits"

	"strata/anvil/block"
)

// refresh does away with the light that came from or through the edits, and
// lets flow what is left.
func (e *Engine) refresh(c channel) {
	u := &e.update
	u.seeds = u.seeds[:0]
	for _, p := range u.edits {
		u.seeds = append(u.seeds, p)
		e.darken(c, p)
		for d := range block.Direction(6) {
			if to, ok := e.neighbor(p, d); ok {
				u.seeds = append(u.seeds, to)
			}
		}
	}
	for level := uint8(15); level > 0; level-- {
		for i := 0; ; i++ {
			if i >= len(e.queues[level]) { // which grows meanwhile
				break
			}
			e.darkenAround(c, e.queues[level][i], level)
		}
		e.queues[level] = e.queues[level][:0]
	}
	for _, p := range u.seeds {
		s, cell := &e.slots[p.slot()], p.cell()
		level := s.level[c][cell]
		if c == blockLight && s.kind[cell]&kindEmits != 0 {
			if own := s.at(cell).LightEmission(); own > level {
				level = own
				e.own(s, c)[cell] = own
			}
		}
		if level > 1 {
			e.push(level, p)
		}
	}
	e.spread(c)
}

// darken takes all light from a place, and puts it into the queue of what it
// had.
func (e *Engine) darken(c channel, p place) {
	s, cell := &e.slots[p.slot()], p.cell()
	if level := s.level[c][cell]; level > 0 {
		e.own(s, c)[cell] = 0
		e.push(level, p)
	}
}

// darkenAround darkens the neighbors of a place that may have had their light
// from it when its level was the one given. The others may give it light again,
// so they become seeds. What is darkened although its light came from elsewhere
// gets it back from there.
func (e *Engine) darkenAround(c channel, p place, level uint8) {
	cell := p.cell()
	out := crossing[cell]
	for set := out; set != 0; set &= set - 1 {
		d := block.Direction(bits.TrailingZeros8(set))
		if to, ok := e.neighbor(p, d); ok {
			s := &e.slots[to.slot()]
			e.darkenBeside(c, s, to, d, level)
		}
	}
	s := &e.slots[p.slot()] // after neighbor, which may have moved them
	for d, step := range steps {
		n := uint32(int32(cell)+step) & (cells - 1)
		if out>>d&1 == 0 && s.level[c][n] > 0 {
			e.darkenBeside(c, s, p&^(cells-1)|place(n), block.Direction(d), level)
		}
	}
}

// darkenBeside is darkenAround for the neighbor in direction d, in slot s.
func (e *Engine) darkenBeside(c channel, s *slot, to place, d block.Direction, level uint8) {
	cell := to.cell()
	has, kind := s.level[c][cell], s.kind[cell]
	if has == 0 {
		return
	}
	gave := int(level) - int(kind&lossMask)
	if level == 15 && d == block.Down && c == skyLight && kind&kindDims == 0 {
		gave = 15
	}
	if int(has) != gave {
		e.update.seeds = append(e.update.seeds, to)
		return
	}
	e.own(s, c)[cell] = 0
	e.push(has, to)
	if c == blockLight && kind&kindEmits != 0 {
		e.update.seeds = append(e.update.seeds, to)
	}
}
