package density

// Program is a router's functions, prepared for chunks of one shape. It does
// not change; all methods may be called concurrently.
type Program struct {
	shape  Shape
	graph  *Graph
	router Router // of the program's own nodes
	bare   []Node // by node of the loader's graph: see flavours
	block  []Node
	known  *analysis
	caches []Node // the arguments of flat caches, by slot
	fields []Node // the arguments of interpolated nodes, by slot
}

// Compile prepares the functions of a graph. Nodes that the loader adds later
// are not in the program.
func Compile(g *Graph, r Router, shape Shape) (*Program, error) {
	if err := shape.Validate(); err != nil {
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
	p.numberSlots()
	return p, nil
}

// numberSlots gives flat caches and interpolated nodes their places in what
// chunks keep.
func (p *Program) numberSlots() {
	fields := make(map[Node]int32)
	for i := range p.graph.nodes {
		switch n := &p.graph.nodes[i]; n.kind {
		case flatCache:
			n.slot = int32(len(p.caches))
			p.caches = append(p.caches, n.a)
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

// findFlat marks the nodes that do not depend on the height.
func findFlat(g *Graph) []bool {
	nodes := g.nodes
	isFlat := make([]bool, len(nodes))
	splines := make([]bool, len(g.splines))
	known := 0
	for i := range nodes {
		n := &nodes[i]
		flat := true
		arguments := [...]Node{n.a, n.b, n.c}
		for _, argument := range arguments[:n.kind.arguments()] {
			flat = flat && isFlat[argument]
		}
		for _, f := range n.functions {
			flat = flat && isFlat[f]
		}
		switch n.kind {
		case gradient, shift, weirdScaled, blendedNoise, beardifier, interpolated, cellInterpolated:
			flat = false
		case sample, shiftedSample:
			flat = flat && n.p[1] == 0
		case topSurface: // its density may depend on the height
			flat = isFlat[n.b]
		case splineOf:
			for ; known <= n.spline.id; known++ {
				s := g.splines[known]
				splines[known] = len(s.values) == 0 || isFlat[s.coordinate]
				for _, value := range s.values {
					splines[known] = splines[known] && splines[value.id]
				}
			}
			flat = splines[n.spline.id]
		}
		isFlat[i] = flat
	}
	return isFlat
}
