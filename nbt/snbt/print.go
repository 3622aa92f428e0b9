package snbt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"strata/nbt"
)

// Style is how a tag looks as text.
type Style uint8

const (
	// Compact has no white space, as the game's commands print it:
	// {a:1b,b:"x"}.
	Compact Style = iota
	// Pretty has a line for each member and element, indented by four spaces
	// for each of the first 32 levels, as in the game's .snbt files. Arrays, and
	// lists of numbers, stay on one line. Unlike there, members keep their order
	// and the entries of structure templates are not put on one line each.
	Pretty
	// Canonical is Compact with members sorted by the bytes of their names, and
	// of members with the same name only the last: values that the game takes
	// for equal have the same text.
	Canonical
)

// Append appends a tag to dst as text, nothing if it does not exist.
//
// [Parse] makes the same payload of it again, except that the element type of
// an empty list is not kept, and that [Canonical] has lost the order of
// members. A name at the root is not printed.
func Append(dst []byte, tag nbt.Tag, style Style) []byte {
	if !tag.Exists() {
		return dst
	}
	p := printer{dst: dst, style: style}
	p.tag(tag, 0)
	return p.dst
}

// AppendRaw appends a payload to dst as text. The error is one of a [nbt.Tape]
// that does not take it.
func AppendRaw(dst []byte, raw nbt.Raw, limits nbt.Limits, style Style) ([]byte, error) {
	tape, err := parseRaw(raw, limits)
	if err != nil {
		return dst, err
	}
	return Append(dst, tape.Root(), style), nil
}

// parseRaw makes a tape of a payload.
func parseRaw(raw nbt.Raw, limits nbt.Limits) (*nbt.Tape, error) {
	tape := &nbt.Tape{Limits: limits}
	doc := append(make([]byte, 0, len(raw.Data)+1), byte(raw.Type))
	if err := tape.ParseNetwork(append(doc, raw.Data...)); err != nil {
		return nil, err
	}
	if tape.Size() != len(raw.Data)+1 {
		return nil, fmt.Errorf("snbt: %d bytes after the payload", len(raw.Data)+1-tape.Size())
	}
	return tape, nil
}

type printer struct {
	dst     []byte
	style   Style
	members []namedTag // of the compounds that are being sorted
}

// tag prints a tag that stands at the given level of indentation.
func (p *printer) tag(t nbt.Tag, level int) {
	switch t.Type() {
	case nbt.TypeFloat, nbt.TypeDouble:
		v, _ := t.Float()
		p.float(t, v)
	case nbt.TypeString:
		text, _ := t.Bytes()
		p.dst = appendQuoted(p.dst, text)
	case nbt.TypeByteArray:
		v, _ := t.ByteArray()
		p.byteArray(v)
	case nbt.TypeIntArray:
		v, _ := t.IntArray()
		p.intArray(v.Bytes())
	case nbt.TypeLongArray:
		v, _ := t.LongArray()
		p.longArray(v.Bytes())
	case nbt.TypeList:
		p.list(t, level)
	case nbt.TypeCompound:
		p.compound(t, level)
	default:
		v, _ := t.Int()
		p.dst = appendSuffixed(p.dst, v, t.Type())
	}
}

// appendSuffixed appends an integer with the suffix of its type.
func appendSuffixed(dst []byte, v int64, kind nbt.Type) []byte {
	dst = strconv.AppendInt(dst, v, 10)
	switch kind {
	case nbt.TypeByte:
		return append(dst, 'b')
	case nbt.TypeShort:
		return append(dst, 's')
	case nbt.TypeLong:
		return append(dst, 'L')
	}
	return dst
}

// separate puts what stands between two elements on one line.
func (p *printer) separate(i int) {
	if i == 0 {
		return
	}
	p.dst = append(p.dst, ',')
	if p.style == Pretty {
		p.dst = append(p.dst, ' ')
	}
}

// arrayHead prints the beginning of an array.
func (p *printer) arrayHead(letter byte, n int) {
	p.dst = append(p.dst, '[', letter, ';')
	if p.style == Pretty && n > 0 {
		p.dst = append(p.dst, ' ')
	}
}

// byteTexts has every byte as an element of an array: most of a chunk's text
// is light.
var byteTexts = func() (t [256]string) {
	for i := range t {
		t[i] = strconv.Itoa(int(int8(i))) + "B"
	}
	return t
}()

