package command

import (
	"math"
	"strconv"
	"strings"

	"strata/server/protocol"
	"strata/server/text"
)

// boolArg is true or false.
type boolArg struct{}

func (boolArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	switch s := r.word(); s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "":
		return nil, r.fail("parsing.bool.expected")
	default:
		return nil, r.failAt(start, "parsing.bool.invalid", quoted(s))
	}
}

func (boolArg) suggest(b *builder) {
	b.add("true")
	b.add("false")
}

func (boolArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserBool }

// intArg is an int32 of a range.
type intArg struct{ low, high int32 }

// anyInt is an int32 without bounds.
var anyInt = intArg{math.MinInt32, math.MaxInt32}

// atLeast is an int32 that is not lower.
func atLeast(low int32) intArg { return intArg{low, math.MaxInt32} }

func (a intArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	n, err := r.integer()
	switch {
	case err != nil:
		return nil, err
	case n < a.low:
		return nil, r.failAt(start, "argument.integer.low", number(a.low), number(n))
	case n > a.high:
		return nil, r.failAt(start, "argument.integer.big", number(a.high), number(n))
	}
	return n, nil
}

func (intArg) suggest(*builder) {}

func (a intArg) describe(n *protocol.CommandNode) {
	n.Parser = protocol.ParserInteger
	n.Properties.Min = optional(a.low != math.MinInt32, float64(a.low))
	n.Properties.Max = optional(a.high != math.MaxInt32, float64(a.high))
}

func optional[T any](present bool, v T) protocol.Optional[T] {
	if !present {
		return protocol.Optional[T]{}
	}
	return protocol.Optional[T]{Present: true, Value: v}
}

// floatArg is a float32 of a range.
type floatArg struct{ low, high float32 }

func (a floatArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	n, err := r.number("float", 32)
	f := float32(n)
	switch {
	case err != nil:
		return nil, err
	case f < a.low:
		return nil, r.failAt(start, "argument.float.low", float(a.low), float(f))
	case f > a.high:
		return nil, r.failAt(start, "argument.float.big", float(a.high), float(f))
	}
	return f, nil
}

func (floatArg) suggest(*builder) {}

func (a floatArg) describe(n *protocol.CommandNode) {
	n.Parser = protocol.ParserFloat
	n.Properties.Min = optional(true, float64(a.low))
	n.Properties.Max = optional(true, float64(a.high))
}

// float is an argument of a text, written as Java writes a float.
func float(f float32) text.Component {
	s := strconv.FormatFloat(float64(f), 'f', -1, 32)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return text.Plain(s)
}

// stringArg is text: a word, a phrase that may be quoted, or all that is left.
type stringArg struct{ kind protocol.StringKind }

var (
	wordArg   = stringArg{protocol.SingleWord}
	phraseArg = stringArg{protocol.QuotablePhrase}
	greedyArg = stringArg{protocol.GreedyPhrase}
)

func (a stringArg) parse(r *reader, _ *Source) (any, error) {
	switch a.kind {
	case protocol.GreedyPhrase:
		s := r.rest()
		r.cursor = len(r.input)
		return s, nil
	case protocol.QuotablePhrase:
		return r.phrase()
	}
	return r.word(), nil
}

func (stringArg) suggest(*builder) {}

func (a stringArg) describe(n *protocol.CommandNode) {
	n.Parser = protocol.ParserString
	n.Properties.Text = a.kind
}

// choiceArg is one of some names. The zero based index is the value.
type choiceArg struct {
	names  []string
	parser protocol.CommandParser
	error  string // key with what was typed
}

var (
	gameModeNames = []string{"survival", "creative", "adventure", "spectator"}

	gameModeArg  = choiceArg{gameModeNames, protocol.ParserGamemode, "argument.gamemode.invalid"}
	anchorArg    = choiceArg{[]string{"feet", "eyes"}, protocol.ParserEntityAnchor, "argument.anchor.invalid"}
	heightmapArg = choiceArg{
		[]string{"world_surface", "ocean_floor", "motion_blocking", "motion_blocking_no_leaves"},
		protocol.ParserHeightmap, "argument.enum.invalid",
	}
)

func (a choiceArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	s := r.word()
	for i, name := range a.names {
		if s == name {
			return i, nil
		}
	}
	return nil, r.failAt(start, a.error, quoted(s))
}

func (a choiceArg) suggest(b *builder) {
	for _, name := range a.names {
		b.add(name)
	}
}

func (a choiceArg) describe(n *protocol.CommandNode) { n.Parser = a.parser }

// timeArg is a time in ticks: a number and d, s or t.
type timeArg struct{ low int32 }

func (a timeArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	f, err := r.number("float", 32)
	if err != nil {
		return nil, err
	}
	unitAt := r.cursor
	switch r.word() {
	case "d":
		f *= 24000
	case "s":
		f *= 20
	case "t", "":
	default:
		return nil, r.failAt(unitAt, "argument.time.invalid_unit")
	}
	// Java's rounding: halves go up, and what int does not hold becomes its end.
	ticks := floorInt(float64(float32(f)) + 0.5)
	if ticks < a.low {
		return nil, r.failAt(start, "argument.time.tick_count_too_low", number(a.low), number(ticks))
	}
	return ticks, nil
}

func (timeArg) suggest(b *builder) {
	end := b.start + len(b.rest())
	probe := reader{input: b.input, cursor: b.start}
	if _, err := probe.number("float", 32); err != nil {
		return
	}
	b.at(min(probe.cursor, end), func(b *builder) {
		for _, unit := range []string{"d", "s", "t"} {
			b.add(unit)
		}
	})
}

func (a timeArg) describe(n *protocol.CommandNode) {
	n.Parser, n.Properties.MinTicks = protocol.ParserTime, a.low
}

// swizzleArg is a set of axes.
type swizzleArg struct{}

// axes is a set of x, y and z.
type axes [3]bool

func (swizzleArg) parse(r *reader, _ *Source) (any, error) {
	var a axes
	for r.more() && r.peek() != ' ' {
		i := int(r.peek()) - 'x'
		r.cursor++
		if i < 0 || i > 2 || a[i] {
			return nil, r.fail("arguments.swizzle.invalid")
		}
		a[i] = true
	}
	return a, nil
}

func (swizzleArg) suggest(*builder) {}

func (swizzleArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserSwizzle }
