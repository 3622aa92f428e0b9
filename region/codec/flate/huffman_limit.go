package flate

// A packageMerge finds the depths of a tree of least total weight among those
// no deeper than a limit (Larmore and Hirschberg, 1990). It is slower than
// Huffman's method and runs only where that goes too deep.
//
// Level by level, from the deepest, it makes a list of the leaves and of the
// pairs ("packages") of the list before, by rising weight. The 2n-2 lightest
// of the last list are the tree: a leaf's depth is the number of lists in
// which it is chosen, and since leaves are chosen lightest first it is enough
// to know, for each list, which of its entries are leaves.
type packageMerge struct {
	weight [2][2 * litSymbols]uint64
	isLeaf [maxCodeBits][2 * litSymbols]bool
}

// run sets depths for the leaf weights, which rise. There must be two leaves
// or more, and no more than 1<<limit.
func (p *packageMerge) run(weights []uint32, limit int, depths []uint8) {
	n := len(weights)
	prev, size := &p.weight[0], 0
	for level := range limit {
		next := &p.weight[(level+1)&1]
		leaf, pack, at := 0, 0, 0
		for leaf < n || pack+1 < size {
			takeLeaf := pack+1 >= size
			if !takeLeaf && leaf < n {
				takeLeaf = uint64(weights[leaf]) <= prev[pack]+prev[pack+1]
			}
			if takeLeaf {
				next[at] = uint64(weights[leaf])
				leaf++
			} else {
				next[at] = prev[pack] + prev[pack+1]
				pack += 2
			}
			p.isLeaf[level][at] = takeLeaf
			at++
		}
		prev, size = next, at
	}
	clear(depths)
	take := 2*n - 2
	for level := limit - 1; level >= 0; level-- {
		leaves := 0
		for _, is := range p.isLeaf[level][:take] {
			if is {
				leaves++
			}
		}
		for i := range leaves {
			depths[i]++
		}
		take = 2 * (take - leaves)
	}
}
