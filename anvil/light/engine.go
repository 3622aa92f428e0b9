package light

import (
	"math/bits"

	"strata/anvil/block"
)

// slot is a section that an engine works on.
type slot struct {
	section
	level [2]*page // by channel; may be shared, see owned
	// beside are the slots on the six sides by block.Direction, wall where
	// light does not go, or unread.
	beside [6]int32
	owned  [2]bool
	dirty  [2]bool // written to

	pos SectionPos // of an update: where the section lies
}

const (
	wall   = -1
	unread = -2
)

// channel is a kind of light.
type channel int

const (
	blockLight channel = iota
	skyLight
)

// place is a cell of a slot: cell | slot<<12.
type place uint32

func (p place) slot() int32  { return int32(p >> 12) }
func (p place) cell() uint32 { return uint32(p) & (cells - 1) }

// Engine computes light. It keeps its memory from call to call, so one that
// is used again allocates nothing. It belongs to one goroutine at a time; the
// zero value is ready.
type Engine struct {
	slots []slot
	pages pool[page]
	// queues hold places that light may spread from, by its level.
	queues [16][]place
	area   area
	update update
}

// own returns the levels of a slot for writing.
func (e *Engine) own(s *slot, c channel) *page {
	if !s.owned[c] {
		p := e.pages.get()
		*p = *s.level[c]
		s.level[c], s.owned[c] = p, true
	}
	s.dirty[c] = true
	return s.level[c]
}

func (e *Engine) push(level uint8, p place) {
	e.queues[level] = append(e.queues[level], p)
}

// steps lead from a cell to the next in each direction, and masks are the bits
// of the coordinate that changes.
var (
	steps = [6]int32{block.Down: -256, block.Up: 256, block.North: -16, block.South: 16, block.West: -1, block.East: 1}
	masks = [6]uint32{0xF00, 0xF00, 0x0F0, 0x0F0, 0x00F, 0x00F}
)

// neighbor returns the place beside p in direction d; false at a wall.
func (e *Engine) neighbor(p place, d block.Direction) (place, bool) {
	cell, mask := p.cell(), masks[d]
	next := uint32(int32(cell)+steps[d]) & mask
	n := cell&^mask | next
	// At the end of its range the coordinate wraps round.
	if (d&1 == 1) == (next > cell&mask) {
		return place(uint32(p)&^(cells-1) | n), true
	}
	to := e.slots[p.slot()].beside[d]
	if to == unread {
		to = e.resolve(p.slot(), d)
	}
	if to < 0 {
		return 0, false
	}
	return place(uint32(to)<<12 | n), true
}

// spread lets the light in the queues flow on until nothing changes. A place
// in a queue whose level is not the queue's has been changed since and is left
// out. Levels are taken from high to low, so that each place gets its level
// once.
func (e *Engine) spread(c channel) {
	for level := uint8(15); level > 1; level-- {
		for i := 0; ; i++ {
			if i >= len(e.queues[level]) { // which grows meanwhile
				break
			}
			p := e.queues[level][i]
			if e.slots[p.slot()].level[c][p.cell()] == level {
				e.flowAround(c, p, level)
			}
		}
		e.queues[level] = e.queues[level][:0]
	}
	e.queues[1] = e.queues[1][:0]
}

// crossing has for each cell the directions, as bits, that lead out of its
// section.
var crossing = func() (table [cells]uint8) {
	for cell := range table {
		for d, step := range steps {
			at := cell & int(masks[d])
			if next := (cell + int(step)) & int(masks[d]); (step > 0) != (next > at) {
				table[cell] |= 1 << d
			}
		}
	}
	return table
}()

// flowAround is flow in all directions, with those inside of the section made
// fast: most of the time goes here.
func (e *Engine) flowAround(c channel, p place, level uint8) {
	cell := p.cell()
	out := crossing[cell]
	for set := out; set != 0; set &= set - 1 {
		d := block.Direction(bits.TrailingZeros8(set))
		if to, ok := e.neighbor(p, d); ok {
			e.flow(c, p, to, d, level)
		}
	}
	s := &e.slots[p.slot()] // after neighbor, which may have moved them
	kind, levels, shape := s.kind, s.level[c], s.kind[cell]&kindShape
	for d, step := range steps {
		n := uint32(int32(cell)+step) & (cells - 1)
		k := kind[n]
		next := int(level) - int(k&lossMask)
		if level == 15 && d == int(block.Down) && c == skyLight && k&kindDims == 0 {
			next = 15
		}
		if next <= int(levels[n]) || out>>d&1 != 0 {
			continue
		}
		to := p&^(cells-1) | place(n)
		if (k&kindShape|shape) != 0 && e.blocked(p, to, block.Direction(d)) {
			continue
		}
		levels = e.own(s, c)
		levels[n] = uint8(next)
		if next > 1 {
			e.push(uint8(next), to)
		}
	}
}

// flow raises the level at a place to what it gets from the one beside it.
// d leads from one to the other.
func (e *Engine) flow(c channel, from, to place, d block.Direction, level uint8) {
	s, cell := &e.slots[to.slot()], to.cell()
	kind := s.kind[cell]
	next := int(level) - int(kind&lossMask)
	if level == 15 && d == block.Down && c == skyLight && kind&kindDims == 0 {
		next = 15
	}
	if next <= int(s.level[c][cell]) {
		return
	}
	if e.blocked(from, to, d) {
		return
	}
	e.own(s, c)[cell] = uint8(next)
	if next > 1 {
		e.push(uint8(next), to)
	}
}

// blocked reports whether the shapes at two places keep light from passing.
func (e *Engine) blocked(from, to place, d block.Direction) bool {
	a, b := &e.slots[from.slot()], &e.slots[to.slot()]
	if (a.kind[from.cell()]|b.kind[to.cell()])&kindShape == 0 {
		return false
	}
	return block.FaceBlocksLight(stateIn(&a.section, int(from.cell())), stateIn(&b.section, int(to.cell())), d)
}
