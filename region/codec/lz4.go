package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/pierrec/lz4/v4"
)

// Scheme 4 is not the LZ4 frame format but the block stream of lz4-java: any
// number of blocks, then an end mark, which is a block header with both
// lengths and the checksum zero. A block header is
//
//	0  8  "LZ4Block"
//	8  1  token: method in the high nibble, log2(block size)-10 in the low one
//	9  4  stored length, little-endian
//	13 4  original length, little-endian
//	17 4  XXH32 of the original bytes, seed below, low 28 bits, little-endian
const (
	lz4Magic      = "LZ4Block"
	lz4HeaderSize = 21

	lz4MethodRaw        = 0x10
	lz4MethodCompressed = 0x20

	lz4MinBlockLog = 10
	lz4BlockLog    = 16 // 64 KiB, what the game writes; readers take 1 KiB to 32 MiB
	lz4BlockSize   = 1 << lz4BlockLog

	lz4Seed         = 0x9747b28c
	lz4ChecksumMask = 0x0FFFFFFF

	// An LZ4 length grows by at most 255 a stored byte, so no block of n
	// stored bytes can hold more than this times n. A header that claims more
	// is refused before anything is allocated for it.
	lz4MaxRatio = 255
)

// appendLZ4 appends the whole stream of src. Blocks that LZ4 does not shrink
// are stored raw, as lz4-java does.
func appendLZ4(c *lz4.Compressor, dst, src []byte) ([]byte, error) {
	for len(src) > 0 {
		block := src[:min(len(src), lz4BlockSize)]
		src = src[len(block):]
		start := len(dst)
		// With room for the worst case the compressor never takes its slower
		// bounds-checked path and never fails for want of space.
		dst = slices.Grow(dst, lz4HeaderSize+lz4.CompressBlockBound(len(block)))
		body := dst[start+lz4HeaderSize : cap(dst)]
		n, err := c.CompressBlock(block, body)
		if err != nil {
			return dst[:start], &Error{Scheme: LZ4, Err: ErrCorrupt, Detail: "encoder: " + err.Error()}
		}
		method := byte(lz4MethodCompressed)
		if n == 0 || n >= len(block) {
			method = lz4MethodRaw
			n = copy(body, block)
		}
		dst = appendLZ4Header(dst, method, n, len(block), xxh32(block, lz4Seed)&lz4ChecksumMask)
		dst = dst[:len(dst)+n]
	}
	return appendLZ4Header(dst, lz4MethodRaw, 0, 0, 0), nil
}

func appendLZ4Header(dst []byte, method byte, stored, original int, checksum uint32) []byte {
	dst = append(dst, lz4Magic...)
	dst = append(dst, method|(lz4BlockLog-lz4MinBlockLog))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(stored))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(original))
	return binary.LittleEndian.AppendUint32(dst, checksum)
}

// lz4Block is a checked block header.
type lz4Block struct {
	raw              bool
	stored, original int
	checksum         uint32
}

func (b lz4Block) endMark() bool { return b.original == 0 }

// decodeLZ4 appends the payload of the stream that src starts with and
// returns how many bytes of src the stream takes. A stream without an end
// mark is truncated: lz4-java's reader, in the mode the game uses, fails with
// an end-of-file error there too.
func decodeLZ4(dst, src []byte, limit int) (out []byte, n int, err error) {
	base, off := len(dst), 0
	for {
		b, detail, err := parseLZ4Header(src[off:])
		if err != nil {
			return dst[:base], off, &Error{Scheme: LZ4, Offset: off, Err: err, Detail: detail}
		}
		if b.endMark() {
			return dst, off + lz4HeaderSize, nil
		}
		if b.original > limit-(len(dst)-base) {
			return dst[:base], off, limitError(LZ4, off, limit)
		}
		off += lz4HeaderSize
		dst, err = appendLZ4Block(dst, src[off:off+b.stored], b)
		if err != nil {
			return dst[:base], off, &Error{Scheme: LZ4, Offset: off, Err: err}
		}
		off += b.stored
	}
}

func appendLZ4Block(dst, body []byte, b lz4Block) ([]byte, error) {
	start := len(dst)
	if b.raw {
		dst = append(dst, body...)
	} else {
		dst = slices.Grow(dst, b.original)[:start+b.original]
		// The three-index slice keeps a decoder that copies in wide steps
		// inside this block's bytes.
		n, err := lz4.UncompressBlock(body, dst[start:len(dst):len(dst)])
		if err != nil || n != b.original {
			return dst, ErrCorrupt
		}
	}
	if xxh32(dst[start:], lz4Seed)&lz4ChecksumMask != b.checksum {
		return dst, ErrChecksum
	}
	return dst, nil
}

// parseLZ4Header checks everything a header says that can be checked without
// the block, including that the block is there.
func parseLZ4Header(src []byte) (b lz4Block, detail string, err error) {
	if len(src) < lz4HeaderSize {
		if len(src) > 0 && src[0] != lz4Magic[0] {
			return b, "no block header", ErrCorrupt
		}
		return b, "no end mark", ErrTruncated
	}
	if string(src[:len(lz4Magic)]) != lz4Magic {
		return b, "no block header", ErrCorrupt
	}
	token := src[8]
	stored := binary.LittleEndian.Uint32(src[9:])
	original := binary.LittleEndian.Uint32(src[13:])
	b.checksum = binary.LittleEndian.Uint32(src[17:])
	switch token & 0xF0 {
	case lz4MethodRaw:
		b.raw = true
	case lz4MethodCompressed:
	default:
		return b, "unknown block method", ErrCorrupt
	}
	maxBlock := uint32(1) << (lz4MinBlockLog + token&0x0F)
	switch {
	case original > maxBlock:
		return b, "block larger than its token allows", ErrCorrupt
	case original == 0 && (stored != 0 || b.checksum != 0), original != 0 && stored == 0:
		return b, "contradictory block lengths", ErrCorrupt
	case b.raw && stored != original:
		return b, "raw block with two lengths", ErrCorrupt
	case uint64(original) > lz4MaxRatio*uint64(stored):
		return b, "block claims more than its bytes can hold", ErrCorrupt
	case bits.Len32(stored) > 31:
		return b, "negative block length", ErrCorrupt
	case int(stored) > len(src)-lz4HeaderSize:
		return b, "block body cut short", ErrTruncated
	}
	b.stored, b.original = int(stored), int(original)
	return b, "", nil
}
