package light

import (
	"sync"
	"sync/atomic"

	"strata/anvil/block"
)

// cells is the number of blocks in a section. A cell is a block's place in
// it, y<<8 | z<<4 | x.
const cells = 4096

// page holds one byte for each cell: its kind, or its level.
type page [cells]uint8

// The kind of a cell is what the flood needs to know of its state, in a byte.
// The facts of a state are looked up once when a section is read; only what
// the flags say needs more is asked for again.
const (
	lossMask  = 15       // what light loses on its way in, 1 to 15
	kindDims  = 1 << 4   // sky light does not fall through
	kindShape = 1 << 5   // the shape may stop light at a side
	kindEmits = 1 << 6   // it gives off light
	kindAir   = uint8(1) // of what light passes best
)

func kindOf(s block.State) uint8 {
	k := max(1, min(s.Opacity(), lossMask))
	if !s.PropagatesSkylightDown() {
		k |= kindDims
	}
	if s.UsesShapeForLight() {
		k |= kindShape
	}
	if s.LightEmission() > 0 {
		k |= kindEmits
	}
	return k
}

// kinds has the kind of every State.
var kinds = sync.OnceValue(func() *[1 << 16]uint8 {
	table := new([1 << 16]uint8)
	for s := range table {
		table[s] = kindOf(block.State(s))
	}
	return table
})

// evenPages are pages with all bytes equal, made when first needed. They are
// shared and never written to.
var evenPages [256]atomic.Pointer[page]

func evenPage(v uint8) *page {
	if p := evenPages[v].Load(); p != nil {
		return p
	}
	p := new(page)
	for i := range p {
		p[i] = v
	}
	evenPages[v].CompareAndSwap(nil, p)
	return evenPages[v].Load()
}
