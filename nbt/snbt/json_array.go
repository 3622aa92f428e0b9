package snbt

import (
	"encoding/binary"

	"strata/nbt"
)

// array reads a list or array.
func (p *jsonParser) array() (value, *SyntaxError) {
	p.pos++
	v := value{kind: nbt.TypeList, height: 1}
	at, first := len(p.buf), len(p.elems)
	p.buf = append(p.buf, 0, 0, 0, 0, 0)
	for n := 0; !p.accept(']'); n++ {
		if n > 0 && !p.accept(',') {
			return v, p.fail("',' or ']'")
		}
		p.space()
		start, text := len(p.buf), p.pos
		var elem value
		var err *SyntaxError
		if n == 0 && p.pos < len(p.text) && p.text[p.pos] == '"' {
			p.buf = append(p.buf, 0, 0)
			if err := p.str(); err != nil {
				return v, err
			}
			switch s := p.buf[start+2:]; classify(s) {
			case formArray:
				letter := s[0]
				p.buf = p.buf[:at]
				return p.numbers(letter)
			case formEmpty:
				p.buf[at] = byte(emptyType(s))
				p.buf = p.buf[:start]
				if !p.accept(']') {
					return v, p.fail("']'")
				}
				return v, nil
			}
			p.tags++
			elem, err = p.meaning(text, start)
		} else {
			elem, err = p.value()
		}
		if err != nil {
			return v, err
		}
		p.elems = append(p.elems, element{uint32(start), elem})
		v.height = max(v.height, elem.height+1)
	}
	return p.endList(v, at, first)
}

// numbers reads the elements of an array behind its mark.
func (p *jsonParser) numbers(letter byte) (value, *SyntaxError) {
	kind := arrayType(letter)
	at, count := len(p.buf), 0
	p.buf = append(p.buf, 0, 0, 0, 0)
	for ; !p.accept(']'); count++ {
		if !p.accept(',') {
			return value{}, p.fail("',' or ']'")
		}
		if err := p.arrayNumber(arrayElement(kind)); err != nil {
			return value{}, err
		}
		if len(p.buf) > p.limits.Bytes {
			return value{}, p.failAt(p.pos, nbt.ErrSize, "")
		}
	}
	binary.BigEndian.PutUint32(p.buf[at:], uint32(count))
	return value{kind: kind}, nil
}

// arrayNumber reads an element: a number, or a string with one.
func (p *jsonParser) arrayNumber(elem nbt.Type) *SyntaxError {
	p.space()
	start := p.pos
	quoted := p.accept('"')
	at := p.pos
	if v, kind, ok := p.plainInteger(elem); ok && kind == elem && is(p.text[p.pos-1], classStart) &&
		quoted == (p.text[p.pos] == '"') {
		if quoted {
			p.pos++
		}
		p.buf = appendInteger(p.buf, elem, v)
		return nil
	}
	p.pos = at
	end := bareEnd(p.text, p.pos)
	word := p.text[p.pos:end]
	lit, err := scanNumber(word)
	switch {
	case err != nil, lit.size == 0, lit.size != len(word), lit.float, !quoted && !isJSONNumber(lit, word):
		return p.fail("an integer")
	case lit.kind > elem:
		return p.failAt(start, ErrElement, "")
	case lit.kind == nbt.TypeEnd:
		lit.kind = elem
	}
	p.pos = end
	if quoted {
		if end == len(p.text) || p.text[end] != '"' {
			return p.fail("the quote that closes this string")
		}
		p.pos++
	}
	v, ok := lit.integer(lit.kind)
	if !ok {
		return p.failAt(start, ErrNumber, "a value that fits "+lit.kind.String())
	}
	p.buf = appendInteger(p.buf, elem, v)
	return nil
}