func (p *printer) byteArray(data []byte) {
	p.arrayHead('B', len(data))
	for i, v := range data {
		p.separate(i)
		p.dst = append(p.dst, byteTexts[v]...)
	}
	p.dst = append(p.dst, ']')
}

func (p *printer) intArray(data []byte) {
	p.arrayHead('I', len(data))
	for i := 0; i < len(data); i += 4 {
		p.separate(i)
		p.dst = strconv.AppendInt(p.dst, int64(int32(binary.BigEndian.Uint32(data[i:]))), 10)
	}
	p.dst = append(p.dst, ']')
}

func (p *printer) longArray(data []byte) {
	p.arrayHead('L', len(data))
	for i := 0; i < len(data); i += 8 {
		p.separate(i)
		p.dst = append(strconv.AppendInt(p.dst, int64(binary.BigEndian.Uint64(data[i:])), 10), 'L')
	}
	p.dst = append(p.dst, ']')
}

// list prints a list, what its elements are wrapped in left out.
func (p *printer) list(t nbt.Tag, level int) {
	items := t.Items()
	if p.style == Canonical {
		items = distinctItems(t)
	}
	lines := p.style == Pretty && t.Len() > 0 && !t.Elem().Numeric()
	p.dst = append(p.dst, '[')
	for i, item := range items {
		if lines {
			p.line(i, level+1)
		} else {
			p.separate(i)
		}
		p.tag(item, level+1)
	}
	if lines {
		p.newLine(level)
	}
	p.dst = append(p.dst, ']')
}

// line begins the line of a member or element.
func (p *printer) line(i, level int) {
	if i > 0 {
		p.dst = append(p.dst, ',')
	}
	p.newLine(level)
}

const (
	indent = "    "
	// maxIndent is the deepest level that is indented, so that a line is not
	// longer than its tag is worth.
	maxIndent = 32
)

var spaces = strings.Repeat(indent, maxIndent)

func (p *printer) newLine(level int) {
	p.dst = append(p.dst, '\n')
	p.dst = append(p.dst, spaces[:len(indent)*min(level, maxIndent)]...)
}

func (p *printer) compound(t nbt.Tag, level int) {
	if p.style == Canonical {
		p.sorted(t)
		return
	}
	p.dst = append(p.dst, '{')
	i := 0
	for name, member := range t.Members() {
		if p.style == Pretty {
			p.line(i, level+1)
		} else {
			p.separate(i)
		}
		p.member(name, member, level)
		i++
	}
	if p.style == Pretty && i > 0 {
		p.newLine(level)
	}
	p.dst = append(p.dst, '}')
}

func (p *printer) member(name []byte, member nbt.Tag, level int) {
	p.dst = append(appendKey(p.dst, name), ':')
	if p.style == Pretty {
		p.dst = append(p.dst, ' ')
	}
	p.tag(member, level+1)
}

type namedTag struct {
	name []byte
	tag  nbt.Tag
}

// sorted prints a compound by the names of its members.
func (p *printer) sorted(t nbt.Tag) {
	first := len(p.members)
	for name, member := range t.Members() {
		p.members = append(p.members, namedTag{name, member})
	}
	n := len(p.members) - first
	slices.SortStableFunc(p.members[first:], func(a, b namedTag) int { return bytes.Compare(a.name, b.name) })
	p.dst = append(p.dst, '{')
	printed := 0
	for i := first; i < first+n; i++ {
		m := p.members[i]
		if i+1 < first+n && bytes.Equal(m.name, p.members[i+1].name) {
			continue // the last one counts
		}
		p.separate(printed)
		p.member(m.name, m.tag, 0)
		printed++
	}
	p.members = p.members[:first]
	p.dst = append(p.dst, '}')
}

// float prints a float or double.
func (p *printer) float(t nbt.Tag, v float64) {
	size, letter := 64, byte('d')
	if t.Type() == nbt.TypeFloat {
		size, letter = 32, 'f'
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		// v may be another NaN than the document has: floats were converted.
		p.dst = appendNotFinite(p.dst, bigEndian(t.Raw().Data), size)
		return
	}
	p.dst = append(appendJavaFloat(p.dst, v, size), letter)
}
