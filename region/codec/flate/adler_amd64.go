//go:build !purego

package flate

import "golang.org/x/sys/cpu"

// adlerLane is how many bytes the kernel takes at a time, adlerRun the most in
// one call: the longest multiple for which b cannot overflow.
const (
	adlerLane = 32
	adlerRun  = 5552 / adlerLane * adlerLane
)

var hasAVX2 = cpu.X86.HasAVX2

func adlerUpdate(sum uint32, p []byte) uint32 {
	if !hasAVX2 {
		return adlerGeneric(sum, p)
	}
	a, b := sum&0xFFFF, sum>>16
	for len(p) >= adlerLane {
		n := min(len(p), adlerRun) &^ (adlerLane - 1)
		bytes, weighted := adlerKernel(&p[0], n)
		b = (b + uint32(n)*a + weighted) % adlerMod
		a = (a + bytes) % adlerMod
		p = p[n:]
	}
	return adlerGeneric(b<<16|a, p)
}

// adlerKernel returns the sum of the n bytes at p, and their sum with weights
// n, n-1, ... 1. n is a multiple of adlerLane from adlerLane to adlerRun. It
// needs AVX2.
//
//go:noescape
func adlerKernel(p *byte, n int) (bytes, weighted uint32)
