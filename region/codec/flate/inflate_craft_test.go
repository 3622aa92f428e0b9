package flate

import (
	"math/bits"
	"math/rand/v2"
)

// crafter writes DEFLATE blocks bit by bit, valid or not.
type crafter struct {
	out   []byte
	nbits uint // used bits of the last byte, 0 meaning all
}

// bits writes the low n bits of v, lowest first.
func (c *crafter) bits(v uint32, n uint) {
	for i := range n {
		if c.nbits == 0 {
			c.out = append(c.out, 0)
		}
		c.out[len(c.out)-1] |= byte(v>>i&1) << c.nbits
		c.nbits = (c.nbits + 1) & 7
	}
}

// align goes to the next byte.
func (c *crafter) align() { c.nbits = 0 }

// code is one Huffman code, first bit highest.
type code struct {
	bits uint32
	len  uint
}

// put writes a Huffman code.
func (c *crafter) put(k code) {
	c.bits(bits.Reverse32(k.bits)>>(32-k.len), k.len)
}

// canonical gives the codes of these lengths. Codes that do not fit are cut
// off, as a corrupt stream has them.
func canonical(lens []uint8) []code {
	codes := make([]code, len(lens))
	next := uint32(0)
	for l := uint(1); l <= 15; l++ {
		for s, n := range lens {
			if uint(n) == l {
				codes[s] = code{next & (1<<l - 1), l}
				next++
			}
		}
		next <<= 1
	}
	return codes
}

// dynamic writes a block header of type 2 with these code lengths, each length
// spelled out with four bits.
func (c *crafter) dynamic(final bool, lit, dist []uint8) {
	c.dynamicStart(final, len(lit), len(dist), flatPre[:])
	for _, l := range lit {
		c.put(code{uint32(l), 4})
	}
	for _, l := range dist {
		c.put(code{uint32(l), 4})
	}
}

// flatPre gives the code length symbols 0 to 15 four bits each.
var flatPre = [19]uint8{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}

// dynamicStart writes a block header of type 2 up to the code lengths.
func (c *crafter) dynamicStart(final bool, nlit, ndist int, pre []uint8) {
	c.start(final, 2)
	c.bits(uint32(nlit-257), 5)
	c.bits(uint32(ndist-1), 5)
	c.bits(19-4, 4)
	for _, s := range preOrder {
		c.bits(uint32(pre[s]), 3)
	}
}

// start writes the first three bits of a block.
func (c *crafter) start(final bool, kind uint32) {
	v := kind << 1
	if final {
		v |= 1
	}
	c.bits(v, 3)
}

// fixedLens are the code lengths of block type 1.
func fixedLens() (lit, dist []uint8) {
	for range 144 {
		lit = append(lit, 8)
	}
	for range 112 {
		lit = append(lit, 9)
	}
	for range 24 {
		lit = append(lit, 7)
	}
	for range 8 {
		lit = append(lit, 8)
	}
	for range 32 {
		dist = append(dist, 5)
	}
	return lit, dist
}

// lensOf is a slice of n code lengths, all 0 but for those given.
func lensOf(n int, given map[int]uint8) []uint8 {
	lens := make([]uint8, n)
	for s, l := range given {
		lens[s] = l
	}
	return lens
}

// randomLens makes a complete code of up to used of the n symbols, with lengths
// up to 15 and now and then very uneven ones.
func randomLens(rng *rand.Rand, n, used int) []uint8 {
	lens := make([]uint8, n)
	leaves := []uint8{0}
	for len(leaves) < used {
		i := rng.IntN(len(leaves))
		if rng.IntN(3) == 0 {
			i = len(leaves) - 1 // go deep
		}
		if leaves[i] == 15 {
			if rng.IntN(40) == 0 {
				break
			}
			continue
		}
		leaves[i]++
		leaves = append(leaves, leaves[i])
	}
	if len(leaves) == 1 {
		leaves[0] = 1 // the code with a single symbol
	}
	for i, s := range rng.Perm(n)[:len(leaves)] {
		lens[s] = leaves[i]
	}
	return lens
}

// randomBlock writes a dynamic block of n random symbols with random codes, and
// returns how many bytes it makes. history is how far back it may reach. Some
// of its blocks have no end.
func (c *crafter) randomBlock(rng *rand.Rand, final bool, n, history int) int {
	nlit, ndist := 257+rng.IntN(30), 1+rng.IntN(30)
	lit := randomLens(rng, nlit, 2+rng.IntN(nlit-1))
	dist := randomLens(rng, ndist, 1+rng.IntN(ndist))
	if lit[endOfBlock] == 0 && rng.IntN(20) != 0 {
		for s, l := range lit {
			if l != 0 {
				lit[s], lit[endOfBlock] = 0, l
				break
			}
		}
	}
	c.dynamic(final, lit, dist)
	litCodes, distCodes := canonical(lit), canonical(dist)
	var symbols, distances []int
	for s, l := range lit {
		if l != 0 && s != endOfBlock {
			symbols = append(symbols, s)
		}
	}
	for s, l := range dist {
		if l != 0 {
			distances = append(distances, s)
		}
	}
	made := 0
	for range n {
		if len(symbols) == 0 {
			break
		}
		s := symbols[rng.IntN(len(symbols))]
		if s < endOfBlock {
			c.put(litCodes[s])
			made++
			continue
		}
		k := distances[rng.IntN(len(distances))]
		base, extra := int(distEntries[k]>>16), uint(distEntries[k]&63)
		if base > history+made && rng.IntN(500) != 0 {
			continue
		}
		c.put(litCodes[s])
		extraLen := uint(litEntries[s] & 63)
		v := rng.Uint32() & (1<<extraLen - 1)
		c.bits(v, extraLen)
		made += int(litEntries[s]>>16) + int(v)
		c.put(distCodes[k])
		room := uint32(max(0, min(history+made-base, 1<<extra-1)))
		c.bits(rng.Uint32N(room+1), extra)
	}
	if lit[endOfBlock] != 0 {
		c.put(litCodes[endOfBlock])
	}
	return made
}
