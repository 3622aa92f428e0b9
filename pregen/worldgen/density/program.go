package density

import "fmt"

// Program is a router's functions, prepared for chunks of one shape. It does
// not change; all methods may be called concurrently.
type Program struct {
	shape        Shape
	graph        *Graph
	router       Router // of the program's own nodes
	bare         []Node // by node of the loader's graph: see flavours
	block        []Node
	known        *analysis
	caches       []Node // the arguments of flat caches, by slot
	stays        []bool // of the same: see staysOutside
	surfaceStays bool   // see staysOutside
	fields       []Node // the arguments of interpolated nodes, by slot
}

// Compile prepares the functions of a graph. Nodes that the loader adds later
// are not in the program. Its errors wrap ErrFormat for a shape that terrain
// cannot have, and ErrLimit.
func Compile(g *Graph, r Router, shape Shape) (*Program, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	if err := checkSteps(g, r); err != nil {
		return nil, err
	}
	w := rewrite(g)
	p := &Program{shape: shape, graph: w.to, bare: w.bare, block: w.block}
	p.router = r
	p.router.each(func(name string, n *Node) {
		switch name {
		case "final_density":
			*n = w.cell[*n]
		case "vein_toggle", "vein_ridged":
			*n = w.block[*n]
		default:
			*n = w.bare[*n]
		}
	})
	p.known = analyse(p.graph.nodes, findFlat(p.graph))
	stays := staysOutside(p.graph, p.known.flat)
	p.surfaceStays = stays[p.router.PreliminarySurfaceLevel]
	p.numberSlots(stays)
	return p, nil
}

// numberSlots gives flat caches and interpolated nodes their places in what
// chunks keep.
func (p *Program) numberSlots(stays []bool) {
	fields := make(map[Node]int32)
	for i := range p.graph.nodes {
		switch n := &p.graph.nodes[i]; n.kind {
		case flatCache:
			n.slot = int32(len(p.caches))
			p.caches = append(p.caches, n.a)
			p.stays = append(p.stays, stays[i])
		case interpolated, cellInterpolated:
			slot, ok := fields[n.a]
			if !ok {
				slot = int32(len(p.fields))
				fields[n.a] = slot
				p.fields = append(p.fields, n.a)
			}
			n.slot = slot
		}
	}
}

// Shape returns the shape that the program is for.
func (p *Program) Shape() Shape { return p.shape }

// fold computes something of each node from the same of what it is made of:
// own from what join makes of the parts.
func fold[T any](g *Graph, none T, join func(a, b T) T, own func(n *node, parts T) T) []T {
	results := make([]T, len(g.nodes))
	splines := make([]T, 0, len(g.splines))
	for i := range g.nodes {
		n := &g.nodes[i]
		parts := none
		arguments := [...]Node{n.a, n.b, n.c}
		for _, argument := range arguments[:n.kind.arguments()] {
			parts = join(parts, results[argument])
		}
		for _, f := range n.functions {
			parts = join(parts, results[f])
		}
		if n.spline != nil {
			// The splines up to it, and their coordinates, came before.
			for _, s := range g.splines[min(len(splines), n.spline.id+1) : n.spline.id+1] {
				v := none
				for _, value := range s.values {
					v = join(v, splines[value.id])
				}
				if len(s.values) > 0 {
					v = join(v, results[s.coordinate])
				}
				splines = append(splines, v)
			}
			parts = join(parts, splines[n.spline.id])
		}
		results[i] = own(n, parts)
	}
	return results
}

func both(a, b bool) bool { return a && b }

// findFlat marks the nodes that do not depend on the height.
func findFlat(g *Graph) []bool {
	return fold(g, true, both, func(n *node, parts bool) bool {
		switch n.kind {
		case gradient, shift, weirdScaled, blendedNoise, beardifier, interpolated, cellInterpolated:
			return false
		case sample, shiftedSample:
			return parts && n.p[1] == 0
		}
		return parts
	})
}

// staysOutside marks the nodes that have the same value at a quarter position
// whether or not that is in the chunk: their flat caches hold what does not
// depend on the height.
func staysOutside(g *Graph, flat []bool) []bool {
	return fold(g, true, both, func(n *node, parts bool) bool {
		return parts && n.kind != beardifier && (n.kind != flatCache || flat[n.a])
	})
}

// MaxSteps bounds how many functions the evaluation of one function at one
// point may run through, if all branches were taken and nothing remembered. The
// game's come to 121,276.
const MaxSteps = 1 << 24

// countSteps counts the steps of each node.
func countSteps(g *Graph) []int {
	add := func(a, b int) int { return min(a+b, MaxSteps+1) }
	return fold(g, 0, add, func(n *node, parts int) int {
		if n.kind == topSurface {
			parts *= g.searches(n)
		}
		return add(parts, 1)
	})
}

// checkSteps refuses routers whose evaluation would not end in any useful time.
func checkSteps(g *Graph, r Router) error {
	steps := countSteps(g)
	var err error
	r.each(func(name string, n *Node) {
		if steps[*n] > MaxSteps && err == nil {
			err = fmt.Errorf("%w: %s takes more than %d steps", ErrLimit, name, MaxSteps)
		}
	})
	return err
}
