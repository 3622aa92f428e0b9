package flate

// What may be wrong with a distance.
const (
	tooFarBack     = "distance too far back"
	unusedDistance = "unused distance code"
)

const (
	// fastInput is how much input a round of the fast loop needs: two loads of
	// eight bytes, the second up to eight bytes further on.
	fastInput = 16

	// fastSlack is how much space it needs: two literals and a match of 258
	// bytes, whose copy may write up to 31 bytes beyond its end, and some more.
	fastSlack = 300
)

// fast decodes literals and matches while input and output have room for a
// round without further checks. It stops, with the symbol not consumed, at an
// end of block and at unused literal/length codes; the result is empty then.
// With a match whose distance is wrong it stops behind it and says why.
//
// Of bc only the low six bits count here: entries are subtracted from it whole,
// whatever their upper bits hold.
func (d *Decoder) fast() (wrong string) {
	in, out, t := d.in, d.out, d.t
	pos, op, bb, bc := d.pos, d.op, d.bits, uint64(d.nbits)
	inEnd, outEnd := len(in)-fastInput, len(out)-fastSlack

	bb |= load64(in, pos) << (bc & 63)
	pos += int(^bc >> 3 & 7)
	bc |= 56
	e := t.lit[bb&(1<<litBits-1)]
	for pos <= inEnd && op <= outEnd {
		if int32(e) < 0 {
			store8(out, op, byte(e>>16))
			op++
			bb >>= e & 63
			bc -= uint64(e)
			e = t.lit[bb&(1<<litBits-1)]
			if int32(e) < 0 {
				store8(out, op, byte(e>>16))
				op++
				bb >>= e & 63
				bc -= uint64(e)
				e = t.lit[bb&(1<<litBits-1)]
				if int32(e) < 0 {
					store8(out, op, byte(e>>16))
					op++
					bb >>= e & 63
					bc -= uint64(e)
					bb |= load64(in, pos) << (bc & 63)
					pos += int(^bc >> 3 & 7)
					bc |= 56
					e = t.lit[bb&(1<<litBits-1)]
					continue
				}
			}
			bb |= load64(in, pos) << (bc & 63)
			pos += int(^bc >> 3 & 7)
			bc |= 56
		}
		if e&entrySpecial != 0 {
			if e&entryLink == 0 {
				break
			}
			e = t.lit[e>>16+uint32(bb>>litBits)&(1<<(e>>8&31)-1)]
			if e&entrySpecial != 0 {
				break
			}
			bb >>= litBits
			bc -= litBits
			if int32(e) < 0 {
				store8(out, op, byte(e>>16))
				op++
				bb >>= e & 63
				bc -= uint64(e)
				bb |= load64(in, pos) << (bc & 63)
				pos += int(^bc >> 3 & 7)
				bc |= 56
				e = t.lit[bb&(1<<litBits-1)]
				continue
			}
		}
		length := int(e>>16) + int(bb&(1<<(e&63)-1)>>(e>>8&63))
		bb >>= e & 63
		bc -= uint64(e)

		e = t.dist[bb&(1<<distBits-1)]
		if e&entrySpecial != 0 && e&entryLink != 0 {
			bb >>= distBits
			bc -= distBits
			e = t.dist[e>>16+uint32(bb)&(1<<(e>>8&31)-1)]
		}
		// An unused code has base and extra bits 0, so it fails the test below.
		distance := int(e>>16) + int(bb&(1<<(e&63)-1)>>(e>>8&63))
		bb >>= e & 63
		bc -= uint64(e)
		if uint(distance-1) >= uint(op) {
			wrong = tooFarBack
			if distance == 0 {
				wrong = unusedDistance
			}
			break
		}

		// Look up the next symbol before the copy: its branches are hard to
		// foresee, and this work then survives a wrong guess.
		bb |= load64(in, pos) << (bc & 63)
		pos += int(^bc >> 3 & 7)
		bc |= 56
		e = t.lit[bb&(1<<litBits-1)]

		from, to := op-distance, op
		op += length
		if distance >= 8 {
			store64(out, to, load64(out, from))
			store64(out, to+8, load64(out, from+8))
			store64(out, to+16, load64(out, from+16))
			store64(out, to+24, load64(out, from+24))
			for length > 32 {
				to += 32
				from += 32
				length -= 32
				store64(out, to, load64(out, from))
				store64(out, to+8, load64(out, from+8))
				store64(out, to+16, load64(out, from+16))
				store64(out, to+24, load64(out, from+24))
			}
			continue
		}
		// The pattern is shorter than a word: repeat it within one.
		v := load64(out, from) & (1<<(8*uint(distance)&63) - 1) * spread[distance&7]
		step := int(stride[distance&7])
		for {
			store64(out, to, v)
			store64(out, to+step, v)
			to += 2 * step
			store64(out, to, v)
			store64(out, to+step, v)
			to += 2 * step
			if to >= op {
				break
			}
		}
	}
	d.pos, d.op, d.bits, d.nbits = pos, op, bb, uint(bc&63)
	return wrong
}

var (
	// spread[n] times a word of n bytes repeats them through eight bytes.
	spread = [8]uint64{
		1: 0x0101010101010101,
		2: 0x0001000100010001,
		3: 1 | 1<<24 | 1<<48,
		4: 1 | 1<<32,
		5: 1 | 1<<40,
		6: 1 | 1<<48,
		7: 1 | 1<<56,
	}
	// stride[n] is the largest multiple of n up to 8.
	stride = [8]uint8{8, 8, 8, 6, 8, 5, 6, 7}
)
