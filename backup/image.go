package backup

import (
	"encoding/binary"
	"sort"

	"strata/region"
)

// regionImage is a region file as it was: the header, records in their places, and
// the rest if it was kept; otherwise that is zero.
type regionImage struct {
	slots  *slots
	header *region.Header
	layout layout
	gaps   []span
	starts []int64 // of the gaps in the rest
	rest   content
	kept   bool

	restReader *contentReader // of one reader
	o          objects
	last       region.Slot // that buf holds, and one
	buf        []byte
}

// newImage reads what there is of a region file but for its records.
func (o objects) newImage(e *entry) (*regionImage, error) {
	t, err := o.table(e.region.table)
	if err != nil {
		return nil, err
	}
	i := &regionImage{rest: e.region.rest, kept: e.region.odd || e.region.exact}
	if i.slots, err = o.slots(t.Rows); err != nil {
		return nil, err
	}
	i.header = i.slots.header()
	if i.layout, err = layoutOf(i.slots, e.stat.size, o.store.Size); err != nil {
		return nil, err
	}
	if !i.kept {
		return i, nil
	}
	at := int64(0)
	i.gaps = i.layout.gaps()
	for _, g := range i.gaps {
		i.starts = append(i.starts, at)
		at += g.to - g.from
	}
	return i, nil
}

// reader is the image for one open file.
func (i *regionImage) reader(o objects) (*regionImage, error) {
	r := *i
	r.o = o
	if r.kept {
		var err error
		if r.restReader, err = o.reader(r.rest); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// readAt fills b from a place of the file.
func (i *regionImage) readAt(b []byte, at int64) error {
	if at < region.HeaderBytes {
		n := copy(b, i.header[at:])
		b, at = b[n:], at+int64(n)
	}
	if len(b) == 0 {
		return nil
	}
	clear(b)
	if err := i.fillGaps(b, at); err != nil {
		return err
	}
	end := at + int64(len(b))
	all := i.layout.records
	// Records are sorted by where they begin; a long one may begin well before.
	first := sort.Search(len(all), func(k int) bool { return all[k].from >= at })
	for k := first - 1; k >= 0 && at-all[k].from <= maxInline; k-- {
		if all[k].to > at {
			if err := i.fillRecord(&all[k], b, at); err != nil {
				return err
			}
		}
	}
	for k := first; k < len(all) && all[k].from < end; k++ {
		if err := i.fillRecord(&all[k], b, at); err != nil {
			return err
		}
	}
	return nil
}

// maxInline is how far before a place a record may begin that reaches it.
const maxInline = 1 << 30

func (i *regionImage) fillGaps(b []byte, at int64) error {
	if !i.kept {
		return nil
	}
	end := at + int64(len(b))
	k := sort.Search(len(i.gaps), func(k int) bool { return i.gaps[k].to > at })
	for ; k < len(i.gaps) && i.gaps[k].from < end; k++ {
		g := i.gaps[k]
		from, to := max(g.from, at), min(g.to, end)
		if err := i.restReader.readAt(b[from-at:to-at], i.starts[k]+from-g.from); err != nil {
			return err
		}
	}
	return nil
}

// fillRecord puts the part of a record that lies in b there.
func (i *regionImage) fillRecord(p *placed, b []byte, at int64) error {
	raw, err := i.record(p.slot)
	if err != nil {
		return err
	}
	if from := p.from - at; from >= 0 {
		copy(b[from:], raw)
	} else if -from < int64(len(raw)) {
		copy(b, raw[-from:])
	}
	return nil
}

// record is a record as it stands in the file.
func (i *regionImage) record(s region.Slot) ([]byte, error) {
	if i.last == s+1 {
		return i.buf, nil
	}
	x := &i.slots[s]
	object, err := i.o.record(x, append(i.buf[:0], 0, 0, 0, 0))
	if err != nil {
		return nil, err
	}
	i.buf, i.last = object, s+1
	if x.flags&slotExternal != 0 {
		i.buf = append(i.buf[:4], object[4]|externalFlag)
	}
	binary.BigEndian.PutUint32(i.buf, uint32(len(i.buf)-4))
	return i.buf, nil
}

// externalFlag marks the scheme of a stub.
const externalFlag = 0x80
