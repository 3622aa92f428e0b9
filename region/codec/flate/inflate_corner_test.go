package flate

import (
	"errors"
	"io"
	"testing"
)

// corner is a crafted stream, what it must give, and how.
type corner struct {
	name  string
	craft func(c *crafter)
	want  error // nil, ErrCorrupt or ErrTruncated
	out   string
}

// oneLit is a code with two symbols: 'a' (0) and end of block (1).
func oneLit() []uint8 { return lensOf(257, map[int]uint8{'a': 1, endOfBlock: 1}) }

// litAndMatch has 'a' (0), end of block (10), length 3 (11).
func litAndMatch() []uint8 {
	return lensOf(258, map[int]uint8{'a': 1, endOfBlock: 2, 257: 2})
}

// staircase gives n symbols from first on the lengths 1, 2, ... n-1, n-1.
func staircase(total, first, n int) []uint8 {
	lens := make([]uint8, total)
	for i := range n {
		lens[first+i] = uint8(min(i+1, n-1))
	}
	return lens
}

var corners = []corner{
	{"no input", func(*crafter) {}, ErrTruncated, ""},
	{"block type 3", func(c *crafter) { c.start(true, 3) }, ErrCorrupt, ""},
	{"stored, empty", func(c *crafter) { c.stored(true, "") }, nil, ""},
	{"stored twice", func(c *crafter) { c.stored(false, "ab"); c.stored(true, "cd") }, nil, "abcd"},
	{"stored with a wrong complement", func(c *crafter) {
		c.start(true, 0)
		c.align()
		c.out = append(c.out, 1, 0, 0xFE, 0xFE, 'x')
	}, ErrCorrupt, ""},
	{"stored, too short", func(c *crafter) {
		c.start(true, 0)
		c.align()
		c.out = append(c.out, 2, 0, 0xFD, 0xFF, 'x')
	}, ErrTruncated, ""},
	{"no last block", func(c *crafter) { c.stored(false, "ab") }, ErrTruncated, ""},
	{"fixed, empty", func(c *crafter) { c.start(true, 1); c.bits(0, 7) }, nil, ""},
	{"fixed: symbol 286", func(c *crafter) { fixed(c, 286, 0) }, ErrCorrupt, ""},
	{"fixed: symbol 287", func(c *crafter) { fixed(c, 287, 0) }, ErrCorrupt, ""},
	{"fixed: distance 29, beyond the output", func(c *crafter) { fixed(c, 257, 29) }, ErrCorrupt, ""},
	{"fixed: distance 30", func(c *crafter) { fixed(c, 257, 30) }, ErrCorrupt, ""},
	{"fixed: distance 31", func(c *crafter) { fixed(c, 257, 31) }, ErrCorrupt, ""},
	{"fixed: distance 0 is one byte back", func(c *crafter) { fixed(c, 257, 0) }, nil, "aaaa"},
	{"fixed: distance 1 is beyond the output", func(c *crafter) { fixed(c, 257, 1) }, ErrCorrupt, ""},
	{"length 258 as 284 and 31", func(c *crafter) {
		lit, dist := fixedLens()
		c.start(true, 1)
		c.put(canonical(lit)['a'])
		c.put(canonical(lit)[284])
		c.bits(31, 5)
		c.put(canonical(dist)[0])
		c.put(canonical(lit)[endOfBlock])
	}, nil, repeated("a", 259)},

	{"no distance code, none used", func(c *crafter) {
		c.dynamic(true, oneLit(), []uint8{0})
		c.bits(0b100, 3)
	}, nil, "aa"},
	{"no distance code, one used", func(c *crafter) {
		c.dynamic(true, litAndMatch(), []uint8{0})
		c.bits(0b110, 3) // 'a', length 3
		c.bits(0, 5)
	}, ErrCorrupt, ""},
	{"single distance code of length 1", func(c *crafter) {
		c.dynamic(true, litAndMatch(), []uint8{1})
		c.bits(0b110, 3) // 'a', length 3
		c.bits(0, 1)
		c.bits(0b01, 2) // end
	}, nil, "aaaa"},
	{"the other bit of a single distance code", func(c *crafter) {
		c.dynamic(true, litAndMatch(), []uint8{1})
		c.bits(0b110, 3)
		c.bits(1, 1)
		c.bits(0b01, 2)
	}, ErrCorrupt, ""},
	{"single distance code of length 2", func(c *crafter) {
		c.dynamic(true, oneLit(), []uint8{2})
		c.bits(1, 1)
	}, ErrCorrupt, ""},
	{"end of block as the only code", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{endOfBlock: 1}), []uint8{0})
		c.bits(0, 1)
	}, nil, ""},
	{"end of block as the only code, other bit", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{endOfBlock: 1}), []uint8{0})
		c.bits(1, 1)
	}, ErrCorrupt, ""},
	{"end of block as the only code, of length 2", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{endOfBlock: 2}), []uint8{0})
		c.bits(0, 2)
	}, ErrCorrupt, ""},
	{"no literal code at all", func(c *crafter) {
		c.dynamic(true, make([]uint8, 257), []uint8{0})
		c.bits(0, 8)
	}, ErrCorrupt, ""},
	{"no end-of-block code, input ends", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{'a': 1, 'b': 1}), []uint8{0})
		c.bits(0b10, 2)
	}, ErrTruncated, ""},
	{"no end-of-block code, then no code", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{'a': 1}), []uint8{0})
		c.bits(0b100, 3)
	}, ErrCorrupt, ""},
	{"literal code over-subscribed", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{'a': 1, 'b': 1, endOfBlock: 1}), []uint8{0})
		c.bits(1, 1)
	}, ErrCorrupt, ""},
	{"literal code incomplete", func(c *crafter) {
		c.dynamic(true, lensOf(257, map[int]uint8{'a': 2, 'b': 2, endOfBlock: 2}), []uint8{0})
		c.bits(1, 2)
	}, ErrCorrupt, ""},
	{"distance code over-subscribed", func(c *crafter) {
		c.dynamic(true, oneLit(), []uint8{1, 1, 1})
		c.bits(1, 1)
	}, ErrCorrupt, ""},
	{"distance code incomplete", func(c *crafter) {
		c.dynamic(true, oneLit(), []uint8{2, 2, 2})
		c.bits(1, 1)
	}, ErrCorrupt, ""},
	{"literal codes of 15 bits", func(c *crafter) {
		lens := staircase(257, 241, 16) // ends at 256
		c.dynamic(true, lens, []uint8{0})
		codes := canonical(lens)
		for s := 241; s <= endOfBlock; s++ {
			c.put(codes[s])
		}
	}, nil, "\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"},
	{"distance codes of 15 bits", func(c *crafter) {
		lens := staircase(16, 0, 16)
		c.dynamic(true, litAndMatch(), lens)
		codes := canonical(lens)
		c.bits(0b110, 3)
		c.put(codes[0]) // "aaaa"
		c.bits(0b11, 2)
		c.put(codes[3]) // four back
		c.bits(0b01, 2)
	}, nil, "aaaaaaa"},
	{"286 literal/length codes, 30 distance codes", func(c *crafter) {
		c.dynamic(true, lensOf(286, map[int]uint8{'z': 1, endOfBlock: 1}), make([]uint8, 30))
		c.bits(0b10, 2)
	}, nil, "z"},
	{"287 literal/length codes", func(c *crafter) {
		c.dynamic(true, lensOf(287, map[int]uint8{'z': 1, endOfBlock: 1}), []uint8{0})
		c.bits(0b10, 2)
	}, ErrCorrupt, ""},
	{"288 literal/length codes", func(c *crafter) {
		c.dynamic(true, lensOf(288, map[int]uint8{'z': 1, endOfBlock: 1}), []uint8{0})
		c.bits(0b10, 2)
	}, ErrCorrupt, ""},
	{"31 distance codes", func(c *crafter) {
		c.dynamic(true, oneLit(), make([]uint8, 31))
		c.bits(0b10, 2)
	}, ErrCorrupt, ""},
	{"32 distance codes", func(c *crafter) {
		c.dynamic(true, oneLit(), make([]uint8, 32))
		c.bits(0b10, 2)
	}, ErrCorrupt, ""},

	{"code length code over-subscribed", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 1, 0: 1, 1: 1})
		c.bits(0, 64)
	}, ErrCorrupt, ""},
	{"code length code incomplete", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 2, 0: 2, 1: 2})
		c.bits(0, 64)
	}, ErrCorrupt, ""},
	{"code length code empty", func(c *crafter) {
		c.dynamicStart(true, 257, 1, make([]uint8, 19))
		c.bits(0, 64)
	}, ErrCorrupt, ""},
	{"code length code with one symbol, all zero", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 0, 0: 1})
		c.bits(0, 32*9)
	}, ErrCorrupt, ""},
	{"the other bit of a single code length code", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 0, 0: 1})
		c.bits(1, 32)
	}, ErrCorrupt, ""},
	{"repeat before the first length", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 0, 16: 1, 1: 1})
		c.bits(0b1, 32)
	}, ErrCorrupt, ""},
	{"run crosses from literal to distance lengths", func(c *crafter) {
		// 18 (0), 2 (10), 16 (11)
		c.dynamicStart(true, 257, 4, []uint8{18: 1, 2: 2, 16: 2})
		zeros(c, 0, 138)
		zeros(c, 0, 115)
		for range 4 { // 253 to 256 have length 2
			c.put(code{0b10, 2})
		}
		c.put(code{0b11, 2})
		c.bits(4-3, 2)     // and so have the four distances
		c.bits(0b11_01, 4) // 255 (10), end (11)
	}, nil, "\xff"},
	{"zero run crosses from literal to distance lengths", func(c *crafter) {
		// 1 (0), 18 (1)
		c.dynamicStart(true, 260, 30, []uint8{18: 1, 1: 1})
		c.bits(0, 1) // 0 has length 1
		zeros(c, 1, 138)
		zeros(c, 1, 117)
		c.bits(0, 1)    // 256 has length 1
		zeros(c, 1, 33) // 3 literal and all distance codes
		c.bits(0b10, 2)
	}, nil, "\x00"},
	{"run beyond the last length", func(c *crafter) {
		c.dynamicStart(true, 257, 1, []uint8{18: 1, 1: 1})
		zeros(c, 1, 138)
		zeros(c, 1, 121)
		c.bits(0, 16)
	}, ErrCorrupt, ""},
}

