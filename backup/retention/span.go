package retention

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrSpan is a span of time that cannot be read.
var ErrSpan = errors.New("no span of time: give numbers with y, m, d and h, such as 1y5m7d2h")

// Span is a time on the calendar: of different length by where it ends.
type Span struct{ Years, Months, Days, Hours int }

// maxSpan bounds each number of a span.
const maxSpan = 1_000_000

// ParseSpan reads a span such as 2y5m7d3h. Numbers may come in any order; the
// later one of a letter counts. "" is no span.
func ParseSpan(text string) (Span, error) {
	var s Span
	for rest := text; rest != ""; {
		at := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if at < 1 {
			return Span{}, fmt.Errorf("%q: %w", text, ErrSpan)
		}
		n, err := strconv.Atoi(rest[:at])
		if err != nil || n > maxSpan {
			return Span{}, fmt.Errorf("%q: %w", text, ErrSpan)
		}
		switch rest[at] {
		case 'y':
			s.Years = n
		case 'm':
			s.Months = n
		case 'd':
			s.Days = n
		case 'h':
			s.Hours = n
		default:
			return Span{}, fmt.Errorf("%q: %w", text, ErrSpan)
		}
		rest = rest[at+1:]
	}
	return s, nil
}

// Zero reports whether it is no span.
func (s Span) Zero() bool { return s == Span{} }

// String is what ParseSpan reads.
func (s Span) String() string {
	var b strings.Builder
	for _, part := range []struct {
		n    int
		unit byte
	}{{s.Years, 'y'}, {s.Months, 'm'}, {s.Days, 'd'}, {s.Hours, 'h'}} {
		if part.n != 0 {
			fmt.Fprintf(&b, "%d%c", part.n, part.unit)
		}
	}
	return b.String()
}

// before is the moment a span before another one.
func (s Span) before(t time.Time) time.Time {
	return t.AddDate(-s.Years, -s.Months, -s.Days).Add(-time.Duration(s.Hours) * time.Hour)
}

// After is the moment a span after another one.
func (s Span) After(t time.Time) time.Time {
	return t.AddDate(s.Years, s.Months, s.Days).Add(time.Duration(s.Hours) * time.Hour)
}
