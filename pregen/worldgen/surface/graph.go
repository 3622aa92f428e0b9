package surface

import "strata/anvil/block"

// limits bound what is done ahead. When they are reached, what is left is decided
// block by block, which costs time and changes nothing else.
type limits struct {
	nodes   int // of a graph
	steps   int // of reducing it
	bands   int
	classes int
}

// defaultLimits leave the game's own rules, which take 576 nodes and 3,500
// steps, room to grow, and take at most a second.
var defaultLimits = limits{nodes: 1 << 18, steps: 1 << 19, bands: 64, classes: 512}

// node is a place in a decision graph: a test with two ways on, or an end.
type node struct {
	op op
	// plain ends are states that neither heightmap tells from the default
	// block.
	plain bool
	state block.State // of an end
	test  int32       // index of the test
	yes   int32
	no    int32
}

// graph is a decision graph in which equal nodes are one. A node's children
// have lower numbers than it.
type graph struct {
	limits
	taken int // steps
	nodes []node
	index map[node]int32
}

// nothing is the node that leaves the block as it is.
const nothing int32 = 0

func newGraph(l limits) *graph {
	g := &graph{limits: l, index: make(map[node]int32)}
	g.add(node{op: opNothing, plain: true})
	return g
}

// full reports whether nothing more is to be reduced.
func (g *graph) full() bool { return len(g.nodes) >= g.limits.nodes || g.taken >= g.steps }

// add returns the number of a node.
func (g *graph) add(n node) int32 {
	if at, ok := g.index[n]; ok {
		return at
	}
	at := int32(len(g.nodes))
	g.nodes = append(g.nodes, n)
	g.index[n] = at
	return at
}

// branch returns the node of a test.
func (g *graph) branch(o op, test, yes, no int32) int32 {
	if yes == no {
		return yes
	}
	return g.add(node{op: o, test: test, yes: yes, no: no})
}

// decided is what is known of a test.
type decided uint8

const (
	open decided = iota
	isTrue
	isFalse
)

// known converts a bool.
func known(v bool) decided {
	if v {
		return isTrue
	}
	return isFalse
}

// reduce returns the node that is left of root when the tests that decide
// knows are taken out. done remembers what is left of each node, for the calls
// with one decide.
func (g *graph) reduce(root int32, decide func(n node) decided, done map[int32]int32) int32 {
	n := g.nodes[root]
	if n.op.ends() || g.full() {
		return root
	}
	if at, ok := done[root]; ok {
		return at
	}
	g.taken++
	var left int32
	switch decide(n) {
	case isTrue:
		left = g.reduce(n.yes, decide, done)
	case isFalse:
		left = g.reduce(n.no, decide, done)
	default:
		yes := g.reduce(n.yes, decide, done)
		no := g.reduce(n.no, decide, done)
		left = g.branch(n.op, n.test, yes, no)
	}
	done[root] = left
	return left
}
