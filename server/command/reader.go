package command

import (
	"math"
	"strconv"
	"strings"

	"strata/server/text"
)

// reader goes through a command. Errors stand at its cursor.
type reader struct {
	input  string
	cursor int
}

func (r *reader) more() bool   { return r.cursor < len(r.input) }
func (r *reader) rest() string { return r.input[r.cursor:] }

// peek returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	if r.more() {
		return r.input[r.cursor]
	}
	return 0
}

// skip goes past a byte if it is next.
func (r *reader) skip(b byte) bool {
	if r.more() && r.input[r.cursor] == b {
		r.cursor++
		return true
	}
	return false
}

func (r *reader) spaces() {
	for r.skip(' ') {
		continue
	}
}

func (r *reader) fail(key string, with ...text.Component) *Error {
	return &Error{Message: text.Key(key, with...), Input: r.input, Cursor: r.cursor}
}

// failAt is fail at an earlier place, to which the reader goes back.
func (r *reader) failAt(at int, key string, with ...text.Component) *Error {
	r.cursor = at
	return r.fail(key, with...)
}

func (r *reader) while(ok func(byte) bool) string {
	start := r.cursor
	for r.more() && ok(r.input[r.cursor]) {
		r.cursor++
	}
	return r.input[start:r.cursor]
}

// argument is the text up to the next space.
func (r *reader) argument() string { return r.while(func(b byte) bool { return b != ' ' }) }

func wordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' ||
		b == '_' || b == '-' || b == '.' || b == '+'
}

func numberByte(b byte) bool { return b >= '0' && b <= '9' || b == '.' || b == '-' }

func idByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' ||
		b == '_' || b == ':' || b == '/' || b == '.' || b == '-'
}

func (r *reader) word() string { return r.while(wordByte) }

// phrase is a word or a quoted string.
func (r *reader) phrase() (string, error) {
	quote := r.peek()
	if quote != '"' && quote != '\'' {
		return r.word(), nil
	}
	r.cursor++
	var b strings.Builder
	for r.more() {
		c := r.input[r.cursor]
		r.cursor++
		switch c {
		case quote:
			return b.String(), nil
		case '\\':
			e := r.peek()
			if r.more() && e != quote && e != '\\' {
				return "", r.fail("parsing.quote.escape", text.Plain(string(rune(e))))
			}
			if r.more() {
				b.WriteByte(e)
				r.cursor++
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", r.fail("parsing.quote.expected.end")
}

// number reads a number of a kind that messages name: int, long, float, double.
func (r *reader) number(kind string, bits int) (float64, error) {
	start := r.cursor
	s := r.while(numberByte)
	if s == "" {
		return 0, r.fail("parsing." + kind + ".expected")
	}
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		return 0, r.failAt(start, "parsing."+kind+".invalid", quoted(s))
	}
	return f, nil
}

func (r *reader) double() (float64, error) { return r.number("double", 64) }

func (r *reader) integer() (int32, error) {
	start := r.cursor
	s := r.while(numberByte)
	if s == "" {
		return 0, r.fail("parsing.int.expected")
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, r.failAt(start, "parsing.int.invalid", quoted(s))
	}
	return int32(n), nil
}

// id reads a name with a namespace, minecraft if it has none.
func (r *reader) id() (string, error) {
	start := r.cursor
	s := r.while(idByte)
	if s == "" || !validID(s) {
		return "", r.failAt(start, "argument.id.invalid")
	}
	return withNamespace(s), nil
}

func validID(s string) bool {
	space, path, found := strings.Cut(s, ":")
	if !found {
		space, path = "", s
	}
	return path != "" && !strings.Contains(path, ":") && !strings.Contains(space, "/")
}

func withNamespace(s string) string {
	space, path, found := strings.Cut(s, ":")
	switch {
	case !found:
		return "minecraft:" + s
	case space == "":
		return "minecraft:" + path
	}
	return s
}

// bounds are a range of numbers; what is not there is infinite.
type bounds struct{ low, high float64 }

func (b bounds) has(f float64) bool { return f >= b.low && f <= b.high }

// bounds reads a range: 5, 5.., ..5 or 1..5.
func (r *reader) bounds(whole bool) (bounds, error) {
	start := r.cursor
	b := bounds{math.Inf(-1), math.Inf(1)}
	low, hasLow, err := r.bound(whole)
	if err != nil {
		return b, err
	}
	high, hasHigh := low, hasLow
	if strings.HasPrefix(r.rest(), "..") {
		r.cursor += 2
		if high, hasHigh, err = r.bound(whole); err != nil {
			return b, err
		}
	}
	if !hasLow && !hasHigh {
		return b, r.failAt(start, "argument.range.empty")
	}
	if hasLow {
		b.low = low
	}
	if hasHigh {
		b.high = high
	}
	if b.low > b.high {
		return b, r.failAt(start, "argument.range.swapped")
	}
	return b, nil
}

func (r *reader) bound(whole bool) (float64, bool, error) {
	start := r.cursor
	for r.more() && numberByte(r.peek()) && !strings.HasPrefix(r.rest(), "..") {
		r.cursor++
	}
	s := r.input[start:r.cursor]
	if s == "" {
		return 0, false, nil
	}
	if whole {
		if strings.Contains(s, ".") {
			return 0, false, r.failAt(start, "argument.range.ints")
		}
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil {
			return 0, false, r.failAt(start, "parsing.int.invalid", quoted(s))
		}
		return float64(n), true, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false, r.failAt(start, "parsing.double.invalid", quoted(s))
	}
	return f, true, nil
}
