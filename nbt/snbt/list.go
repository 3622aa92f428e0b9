package snbt

import (
	"encoding/binary"
	"strings"

	"strata/nbt"
)

// list reads a list or, if it begins so, a typed array.
func (p *parser) list() (value, *SyntaxError) {
	p.pos++
	p.space()
	if kind := p.arrayPrefix(); kind != nbt.TypeEnd {
		return p.array(kind)
	}
	v := value{kind: nbt.TypeList, height: 1}
	at, first := len(p.buf), len(p.elems)
	p.buf = append(p.buf, 0, 0, 0, 0, 0)
	for {
		if p.accept(']') {
			break
		}
		if err := p.index(len(p.elems) - first); err != nil {
			return v, err
		}
		start := len(p.buf)
		elem, err := p.value()
		if err != nil {
			return v, err
		}
		p.elems = append(p.elems, element{uint32(start), elem})
		v.height = max(v.height, elem.height+1)
		if p.accept(',') {
			continue
		}
		if !p.accept(']') {
			return v, p.fail("',' or ']'")
		}
		break
	}
	return p.endList(v, at, first)
}

// endList fills in the head of the list at at, whose elements are those from
// first on.
func (p *parser) endList(v value, at, first int) (value, *SyntaxError) {
	elems := p.elems[first:]
	p.elems = p.elems[:first]
	binary.BigEndian.PutUint32(p.buf[at+1:], uint32(len(elems)))
	for _, e := range elems {
		if e.value.kind != elems[0].value.kind {
			p.buf[at] = byte(nbt.TypeCompound)
			return p.mixed(v, elems)
		}
	}
	if len(elems) > 0 {
		p.buf[at] = byte(elems[0].value.kind)
	}
	return v, nil
}

// index skips the index before an element, as the game printed lists before
// 1.12: [0:"a",1:"b"].
func (p *parser) index(want int) *SyntaxError {
	p.space()
	end := p.pos
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	if end == p.pos || end == len(p.text) || p.text[end] != ':' {
		return nil
	}
	got := literal{text: p.text[p.pos:end], base: 10}
	if v, ok := got.integer(nbt.TypeInt); !ok || v != int64(want) {
		return p.fail("the index of the element")
	}
	p.pos = end + 1
	return nil
}

// arrayPrefix reads the B; I; or L; that makes a list an array, and returns the
// type, End for a list.
func (p *parser) arrayPrefix() nbt.Type {
	if p.pos >= len(p.text) {
		return nbt.TypeEnd
	}
	kind := arrayType(p.text[p.pos])
	if kind == nbt.TypeEnd {
		return kind
	}
	next := spaceEnd(p.text, p.pos+1)
	if next == len(p.text) || p.text[next] != ';' {
		return nbt.TypeEnd // a bare word
	}
	p.pos = next + 1
	return kind
}

// arrayType returns the type that a letter stands for, End for no such letter.
func arrayType(letter byte) nbt.Type {
	switch letter {
	case 'B':
		return nbt.TypeByteArray
	case 'I':
		return nbt.TypeIntArray
	case 'L':
		return nbt.TypeLongArray
	}
	return nbt.TypeEnd
}

// array reads the elements of an array.
func (p *parser) array(kind nbt.Type) (value, *SyntaxError) {
	v := value{kind: kind}
	at, count := len(p.buf), 0
	p.buf = append(p.buf, 0, 0, 0, 0)
	elem := arrayElement(kind)
	for {
		if p.accept(']') {
			break
		}
		if err := p.arrayInteger(elem); err != nil {
			return v, err
		}
		count++
		if len(p.buf) > p.limits.Bytes {
			return v, p.failAt(p.pos, nbt.ErrSize, "")
		}
		if p.accept(',') {
			continue
		}
		if !p.accept(']') {
			return v, p.fail("',' or ']'")
		}
		break
	}
	binary.BigEndian.PutUint32(p.buf[at:], uint32(count))
	return v, nil
}

// arrayElement returns the type that an element without a suffix has.
func arrayElement(kind nbt.Type) nbt.Type {
	switch kind {
	case nbt.TypeByteArray:
		return nbt.TypeByte
	case nbt.TypeIntArray:
		return nbt.TypeInt
	}
	return nbt.TypeLong
}

// arrayInteger reads an element: an integer of the array's type or a smaller
// one, or true or false, which a byte array took before 1.21.5.
func (p *parser) arrayInteger(elem nbt.Type) *SyntaxError {
	p.space()
	at := p.pos
	if v, kind, ok := p.plainInteger(elem); ok {
		if kind > elem {
			return p.failAt(at, ErrElement, "")
		}
		p.buf = appendInteger(p.buf, elem, v)
		return nil
	}
	start, end := at, bareEnd(p.text, at)
	if end == start {
		return p.fail("an integer or ']'")
	}
	switch word := p.text[start:end]; {
	case is(word[0], classStart):
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"):
		p.pos = end
		p.buf = appendInteger(p.buf, elem, int64(5-len(word))) // 1 for true, 0 for false
		return nil
	default:
		return p.fail("an integer")
	}
	lit, ok, err := p.number(end)
	if err != nil {
		return err
	}
	if !ok {
		return p.fail("an integer")
	}
	kind := lit.kind
	if kind == nbt.TypeEnd {
		kind = elem
	}
	if lit.float || kind > elem {
		return p.failAt(start, ErrElement, "")
	}
	v, ok := lit.integer(kind)
	if !ok {
		return p.failAt(start, ErrNumber, "a value that fits "+kind.String())
	}
	p.buf = appendInteger(p.buf, elem, v)
	return nil
}
