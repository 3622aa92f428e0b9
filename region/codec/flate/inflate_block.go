package flate

// huffmanBlock decodes the symbols of a block up to its end: the fast loop as
// long as it can, and the careful one near the ends of input and output and for
// all that is out of the ordinary.
func (d *Decoder) huffmanBlock() error {
	for {
		if d.pos <= len(d.in)-fastInput && d.op <= len(d.out)-fastSlack {
			if wrong := d.fast(); wrong != "" {
				return d.fail(ErrCorrupt, wrong)
			}
		}
		end, err := d.symbol()
		if err != nil || end {
			return err
		}
	}
}

// symbol decodes one literal, match or end of block, with every check. All its
// bits are loaded at once: at most 15+5 for a length and 15+13 for a distance.
func (d *Decoder) symbol() (end bool, err error) {
	d.fill()
	e := d.t.lit[d.bits&(1<<litBits-1)]
	if e&entrySpecial != 0 && e&entryLink != 0 {
		d.drop(litBits)
		e = d.t.lit[e>>16+uint32(d.bits)&(1<<(e>>8&15)-1)]
	}
	v := e>>16&0x7FFF + uint32(d.bits)&(1<<(e&63)-1)>>(e>>8&15)
	d.drop(uint(e & 63))
	if d.consumed() > len(d.in) {
		return false, d.fail(ErrTruncated, "")
	}
	if e&entryLit != 0 {
		if err := d.room(1); err != nil {
			return false, err
		}
		d.out[d.op] = byte(e >> 16)
		d.op++
		return false, nil
	}
	if e&entrySpecial != 0 {
		if e&entryEnd != 0 {
			return true, nil
		}
		return false, d.fail(ErrCorrupt, "unused literal/length code")
	}
	return false, d.match(int(v))
}

// match decodes the distance of a match and copies it.
func (d *Decoder) match(length int) error {
	e := d.t.dist[d.bits&(1<<distBits-1)]
	if e&entrySpecial != 0 && e&entryLink != 0 {
		d.drop(distBits)
		e = d.t.dist[e>>16&0x7FFF+uint32(d.bits)&(1<<(e>>8&15)-1)]
	}
	distance := int(e>>16 + uint32(d.bits)&(1<<(e&63)-1)>>(e>>8&15))
	d.drop(uint(e & 63))
	if d.consumed() > len(d.in) {
		return d.fail(ErrTruncated, "")
	}
	if e&entrySpecial != 0 {
		return d.fail(ErrCorrupt, unusedDistance)
	}
	if distance > d.op {
		return d.fail(ErrCorrupt, tooFarBack)
	}
	if err := d.room(length); err != nil {
		return err
	}
	to := d.out[d.op : d.op+length]
	from := d.out[d.op-distance:]
	if distance >= length {
		copy(to, from)
	} else {
		for i := range to {
			to[i] = from[i]
		}
	}
	d.op += length
	return nil
}
