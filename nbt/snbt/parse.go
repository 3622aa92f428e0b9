package snbt

import (
	"encoding/binary"
	"errors"

	"strata/nbt"
)

// Parse reads a text that is one value, with white space around it at most.
//
// limits.Depth bounds how deep compounds, lists and operations nest, in the
// text and in what it becomes; limits.Bytes the size of the text and of the
// payload; limits.Tags the values, elements of arrays left out. The error is a
// [*SyntaxError] or says which of the limits is out of range. The payload
// belongs to the caller.
func Parse(text string, limits nbt.Limits) (nbt.Raw, error) {
	raw, rest, err := ParsePrefix(text, limits)
	if err != nil {
		return nbt.Raw{}, err
	}
	if at := spaceEnd(text, len(text)-len(rest)); at < len(text) {
		return nbt.Raw{}, syntaxError(text, at, ErrTrailing, "")
	}
	return raw, nil
}

// ParsePrefix reads the value at the start of text, as commands hold them, and
// returns what follows it, white space included. It is otherwise as [Parse].
func ParsePrefix(text string, limits nbt.Limits) (raw nbt.Raw, rest string, err error) {
	limits, err = withDefaults(limits)
	if err != nil {
		return nbt.Raw{}, "", err
	}
	p := parser{text: text, limits: limits}
	cut := len(text) > limits.Bytes
	if cut {
		p.text = text[:limits.Bytes] // what is beyond may not belong to the value
	}
	v, fault := p.value()
	if cut && fault == nil && is(text[p.pos-1], classBare) && spaceEnd(p.text, p.pos) == len(p.text) {
		fault = p.failAt(p.pos, nbt.ErrSize, "") // a bare word may go on
	}
	if fault == nil {
		fault = p.wrapMixed()
	}
	if fault != nil {
		if cut && errors.Is(fault.Err, ErrEnd) {
			fault.Err, fault.Expected = nbt.ErrSize, ""
		}
		return nbt.Raw{}, "", fault
	}
	return nbt.Raw{Type: v.kind, Data: p.buf}, text[p.pos:], nil
}

// AppendDocument reads a text as [Parse] does and appends it to dst as a
// document in the form that files have, with an empty name at the root.
func AppendDocument(dst []byte, text string, limits nbt.Limits) ([]byte, error) {
	raw, err := Parse(text, limits)
	if err != nil {
		return dst, err
	}
	dst = append(dst, byte(raw.Type), 0, 0)
	return append(dst, raw.Data...), nil
}

// parser reads one value. It appends payloads to a buffer of its own and not
// through an nbt.Writer, which takes no list whose elements turn out to be of
// several types.
type parser struct {
	text   string
	pos    int
	limits nbt.Limits
	depth  int
	tags   int
	buf    []byte
	elems  []element // of the lists that are open
	wraps  []wrap    // to be done at the end
}

// value is what was read: its payload ends the buffer.
type value struct {
	kind nbt.Type
	// lone says that it is a compound with exactly one member, whose name is
	// empty.
	lone bool
	// height is how deep compounds and lists nest in it, itself included.
	height int32
}

func (p *parser) failAt(offset int, err error, expected string) *SyntaxError {
	return syntaxError(p.text, offset, err, expected)
}

// fail reports that the grammar wants something else at pos.
func (p *parser) fail(expected string) *SyntaxError {
	if p.pos >= len(p.text) {
		return p.failAt(p.pos, ErrEnd, expected)
	}
	return p.failAt(p.pos, ErrSyntax, expected)
}

func (p *parser) space() {
	if p.pos < len(p.text) && (is(p.text[p.pos], classSpace) || p.text[p.pos] >= 0x80) {
		p.pos = spaceEnd(p.text, p.pos)
	}
}

// accept skips white space, and c if it follows.
func (p *parser) accept(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// value reads a value of any type.
func (p *parser) value() (value, *SyntaxError) {
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
	switch c := p.text[p.pos]; {
	case c == '{':
		v, err = p.nested(p.compound)
	case c == '[':
		v, err = p.nested(p.list)
	case c == '"' || c == '\'':
		v.kind = nbt.TypeString
		err = p.str()
	default:
		v, err = p.bare()
	}
	if err == nil && len(p.buf) > p.limits.Bytes {
		err = p.failAt(start, nbt.ErrSize, "")
	}
	return v, err
}

// nested reads something that holds values, one level deeper.
func (p *parser) nested(read func() (value, *SyntaxError)) (value, *SyntaxError) {
	if p.depth == p.limits.Depth {
		return value{}, p.failAt(p.pos, nbt.ErrDepth, "")
	}
	p.depth++
	v, err := read()
	p.depth--
	return v, err
}

// str reads a quoted string, with its length before it.
func (p *parser) str() *SyntaxError {
	start, at := p.pos, len(p.buf)
	p.buf = append(p.buf, 0, 0)
	if err := p.quoted(); err != nil {
		return err
	}
	return p.putLength(start, at)
}

// bareString writes a bare word as a string.
func (p *parser) bareString(word string) *SyntaxError {
	start, at := p.pos, len(p.buf)
	p.buf = append(append(p.buf, 0, 0), word...)
	p.pos += len(word)
	return p.putLength(start, at)
}

// putLength fills in the length of the string at at, which ends the buffer.
func (p *parser) putLength(start, at int) *SyntaxError {
	n := len(p.buf) - at - 2
	if n > 1<<16-1 {
		return p.failAt(start, nbt.ErrStringLength, "")
	}
	binary.BigEndian.PutUint16(p.buf[at:], uint16(n))
	return nil
}

// compound reads a compound. Names may repeat.
func (p *parser) compound() (value, *SyntaxError) {
	p.pos++
	v := value{kind: nbt.TypeCompound}
	members, empty := 0, false
	for {
		if p.accept('}') {
			break
		}
		at := len(p.buf)
		p.buf = append(p.buf, 0)
		if err := p.key(); err != nil {
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
		v.height = max(v.height, member.height)
		if p.accept(',') {
			continue
		}
		if !p.accept('}') {
			return v, p.fail("',' or '}'")
		}
		break
	}
	p.buf = append(p.buf, byte(nbt.TypeEnd))
	v.height++
	v.lone = members == 1 && empty
	return v, nil
}

// key reads the name of a member.
func (p *parser) key() *SyntaxError {
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		return p.str()
	}
	word := p.text[p.pos:bareEnd(p.text, p.pos)]
	if word == "" {
		return p.fail("a name or '}'")
	}
	return p.bareString(word)
}
