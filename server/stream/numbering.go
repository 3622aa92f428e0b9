package stream

import (
	"math/bits"
	"sync"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
)

// Numbering is what numbers of memory become on the wire of one version. It
// does not change and may be shared.
type Numbering struct {
	version   registry.Version
	states    []uint16 // by native state
	unknown   uint16   // for states that are not native and of no table
	stateBits uint8
	entities  map[string]int32 // types of block entities by name
	bed       int32            // type of the block entity of beds, -1 for none
}

// flags of a native state that a section counts or looks for.
const (
	flagAir uint8 = 1 << iota
	flagFluid
	flagBed
)

// flagsOf are the flags by native state.
var flagsOf = sync.OnceValue(func() []uint8 {
	flags := make([]uint8, block.StateCount)
	for i := range flags {
		s := block.State(i)
		if s.Air() {
			flags[i] |= flagAir
		}
		if s.Fluid() != block.NoFluid {
			flags[i] |= flagFluid
		}
		if s.Block().Kind() == "bed" {
			flags[i] |= flagBed
		}
	}
	return flags
})

var numberings = func() map[registry.Version]func() *Numbering {
	all := make(map[registry.Version]func() *Numbering)
	for _, v := range registry.Versions() {
		all[v] = sync.OnceValue(func() *Numbering { return newNumbering(v) })
	}
	return all
}()

// NumberingOf returns the numbering of a version, nil for one that there are
// no tables of. It is made once.
func NumberingOf(v registry.Version) *Numbering {
	if f := numberings[v]; f != nil {
		return f()
	}
	return nil
}

func newNumbering(v registry.Version) *Numbering {
	blocks := block.ForProtocol(v.Info().Protocol)
	if blocks == nil {
		return nil
	}
	n := &Numbering{version: v, states: make([]uint16, block.StateCount), entities: make(map[string]int32), bed: -1}
	for i := range n.states {
		n.states[i] = blocks.ID(block.State(i))
	}
	n.unknown = blocks.ID(block.Stone.Default())
	n.stateBits = widthOf(blocks.States)
	for id, name := range registry.Of("minecraft:block_entity_type", v).All() {
		n.entities[name] = id
	}
	if id, ok := n.entities["minecraft:bed"]; ok {
		n.bed = id
	}
	return n
}

// widthOf is the bits that numbers below n take.
func widthOf(n int) uint8 { return uint8(bits.Len(uint(n - 1))) }

// Version returns the version that it is for.
func (n *Numbering) Version() registry.Version { return n.version }

// State returns the number of a state. One that is not native has that of the
// native state that tables find for it; tables may be nil, for stone.
func (n *Numbering) State(s block.State, tables *chunk.Tables) int32 {
	return int32(n.of(native(s, tables)))
}

func (n *Numbering) of(s block.State) uint16 {
	if int(s) < len(n.states) {
		return n.states[s]
	}
	return n.unknown
}

// native is the native state that a state is treated as.
func native(s block.State, tables *chunk.Tables) block.State {
	if s.Native() {
		return s
	}
	if tables != nil {
		s, _ = tables.States.Base(s)
		return s
	}
	return block.Stone.Default()
}

// Shape is the sections that chunks of a dimension have on the wire: from Low
// up to, not including, High.
type Shape struct{ Low, High chunk.SectionY }

// Sections is how many there are.
func (s Shape) Sections() int { return int(s.High - s.Low) }

// maxSections is the most that a shape has.
const maxSections = 256

func (s Shape) valid() bool {
	return s.Low >= chunk.MinSectionY && s.High <= chunk.MaxSectionY+1 && s.High > s.Low && s.Sections() <= maxSections
}