// zeros writes code length symbol 18, whose code is this bit, for n zeros.
func zeros(c *crafter, symbol, n uint32) {
	c.bits(symbol, 1)
	c.bits(n-11, 7)
}

// fixed writes a block: 'a', a match of these symbols, end of block.
func fixed(c *crafter, length, distance int) {
	lit, dist := fixedLens()
	c.start(true, 1)
	c.put(canonical(lit)['a'])
	c.put(canonical(lit)[length])
	c.put(canonical(dist)[distance])
	if distance >= 4 && distance < 30 {
		c.bits(0, uint(distance-2)/2)
	}
	c.put(canonical(lit)[endOfBlock])
}

// stored writes a block of type 0.
func (c *crafter) stored(final bool, s string) {
	c.start(final, 0)
	c.align()
	n := len(s)
	c.out = append(c.out, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
	c.out = append(c.out, s...)
}

func repeated(s string, n int) string {
	b := make([]byte, 0, n*len(s))
	for range n {
		b = append(b, s...)
	}
	return string(b)
}

func TestInflateCornerCasesOfHuffmanCodes(t *testing.T) {
	std, klauspost := newStdReference(), newKlauspostReference()
	for _, k := range corners {
		t.Run(k.name, func(t *testing.T) {
			var c crafter
			k.craft(&c)
			// Alone, where the careful loop decodes it, and with enough input
			// behind it for the fast one.
			for _, extra := range []int{0, 64} {
				if extra > 0 && k.want == ErrTruncated {
					continue
				}
				var d Decoder
				src := append(c.out[:len(c.out):len(c.out)], make([]byte, extra)...)
				got, n, err := d.Append(make([]byte, 0, 2000), src, 0)
				if !errors.Is(err, k.want) || string(got) != k.out || err == nil && n != len(c.out) {
					t.Fatalf("%q, %d of %d, %v; want %q, %v", got, n, len(c.out), err, k.out, k.want)
				}
				agree(t, &d, std, src)
				agree(t, &d, klauspost, src)
				_, _, stdErr := std.decode(src, 1<<20)
				if (k.want == ErrTruncated) != (stdErr == io.ErrUnexpectedEOF) {
					t.Errorf("the standard library says %v", stdErr)
				}
			}
		})
	}
}

// The worst case of a two-level table, by trying all ways to use up the code
// space: a literal/length code of 288 symbols and a distance code of 30.
func TestInflateTableSizesAreTheLargestPossible(t *testing.T) {
	for _, k := range []struct {
		symbols   int
		tableBits int
		size      int
	}{{288, litBits, litTableSize}, {32, distBits, distTableSize}} {
		if got := largestTable(k.symbols, k.tableBits); got != k.size {
			t.Errorf("%d symbols, %d bits: %d entries, the table has %d", k.symbols, k.tableBits, got, k.size)
		}
	}
}

// largestTable finds the most entries that a complete code of at most that many
// symbols needs. Codes are dealt out by length; left counts the unused codes of
// the current length. A subtable of 1<<w entries is filled by codes of lengths
// up to tableBits+w, so its cost is fixed when it is opened: by the length at
// which the codes dealt since then have used it up.
func largestTable(symbols, tableBits int) int {
	type state struct{ symbols, left, length, open, width int }
	memo := map[state]int{}
	var walk func(s state) int
	// open is how much of the current subtable is free, in codes of this
	// length; width is its index bits if it ends at this length.
	walk = func(s state) int {
		if s.left == 0 {
			return 0
		}
		if s.symbols < s.left || s.length > maxCodeLen {
			return -1 << 30 // every free code takes a symbol at least
		}
		if v, ok := memo[s]; ok {
			return v
		}
		best := -1 << 30
		// n codes of this length.
		for n := 0; n <= s.left && n <= s.symbols; n++ {
			open, cost, left := s.open, 0, s.left
			width := s.length - tableBits
			for used := 0; used < n; {
				if open == 0 {
					// A new subtable starts with a code of this length.
					open = 1 << width
					if rest := n - used; rest < open {
						// Not filled by codes of this length: it will end deeper,
						// and its cost is added there.
						open -= rest
						left -= rest
						break
					}
					cost += 1 << width
					used += open
					left -= open
					open = 0
					continue
				}
				take := min(open, n-used)
				open -= take
				used += take
				left -= take
				if open == 0 {
					cost += 1 << width
				}
			}
			v := walk(state{s.symbols - n, left * 2, s.length + 1, open * 2, 0})
			best = max(best, cost+v)
		}
		memo[s] = best
		return best
	}
	best := 0
	// The codes that fit the first level: any number of symbols may remain for
	// any number of free first-level entries.
	for left := range 1 << tableBits {
		// The cheapest way to use up the rest of the first level in complete
		// codes takes one symbol for each one bit of the rest.
		cheapest := 0
		for rest := 1<<tableBits - left; rest > 0; rest &= rest - 1 {
			cheapest++
		}
		if cheapest > symbols {
			continue
		}
		v := walk(state{symbols - cheapest, left * 2, tableBits + 1, 0, 0})
		best = max(best, 1<<tableBits+v)
	}
	return best
}
