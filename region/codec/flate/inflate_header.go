package flate

// preOrder is the order in which a dynamic block gives the lengths of the code
// length code (RFC 1951 section 3.2.7).
var preOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readTables reads the codes of a dynamic block and makes their tables.
func (d *Decoder) readTables() error {
	d.fill()
	nlit := d.take(5) + 257
	ndist := d.take(5) + 1
	npre := d.take(4) + 4
	if nlit > maxLitCodes {
		return d.fail(ErrCorrupt, "too many literal/length codes")
	}
	if ndist > maxDistCodes {
		return d.fail(ErrCorrupt, "too many distance codes")
	}
	var pre [19]uint8
	for i, s := range preOrder[:npre] {
		if i%16 == 0 { // 16 of them are 48 bits
			d.fill()
		}
		pre[s] = uint8(d.take(3))
	}
	if d.consumed() > len(d.in) {
		return d.fail(ErrTruncated, "")
	}
	if !buildTable(d.dyn.pre[:], pre[:], preEntries[:], preBits) {
		return d.fail(ErrCorrupt, "code length code is not complete")
	}
	lens := d.dyn.lens[:nlit+ndist]
	if err := d.readLens(lens); err != nil {
		return err
	}
	if !buildTable(d.dyn.lit[:], lens[:nlit], litEntries[:], litBits) {
		return d.fail(ErrCorrupt, "literal/length code is not complete")
	}
	if !buildTable(d.dyn.dist[:], lens[nlit:], distEntries[:], distBits) {
		return d.fail(ErrCorrupt, "distance code is not complete")
	}
	return nil
}

// readLens reads the code lengths of both codes; a run may cross from one to
// the other.
func (d *Decoder) readLens(lens []uint8) error {
	for i := 0; i < len(lens); {
		if d.nbits < 7+7 {
			d.fill()
		}
		e := d.dyn.pre[d.bits&(1<<preBits-1)]
		d.drop(uint(e & 63))
		if e&entrySpecial != 0 {
			return d.fail(ErrCorrupt, "unused code length code")
		}
		symbol := e >> 16
		if symbol < 16 {
			lens[i] = uint8(symbol)
			i++
			continue
		}
		var run int
		var value uint8
		switch symbol {
		case 16:
			if i == 0 {
				return d.fail(ErrCorrupt, "repeat before the first code length")
			}
			value, run = lens[i-1], 3+d.take(2)
		case 17:
			run = 3 + d.take(3)
		default:
			run = 11 + d.take(7)
		}
		if run > len(lens)-i {
			return d.fail(ErrCorrupt, "too many code lengths")
		}
		for range run {
			lens[i] = value
			i++
		}
	}
	if d.consumed() > len(d.in) {
		return d.fail(ErrTruncated, "")
	}
	return nil
}
