package surface

import "slices"

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
