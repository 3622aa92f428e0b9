package chunk

import (
	"sync/atomic"

	"strata/anvil/block"
	"strata/nbt"
)

// Tables gives numbers to block states and biomes. All chunks that are in
// memory together should have the same one. It may be used concurrently.
type Tables struct {
	States *block.States
	Biomes *Biomes
}

// NewTables returns tables that know what the game of the native version has.
func NewTables() *Tables {
	return &Tables{States: block.NewStates(block.StatesOptions{}), Biomes: NewBiomes()}
}

// nativePage holds the palette entries of pageStates states as NBT: name,
// then properties, each compound's payload with its End.
type nativePage struct {
	ends [pageStates + 1]uint32
	data []byte
}

const pageStates = 64

// nativePages are made when first asked for. What is in them does not depend
// on who makes them, so that it does no harm if two do.
var nativePages [(block.StateCount + pageStates - 1) / pageStates]atomic.Pointer[nativePage]

// nativeEntry returns the palette entry of a native state as NBT.
func nativeEntry(s block.State) []byte {
	p := nativePages[s/pageStates].Load()
	if p == nil {
		p = newNativePage(s / pageStates * pageStates)
		nativePages[s/pageStates].Store(p)
	}
	i := s % pageStates
	return p.data[p.ends[i]:p.ends[i+1]:p.ends[i+1]]
}

func newNativePage(first block.State) *nativePage {
	p := new(nativePage)
	for i := range block.State(pageStates) {
		if s := first + i; s.Native() {
			p.data = appendEntry(p.data, s)
		}
		p.ends[i+1] = uint32(len(p.data))
	}
	return p
}

// appendEntry appends a palette entry in the order Name, Properties.
func appendEntry(dst []byte, s block.State) []byte {
	dst = appendHead(dst, nbt.TypeString, "Name")
	dst = appendString(dst, s.Block().Name())
	open := false
	for name, value := range s.Values() {
		if !open {
			dst = appendHead(dst, nbt.TypeCompound, "Properties")
			open = true
		}
		dst = appendHead(dst, nbt.TypeString, name)
		dst = appendString(dst, value)
	}
	if open {
		dst = append(dst, byte(nbt.TypeEnd))
	}
	return append(dst, byte(nbt.TypeEnd))
}

// entry returns the palette entry of any state, nil for one that these tables
// did not give out.
func (t *Tables) entry(s block.State) []byte {
	if s.Native() {
		return nativeEntry(s)
	}
	return t.States.NBT(s)
}

// base returns the native state whose facts stand for s.
func (t *Tables) base(s block.State) block.State {
	if s.Native() {
		return s
	}
	base, _ := t.States.Base(s)
	return base
}

// appendHead appends type and name of a member.
func appendHead(dst []byte, kind nbt.Type, name string) []byte {
	dst = append(dst, byte(kind), byte(len(name)>>8), byte(len(name)))
	return append(dst, name...)
}

func appendString(dst []byte, s string) []byte {
	dst = append(dst, byte(len(s)>>8), byte(len(s)))
	return append(dst, s...)
}
