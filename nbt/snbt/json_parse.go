package snbt

import (
	"strings"

	"strata/nbt"
)

// ParseJSON reads the form that [AppendJSON] writes. Besides, true and false
// are bytes, numbers with a point or exponent are doubles, elements of arrays
// may be strings or numbers, and strings with a number may be in any form of
// [Parse] that has a suffix. Limits and errors are those of Parse.
func ParseJSON(text string, limits nbt.Limits) (nbt.Raw, error) {
	limits, err := withDefaults(limits)
	if err != nil {
		return nbt.Raw{}, err
	}
	p := jsonParser{parser{text: text, limits: limits}}
	if len(text) > limits.Bytes {
		return nbt.Raw{}, p.failAt(0, nbt.ErrSize, "")
	}
	v, fault := p.value()
	if fault == nil {
		p.space()
		if p.pos < len(p.text) {
			fault = p.failAt(p.pos, ErrTrailing, "")
		}
	}
	if fault == nil {
		fault = p.wrapMixed()
	}
	if fault != nil {
		return nbt.Raw{}, fault
	}
	return nbt.Raw{Type: v.kind, Data: p.buf}, nil
}

// jsonParser reads JSON with the means of the parser of texts.
type jsonParser struct{ parser }

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *jsonParser) accept(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) value() (value, *SyntaxError) {
	p.space()
	if p.pos >= len(p.text) {
		return value{}, p.fail("a value")
	}
	if p.tags++; p.tags > p.limits.Tags {
		return value{}, p.failAt(p.pos, nbt.ErrTags, "")
	}
	start := p.pos
	var v value
	var err *SyntaxError
	switch c := p.text[p.pos]; c {
	case '{':
		v, err = p.nested(p.object)
	case '[':
		v, err = p.nested(p.array)
	case '"':
		v, err = p.scalar(start)
	default:
		v, err = p.bare()
	}
	if err == nil && len(p.buf) > p.limits.Bytes {
		err = p.failAt(start, nbt.ErrSize, "")
	}
	return v, err
}

// bare reads a number, true or false.
func (p *jsonParser) bare() (value, *SyntaxError) {
	start, end := p.pos, bareEnd(p.text, p.pos)
	word := p.text[start:end]
	switch {
	case word == "true" || word == "false":
		p.pos = end
		p.buf = appendBool(p.buf, word == "true")
		return value{kind: nbt.TypeByte}, nil
	case word == "null":
		return value{}, p.failAt(start, ErrJSON, "a value that is not null")
	case word == "" || !is(word[0], classStart):
		return value{}, p.fail("a value")
	}
	lit, err := scanNumber(word)
	if err != nil || lit.size != len(word) || !isJSONNumber(lit, word) {
		return value{}, p.fail("a number")
	}
	p.pos = end
	return p.writeNumber(start, lit)
}

// isJSONNumber reports whether JSON has such a number too.
func isJSONNumber(lit literal, word string) bool {
	digits := strings.TrimPrefix(word, "-")
	if lit.under || lit.kind != nbt.TypeEnd || digits == "" || !lit.float && lit.base != 10 {
		return false
	}
	point := strings.IndexByte(digits, '.')
	return digits[0] >= '0' && digits[0] <= '9' && (digits[0] != '0' || len(digits) == 1 || digits[1]-'0' > 9) &&
		(point < 0 || point+1 < len(digits) && digits[point+1]-'0' < 10)
}

// object reads a compound.
func (p *jsonParser) object() (value, *SyntaxError) {
	p.pos++
	v := value{kind: nbt.TypeCompound, height: 1}
	members, empty := 0, false
	for !p.accept('}') {
		if members > 0 && !p.accept(',') {
			return v, p.fail("',' or '}'")
		}
		p.space()
		at := len(p.buf)
		p.buf = append(p.buf, 0)
		if err := p.name(); err != nil {
			return v, err
		}
		empty = len(p.buf) == at+3
		members++
		if !p.accept(':') {
			return v, p.fail("':'")
		}
		member, err := p.value()
		if err != nil {
			return v, err
		}
		p.buf[at] = byte(member.kind)
		v.height = max(v.height, member.height+1)
	}
	p.buf = append(p.buf, byte(nbt.TypeEnd))
	v.lone = members == 1 && empty
	return v, nil
}

// name reads the name of a member, with its length before it.
func (p *jsonParser) name() *SyntaxError {
	start, at := p.pos, len(p.buf)
	p.buf = append(p.buf, 0, 0)
	if p.pos >= len(p.text) || p.text[p.pos] != '"' {
		return p.fail("a name in quotes")
	}
	if err := p.str(); err != nil {
		return err
	}
	if err := p.unmark(start, at+2); err != nil {
		return err
	}
	return p.putLength(start, at)
}
