package density

import (
	"encoding/binary"
	"math"
)

// spline is a cubic spline over the values of a function. All arithmetic is in
// single precision. A constant spline has no points.
type spline struct {
	id          int
	value       float32 // of a constant
	coordinate  Node
	locations   []float32
	derivatives []float32
	values      []*spline
	low, high   float32
}

// intern returns the graph's spline that equals s.
func (g *Graph) internSpline(s spline) *spline {
	key := s.key()
	if have, ok := g.known[key]; ok {
		return g.splines[have]
	}
	g.boundSpline(&s)
	s.id = len(g.splines)
	g.splines = append(g.splines, &s)
	g.known[key] = Node(s.id)
	return &s
}

// key begins with a byte that no kind has.
func (s *spline) key() string {
	key := binary.LittleEndian.AppendUint32([]byte{0xFF}, math.Float32bits(s.value))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.coordinate))
	for i, value := range s.values {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(s.locations[i]))
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(s.derivatives[i]))
		key = binary.LittleEndian.AppendUint32(key, uint32(value.id))
	}
	return string(key)
}

// interval is the index of the last location that is not above v, -1 before
// the first. The bisection matters where locations are not in order, which the
// game allows.
func (s *spline) interval(v float32) int {
	from, count := 0, len(s.locations)
	for count > 0 {
		half := count / 2
		if v < s.locations[from+half] {
			count = half
		} else {
			from += half + 1
			count -= half + 1
		}
	}
	return from - 1
}

// extend is the value at v beyond an outermost point.
func (s *spline) extend(v, value float32, i int) float32 {
	if s.derivatives[i] == 0 {
		return value
	}
	return value + float32(s.derivatives[i]*(v-s.locations[i]))
}

// between is the value at v between point i and the next, whose values are
// given.
func (s *spline) between(v, value, next float32, i int) float32 {
	from, to := s.locations[i], s.locations[i+1]
	t := (v - from) / (to - from)
	rise := next - value
	start := float32(s.derivatives[i]*(to-from)) - rise
	end := float32(-s.derivatives[i+1]*(to-from)) + rise
	return lerp32(t, value, next) + float32(float32(t*(1-t))*lerp32(t, start, end))
}

func lerp32(t, a, b float32) float32 { return a + float32(t*(b-a)) }

// boundSpline sets a spline's bounds by the game's estimate.
func (g *Graph) boundSpline(s *spline) {
	if len(s.values) == 0 {
		s.low, s.high = s.value, s.value
		return
	}
	s.low, s.high = float32(math.Inf(1)), float32(math.Inf(-1))
	include := func(low, high float32) { s.low, s.high = min(s.low, low), max(s.high, high) }
	coordinate := &g.nodes[s.coordinate]
	last := len(s.values) - 1
	beyond := func(v float32, i int) {
		a, b := s.extend(v, s.values[i].low, i), s.extend(v, s.values[i].high, i)
		include(min(a, b), max(a, b))
	}
	if v := float32(coordinate.low); v < s.locations[0] {
		beyond(v, 0)
	}
	if v := float32(coordinate.high); v > s.locations[last] {
		beyond(v, last)
	}
	for _, value := range s.values {
		include(value.low, value.high)
	}
	for i := range last {
		if s.derivatives[i] != 0 || s.derivatives[i+1] != 0 {
			include(s.overshoot(i))
		}
	}
}

// overshoot bounds how far the curve goes between point i and the next.
func (s *spline) overshoot(i int) (low, high float32) {
	width := s.locations[i+1] - s.locations[i]
	a, b := s.values[i], s.values[i+1]
	start, end := float32(s.derivatives[i]*width), float32(s.derivatives[i+1]*width)
	down := min(start-b.high+a.low, -end+b.low-a.high)
	up := max(start-b.low+a.high, -end+b.high-a.low)
	return min(a.low, b.low) + float32(0.25*down), max(a.high, b.high) + float32(0.25*up)
}
