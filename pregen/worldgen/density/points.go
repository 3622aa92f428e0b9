package density

import (
	"math"

	"strata/pregen/worldgen/noise"
)

// points evaluates nodes at single points. It is the reference for all else,
// and remembers what does not depend on the height.
type points struct {
	nodes   []node
	view    *noise.IslandsView
	x, y, z int

	// flat marks the nodes that do not depend on the height; nil for none.
	// Their values at x, z are kept where since equals now.
	flat  []bool
	kept  []float64
	since []uint32
	now   uint32

	grid  *flatGrid                       // of flat caches; nil outside chunks
	block func(n Node, p *points) float64 // interpolated nodes; nil: their argument
	beard func(x, y, z int) float64       // the beardifier; nil for 0
}

// newPoints returns an evaluator of a graph. flat may be nil.
func newPoints(g *Graph, flat []bool) *points {
	p := &points{nodes: g.nodes, flat: flat, now: 1}
	if flat != nil {
		p.kept, p.since = make([]float64, len(flat)), make([]uint32, len(flat))
	}
	if g.islands != nil {
		p.view = g.islands.View()
	}
	return p
}

// move goes to another column.
func (p *points) move(x, z int) {
	if x != p.x || z != p.z {
		p.x, p.z = x, z
		p.forget()
	}
}

// forget drops what was kept.
func (p *points) forget() {
	if p.now++; p.now == 0 {
		clear(p.since)
		p.now = 1
	}
}

// at evaluates a node at a block.
func (p *points) at(n Node, x, y, z int) float64 {
	p.move(x, z)
	p.y = y
	return p.value(n)
}

// value evaluates a node where p is.
func (p *points) value(n Node) float64 {
	if p.flat == nil || !p.flat[n] {
		return p.compute(n)
	}
	if p.since[n] != p.now {
		p.kept[n], p.since[n] = p.compute(n), p.now
	}
	return p.kept[n]
}

func (p *points) compute(id Node) float64 {
	n := &p.nodes[id]
	switch n.kind {
	case constant:
		return n.p[0]
	case plus:
		return p.value(n.a) + n.p[0]
	case times:
		return p.value(n.a) * n.p[0]
	case add:
		return p.value(n.a) + p.value(n.b)
	case mul:
		if a := p.value(n.a); a != 0 {
			return a * p.value(n.b)
		}
		return 0
	case minimum:
		a := p.value(n.a)
		if a < n.p[0] {
			return a
		}
		return min(a, p.value(n.b))
	case maximum:
		a := p.value(n.a)
		if a > n.p[0] {
			return a
		}
		return max(a, p.value(n.b))
	case abs, square, cube, halfNegative, quarterNegative, invert, squeeze:
		return transform(n.kind, p.value(n.a))
	case clamp:
		return clampTo(p.value(n.a), n.p[0], n.p[1])
	case gradient:
		return n.gradientAt(p.y)
	case rangeChoice:
		if a := p.value(n.a); a >= n.p[0] && a < n.p[1] {
			return p.value(n.b)
		}
		return p.value(n.c)
	case intervalSelect:
		return p.value(n.functions[n.choose(p.value(n.a))])
	case flatCache:
		if p.grid != nil {
			if v, ok := p.grid.at(n.slot, p.x, p.z); ok {
				return v
			}
		}
		return p.value(n.a)
	case interpolated, cellInterpolated:
		if p.block != nil {
			return p.block(id, p)
		}
		return p.value(n.a)
	case cache2D, cacheOnce, cacheAllInCell, blendDensity:
		return p.value(n.a)
	case blendAlpha:
		return 1
	case blendOffset:
		return 0
	case splineOf:
		return float64(p.spline(n.spline))
	case topSurface:
		return p.topSurface(n)
	case beardifier:
		if p.beard != nil {
			return p.beard(p.x, p.y, p.z)
		}
		return 0
	default:
		return p.noise(n)
	}
}

