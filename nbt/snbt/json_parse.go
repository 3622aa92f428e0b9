package snbt

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
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

// unmark takes the mark off the string at at, which ends the buffer.
func (p *jsonParser) unmark(start, at int) *SyntaxError {
	s := p.buf[at:]
	switch {
	case !isMarkedName(s):
	case s[0] == '\'':
		p.buf = p.buf[:at+copy(s, s[1:])]
	default:
		n, err := hex.Decode(s, s[len(hexPrefix):])
		if err != nil {
			return p.failAt(start, ErrJSON, "pairs of hexadecimal digits after "+hexPrefix)
		}
		p.buf = p.buf[:at+n]
	}
	return nil
}

// scalar reads a JSON string and what it stands for.
func (p *jsonParser) scalar(start int) (value, *SyntaxError) {
	at := len(p.buf)
	p.buf = append(p.buf, 0, 0)
	if err := p.str(); err != nil {
		return value{}, err
	}
	return p.meaning(start, at)
}

// meaning makes a value of the string that stands at at in the buffer, behind
// room for its length, and ends it.
func (p *jsonParser) meaning(start, at int) (value, *SyntaxError) {
	s := p.buf[at+2:]
	switch classify(s) {
	case formMarked, formHex:
		if err := p.unmark(start, at+2); err != nil {
			return value{}, err
		}
	case formNumber:
		lit, err := scanNumber(string(s))
		if err != nil {
			return value{}, p.failAt(start, err, "")
		}
		p.buf = p.buf[:at]
		return p.writeNumber(start, lit)
	case formName:
		bits, kind, _ := namedFloat(string(s))
		p.buf = p.buf[:at]
		if kind == nbt.TypeFloat {
			p.buf = binary.BigEndian.AppendUint32(p.buf, uint32(bits))
		} else {
			p.buf = binary.BigEndian.AppendUint64(p.buf, bits)
		}
		return value{kind: kind}, nil
	case formArray, formEmpty:
		return value{}, p.failAt(start, ErrJSON, "this string at the start of an array, or ' before it")
	}
	return value{kind: nbt.TypeString}, p.putLength(start, at)
}

// namedFloat reads NaNf, Infinityd, -Infinityf, NaN:7fc00001f.
func namedFloat(s string) (bits uint64, kind nbt.Type, ok bool) {
	name, size := s, 64
	switch {
	case strings.HasSuffix(s, "d"):
		kind = nbt.TypeDouble
	case strings.HasSuffix(s, "f"):
		kind, size = nbt.TypeFloat, 32
	default:
		return 0, 0, false
	}
	name = name[:len(name)-1]
	if digits, ok := strings.CutPrefix(name, "NaN:"); ok {
		bits, err := strconv.ParseUint(digits, 16, size)
		if size == 32 {
			return bits, kind, err == nil && math.IsNaN(float64(math.Float32frombits(uint32(bits))))
		}
		return bits, kind, err == nil && math.IsNaN(math.Float64frombits(bits))
	}
	v, ok := notFiniteName(name)
	if size == 32 {
		return uint64(javaBits32(v)), kind, ok
	}
	return javaBits(v), kind, ok
}

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

// str reads a JSON string and appends it in modified UTF-8.
func (p *jsonParser) str() *SyntaxError {
	start := p.pos
	p.pos++
	for {
		from := p.pos
		for p.pos < len(p.text) && (is(p.text[p.pos], classPlain) || p.text[p.pos] == '\'') {
			p.pos++
		}
		p.buf = append(p.buf, p.text[from:p.pos]...)
		if p.pos >= len(p.text) {
			return p.failAt(start, ErrEnd, "the quote that closes this string")
		}
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return nil
		case c == '\\':
			if err := p.jsonEscape(); err != nil {
				return err
			}
		case c < ' ':
			return p.fail("an escape for a control character")
		case c == 0x7F:
			p.buf = append(p.buf, c)
			p.pos++
		default:
			from := p.pos
			for p.pos < len(p.text) && p.text[p.pos] >= 0x80 {
				p.pos++
			}
			p.buf = nbt.AppendModifiedUTF8(p.buf, p.text[from:p.pos])
		}
	}
}

// jsonEscape reads the escape at pos.
func (p *jsonParser) jsonEscape() *SyntaxError {
	if p.pos+1 < len(p.text) {
		if strings.IndexByte(`"\/bfnrtu`, p.text[p.pos+1]) < 0 {
			return p.failAt(p.pos, ErrEscape, "")
		}
		if p.text[p.pos+1] == '/' {
			p.buf = append(p.buf, '/')
			p.pos += 2
			return nil
		}
	}
	return p.escape()
}
