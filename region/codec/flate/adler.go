package flate

// adlerMod is the largest prime below 1<<16.
const adlerMod = 65521

// Adler32 returns the Adler-32 checksum of p (RFC 1950 section 8).
func Adler32(p []byte) uint32 { return adlerUpdate(1, p) }

// adlerGeneric continues the checksum sum with p.
func adlerGeneric(sum uint32, p []byte) uint32 {
	a, b := sum&0xFFFF, sum>>16
	for len(p) > 0 {
		// The longest run for which b cannot overflow.
		q := p[:min(len(p), 5552)]
		p = p[len(q):]
		for ; len(q) >= 8; q = q[8:] {
			q := q[:8]
			b += 8*a + 8*uint32(q[0]) + 7*uint32(q[1]) + 6*uint32(q[2]) + 5*uint32(q[3]) +
				4*uint32(q[4]) + 3*uint32(q[5]) + 2*uint32(q[6]) + uint32(q[7])
			a += uint32(q[0]) + uint32(q[1]) + uint32(q[2]) + uint32(q[3]) +
				uint32(q[4]) + uint32(q[5]) + uint32(q[6]) + uint32(q[7])
		}
		for _, x := range q {
			a += uint32(x)
			b += a
		}
		a %= adlerMod
		b %= adlerMod
	}
	return b<<16 | a
}
