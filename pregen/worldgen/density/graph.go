package density

import (
	"encoding/binary"
	"math"

	"strata/pregen/worldgen/noise"
)

// Node is a density function of a Graph. Its number is above those of its
// arguments.
type Node int32

// Graph holds density functions, equal ones once, bound to the noises of a
// dimension and world. A Loader adds to it; when none does, all methods may be
// called concurrently.
type Graph struct {
	nodes   []node
	known   map[string]Node
	splines []*spline
	islands *noise.Islands // nil while no node needs it
}

// node is one density function. Which fields count depends on the kind.
type node struct {
	kind       kind
	a, b, c    Node
	p          [4]float64
	functions  []Node    // of intervalSelect, one more than thresholds
	thresholds []float64 // of intervalSelect
	noise      *noise.Normal
	noiseID    string
	reach      float64 // of the noise's values, infinite if not known
	blended    *noise.Blended
	spline     *spline
	low, high  float64 // the bounds that the game takes for the value
	slot       int32   // of caches of programs
}

func newGraph() *Graph { return &Graph{known: make(map[string]Node)} }

// Bounds returns the bounds that the game takes for the values of a node. They
// may be infinite, and are not always true.
func (g *Graph) Bounds(n Node) (low, high float64) { return g.nodes[n].low, g.nodes[n].high }

// Len is the number of nodes.
func (g *Graph) Len() int { return len(g.nodes) }

// Type returns the name that the data has for a node's type.
func (g *Graph) Type(n Node) string { return g.nodes[n].kind.String() }

// intern returns the node equal to n, and adds it with its bounds if there is
// none.
func (g *Graph) intern(n node) Node {
	key := string(n.key())
	if have, ok := g.known[key]; ok {
		return have
	}
	g.bound(&n)
	g.nodes = append(g.nodes, n)
	id := Node(len(g.nodes) - 1)
	g.known[key] = id
	return id
}

// key is the same for equal nodes and differs for others.
func (n *node) key() []byte {
	key := []byte{byte(n.kind)}
	for _, argument := range [...]Node{n.a, n.b, n.c} {
		key = binary.LittleEndian.AppendUint32(key, uint32(argument))
	}
	for _, number := range n.p {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(number))
	}
	for _, function := range n.functions {
		key = binary.LittleEndian.AppendUint32(key, uint32(function))
	}
	for _, threshold := range n.thresholds {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(threshold))
	}
	if n.spline != nil {
		key = binary.LittleEndian.AppendUint32(key, uint32(n.spline.id))
	}
	return append(key, n.noiseID...)
}

func (g *Graph) constant(value float64) Node {
	return g.intern(node{kind: constant, p: [4]float64{value}})
}

// two adds a node of two arguments as the game does, which takes a constant
// argument of a sum or product into the node. That matters for a product with
// 0, whose other argument then counts.
func (g *Graph) two(k kind, a, b Node) Node {
	with := map[kind]kind{add: plus, mul: times}[k]
	switch {
	case with != 0 && g.nodes[a].kind == constant:
		return g.intern(node{kind: with, a: b, p: [4]float64{g.nodes[a].p[0]}})
	case with != 0 && g.nodes[b].kind == constant:
		return g.intern(node{kind: with, a: a, p: [4]float64{g.nodes[b].p[0]}})
	case k == minimum:
		return g.intern(node{kind: k, a: a, b: b, p: [4]float64{g.nodes[b].low}})
	case k == maximum:
		return g.intern(node{kind: k, a: a, b: b, p: [4]float64{g.nodes[b].high}})
	}
	return g.intern(node{kind: k, a: a, b: b})
}
