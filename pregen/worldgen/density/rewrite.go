package density

// rewriting makes the nodes of a program from those of a loader's graph:
// without markers that change no values, without constants' work, and in
// flavours of what an interpolated node means:
//
//   - bare: its argument, as at single points and at the corners of cells
//   - block: what is interpolated for a block, along y, then x, then z
//   - cell: the same along x, then y, then z, as the game does where it fills
//     cache_all_in_cell; final_density is inside one
type rewriting struct {
	from, to          *Graph
	bare, block, cell []Node
	splines           map[flavouredSpline]*spline
}

type flavouredSpline struct {
	id      int
	flavour kind
}

// rewrite makes all nodes in all flavours. Flavours differ only above
// interpolated nodes.
func rewrite(g *Graph) *rewriting {
	w := &rewriting{from: g, to: newGraph(), splines: make(map[flavouredSpline]*spline)}
	w.to.islands = g.islands
	for i := range g.nodes {
		w.bare = append(w.bare, w.node(&g.nodes[i], constant, w.bare))
		w.cell = append(w.cell, w.node(&g.nodes[i], cellInterpolated, w.cell))
		w.block = append(w.block, w.node(&g.nodes[i], interpolated, w.block))
	}
	return w
}

// node makes a node from the new arguments, which are in the same flavour.
func (w *rewriting) node(old *node, flavour kind, arguments []Node) Node {
	n := *old
	for i, argument := range []*Node{&n.a, &n.b, &n.c} {
		if i < n.kind.arguments() {
			*argument = arguments[*argument]
		}
	}
	n.functions = nil
	for _, f := range old.functions {
		n.functions = append(n.functions, arguments[f])
	}
	switch n.kind {
	case interpolated:
		if flavour == constant {
			return n.a
		}
		n.kind, n.a = flavour, w.bare[old.a]
	case flatCache: // is filled from single points
		n.a = w.bare[old.a]
	case topSurface: // looks at single points
		n.a = w.bare[old.a]
	case cacheAllInCell:
		if flavour == interpolated {
			return w.cell[old.a]
		}
		return n.a
	case cache2D, cacheOnce, blendDensity:
		return n.a
	case blendAlpha:
		return w.to.constant(1)
	case blendOffset:
		return w.to.constant(0)
	case splineOf:
		n.spline = w.spline(old.spline, flavour, arguments)
	}
	return w.simplify(n)
}

func (w *rewriting) spline(old *spline, flavour kind, arguments []Node) *spline {
	key := flavouredSpline{old.id, flavour}
	if s, ok := w.splines[key]; ok {
		return s
	}
	s := *old
	if len(old.values) > 0 {
		s.coordinate = arguments[old.coordinate]
	}
	s.values = nil
	for _, value := range old.values {
		s.values = append(s.values, w.spline(value, flavour, arguments))
	}
	made := w.to.internSpline(s)
	w.splines[key] = made
	return made
}

// simplify replaces a node by a simpler one where that gives the same bits.
func (w *rewriting) simplify(n node) Node {
	left := func() *node { return &w.to.nodes[n.a] }
	switch n.kind {
	case constant:
		return w.to.constant(n.p[0])
	case plus, times, abs, square, cube, halfNegative, quarterNegative, invert, squeeze, clamp, flatCache:
		if left().kind == constant {
			return w.to.constant(w.constantOf(n))
		}
	case mul:
		// The left was no constant in the data, such as blend_alpha: that 0
		// makes 0 of anything.
		switch a := left(); {
		case a.kind == constant && a.p[0] == 0:
			return w.to.constant(0)
		case a.kind == constant && a.p[0] == 1:
			return n.b
		case a.kind == constant:
			return w.to.intern(node{kind: times, a: n.b, p: a.p})
		}
	case add:
		if b := &w.to.nodes[n.b]; b.kind == constant {
			n = node{kind: plus, a: n.a, p: b.p}
		} else if a := left(); a.kind == constant {
			n = node{kind: plus, a: n.b, p: a.p}
		}
		if n.kind == plus && left().kind == constant {
			return w.to.constant(w.constantOf(n))
		}
	}
	return w.to.intern(n)
}

// constantOf evaluates a node whose argument is a constant.
func (w *rewriting) constantOf(n node) float64 {
	a := w.to.nodes[n.a].p[0]
	switch n.kind {
	case plus:
		return a + n.p[0]
	case times:
		return a * n.p[0]
	case clamp:
		return clampTo(a, n.p[0], n.p[1])
	case flatCache:
		return a
	}
	return transform(n.kind, a)
}
