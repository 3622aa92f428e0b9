package surface

import (
	"slices"

	"strata/anvil/block"
)

// buildLayers does what the columns left: layers in which position alone
// decides.
func (b *Builder) buildLayers() {
	whole, top := slices.Min(b.flatTop[:]), slices.Max(b.flatTop[:])
	for i := len(b.spans) - 1; i >= 0; i-- {
		span := &b.spans[i]
		root := span.variants[below].root
		if span.low > top {
			return
		}
		if root == nothing {
			continue
		}
		high := b.chunk.MinY + b.chunk.Height - 1
		if i > 0 {
			high = b.spans[i-1].low - 1
		}
		for y := span.low; y <= min(high, top); y++ {
			b.buildLayer(y, root, y <= whole)
		}
	}
}

// buildLayer runs a flat node's tests on the blocks of a layer, or on those
// whose columns left it.
func (b *Builder) buildLayer(y int, root int32, whole bool) {
	start := b.chunk.Index(0, y, 0)
	blocks := b.chunk.Blocks[start : start+256]
	standard := b.system.settings.DefaultBlock
	n := &b.system.nodes[root]
	if whole && n.op == opState {
		state := n.state
		for i, have := range blocks {
			if have == standard {
				blocks[i] = state
			}
		}
		return
	}
	if n.op == opGradient && b.system.nodes[n.yes].op.ends() && b.system.nodes[n.no].op.ends() {
		b.drawLayer(y, n, blocks)
		return
	}
	b.place.y = y
	for i, have := range blocks {
		if have != standard || y > b.flatTop[i] {
			continue
		}
		b.column.x, b.column.z = int(b.chunk.X)<<4|i&15, int(b.chunk.Z)<<4|i>>4
		if end := b.follow(root); end.op == opState {
			blocks[i] = end.state
		}
	}
}

// drawLayer is buildLayer for a gradient between two ends.
func (b *Builder) drawLayer(y int, n *node, blocks []block.State) {
	standard := b.system.settings.DefaultBlock
	states := [2]block.State{standard, standard} // of no and yes
	for i, end := range [2]*node{&b.system.nodes[n.no], &b.system.nodes[n.yes]} {
		if end.op == opState {
			states[i] = end.state
		}
	}
	g := &b.system.gradients[b.system.tests[n.test].ref]
	chance := g.chance(y)
	x, z := b.chunk.X<<4, b.chunk.Z<<4
	for i, have := range blocks {
		if have != standard || y > b.flatTop[i] {
			continue
		}
		drawn := 0
		if float64(g.random.float(x|int32(i&15), int32(y), z|int32(i>>4))) < chance {
			drawn = 1
		}
		blocks[i] = states[drawn]
	}
}
