package flate

import (
	"bytes"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"strata/bench/testbed"
)

// guarded returns n bytes that end where memory ends: touching the byte behind
// them is a fault.
func guarded(t *testing.T, n int) []byte {
	t.Helper()
	page := unix.Getpagesize()
	size := (n + page - 1) / page * page
	m, err := unix.Mmap(-1, 0, size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(m) })
	if err := unix.Mprotect(m[size:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return m[size-n : size : size]
}

// The fast loop reads and writes whole words. With input and output at the end
// of mapped memory, a word too far is a fault.
func TestInflateTouchesNothingBehindItsSlices(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 6))
	const most = 1 << 16
	in, out := guarded(t, most), guarded(t, most)
	var d Decoder
	for range testbed.Runs(t, 4000) {
		src := generatedStreams(rng)
		if rng.IntN(2) == 0 && len(src) > 0 {
			src[rng.IntN(len(src))] ^= 1 << rng.IntN(8)
		}
		src = src[:len(src)-rng.IntN(1+len(src)/8)]
		if len(src) > most {
			continue
		}
		here := in[most-len(src):]
		copy(here, src)
		want, n, err := d.Append(nil, src, most)
		// Room for all of it, for just all, for one byte less.
		for _, room := range []int{most, len(want), max(0, len(want)-1)} {
			got, gotN, gotErr := d.Append(out[most-room:][:0], here, most)
			if !bytes.Equal(got, want) || gotN != n || (gotErr == nil) != (err == nil) {
				t.Fatalf("room %d: %d bytes from %d, %v; want %d from %d, %v", room, len(got), gotN, gotErr, len(want), n, err)
			}
		}
	}
	for n := range 200 {
		p := in[most-n:]
		if Adler32(p) != Adler32(bytes.Clone(p)) {
			t.Fatalf("Adler-32 of %d bytes", n)
		}
	}
}
