package flate

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

func TestOptimalParserEndsSegmentsWhenItsMatchesAreFull(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	src := make([]byte, 60000)
	for i := range src {
		src[i] = byte(r.IntN(2)) // many matches at each position
	}
	for _, room := range []int{maxMatch + 1, maxMatch + 7, 3000, 100_000} {
		e, err := NewEncoder(10)
		if err != nil {
			t.Fatal(err)
		}
		p := e.parser.(*optimalParser)
		p.matches = make([]match, 0, room)
		p.reset(len(src))
		if p.segment(src, 0, nil, newSplitter()); len(p.first)-1 == len(src) {
			t.Fatalf("%d matches are enough for the source: nothing tested", room)
		}
		if got := inflate(t, e.Append(nil, src[:5000])); !bytes.Equal(got, src[:5000]) {
			t.Fatalf("with room for %d matches the stream decodes to other bytes", room)
		}
	}
}

func inflate(t *testing.T, stream []byte) []byte {
	t.Helper()
	out, err := io.ReadAll(flate.NewReader(bytes.NewReader(stream)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTreeMatcherFindsTheNearestMatchOfEachLength(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	m := new(treeMatcher)
	for range testbed.Runs(t, 20) {
		src := make([]byte, 1+r.IntN(3000))
		for i := range src {
			src[i] = byte(r.IntN(3))
		}
		m.reset(0)
		for pos := 0; pos+4 <= len(src); pos++ {
			most := min(len(src)-pos, maxMatch)
			got := m.find(src, pos, most, most, 1<<20, nil)
			last := match{}
			for _, g := range got {
				if g.length <= last.length || !bytes.Equal(src[pos:pos+int(g.length)], src[pos-int(g.dist):pos-int(g.dist)+int(g.length)]) {
					t.Fatalf("position %d: matches %v", pos, got)
				}
				last = g
			}
			// With no limit on the search the longest is the longest there is,
			// and no nearer position has one as long.
			length, dist := longestMatch(src, pos, most)
			if length > minMatch && (int(last.length) != length || int(last.dist) != dist) {
				t.Fatalf("position %d: longest %v, want length %d at %d", pos, last, length, dist)
			}
		}
	}
}

// longestMatch looks at every position before pos, nearest first.
func longestMatch(src []byte, pos, most int) (length, dist int) {
	for d := 1; d <= pos && d < windowBytes; d++ {
		n := 0
		for n < most && src[pos-d+n] == src[pos+n] {
			n++
		}
		if n > length {
			length, dist = n, d
		}
	}
	return length, dist
}

func TestTreeMatcherForgetsAtTheEndOfItsSpan(t *testing.T) {
	m := new(treeMatcher)
	src := bytes.Repeat([]byte("abcdefgh"), 10)
	m.reset(0)
	m.find(src, 0, 70, 70, 10, nil)
	m.origin -= treeSpan // as if pos were that far on
	if got := m.find(src, 8, 70, 70, 10, nil); len(got) != 0 {
		t.Fatalf("matches %v from before the reset", got)
	}
	if m.origin != 8 {
		t.Fatalf("origin %d", m.origin)
	}
	if got := m.find(src, 16, 64, 64, 10, nil); len(got) == 0 {
		t.Fatal("no match after the reset")
	}
}
