package noise

// Chosen tells which limit stacks a block's value is made of.
func (n *Blended) Chosen(blockX, blockY, blockZ int) string {
	choice := n.choose(float64(blockX)*n.xzScale, float64(blockY)*n.yScale, float64(blockZ)*n.xzScale)
	switch {
	case choice <= 0:
		return "low"
	case choice >= 1:
		return "high"
	}
	return "both"
}
