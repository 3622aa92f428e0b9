package flate

import (
	"hash/adler32"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

func TestAdler32MatchesStandardLibrary(t *testing.T) {
	const most = 5000
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	random, ones := make([]byte, most+64), make([]byte, most+64)
	for i := range random {
		random[i], ones[i] = byte(rng.Uint32()), 0xFF
	}
	for n := range most + 1 {
		at := n % 64
		for _, p := range [][]byte{random[at : at+n], ones[at : at+n]} {
			checkAdler(t, p)
		}
	}
	for at := range 64 { // every alignment of a few lengths around the kernel's steps
		for _, n := range []int{1, 31, 32, 33, 63, 64, 65, 1000} {
			checkAdler(t, random[at:at+n])
		}
	}
}

func TestAdler32OfLongRunsDoesNotOverflow(t *testing.T) {
	p := make([]byte, 1<<20)
	for i := range p {
		p[i] = 0xFF
	}
	for _, n := range []int{5504, 5536, 5552, 5553, 5568, 2 * 5536, 2*5552 + 31, 65521, 1 << 20} {
		checkAdler(t, p[:n])
	}
}

func checkAdler(t *testing.T, p []byte) {
	t.Helper()
	want := adler32.Checksum(p)
	if got := Adler32(p); got != want {
		t.Fatalf("%d bytes: %#x, want %#x", len(p), got, want)
	}
	if got := adlerGeneric(1, p); got != want {
		t.Fatalf("%d bytes without assembly: %#x, want %#x", len(p), got, want)
	}
}

func BenchmarkAdler32(b *testing.B) {
	p := make([]byte, 44800)
	for i := range p {
		p[i] = byte(i * 7)
	}
	for _, v := range []struct {
		name string
		sum  func([]byte) uint32
	}{
		{"best", Adler32},
		{"generic", func(p []byte) uint32 { return adlerGeneric(1, p) }},
		{"stdlib", adler32.Checksum},
	} {
		b.Run("code="+v.name, func(b *testing.B) {
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				v.sum(p)
			}
		})
	}
}
