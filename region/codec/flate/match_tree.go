package flate

import "math/bits"

// A treeMatcher finds, at each position, for every length the nearest match of
// at least that length, as far as its search goes. Positions with the same
// hash of four bytes form a binary tree in the order of the bytes that follow
// them, the newest position at the root, so that a walk from the root meets
// ever longer matches at ever greater distances, and at the same time divides
// the tree into what sorts before and after the new position: its children.
//
// Positions are kept as their distance from origin, plus a window and one, so
// that a zero is always too far away.
type treeMatcher struct {
	origin int
	head4  [1 << treeHead4Bits]uint32
	head3  [1 << treeHead3Bits][2]uint32 // the newest position and the one before
	child  [2 * windowBytes]uint32
}

const (
	treeHead4Bits = 16
	treeHead3Bits = 14
	treeBias      = windowBytes + 1
	treeSpan      = 1 << 30 // farthest position from origin
)

// A match is one that the source offers at some position.
type match struct {
	length, dist uint16
}

// reset forgets all positions before origin.
func (m *treeMatcher) reset(origin int) {
	clear(m.head4[:])
	clear(m.head3[:])
	m.origin = origin
}

// find enters pos and appends its matches of up to most bytes to out, by
// rising length and distance. At least four bytes follow pos, and most bytes.
// The search looks at depth positions and ends with a match of nice bytes.
// nice is the same in all calls and most is maxMatch, save that neither is more
// than what follows pos in src: the tree is in order only as far as all
// searches look.
func (m *treeMatcher) find(src []byte, pos, most, nice, depth int, out []match) []match {
	if pos-m.origin >= treeSpan {
		m.reset(pos)
	}
	v := load32(src, pos)
	self := uint32(pos - m.origin + treeBias)
	best := minMatch - 1

	pair := &m.head3[v<<8*hashPrime>>(32-treeHead3Bits)]
	for _, cand := range pair {
		d := int(self - cand)
		if d > windowBytes {
			break
		}
		if (load32(src, pos-d)^v)<<8 == 0 {
			out = append(out, match{minMatch, uint16(d)})
			best = minMatch
			break
		}
	}
	pair[1], pair[0] = pair[0], self

	root := &m.head4[v*hashPrime>>(32-treeHead4Bits)]
	cand := *root
	*root = self
	// before and after are where the next position that sorts so belongs.
	slot := 2 * (pos & (windowBytes - 1))
	before, after := slot, slot+1
	beforeLen, afterLen := 0, 0
	for {
		d := int(self - cand)
		// The oldest position of the window shares its place with pos.
		if d >= windowBytes || depth <= 0 {
			m.child[before], m.child[after] = 0, 0
			return out
		}
		depth--
		at := pos - d
		n := min(beforeLen, afterLen)
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
		slot := 2 * (at & (windowBytes - 1))
		if n > best {
			best = n
			out = append(out, match{uint16(n), uint16(d)})
		}
		if n >= nice {
			// Equal as far as anyone looks: pos takes the place of at.
			m.child[before], m.child[after] = m.child[slot], m.child[slot+1]
			return out
		}
		if src[at+n] < src[pos+n] {
			m.child[before] = cand
			before, beforeLen = slot+1, n
			cand = m.child[before]
		} else {
			m.child[after] = cand
			after, afterLen = slot, n
			cand = m.child[after]
		}
	}
}
