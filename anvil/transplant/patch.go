package transplant

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"strata/nbt"
)

// patcher changes numbers in a copy of a document, in their places: they keep
// their size, so the document does.
type patcher struct {
	out  []byte
	move Move
	ids  *IDs
	err  error
	// renames are the offsets of strings that are to name the new dimension.
	renames []int
}

func (p *patcher) blocksX() int32 { return p.move.X * 16 }
func (p *patcher) blocksZ() int32 { return p.move.Z * 16 }

// add32 adds to the int at an offset.
func (p *patcher) add32(at int, d int32) {
	v := int64(int32(binary.BigEndian.Uint32(p.out[at:]))) + int64(d)
	if v != int64(int32(v)) {
		p.fail(v)
		return
	}
	binary.BigEndian.PutUint32(p.out[at:], uint32(v))
}

func (p *patcher) fail(v int64) {
	if p.err == nil {
		p.err = fmt.Errorf("position %d: %w", v, ErrRange)
	}
}

// number adds to an int or double. Numbers of other types, which the game does
// not write there, stay as they are.
func (p *patcher) number(t nbt.Tag, d int32) {
	switch t.Type() {
	case nbt.TypeInt:
		p.add32(t.Offset(), d)
	case nbt.TypeDouble:
		at := p.out[t.Offset():]
		v := math.Float64frombits(binary.BigEndian.Uint64(at))
		if d != 0 && !math.IsNaN(v) { // adding 0 would make -0 to 0
			binary.BigEndian.PutUint64(at, math.Float64bits(v+float64(d)))
		}
	}
}

// place moves a place in blocks: an array or list of x, y, z, or a compound of
// X, Y, Z.
func (p *patcher) place(t nbt.Tag) {
	switch t.Type() {
	case nbt.TypeIntArray:
		if ints, _ := t.IntArray(); ints.Len() == 3 {
			p.add32(t.Offset()+4, p.blocksX())
			p.add32(t.Offset()+12, p.blocksZ())
		}
	case nbt.TypeList:
		if t.Len() == 3 && t.Elem().Numeric() {
			p.number(t.At(0), p.blocksX())
			p.number(t.At(2), p.blocksZ())
		}
	case nbt.TypeCompound:
		if x, z := t.Get("X"), t.Get("Z"); x.Exists() && z.Exists() {
			p.number(x, p.blocksX())
			p.number(z, p.blocksZ())
		}
	}
}

// box moves a box: an array of the lowest and the highest x, y, z.
func (p *patcher) box(t nbt.Tag) {
	if ints, ok := t.IntArray(); ok && ints.Len() == 6 {
		at := t.Offset() + 4
		p.add32(at, p.blocksX())
		p.add32(at+8, p.blocksZ())
		p.add32(at+12, p.blocksX())
		p.add32(at+20, p.blocksZ())
	}
}

// packed moves chunks that are packed into longs, z in the upper half.
func (p *patcher) packed(t nbt.Tag) {
	longs, ok := t.LongArray()
	if !ok {
		return
	}
	for i := range longs.Len() {
		at := t.Offset() + 4 + 8*i
		p.add32(at, p.move.Z)
		p.add32(at+4, p.move.X)
	}
}

// global moves a place that names its dimension, or a list of such, if it is the
// one that chunks come from.
func (p *patcher) global(t nbt.Tag) {
	if t.Type() == nbt.TypeList {
		for _, e := range t.Elements() {
			p.global(e)
		}
		return
	}
	dimension := t.Get("dimension")
	if pos := t.Get("pos"); pos.Exists() && p.from(dimension) {
		p.place(pos)
	}
}

// from reports whether a dimension is the one that chunks come from, and has it
// renamed.
func (p *patcher) from(t nbt.Tag) bool {
	if !t.Is(p.move.From) {
		return false
	}
	if p.move.From != p.move.To {
		p.renames = append(p.renames, t.Offset())
	}
	return true
}

// renamed is the document with the names of dimensions. A string has its length
// before it, and nothing else knows that.
func (p *patcher) renamed() []byte {
	if len(p.renames) == 0 {
		return p.out
	}
	slices.Sort(p.renames)
	name := nbt.AppendModifiedUTF8(nil, p.move.To)
	var out []byte
	done := 0
	for _, at := range slices.Compact(p.renames) {
		out = append(out, p.out[done:at]...)
		out = binary.BigEndian.AppendUint16(out, uint16(len(name)))
		out = append(out, name...)
		done = at + 2 + int(binary.BigEndian.Uint16(p.out[at:]))
	}
	return append(out, p.out[done:]...)
}

// each calls f with the compounds of a list.
func each(list nbt.Tag, f func(nbt.Tag)) {
	if list.Type() != nbt.TypeList || list.Elem() != nbt.TypeCompound {
		return
	}
	for _, e := range list.Elements() {
		f(e)
	}
}