// noise evaluates the kinds that sample a noise.
func (p *points) noise(n *node) float64 {
	x, y, z := float64(p.x), float64(p.y), float64(p.z)
	switch n.kind {
	case sample:
		return n.noise.At(x*n.p[0], y*n.p[1], z*n.p[0])
	case shiftedSample:
		return n.noise.At(float64(x*n.p[0])+p.value(n.a), float64(y*n.p[1])+p.value(n.b), float64(z*n.p[0])+p.value(n.c))
	case shift:
		return n.noise.At(x*0.25, y*0.25, z*0.25) * 4
	case shiftA:
		return n.noise.At(x*0.25, 0, z*0.25) * 4
	case shiftB:
		return n.noise.At(z*0.25, x*0.25, 0) * 4
	case weirdScaled:
		scale := n.rarity(p.value(n.a))
		return scale * math.Abs(n.noise.At(x/scale, y/scale, z/scale))
	case blendedNoise:
		return n.blended.At(p.x, p.y, p.z)
	case endIslands:
		return p.view.At(int32(p.x), int32(p.z))
	default:
		panic("density: a node of no known kind")
	}
}

func (n *node) gradientAt(y int) float64 {
	t := (float64(y) - n.p[0]) / (n.p[1] - n.p[0])
	switch {
	case t < 0:
		return n.p[2]
	case t > 1:
		return n.p[3]
	}
	return lerp(t, n.p[2], n.p[3])
}

func lerp(t, a, b float64) float64 { return a + float64(t*(b-a)) }

// choose returns the index of the function for a value of intervalSelect.
func (n *node) choose(v float64) int {
	for i, threshold := range n.thresholds {
		if v < threshold {
			return i
		}
	}
	return len(n.thresholds)
}

// rarity maps the input of weirdScaled to its scale.
func (n *node) rarity(v float64) float64 {
	steps := [...]struct{ below, scale float64 }{{-0.5, 0.75}, {0, 1}, {0.5, 1.5}, {math.Inf(1), 2}}
	last := 2.0
	if n.p[0] == 2 {
		steps = [...]struct{ below, scale float64 }{{-0.75, 0.5}, {-0.5, 0.75}, {0.5, 1}, {0.75, 2}}
		last = 3
	}
	for _, step := range steps {
		if v < step.below {
			return step.scale
		}
	}
	return last
}

// spline evaluates a spline.
func (p *points) spline(s *spline) float32 {
	if len(s.values) == 0 {
		return s.value
	}
	v := float32(p.value(s.coordinate))
	last := len(s.values) - 1
	switch i := s.interval(v); i {
	case -1:
		return s.extend(v, p.spline(s.values[0]), 0)
	case last:
		return s.extend(v, p.spline(s.values[last]), last)
	default:
		return s.between(v, p.spline(s.values[i]), p.spline(s.values[i+1]), i)
	}
}

// maxSearch bounds how many heights topSurface looks at. No dimension has a
// quarter as many.
const maxSearch = 1 << 14

func (p *points) topSurface(n *node) float64 {
	lower, step := int(n.p[0]), int(n.p[1])
	top := math.Floor(p.value(n.b) / float64(step))
	if math.IsNaN(top) {
		top = 0 // as the game converts it
	}
	if top*float64(step) <= n.p[0] {
		return n.p[0]
	}
	height := p.y
	defer func() { p.y = height }()
	p.y = int(min(top, float64(floorDiv(lower, step)+maxSearch))) * step
	for ; p.y >= lower; p.y -= step {
		if p.value(n.a) > 0 {
			return float64(p.y)
		}
	}
	return n.p[0]
}

// searches is the most heights that topSurface may look at.
func (g *Graph) searches(n *node) int {
	return int(clampTo((g.nodes[n.b].high-n.p[0])/n.p[1], 0, maxSearch)) + 1
}
