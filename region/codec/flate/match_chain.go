package flate

import "math/bits"

// A chainMatcher finds matches through hash chains: head holds the newest
// position of each hash of four bytes, prev the position before it with the
// same hash. A second table of three-byte hashes knows the newest position
// only, since short matches are worth their bits only when they are near.
//
// Positions are kept in their low 16 bits. The window is 32 KiB, so the
// distance back to an entry is the difference of the two in 16 bits; an entry
// older than 64 KiB, or one never set, thereby names some other position. That
// costs a comparison and no more, because candidates are compared before they
// are believed, and it saves the moving of the window. It also makes a
// cleared table a valid one.
type chainMatcher struct {
	head4 [1 << head4Bits]uint16
	head3 [1 << head3Bits]uint16
	prev  [windowBytes]uint16
}

// farShort is the distance from which a match of three bytes costs more than
// its literals.
const farShort = 4096

const (
	head4Bits = 15
	head3Bits = 12
	hashPrime = 0x9E3779B1
)

func hash4(v uint32) uint32 { return v * hashPrime >> (32 - head4Bits) }
func hash3(v uint32) uint32 { return v << 8 * hashPrime >> (32 - head3Bits) }

// reset forgets all positions. prev may keep its old entries unless a source
// is so long that an old entry can be taken for one of its own.
func (m *chainMatcher) reset(srcBytes int) {
	clear(m.head4[:])
	clear(m.head3[:])
	if srcBytes > 1<<16 {
		clear(m.prev[:])
	}
}

// insert enters the positions from pos to end, as far as four bytes follow.
func (m *chainMatcher) insert(src []byte, pos, end int) {
	end = min(end, len(src)-3)
	for ; pos < end; pos++ {
		v := load32(src, pos)
		h := hash4(v)
		m.prev[pos&(windowBytes-1)] = m.head4[h]
		m.head4[h] = uint16(pos)
		m.head3[hash3(v)] = uint16(pos)
	}
}

// insertShort enters pos into the table of three-byte hashes.
func (m *chainMatcher) insertShort(src []byte, pos int) {
	m.head3[hash3(load32(src, pos))] = uint16(pos)
}

// findShort enters pos into the table of three-byte hashes and returns the
// distance of the position that was there, or zero if it does not match or is
// too far to be of use.
func (m *chainMatcher) findShort(src []byte, pos int) int {
	v := load32(src, pos)
	h := hash3(v)
	d := int(uint16(pos) - m.head3[h])
	m.head3[h] = uint16(pos)
	if d <= min(farShort, pos) && (load32(src, pos-d)^v)<<8 == 0 {
		return d
	}
	return 0
}

// find enters pos into the chains and returns the longest match there that is longer than
// best, and its distance, which is zero when there is none. It looks at no
// more than depth candidates and is content with one of nice bytes. At least
// four bytes and most bytes follow pos, and best is at least 3.
func (m *chainMatcher) find(src []byte, pos, best, most, nice, depth int) (length, dist int) {
	v := load32(src, pos)
	h4 := hash4(v)
	cand := m.head4[h4]
	m.head4[h4] = uint16(pos)
	m.prev[pos&(windowBytes-1)] = cand
	if best >= most {
		return best, 0
	}
	// Whatever is longer than best has these four bytes at its end.
	tail := load32(src, pos+best-3)
	last, far := 0, min(pos, windowBytes)
	for {
		// Distances grow along a chain; where they do not, it has ended.
		d := int(uint16(pos) - cand)
		if d <= last || d > far {
			return best, dist
		}
		last = d
		at := pos - d
		if load32(src, at+best-3) == tail && load32(src, at) == v {
			n := 4
			for {
				if n+8 > most {
					for n < most && src[at+n] == src[pos+n] {
						n++
					}
					break
				}
				if x := load64(src, at+n) ^ load64(src, pos+n); x != 0 {
					n += bits.TrailingZeros64(x) >> 3
					break
				}
				n += 8
			}
			if n > best {
				best, dist = n, d
				if n >= nice {
					return best, dist
				}
				tail = load32(src, pos+best-3)
			}
		}
		depth--
		if depth <= 0 {
			return best, dist
		}
		cand = m.prev[at&(windowBytes-1)]
	}
}

// better returns about how many quarter bytes the match l, d saves over the
// match length, dist.
func better(length, dist, l, d int) int {
	return 4*(l-length) + bits.Len32(uint32(dist)) - bits.Len32(uint32(d))
}

// shortestUseful guesses from a sample of the source at pos how long a match
// must be to cost less than its bytes as literals: where few values occur a
// literal takes few bits.
func shortestUseful(src []byte, pos int) int {
	const samples = 512
	stride := min(len(src)-pos, 1<<16) / samples
	if stride == 0 {
		return minMatch // too few to tell
	}
	stride |= 1 // lest a sample of 64-bit values sees one byte of each
	var seen [256]bool
	values := 0
	for k, i := 0, pos; k < samples && i < len(src); k, i = k+1, i+stride {
		if !seen[src[i]] {
			seen[src[i]] = true
			values++
		}
	}
	switch {
	case values > 40:
		return minMatch
	case values > 20:
		return 4
	case values > 10:
		return 5
	case values > 5:
		return 6
	case values > 2:
		return 7
	default:
		return 8
	}
}
