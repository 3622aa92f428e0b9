package flate

import "math/bits"

// A huffman builds length-limited prefix codes of least total length. Its
// fields are working memory.
type huffman struct {
	symbols [litSymbols]uint16     // of the used symbols, by rising count
	other   [litSymbols]uint16     // second buffer of the sort
	weight  [2 * litSymbols]uint32 // leaves by rising count, then inner nodes
	parent  [2 * litSymbols]uint16 // index of the node above
	depth   [2 * litSymbols]uint8  // distance from the root
	buckets [256]uint16            // of the sort
	packs   packageMerge           // for codes that grow too long
}

// A prefixCode is a code as the format writes it: for each symbol its length
// in bits, zero when it is not used, and its bits with the first one lowest.
type prefixCode struct {
	length [litSymbols]uint8
	code   [litSymbols]uint16
}

// build sets code for symbols that occur counts[i] times, none longer than
// limit. A symbol that never occurs has no code, except that there are always
// at least two codes: decoders differ in what they make of fewer.
func (h *huffman) build(counts []uint32, limit int, code *prefixCode) {
	lengths := code.length[:len(counts)]
	clear(lengths)
	n := h.sort(counts)
	if n < 2 {
		only := 0
		if n == 1 {
			only = int(h.symbols[0])
		}
		lengths[only] = 1
		lengths[max(1-only, 0)] = 1 // 1 beside 0, else 0
		assignCodes(lengths, code.code[:len(counts)])
		return
	}
	if h.depths(n) > limit {
		h.packs.run(h.weight[:n], limit, h.depth[:n])
	}
	for i, s := range h.symbols[:n] {
		lengths[s] = h.depth[i]
	}
	assignCodes(lengths, code.code[:len(counts)])
}

// sort puts the used symbols into h.symbols by rising count, equal ones by
// rising symbol, their counts into h.weight, and returns how many there are.
func (h *huffman) sort(counts []uint32) int {
	n := 0
	var most uint32
	for s, f := range counts {
		if f != 0 {
			h.symbols[n] = uint16(s)
			n++
			most |= f
		}
	}
	from, to := &h.symbols, &h.other
	for shift := 0; most>>shift != 0; shift += 8 {
		clear(h.buckets[:])
		for _, s := range from[:n] {
			h.buckets[uint8(counts[s]>>shift)]++
		}
		sum := uint16(0)
		for i, c := range h.buckets {
			h.buckets[i] = sum
			sum += c
		}
		for _, s := range from[:n] {
			b := &h.buckets[uint8(counts[s]>>shift)]
			to[*b] = s
			*b++
		}
		from, to = to, from
	}
	if from != &h.symbols {
		copy(h.symbols[:n], from[:n])
	}
	for i, s := range h.symbols[:n] {
		h.weight[i] = counts[s]
	}
	return n
}

// depths builds the Huffman tree over the n sorted leaves, sets the depth of
// each and returns the greatest. As inner nodes are made by rising weight,
// the two lightest nodes are always at the heads of two queues.
func (h *huffman) depths(n int) int {
	leaf, inner, last := 0, n, 2*n-2
	for node := n; node <= last; node++ {
		var sum uint32
		for range 2 {
			pick := inner
			if leaf < n && (inner >= node || h.weight[leaf] <= h.weight[inner]) {
				pick = leaf
				leaf++
			} else {
				inner++
			}
			sum += h.weight[pick]
			h.parent[pick] = uint16(node)
		}
		h.weight[node] = sum
	}
	h.depth[last] = 0
	for node := last - 1; node >= 0; node-- {
		h.depth[node] = h.depth[h.parent[node]] + 1
	}
	return int(h.depth[0]) // the lightest leaf is among the deepest
}

// assignCodes gives the symbols the canonical codes of their lengths, RFC 1951
// section 3.2.2.
func assignCodes(lengths []uint8, codes []uint16) {
	var count, next [maxCodeBits + 2]uint16
	for _, l := range lengths {
		count[l&maxCodeBits]++
	}
	count[0] = 0
	for l := 1; l <= maxCodeBits; l++ {
		next[l+1] = (next[l] + count[l]) << 1
	}
	for s, l := range lengths {
		if l != 0 {
			codes[s] = bits.Reverse16(next[l&maxCodeBits]) >> (16 - l)
			next[l&maxCodeBits]++
		}
	}
}
