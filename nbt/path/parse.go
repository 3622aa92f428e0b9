package path

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"strata/nbt"
	"strata/nbt/snbt"
)

// Parse reads a text that is one path. The error is a [*SyntaxError].
func Parse(text string) (Path, error) {
	p, rest, err := ParsePrefix(text)
	if err == nil && rest != "" {
		err = &SyntaxError{len(text) - len(rest), ErrTrailing}
	}
	if err != nil {
		return Path{}, err
	}
	return p, nil
}

// ParsePrefix reads the path at the start of text, which ends at a space, as in
// a command, and returns the rest from that space on.
func ParsePrefix(text string) (p Path, rest string, err error) {
	r := reader{text: text}
	if len(text) > MaxBytes {
		r.text = text[:MaxBytes] // what is beyond may not belong to the path
	}
	err = r.path()
	if len(text) > MaxBytes && (err != nil || r.pos == MaxBytes) {
		err = &SyntaxError{MaxBytes, ErrLong}
	}
	if err != nil {
		return Path{}, "", err
	}
	return Path{r.nodes}, text[r.pos:], nil
}

// reader reads a path node by node.
type reader struct {
	text  string
	pos   int
	nodes []node
}

func (r *reader) fail(at int, err error) error { return &SyntaxError{at, err} }

// peek returns the next byte, 0 at the end of the path.
func (r *reader) peek() byte {
	if r.ended() {
		return 0
	}
	return r.text[r.pos]
}

// ended reports whether nothing of the path is left.
func (r *reader) ended() bool { return r.pos == len(r.text) || r.text[r.pos] == ' ' }

func (r *reader) path() error {
	for !r.ended() {
		if len(r.nodes) == MaxNodes {
			return r.fail(r.pos, ErrLong)
		}
		n, err := r.node()
		if err != nil {
			return err
		}
		r.nodes = append(r.nodes, n)
		if r.ended() {
			break
		}
		switch r.text[r.pos] {
		case '[', '{':
		case '.':
			r.pos++ // the path may end here
		default:
			return r.fail(r.pos, ErrSeparator)
		}
	}
	return nil
}

func (r *reader) node() (node, error) {
	switch r.peek() {
	case '[':
		r.pos++
		return r.bracket()
	case '{':
		if len(r.nodes) > 0 {
			return node{}, r.fail(r.pos, ErrRootFilter)
		}
		filter, err := r.filter()
		return node{step: stepRoot, filter: filter}, err
	}
	name, err := r.name()
	if err != nil {
		return node{}, err
	}
	n := node{step: stepMember, name: name}
	if r.peek() == '{' {
		n.filter, err = r.filter()
	}
	return n, err
}

// bracket reads what follows a [.
func (r *reader) bracket() (n node, err error) {
	switch r.peek() {
	case ']':
		n.step = stepItems
	case '{':
		n.step = stepMatch
		if n.filter, err = r.filter(); err != nil {
			return n, err
		}
	default:
		n.step = stepIndex
		start := r.pos
		for c := r.peek(); c == '-' || '0' <= c && c <= '9'; c = r.peek() {
			r.pos++
		}
		v, err := strconv.ParseInt(r.text[start:r.pos], 10, 32)
		if err != nil {
			return n, r.fail(start, ErrIndex)
		}
		n.index = int(v)
	}
	if r.peek() != ']' {
		return n, r.fail(r.pos, ErrBracket)
	}
	r.pos++
	return n, nil
}

// name reads the name of a member, bare or in quotes.
func (r *reader) name() (string, error) {
	start := r.pos
	var name string
	if c := r.peek(); c == '"' || c == '\'' {
		quoted, err := r.quoted(c)
		if err != nil {
			return "", err
		}
		name = quoted
	} else {
		end := strings.IndexAny(r.text[start:], " \"'[].{}")
		if end < 0 {
			end = len(r.text) - start
		}
		if end == 0 {
			return "", r.fail(start, ErrNode)
		}
		r.pos += end
		name = r.text[start:r.pos]
	}
	modified := nbt.AppendModifiedUTF8(nil, name)
	if len(modified) > math.MaxUint16 {
		return "", r.fail(start, ErrName)
	}
	// There and back: some sequences that are not UTF-8 mean the same key.
	return string(nbt.AppendUTF8(nil, modified)), nil
}

func (r *reader) quoted(quote byte) (string, error) {
	start := r.pos
	var name strings.Builder
	for r.pos++; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; c {
		case quote:
			r.pos++
			return name.String(), nil
		case '\\':
			r.pos++
			if r.pos == len(r.text) {
				return "", r.fail(start, ErrQuote)
			}
			if c := r.text[r.pos]; c != quote && c != '\\' {
				return "", r.fail(r.pos-1, ErrEscape)
			}
			fallthrough
		default:
			name.WriteByte(r.text[r.pos])
		}
	}
	return "", r.fail(start, ErrQuote)
}

// filter reads a compound in SNBT.
func (r *reader) filter() (nbt.Tag, error) {
	raw, rest, err := snbt.ParsePrefix(r.text[r.pos:], nbt.Limits{})
	if err != nil {
		at := r.pos
		if syntax := (*snbt.SyntaxError)(nil); errors.As(err, &syntax) {
			at += syntax.Offset
		}
		return nbt.Tag{}, r.fail(at, err)
	}
	tape, err := lastMembers(raw)
	if err != nil {
		return nbt.Tag{}, r.fail(r.pos, err)
	}
	r.pos = len(r.text) - len(rest)
	return tape.Root(), nil
}
