package snbt

import "bytes"

// characterName reads the rest of the escape \N{name} at at. The game asks
// Java's Character.codePointOf for the name; that the braces hold nothing but
// letters, digits, spaces and hyphens (Java Edition 1.21.5, as other parsers of
// that grammar have it) bars only the four names with brackets, such as
// LINE FEED (LF).
func (p *parser) characterName(at int) *SyntaxError {
	text := p.text
	if p.pos >= len(text) || text[p.pos] != '{' {
		return p.failAt(p.pos, ErrEscape, `{ after \N`)
	}
	start := p.pos + 1
	end := start
	for end < len(text) && inCharacterName(text[end]) {
		end++
	}
	if end >= len(text) || text[end] != '}' {
		return p.failAt(end, ErrEscape, "letters, digits, spaces and hyphens, then }")
	}
	code, ok := characterNamed(text[start:end])
	if !ok {
		return p.failAt(at, ErrCharacterName, "")
	}
	p.buf = appendCodePoint(p.buf, code)
	p.pos = end + 1
	return nil
}

func inCharacterName(c byte) bool {
	switch c {
	case ' ', '-':
		return true
	case '_', '+', '.':
		return false
	}
	return is(c, classBare)
}

// characterNamed returns the code point with that name, in any case and with
// spaces around it.
func characterNamed(name string) (uint32, bool) {
	for len(name) > 0 && name[0] == ' ' {
		name = name[1:]
	}
	for len(name) > 0 && name[len(name)-1] == ' ' {
		name = name[:len(name)-1]
	}
	if len(name) > nameLongest {
		return 0, false
	}
	var buf [nameLongest]byte
	upper := append(buf[:0], name...)
	for i, c := range upper {
		if c >= 'a' && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	table := names()
	if code, ok := table.single(upper); ok {
		return code, true
	}
	return table.numbered(upper)
}

// single finds a character with a name of its own.
func (t *nameTable) single(name []byte) (uint32, bool) {
	// The block is the last one whose first name is not behind ours.
	low, high := 0, len(t.blocks)
	for low < high {
		middle := int(uint(low+high) / 2)
		start, at := t.blocks[middle], middle*nameBlock
		first := t.text[start : start+uint32(t.extra[at])]
		if bytes.Compare(first, name) <= 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return 0, false
	}
	at := (low - 1) * nameBlock
	text := t.text[t.blocks[low-1]:]
	var current [nameLongest]byte
	for end := min(at+nameBlock, nameCount); at < end; at++ {
		shared, extra := int(t.shared[at]), int(t.extra[at])
		copy(current[shared:], text[:extra])
		text = text[extra:]
		if bytes.Equal(current[:shared+extra], name) {
			return t.code(at), true
		}
	}
	return 0, false
}

// code returns the code point of a single name.
func (t *nameTable) code(at int) uint32 {
	return uint32(t.codes[at]) | uint32(t.codes[nameCount+at])<<8 | uint32(t.codes[2*nameCount+at])<<16
}

// numbered finds a character that is named by its code point, as Java prints
// it: without zeros before.
func (t *nameTable) numbered(name []byte) (uint32, bool) {
	for _, f := range t.families {
		digits, ok := bytes.CutPrefix(name, f.prefix)
		if !ok || len(digits) == 0 || len(digits) > 6 || digits[0] == '0' {
			continue
		}
		code := uint32(0)
		for _, c := range digits {
			if !is(c, classHex) {
				ok = false
				break
			}
			code = code<<4 | hexValue(c)
		}
		if ok && code >= f.first && code-f.first < f.count {
			return code, true
		}
	}
	return 0, false
}
