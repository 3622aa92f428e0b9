package flate

// Sizes of the DEFLATE format, RFC 1951 section 3.2.
const (
	minMatch     = 3
	maxMatch     = 258
	windowBytes  = 32768
	endOfBlock   = 256
	litSymbols   = 286 // literals, end of block, lengths
	distSymbols  = 30
	clenSymbols  = 19
	maxCodeBits  = 15
	maxCLenBits  = 7
	firstLenCode = 257
)

// A sequence is a run of literals and the match after it. A length of zero
// means that no match follows: at the end of a segment, and where a long run
// of literals is cut so that a block may end within it.
type sequence struct {
	literals uint32
	length   uint16
	dist     uint16
}

// Extra bits and first values of the length and distance codes.
var (
	lengthExtra = [29]uint8{
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
	}
	distExtra = [distSymbols]uint8{
		0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
	}
	lengthBase [29]uint16
	distBase   [distSymbols]uint16
)

// lengthCode is the length code (0 to 28) of each match length.
var lengthCode [maxMatch + 1]uint8

// distCodes finds the distance code of dist-1: directly below 256, and by its
// upper bits above.
var distCodes [512]uint8

func init() {
	next := uint16(minMatch)
	for code, extra := range lengthExtra {
		lengthBase[code] = next
		for range 1 << extra {
			if next <= maxMatch {
				lengthCode[next] = uint8(code)
			}
			next++
		}
	}
	// 258 has a code of its own and not the last value of the code before.
	lengthBase[28] = maxMatch
	lengthCode[maxMatch] = 28

	first := 1
	for code, extra := range distExtra {
		distBase[code] = uint16(first)
		for dist := first; dist < first+1<<extra; dist++ {
			if dist <= 256 {
				distCodes[dist-1] = uint8(code)
			} else {
				distCodes[256+(dist-1)>>7] = uint8(code)
			}
		}
		first += 1 << extra
	}
}

// distCode returns the distance code of a distance of 1 to 32,768.
func distCode(dist uint16) uint8 {
	d := uint32(dist) - 1
	if d >= 256 {
		d = 256 + d>>7
	}
	return distCodes[d&511]
}
