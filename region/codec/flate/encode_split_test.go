package flate

import (
	"math"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

func TestLog2IsExactToItsPrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	check := func(n uint32) {
		got := float64(log2(n)) / (1 << log2Bits)
		if want := math.Log2(float64(n)); math.Abs(got-want) > 2.0/(1<<log2Bits) {
			t.Fatalf("log2(%d) = %v, want %v", n, got, want)
		}
	}
	for n := range uint32(5000) {
		check(n + 1)
	}
	for range 5000 {
		check(max(r.Uint32()>>r.UintN(32), 1))
	}
	check(math.MaxUint32)
	if nLogN(0) != 0 || nLogN(1) != 0 {
		t.Fatal("nLogN of 0 and 1 are not 0")
	}
}

func TestSplitterSeparatesDifferentData(t *testing.T) {
	// Two halves that share no literals: one code for both takes a bit more
	// for each, which is far more than a header.
	src := make([]byte, 8192)
	seqs := make([]sequence, 0, len(src)/64)
	for i := range src {
		src[i] = byte(i*7%16) + byte(i/4096)*100
		if i%64 == 0 {
			seqs = append(seqs, sequence{literals: 64})
		}
	}
	s := newSplitter()
	s.count(src, 0, seqs, 256)
	s.divide()
	if len(s.blocks) != 2 || s.blocks[0].end != 4096 || s.blocks[1].end != len(src) || s.blocks[1].endSeq != len(seqs) {
		t.Errorf("%d blocks, the first to %d", len(s.blocks), s.blocks[0].end)
	}
	s.count(src[:4096], 0, seqs[:64], 256)
	s.divide()
	if len(s.blocks) != 1 {
		t.Errorf("%d blocks of one kind of data", len(s.blocks))
	}
}

func TestCoarsenKeepsAllCounts(t *testing.T) {
	src := make([]byte, maxCells*128)
	var seqs []sequence
	for i := range src {
		src[i] = byte(i / 128)
		if i%64 == 0 {
			seqs = append(seqs, sequence{literals: 64})
		}
	}
	s := newSplitter()
	c := s.begin(0)
	for i := range src {
		if i > 0 && i%128 == 0 {
			c.end, c.endSeq = i, i/64
			c = s.open(i, i/64)
		}
		c.literal(src[i])
	}
	c.end, c.endSeq = len(src), len(seqs)
	s.coarsen()
	if s.full() || s.used != maxCells/2 {
		t.Fatalf("%d cells are left", s.used)
	}
	for i := range s.used {
		c := &s.cells[i]
		if c.start != i*256 || c.end != (i+1)*256 || c.firstSeq != i*4 || c.endSeq != (i+1)*4 ||
			c.symbols != 256 || c.counts[2*i] != 128 || c.counts[2*i+1] != 128 {
			t.Fatalf("cell %d: source %d to %d, sequences %d to %d, %d symbols",
				i, c.start, c.end, c.firstSeq, c.endSeq, c.symbols)
		}
	}
}
