package codec

import (
	"encoding/binary"
	"math/bits"
)

// The five primes of XXH32 (xxHash specification 0.2.0, "XXH32 algorithm
// description").
const (
	xxPrime1 uint32 = 0x9E3779B1
	xxPrime2 uint32 = 0x85EBCA77
	xxPrime3 uint32 = 0xC2B2AE3D
	xxPrime4 uint32 = 0x27D4EB2F
	xxPrime5 uint32 = 0x165667B1
)

// xxh32 is XXH32 over the whole of b. Only LZ4 streams need the 32-bit
// variant; payload digests elsewhere are 64-bit.
func xxh32(b []byte, seed uint32) uint32 {
	total := uint32(len(b))
	acc := seed + xxPrime5
	if len(b) >= 16 {
		lane0, lane1 := seed+xxPrime1+xxPrime2, seed+xxPrime2
		lane2, lane3 := seed, seed-xxPrime1
		for len(b) >= 16 {
			stripe := b[:16]
			lane0 = xxRound(lane0, binary.LittleEndian.Uint32(stripe))
			lane1 = xxRound(lane1, binary.LittleEndian.Uint32(stripe[4:]))
			lane2 = xxRound(lane2, binary.LittleEndian.Uint32(stripe[8:]))
			lane3 = xxRound(lane3, binary.LittleEndian.Uint32(stripe[12:]))
			b = b[16:]
		}
		acc = bits.RotateLeft32(lane0, 1) + bits.RotateLeft32(lane1, 7) +
			bits.RotateLeft32(lane2, 12) + bits.RotateLeft32(lane3, 18)
	}
	acc += total
	for ; len(b) >= 4; b = b[4:] {
		acc = bits.RotateLeft32(acc+binary.LittleEndian.Uint32(b)*xxPrime3, 17) * xxPrime4
	}
	for _, c := range b {
		acc = bits.RotateLeft32(acc+uint32(c)*xxPrime5, 11) * xxPrime1
	}
	acc = (acc ^ acc>>15) * xxPrime2
	acc = (acc ^ acc>>13) * xxPrime3
	return acc ^ acc>>16
}

func xxRound(lane, input uint32) uint32 {
	return bits.RotateLeft32(lane+input*xxPrime2, 13) * xxPrime1
}
