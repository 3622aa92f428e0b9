package snbt

import (
	"cmp"
	"iter"
	"slices"

	"strata/nbt"
)

// Lists of several types (the game reads and writes them since 1.21.5) are
// lists of compounds in which what is no compound is wrapped as {"": element},
// and so is a compound that looks like such a wrapper.
//
// On reading, the game unwraps whatever looks wrapped. We do so only if all
// wrappers are needed and the elements turn out to be of different types, and
// wrap only then on writing: then every document survives as text. The
// difference shows for lists that no game writes.

// element is one of a list that is still open.
type element struct {
	start uint32 // of its payload in the buffer
	value value
}

// wrap is a place where a wrapper is to be put into the buffer: its head
// before the payload of the given type, or its end, if that is End.
type wrap struct {
	at   uint32
	kind nbt.Type
}

// mixed notes where the elements of a list need wrappers. They are put in when
// all is read, once for all lists, so that nothing is moved twice.
func (p *parser) mixed(v value, elems []element) (value, *SyntaxError) {
	for i, e := range elems {
		if e.value.kind == nbt.TypeCompound && !e.value.lone {
			continue
		}
		end := uint32(len(p.buf))
		if i+1 < len(elems) {
			end = elems[i+1].start
		}
		p.wraps = append(p.wraps, wrap{e.start, e.value.kind}, wrap{end, nbt.TypeEnd})
		v.height = max(v.height, e.value.height+2)
	}
	if p.depth-1+int(v.height) > p.limits.Depth {
		return v, p.failAt(p.pos-1, nbt.ErrDepth, "")
	}
	return v, nil
}

// wrapMixed puts the wrappers in.
func (p *parser) wrapMixed() *SyntaxError {
	if len(p.wraps) == 0 {
		return nil
	}
	// An end before a head at the same place: an element ends where the next
	// one begins. Two heads cannot meet, for a list has a head of its own, and
	// ends are alike.
	slices.SortFunc(p.wraps, func(a, b wrap) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return cmp.Compare(a.kind, b.kind)
	})
	size := len(p.buf) + 2*len(p.wraps) // 3 bytes for a head, 1 for an end
	if size > p.limits.Bytes {
		return p.failAt(0, nbt.ErrSize, "")
	}
	out := make([]byte, 0, size)
	from := uint32(0)
	for _, w := range p.wraps {
		out = append(out, p.buf[from:w.at]...)
		out = append(out, byte(w.kind))
		if w.kind != nbt.TypeEnd {
			out = append(out, 0, 0)
		}
		from = w.at
	}
	p.buf = append(out, p.buf[from:]...)
	return nil
}

// distinctItems returns the items of a list as [nbt.Tag.Items] does, if of the
// members with one name in a compound just the last were there.
func distinctItems(t nbt.Tag) iter.Seq2[int, nbt.Tag] {
	if !isMixed(t) {
		return t.Elements()
	}
	return func(yield func(int, nbt.Tag) bool) {
		for i, elem := range t.Elements() {
			if inner, ok := wrapped(elem); ok {
				elem = inner
			}
			if !yield(i, elem) {
				return
			}
		}
	}
}

// wrapped returns what a compound with no other name than "" wraps.
func wrapped(t nbt.Tag) (inner nbt.Tag, ok bool) {
	for name, member := range t.Members() {
		if len(name) > 0 {
			return nbt.Tag{}, false
		}
		inner = member
	}
	return inner, inner.Exists()
}

// isMixed is [nbt.Tag.Mixed] for distinct members.
func isMixed(t nbt.Tag) bool {
	if t.Elem() != nbt.TypeCompound {
		return false
	}
	mixed, first := false, nbt.TypeEnd
	for _, elem := range t.Elements() {
		kind := nbt.TypeCompound
		if inner, ok := wrapped(elem); ok {
			kind = inner.Type()
			if _, needed := wrapped(inner); kind == nbt.TypeCompound && !needed {
				return false // nobody would have wrapped this
			}
		}
		if first == nbt.TypeEnd {
			first = kind
		}
		mixed = mixed || kind != first
	}
	return mixed
}
