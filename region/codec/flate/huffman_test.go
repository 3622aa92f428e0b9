package flate

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
)

// codeCost returns the total length of the counted symbols.
func codeCost(counts []uint32, code *prefixCode) int {
	total := 0
	for i, n := range counts {
		total += int(n) * int(code.length[i])
	}
	return total
}

// leastCost returns the least total length of any prefix code no longer than
// limit, by trying how many symbols have each length: the lightest symbols
// have the longest codes, and the lengths fill the code space exactly.
func leastCost(counts []uint32, limit int) int {
	var used []uint32
	for _, n := range counts {
		if n > 0 {
			used = append(used, n)
		}
	}
	slices.Sort(used)
	type state struct{ symbols, space, length int }
	memo := map[state]int{}
	const impossible = 1 << 30
	// best codes used[:symbols] with lengths up to length in so much space,
	// counted in codes of the greatest length.
	var best func(symbols, space, length int) int
	best = func(symbols, space, length int) int {
		if symbols == 0 {
			return 0
		}
		if length > limit || space <= 0 {
			return impossible
		}
		s := state{symbols, space, length}
		if v, ok := memo[s]; ok {
			return v
		}
		least, sum := impossible, 0
		for take := 0; take <= symbols; take++ {
			if take > 0 {
				sum += int(used[symbols-take]) * length
			}
			room := space - take<<(limit-length)
			if room < 0 {
				break
			}
			least = min(least, sum+best(symbols-take, room, length+1))
		}
		memo[s] = least
		return least
	}
	return best(len(used), 1<<limit, 1)
}

// checkCode fails the test unless the code is complete, canonical, within the
// limit, and covers the counted symbols.
func checkCode(t *testing.T, counts []uint32, limit int, code *prefixCode) {
	t.Helper()
	space := 0
	type word struct{ length, code int }
	var words []word
	for i, n := range counts {
		l := int(code.length[i])
		if n > 0 && l == 0 || l > limit {
			t.Fatalf("symbol %d, %d times, has length %d of %d; counts %v", i, n, l, limit, counts)
		}
		if l > 0 {
			space += 1 << (limit - l)
			words = append(words, word{l, int(bits.Reverse16(code.code[i]) >> (16 - l))})
		}
	}
	if space != 1<<limit {
		t.Fatalf("code space filled to %d of %d; counts %v", space, 1<<limit, counts)
	}
	// Canonical: by length, then symbol, each code follows the one before.
	slices.SortStableFunc(words, func(a, b word) int { return a.length - b.length })
	next := 0
	for i, w := range words {
		if i > 0 {
			next = (next + 1) << (w.length - words[i-1].length)
		}
		if w.code != next {
			t.Fatalf("code %d is %b, want %b; counts %v", i, w.code, next, counts)
		}
	}
}

func TestHuffmanCodesAreOptimalWithinTheLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	var h huffman
	var code prefixCode
	for range testbed.Runs(t, 1500) {
		n := 2 + r.IntN(18)
		counts := make([]uint32, n)
		for i := range counts {
			if r.IntN(4) > 0 {
				counts[i] = r.Uint32N(1 << r.IntN(20))
			}
		}
		used := 0
		for _, c := range counts {
			if c > 0 {
				used++
			}
		}
		// From the tightest limit there is up to the code length code's.
		limit := max(bits.Len(uint(max(used, 2)-1)), 1) + r.IntN(3)
		limit = min(limit, maxCodeBits)
		h.build(counts, limit, &code)
		checkCode(t, counts, limit, &code)
		if used < 2 {
			continue
		}
		if got, want := codeCost(counts, &code), leastCost(counts, limit); got != want {
			t.Fatalf("limit %d: cost %d, least %d; counts %v", limit, got, want, counts)
		}
	}
}

func TestHuffmanCodesOfFullAlphabets(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	var h huffman
	var code prefixCode
	for run := range testbed.Runs(t, 300) {
		counts := make([]uint32, litSymbols)
		for i := range counts {
			if run%2 == 0 {
				counts[i] = r.Uint32N(1 << r.IntN(18))
			} else if i < 26 {
				counts[r.IntN(litSymbols)] = 1 << i // would need 26 bits
			}
		}
		h.build(counts, maxCodeBits, &code)
		checkCode(t, counts, maxCodeBits, &code)
	}
}

func TestHuffmanGivesTwoCodesAtLeast(t *testing.T) {
	var h huffman
	var code prefixCode
	for _, only := range []int{-1, 0, 1, 17} {
		counts := make([]uint32, 30)
		if only >= 0 {
			counts[only] = 9
		}
		h.build(counts, maxCodeBits, &code)
		checkCode(t, counts, maxCodeBits, &code)
	}
}
