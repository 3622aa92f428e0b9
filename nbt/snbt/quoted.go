package snbt

import "strata/nbt"

// quoted reads the quoted string at pos and appends it in modified UTF-8,
// which is what surrogates in escapes come out right in: two of them are one
// character there without more ado.
func (p *parser) quoted() *SyntaxError {
	text := p.text
	start, quote := p.pos, text[p.pos]
	pos := start + 1
	for {
		from := pos
		for pos < len(text) && is(text[pos], classPlain) {
			pos++
		}
		p.buf = append(p.buf, text[from:pos]...)
		if pos >= len(text) {
			p.pos = len(text)
			return p.failAt(start, ErrEnd, "the quote that closes this string")
		}
		switch c := text[pos]; {
		case c == quote:
			p.pos = pos + 1
			return nil
		case c == '\\':
			p.pos = pos
			if err := p.escape(); err != nil {
				return err
			}
			pos = p.pos
		case c < 0x80 && c != 0:
			p.buf = append(p.buf, c)
			pos++
		default:
			from := pos
			for pos < len(text) && (text[pos] >= 0x80 || text[pos] == 0) {
				pos++
			}
			p.buf = nbt.AppendModifiedUTF8(p.buf, text[from:pos])
		}
	}
}

// escape reads the escape at pos.
func (p *parser) escape() *SyntaxError {
	at := p.pos
	if at+1 >= len(p.text) {
		return p.failAt(at, ErrEnd, "an escape")
	}
	p.pos += 2
	switch p.text[at+1] {
	case '\\', '"', '\'':
		p.buf = append(p.buf, p.text[at+1])
	case 'n':
		p.buf = append(p.buf, '\n')
	case 't':
		p.buf = append(p.buf, '\t')
	case 'r':
		p.buf = append(p.buf, '\r')
	case 's':
		p.buf = append(p.buf, ' ')
	case 'b':
		p.buf = append(p.buf, '\b')
	case 'f':
		p.buf = append(p.buf, '\f')
	case 'x':
		return p.codePoint(at, 2)
	case 'u':
		return p.codePoint(at, 4)
	case 'U':
		return p.codePoint(at, 8)
	case 'z':
		v, err := p.hexDigits(at, 2)
		p.buf = append(p.buf, byte(v))
		return err
	case 'N':
		return p.characterName(at)
	default:
		return p.failAt(at, ErrEscape, "")
	}
	return nil
}

// hexDigits reads exactly n digits of the escape at at.
func (p *parser) hexDigits(at, n int) (uint32, *SyntaxError) {
	v := uint32(0)
	for range n {
		if p.pos >= len(p.text) || !is(p.text[p.pos], classHex) {
			return 0, p.failAt(p.pos, ErrEscape, "hexadecimal digits in "+p.text[at:at+2])
		}
		v = v<<4 | hexValue(p.text[p.pos])
		p.pos++
	}
	return v, nil
}

// codePoint reads an escape of n digits, and appends the character. A
// surrogate is one of two units of UTF-16, or stands alone.
func (p *parser) codePoint(at, n int) *SyntaxError {
	v, err := p.hexDigits(at, n)
	if err != nil {
		return err
	}
	if v > 0x10FFFF {
		return p.failAt(at, ErrEscape, "a code point up to 10FFFF")
	}
	p.buf = appendCodePoint(p.buf, v)
	return nil
}

// appendCodePoint appends a character in modified UTF-8.
func appendCodePoint(dst []byte, v uint32) []byte {
	switch {
	case v > 0xFFFF:
		v -= 0x10000
		dst = appendUnit(dst, 0xD800|v>>10)
		return appendUnit(dst, 0xDC00|v&0x3FF)
	case v >= 0x800:
		return appendUnit(dst, v)
	case v >= 0x80 || v == 0:
		return append(dst, 0xC0|byte(v>>6), 0x80|byte(v&0x3F))
	}
	return append(dst, byte(v))
}

// appendUnit appends a unit of UTF-16 as three bytes.
func appendUnit(dst []byte, v uint32) []byte {
	return append(dst, 0xE0|byte(v>>12), 0x80|byte(v>>6)&0x3F, 0x80|byte(v&0x3F))
}
