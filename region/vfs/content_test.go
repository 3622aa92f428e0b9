package vfs

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// TestContentsThatSharePagesAreIndependent changes four contents at random,
// shares and copies between them, and compares with plain byte slices.
func TestContentsThatSharePagesAreIndependent(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	const limit = 5*pageSize + 100
	for range 60 {
		var have [4]content
		var want [4][]byte
		resize := func(i int, n int64) {
			if n > int64(len(want[i])) {
				want[i] = append(want[i], make([]byte, n-int64(len(want[i])))...)
			}
			want[i] = want[i][:n]
		}
		for range 40 {
			i, j := r.IntN(4), r.IntN(4)
			off, n := r.Int64N(limit), r.Int64N(2*pageSize)+1
			if r.IntN(2) == 0 { // whole pages are shared rather than copied
				off, n = off/pageSize*pageSize, (n+pageSize-1)/pageSize*pageSize
			}
			switch r.IntN(6) {
			case 0, 1:
				p := fill(int(n), byte(r.Uint32()))
				have[i].writeAt(p, off, -1)
				resize(i, max(int64(len(want[i])), off+n))
				copy(want[i][off:], p)
			case 2:
				have[i].truncate(off)
				resize(i, off)
			case 3:
				have[i].zero(off, n)
				if off < int64(len(want[i])) {
					clear(want[i][off:min(off+n, int64(len(want[i])))])
				}
			case 4:
				have[i] = have[j].share()
				want[i] = bytes.Clone(want[j])
			case 5:
				end := min(off+n, have[i].size)
				if i == j || off >= end {
					continue
				}
				have[i].copyRange(&have[j], off, end-off)
				clear(want[i][off:end])
				if off < int64(len(want[j])) {
					copy(want[i][off:end], want[j][off:])
				}
			}
			for k := range have {
				got := make([]byte, len(want[k])+1)
				m, err := have[k].readAt(got, 0)
				if err != io.EOF || !bytes.Equal(got[:m], want[k]) {
					t.Fatalf("content %d differs: %d bytes of %d", k, m, len(want[k]))
				}
			}
		}
	}
}
