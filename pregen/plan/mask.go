package plan

import (
	"math/bits"

	"strata/region"
)

// Mask is a set of chunks of one region: bit x of row z is chunk x, z of it.
type Mask [32]uint32

// Has reports whether the slot is in the set.
func (m *Mask) Has(s region.Slot) bool { return m[s>>5]>>(s&31)&1 != 0 }

// Set puts the slot into the set.
func (m *Mask) Set(s region.Slot) { m[s>>5] |= 1 << (s & 31) }

// Clear takes the slot out of the set.
func (m *Mask) Clear(s region.Slot) { m[s>>5] &^= 1 << (s & 31) }

// Count is how many slots are in the set.
func (m *Mask) Count() int {
	n := 0
	for _, row := range m {
		n += bits.OnesCount32(row)
	}
	return n
}

// Empty reports whether no slot is in the set.
func (m *Mask) Empty() bool { return *m == Mask{} }

// Or is the union of two sets.
func (m *Mask) Or(o Mask) Mask {
	for z := range o {
		o[z] |= m[z]
	}
	return o
}

// Minus is what is in m and not in o.
func (m *Mask) Minus(o Mask) Mask {
	for z := range o {
		o[z] = m[z] &^ o[z]
	}
	return o
}

// Slots calls f with the slots of the set in their order.
func (m *Mask) Slots(f func(region.Slot)) {
	for z, row := range m {
		for ; row != 0; row &= row - 1 {
			f(region.Slot(z<<5 | bits.TrailingZeros32(row)))
		}
	}
}

// full has all chunks of a region.
var full = func() (m Mask) {
	for z := range m {
		m[z] = ^uint32(0)
	}
	return m
}()
