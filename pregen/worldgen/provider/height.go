package provider

import (
	"math"

	"strata/pregen/worldgen/rng"
)

// Span is the range of heights of a generator.
type Span struct {
	MinY   int32
	Height int32 // in blocks
}

// The heights that a document can name.
const (
	lowest  = -2032
	highest = 2031
)

type anchorKind uint8

const (
	absolute anchorKind = iota
	aboveBottom
	belowTop
)

// Anchor is a height that may be told from the ends of the span.
type Anchor struct {
	kind  anchorKind
	value int32
}

// ParseAnchor reads a vertical anchor.
func ParseAnchor(v Value) (Anchor, error) {
	var a Anchor
	found := ""
	for i, name := range []string{"absolute", "above_bottom", "below_top"} {
		member, ok, err := v.Optional(name)
		if err != nil {
			return a, err
		}
		if !ok {
			continue
		}
		if found != "" {
			return a, v.Errorf("both %s and %s", found, name)
		}
		found, a.kind = name, anchorKind(i)
		if a.value, err = member.Int(lowest, highest); err != nil {
			return a, err
		}
	}
	if found == "" {
		return a, v.Errorf("none of absolute, above_bottom and below_top")
	}
	return a, nil
}

// In returns the height within a span; it may be outside of it.
func (a Anchor) In(s Span) int32 {
	switch a.kind {
	case aboveBottom:
		return s.MinY + a.value
	case belowTop:
		return s.MinY + s.Height - 1 - a.value
	}
	return a.value
}

type heightKind uint8

const (
	constantHeight heightKind = iota
	uniformHeight
	biasedHeight
	veryBiasedHeight
	trapezoidHeight
	weightedHeight
)

// Height draws random heights.
type Height struct {
	kind    heightKind
	low     Anchor // a constant is low
	high    Anchor
	number  int32 // inner; plateau; sum of weights
	choices []choice
}

// choice is an entry of a weighted list.
type choice struct {
	height Height
	weight int32
}

// Limits of what is read.
const (
	maxDepth   = 16
	maxEntries = 1024
	maxInner   = 1 << 20
)

// ParseHeight reads a height provider: an anchor, or an object with a type.
func ParseHeight(v Value) (Height, error) {
	entries := 0
	return parseHeight(v, maxDepth, &entries)
}

func parseHeight(v Value, depth int, entries *int) (Height, error) {
	if !v.Has("type") {
		a, err := ParseAnchor(v)
		return Height{low: a}, err
	}
	kind, err := typeOf(v)
	if err != nil {
		return Height{}, err
	}
	switch kind {
	case "minecraft:constant":
		a, err := parseMemberAnchor(v, "value")
		return Height{low: a}, err
	case "minecraft:uniform":
		return parseRange(v, uniformHeight, "", 0, 0)
	case "minecraft:biased_to_bottom":
		return parseRange(v, biasedHeight, "inner", 1, maxInner)
	case "minecraft:very_biased_to_bottom":
		return parseRange(v, veryBiasedHeight, "inner", 1, maxInner)
	case "minecraft:trapezoid":
		return parseRange(v, trapezoidHeight, "plateau", 0, math.MaxInt32)
	case "minecraft:weighted_list":
		return parseWeighted(v, depth, entries)
	}
	return Height{}, v.Errorf("unknown height provider %s", kind)
}

func parseMemberAnchor(v Value, name string) (Anchor, error) {
	member, err := v.Member(name)
	if err != nil {
		return Anchor{}, err
	}
	return ParseAnchor(member)
}

// parseRange reads what has two ends and perhaps a number, whose default is the
// least one.
func parseRange(v Value, kind heightKind, name string, least, most int32) (h Height, err error) {
	h.kind, h.number = kind, least
	if h.low, err = parseMemberAnchor(v, "min_inclusive"); err != nil {
		return h, err
	}
	if h.high, err = parseMemberAnchor(v, "max_inclusive"); err != nil {
		return h, err
	}
	if name == "" {
		return h, nil
	}
	if member, ok, _ := v.Optional(name); ok {
		h.number, err = member.Int(least, most)
	}
	return h, err
}

func parseWeighted(v Value, depth int, entries *int) (Height, error) {
	member, err := v.Member("distribution")
	if err != nil {
		return Height{}, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 {
		return Height{}, member.Errorf("not a list with entries")
	}
	if *entries += len(list); *entries > maxEntries || depth == 0 {
		return Height{}, member.Errorf("more than %d entries, or deeper than %d", maxEntries, maxDepth)
	}
	h := Height{kind: weightedHeight}
	for _, entry := range list {
		data, err := entry.Member("data")
		if err != nil {
			return Height{}, err
		}
		weight, err := entry.Member("weight")
		if err != nil {
			return Height{}, err
		}
		var c choice
		if c.weight, err = weight.Int(0, math.MaxInt32-h.number); err != nil {
			return Height{}, err
		}
		if c.height, err = parseHeight(data, depth-1, entries); err != nil {
			return Height{}, err
		}
		h.number += c.weight
		h.choices = append(h.choices, c)
	}
	if h.number == 0 {
		return Height{}, member.Errorf("no entry has a weight")
	}
	return h, nil
}

// Sample draws a height. Ends in the wrong order give the low one, mostly
// without a draw, as in the game.
func (h *Height) Sample(s rng.Source, span Span) int32 {
	for h.kind == weightedHeight {
		h = h.choose(s.IntN(h.number))
	}
	low, high := h.low.In(span), h.high.In(span)
	switch h.kind {
	case uniformHeight:
		if low > high {
			return low
		}
		return rng.Between(s, low, high)
	case biasedHeight:
		room := high - low - h.number + 1
		if room <= 0 {
			return low
		}
		return low + s.IntN(s.IntN(room)+h.number)
	case veryBiasedHeight:
		if high-low-h.number+1 <= 0 {
			return low
		}
		upper := between(s, low+h.number, high)
		middle := between(s, low, upper-1)
		return between(s, low, middle-1+h.number)
	case trapezoidHeight:
		return trapezoid(s, low, high, h.number)
	}
	return low
}

// choose returns the entry of a weighted list that a draw means.
func (h *Height) choose(draw int32) *Height {
	for i := range h.choices {
		c := &h.choices[i]
		if draw < c.weight {
			return &c.height
		}
		draw -= c.weight
	}
	return &h.choices[len(h.choices)-1].height
}

// between is rng.Between but for an empty range, which gives low without a
// draw, as does that of one number.
func between(s rng.Source, low, high int32) int32 {
	if low >= high {
		return low
	}
	return rng.Between(s, low, high)
}

func trapezoid(s rng.Source, low, high, plateau int32) int32 {
	if low > high {
		return low
	}
	span := high - low
	if plateau >= span {
		return rng.Between(s, low, high)
	}
	rise := (span - plateau) / 2
	first := rng.Between(s, 0, span-rise)
	return low + first + rng.Between(s, 0, rise)
}
