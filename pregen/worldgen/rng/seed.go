package rng

import (
	"crypto/md5"
	"encoding/binary"
)

// PositionSeed is the hash of a block position that positional factories mix
// in. The product with x wraps at 32 bits, the one with z at 64.
func PositionSeed(x, y, z int32) int64 {
	seed := int64(x*3129871) ^ int64(z)*116129781 ^ int64(y)
	return (seed*seed*42317861 + seed*11) >> 16
}

// StringHash is Java's String.hashCode: over UTF-16 code units. Bytes that
// are not UTF-8 count as U+FFFD.
func StringHash(s string) int32 {
	var hash int32
	for _, r := range s {
		if r >= 0x10000 {
			hash = hash*31 + 0xD7C0 + r>>10
			r = 0xDC00 + r&0x3FF
		}
		hash = hash*31 + r
	}
	return hash
}

// NameSeed is the 128-bit seed of a name: the two big-endian halves of the
// MD5 digest of its UTF-8 bytes.
func NameSeed(name string) (low, high uint64) {
	var buf [64]byte
	digest := md5.Sum(append(buf[:0], name...))
	return binary.BigEndian.Uint64(digest[:8]), binary.BigEndian.Uint64(digest[8:])
}

// slimeSalt is the salt of the game's slime chunks.
const slimeSalt = 987234911

// NewSlime returns the source whose IntN(10) is 0 in slime chunks. The
// products wrap at 32 bits, but for the one marked long.
func NewSlime(world int64, chunkX, chunkZ int32) Legacy {
	seed := world +
		int64(chunkX*chunkX*4987142) + int64(chunkX*5947611) +
		int64(chunkZ*chunkZ)*4392871 + // long
		int64(chunkZ*389711)
	return NewLegacy(seed ^ slimeSalt)
}

// IsSlimeChunk reports whether slimes spawn at any depth of the chunk.
func IsSlimeChunk(world int64, chunkX, chunkZ int32) bool {
	s := NewSlime(world, chunkX, chunkZ)
	return s.IntN(10) == 0
}
