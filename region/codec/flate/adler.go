package flate

// adlerMod is the largest prime below 1<<16.
const adlerMod = 65521

// Adler32 returns the Adler-32 checksum of p (RFC 1950 section 8).
func Adler32(p []byte) uint32 { return adlerUpdate(1, p) }

const (
	// adlerRows is how many rows of eight bytes fit the 16-bit lanes of
	// adlerBlock: 255*(0+1+...+22) is below 1<<16.
	adlerRows  = 23
	adlerBlock = 8 * adlerRows

	// adlerBlocks is how many blocks fit 32 bits before a reduction: 5,552
	// bytes is the most.
	adlerBlocks = 5552 / adlerBlock
)

// adlerGeneric continues the checksum sum with p.
func adlerGeneric(sum uint32, p []byte) uint32 {
	a, b := sum&0xFFFF, sum>>16
	for len(p) >= adlerBlock {
		for n := min(len(p)/adlerBlock, adlerBlocks); n > 0; n-- {
			bytes, weighted := sumBlock(p[:adlerBlock])
			b += adlerBlock*a + weighted
			a += bytes
			p = p[adlerBlock:]
		}
		a %= adlerMod
		b %= adlerMod
	}
	for _, x := range p {
		a += uint32(x)
		b += a
	}
	return b%adlerMod<<16 | a%adlerMod
}

// sumBlock returns the sum of the adlerBlock bytes of p, and their sum with
// weights adlerBlock, adlerBlock-1, ... 1. It adds up the eight columns of rows
// of eight bytes in the 16-bit lanes of two words.
func sumBlock(p []byte) (bytes, weighted uint32) {
	const low = 0x00FF00FF00FF00FF
	var even, odd uint64             // columns 0 2 4 6 and 1 3 5 7
	var evenBefore, oddBefore uint64 // their sums of all rows before, summed
	for i := 0; i < adlerBlock; i += 8 {
		x := load64(p, i)
		evenBefore += even
		oddBefore += odd
		even += x & low
		odd += x >> 8 & low
	}
	// A byte counts 8 for each row after its own, and in it 8 in the first
	// column to 1 in the last.
	bytes = lanes(even) + lanes(odd)
	weighted = 8 * (lanes(evenBefore) + lanes(oddBefore))
	weighted += uint32(8*(even&0xFFFF) + 6*(even>>16&0xFFFF) + 4*(even>>32&0xFFFF) + 2*(even>>48))
	weighted += uint32(7*(odd&0xFFFF) + 5*(odd>>16&0xFFFF) + 3*(odd>>32&0xFFFF) + odd>>48)
	return bytes, weighted
}

// lanes sums the four 16-bit lanes of x.
func lanes(x uint64) uint32 {
	const pair = 0x0000FFFF0000FFFF
	x = x&pair + x>>16&pair
	return uint32(x) + uint32(x>>32)
}
