package snbt

import (
	"encoding/binary"
	"strings"

	"strata/nbt"
)

// bare reads a value without quotes and brackets: a number, true or false, an
// operation or a bare string.
func (p *parser) bare() (value, *SyntaxError) {
	if v, kind, ok := p.plainInteger(nbt.TypeInt); ok {
		p.buf = appendInteger(p.buf, kind, v)
		return value{kind: kind}, nil
	}
	start, end := p.pos, bareEnd(p.text, p.pos)
	if end == start {
		return value{}, p.fail("a value")
	}
	if is(p.text[start], classStart) {
		lit, ok, err := p.number(end)
		if err != nil {
			return value{}, err
		}
		if ok {
			return p.writeNumber(start, lit)
		}
		// A bare word such as 12w34a. The newest game refuses it; before 1.21.5
		// it was a string.
		return value{kind: nbt.TypeString}, p.bareString(p.text[start:end])
	}
	word := p.text[start:end]
	if next := spaceEnd(p.text, end); next < len(p.text) && p.text[next] == '(' {
		return p.nested(func() (value, *SyntaxError) {
			p.pos = next + 1
			return p.operation(start, word)
		})
	}
	if on := strings.EqualFold(word, "true"); on || strings.EqualFold(word, "false") {
		p.pos = end
		p.buf = appendBool(p.buf, on)
		return value{kind: nbt.TypeByte}, nil
	}
	return value{kind: nbt.TypeString}, p.bareString(word)
}

func appendBool(dst []byte, on bool) []byte {
	if on {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// plainInteger reads the integer at pos if it is written as we print it, which
// most values of a chunk are: decimal, with one letter for its type or none,
// right before a comma, bracket or, in JSON, quote. It is false for anything
// else, out of range or not an integer, which is then read the long way.
func (p *parser) plainInteger(fallback nbt.Type) (v int64, kind nbt.Type, ok bool) {
	text := p.text[p.pos:]
	pos, neg := 0, false
	if len(text) > 0 && text[0] == '-' {
		pos, neg = 1, true
	}
	first, u := pos, uint64(0)
	for pos < len(text) && text[pos]-'0' < 10 {
		u = u*10 + uint64(text[pos]-'0')
		pos++
	}
	if pos == first || pos > first+19 || text[first] == '0' && pos > first+1 || pos == len(text) {
		return 0, 0, false
	}
	kind = integerType(text[pos])
	if kind == nbt.TypeEnd {
		kind = fallback
	} else if pos++; pos == len(text) {
		return 0, 0, false
	}
	if c := text[pos]; c != ',' && c != ']' && c != '}' && c != '"' {
		return 0, 0, false
	}
	largest := uint64(1)<<(integerBits(kind)-1) - 1
	if neg {
		v, ok = -int64(u), u <= largest+1
	} else {
		v, ok = int64(u), u <= largest
	}
	if ok {
		p.pos += pos
	}
	return v, kind, ok
}

// number reads the number at pos, where a bare word ends at end. It is false
// if the word is no number but only begins as one.
func (p *parser) number(end int) (literal, bool, *SyntaxError) {
	start := p.pos
	lit, err := scanNumber(p.text[start:end])
	if end < len(p.text) && (is(p.text[end], classSpace) || p.text[end] >= 0x80) {
		if wide, to := p.spacedNumber(end); to > 0 {
			p.pos = to
			return wide, true, nil
		}
	}
	if lit.size != end-start || lit.size == 0 {
		return lit, false, nil
	}
	if err != nil {
		return lit, false, p.failAt(start, err, "")
	}
	p.pos = end
	return lit, true, nil
}

// spacedNumber reads a number whose parts have white space between them, as
// the newest game allows: 1 b, - 5, 1 . 5. It returns the longest one and
// where it ends, 0 if white space ends the number.
func (p *parser) spacedNumber(end int) (best literal, to int) {
	const words = 8 // sign, whole, point, fraction, e, sign, exponent, suffix
	joined := p.text[p.pos:end]
	for range words - 1 {
		start := spaceEnd(p.text, end)
		if start == len(p.text) || !is(p.text[start], classBare) {
			break
		}
		end = bareEnd(p.text, start)
		// White space always ends a run of digits.
		if last := joined[len(joined)-1]; is(last, classHex) && is(p.text[start], classHex) &&
			(is(last, classStart) && is(p.text[start], classStart) || strings.ContainsAny(joined, "xX")) {
			break
		}
		if len(joined)+end-start > 64 {
			break // no number that anyone writes; bounds the work
		}
		joined += p.text[start:end]
		if lit, err := scanNumber(joined); err == nil && lit.size == len(joined) {
			best, to = lit, end
		}
	}
	return best, to
}

// writeNumber writes a number of the type that its suffix says.
func (p *parser) writeNumber(start int, lit literal) (value, *SyntaxError) {
	if lit.float {
		bits, kind, ok := lit.floatBits()
		if !ok {
			return value{}, p.failAt(start, ErrNumber, "a finite "+kind.String())
		}
		if kind == nbt.TypeFloat {
			p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(bits))
		} else {
			p.buf = binary.BigEndian.AppendUint64(p.buf, bits)
		}
		return value{kind: kind}, nil
	}
	kind := lit.kind
	if kind == nbt.TypeEnd {
		kind = nbt.TypeInt
	}
	v, ok := lit.integer(kind)
	if !ok {
		return value{}, p.failAt(start, ErrNumber, "a value that fits "+kind.String())
	}
	p.buf = appendInteger(p.buf, kind, v)
	return value{kind: kind}, nil
}

// appendInteger appends an integer in as many bytes as its type has.
func appendInteger(dst []byte, kind nbt.Type, v int64) []byte {
	switch kind {
	case nbt.TypeByte:
		return append(dst, byte(v))
	case nbt.TypeShort:
		return binary.BigEndian.AppendUint16(dst, uint16(v))
	case nbt.TypeInt:
		return binary.BigEndian.AppendUint32(dst, uint32(v))
	}
	return binary.BigEndian.AppendUint64(dst, uint64(v))
}
