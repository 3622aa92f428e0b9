package snbt

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"strata/nbt"
)

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
