package command

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"strata/server/protocol"
	"strata/server/text"
)

// order is in which order entities are selected.
type order uint8

const (
	asFound order = iota
	nearest
	furthest
	shuffled
)

// selector says which entities are meant: by variable and options, by name, or
// by UUID.
type selector struct {
	variable byte // 0 for a name or UUID
	name     string
	uuid     protocol.UUID
	byUUID   bool

	players bool // selects nothing but players
	self    bool
	limit   int
	order   order
	pos     [3]coordinate // x, y, z; relative to the source's unless given
	size    [3]float64    // dx, dy, dz
	box     bool
	// here means the source's dimension alone.
	here     bool
	distance *bounds
	tests    []func(Entity) bool
}

const noLimit = math.MaxInt32

// single reports whether at most one entity can be selected.
func (s *selector) single() bool { return s.limit <= 1 }

// maxSelector is the longest name: that of a UUID or player is shorter.
const maxSelectorName = 256

// selector reads a selector, name or UUID.
func (r *reader) selector(s *Source) (*selector, error) {
	start := r.cursor
	sel := &selector{limit: noLimit, pos: [3]coordinate{{relative: true}, {relative: true}, {relative: true}}}
	if !r.skip('@') {
		return sel, r.name(sel)
	}
	if s.Level < LevelGamemasters {
		return nil, r.failAt(start, "argument.entity.selector.not_allowed")
	}
	if !r.more() {
		return nil, r.fail("argument.entity.selector.missing")
	}
	sel.variable = r.peek()
	r.cursor++
	switch sel.variable {
	case 'p':
		sel.players, sel.limit, sel.order = true, 1, nearest
	case 'a':
		sel.players = true
	case 'r':
		sel.players, sel.limit, sel.order = true, 1, shuffled
	case 's':
		sel.self, sel.limit = true, 1
	case 'e':
	case 'n':
		sel.limit, sel.order = 1, nearest
	default:
		return nil, r.failAt(start, "argument.entity.selector.unknown", text.Plain("@"+strings.ToValidUTF8(string(sel.variable), "?")))
	}
	if r.skip('[') {
		return sel, r.options(sel)
	}
	return sel, nil
}

// name reads the name of a player, or a UUID.
func (r *reader) name(sel *selector) error {
	start := r.cursor
	name, err := r.phrase()
	if err != nil {
		return err
	}
	sel.limit = 1
	if sel.uuid, sel.byUUID = parseUUID(name); sel.byUUID {
		return nil
	}
	if name == "" || len(name) > maxSelectorName {
		return r.failAt(start, "argument.entity.invalid")
	}
	sel.name, sel.players = name, true
	return nil
}

// parseUUID reads five groups of hexadecimal digits, as Java does: leading
// zeros may be missing.
func parseUUID(s string) (protocol.UUID, bool) {
	var u protocol.UUID
	groups := strings.Split(s, "-")
	if len(groups) != 5 {
		return u, false
	}
	digits := [...]int{8, 4, 4, 4, 12}
	var all strings.Builder
	for i, g := range groups {
		if len(g) == 0 || len(g) > digits[i] {
			return u, false
		}
		all.WriteString(strings.Repeat("0", digits[i]-len(g)) + g)
	}
	for i := range u {
		hi, ok1 := hexDigit(all.String()[2*i])
		lo, ok2 := hexDigit(all.String()[2*i+1])
		if !ok1 || !ok2 {
			return u, false
		}
		u[i] = hi<<4 | lo
	}
	return u, true
}

func hexDigit(b byte) (byte, bool) {
	switch {
	case b >= '0' && b <= '9':
		return b - '0', true
	case b >= 'a' && b <= 'f':
		return b - 'a' + 10, true
	case b >= 'A' && b <= 'F':
		return b - 'A' + 10, true
	}
	return 0, false
}

// find returns the entities that are meant, in order, none if there are none.
func (s *selector) find(h *Host, src *Source) []Entity {
	var found []Entity
	base := src.Place.Pos
	pos := Vec3{s.pos[0].of(base.X), s.pos[1].of(base.Y), s.pos[2].of(base.Z)}
	take := func(e Entity) bool {
		if s.matches(e, src, pos) {
			found = append(found, e)
		}
		return s.order != asFound || len(found) < s.limit
	}
	switch {
	case s.self:
		if src.Entity != nil {
			take(src.Entity)
		}
	case s.players:
		for _, p := range h.Entities.Players() {
			if !take(p) {
				break
			}
		}
	default:
		h.Entities.All(take)
	}
	s.sort(found, pos)
	return found[:min(len(found), s.limit)]
}

func (s *selector) sort(found []Entity, pos Vec3) {
	switch s.order {
	case nearest:
		slices.SortStableFunc(found, func(a, b Entity) int {
			return cmp.Compare(a.Place().Pos.Distance(pos), b.Place().Pos.Distance(pos))
		})
	case furthest:
		slices.SortStableFunc(found, func(a, b Entity) int {
			return cmp.Compare(b.Place().Pos.Distance(pos), a.Place().Pos.Distance(pos))
		})
	case shuffled:
		rand.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	}
}

func (s *selector) matches(e Entity, src *Source, pos Vec3) bool {
	switch {
	case s.byUUID:
		return e.UUID() == s.uuid
	case s.variable == 0:
		return strings.EqualFold(e.Name(), s.name)
	case s.here && e.Place().Dimension != src.Place.Dimension,
		s.distance != nil && !s.distance.has(e.Place().Pos.Distance(pos)),
		s.box && !s.touches(e, pos):
		return false
	}
	if s.players {
		if _, ok := e.(Player); !ok {
			return false
		}
	}
	for _, test := range s.tests {
		if !test(e) {
			return false
		}
	}
	return true
}

// touches reports whether an entity's box and that of dx, dy, dz overlap.
func (s *selector) touches(e Entity, pos Vec3) bool {
	width, height, _ := e.Size()
	at := e.Place().Pos
	low := [3]float64{at.X - width/2, at.Y, at.Z - width/2}
	high := [3]float64{at.X + width/2, at.Y + height, at.Z + width/2}
	for i, from := range [3]float64{pos.X, pos.Y, pos.Z} {
		a, b := from+min(s.size[i], 0), from+max(s.size[i], 0)+1
		if high[i] <= a || low[i] >= b {
			return false
		}
	}
	return true
}
