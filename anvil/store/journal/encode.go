package journal

import (
	"encoding/binary"
	"fmt"

	"strata/region"
)

// MaxRecord is the longest record in bytes: some 7,000 region files.
const MaxRecord = 64 << 20

// The body of a record, after the head:
//
//	level.dat         state, state (old, new)
//	region files      u32 count, then each:
//	    place, header (8,192 bytes), u16 count of entries, then each:
//	        u16 slot, old location and timestamp (u32, u32), new ones,
//	        u32 stream bytes, u64 xxh64
//	files             u32 count, then each:
//	    place, temporary (u16 length, base name; none to remove),
//	    state, state (old, new)
//
//	place             u8 length, root's name; u16 length, path
//	state             u8 present, u64 size, u64 xxh64
const (
	stateBytes      = 17
	entryBytes      = 2 + 4*4 + 4 + 8
	minPlaceBytes   = 3
	minRegionBytes  = minPlaceBytes + region.HeaderBytes + 2
	minFileBytes    = minPlaceBytes + 2 + 2*stateBytes
	maxTemporaryLen = 255
)

// append appends the body.
func (r *record) append(b []byte) []byte {
	b = appendState(appendState(b, r.levelOld), r.levelNew)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.regions)))
	for i := range r.regions {
		c := &r.regions[i]
		b = append(appendPlace(b, c.at), c.header[:]...)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(c.entries)))
		for _, e := range c.entries {
			b = binary.LittleEndian.AppendUint16(b, uint16(e.slot))
			b = appendEntry(appendEntry(b, e.old), e.new)
			b = binary.LittleEndian.AppendUint32(b, e.stream)
			b = binary.LittleEndian.AppendUint64(b, e.sum)
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.files)))
	for i := range r.files {
		f := &r.files[i]
		b = appendText(appendPlace(b, f.at), f.temporary)
		b = appendState(appendState(b, f.old), f.new)
	}
	return b
}

// size is the length of what append appends.
func (r *record) size() int {
	n := 2*stateBytes + 2*4
	for i := range r.regions {
		c := &r.regions[i]
		n += minRegionBytes + len(c.at.root) + len(c.at.path) + len(c.entries)*entryBytes
	}
	for i := range r.files {
		f := &r.files[i]
		n += minFileBytes + len(f.at.root) + len(f.at.path) + len(f.temporary)
	}
	return n
}

func appendState(b []byte, s state) []byte {
	present := byte(0)
	if s.present {
		present = 1
	}
	b = binary.LittleEndian.AppendUint64(append(b, present), uint64(s.size))
	return binary.LittleEndian.AppendUint64(b, s.sum)
}

func appendEntry(b []byte, e region.Entry) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Location))
	return binary.LittleEndian.AppendUint32(b, e.Timestamp)
}

func appendPlace(b []byte, p place) []byte {
	b = append(append(b, byte(len(p.root))), p.root...)
	return appendText(b, p.path)
}

func appendText(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s)))
	return append(b, s...)
}

// parse reads the body of a record. Memory is taken in proportion to what is
// there, whatever the counts say. The error wraps errDamaged.
func parse(body []byte, main string) (*record, error) {
	d := &decoder{rest: body}
	r := &record{levelOld: d.state(), levelNew: d.state()}
	for range d.count(minRegionBytes) {
		c := regionChange{at: d.place(), header: new(region.Header)}
		copy(c.header[:], d.take(region.HeaderBytes))
		n := int(d.u16())
		if n > region.Slots || n*entryBytes > len(d.rest) {
			d.fail("more entries than slots or bytes")
			break
		}
		c.entries = make([]entryChange, n)
		for i := range c.entries {
			c.entries[i] = d.entryChange()
		}
		if d.err != nil {
			break
		}
		r.regions = append(r.regions, c)
	}
	for range d.count(minFileBytes) {
		f := fileChange{at: d.place(), temporary: d.text(maxTemporaryLen)}
		f.old, f.new = d.state(), d.state()
		if d.err != nil {
			break
		}
		r.files = append(r.files, f)
	}
	if len(d.rest) > 0 {
		d.fail("bytes behind the last file")
	}
	if d.err == nil {
		if problem := r.check(main); problem != "" {
			d.fail(problem)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	return r, nil
}

// decoder reads fields until one is not there; then the rest is empty and
// every further field zero.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(problem string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", errDamaged, problem)
	}
	d.rest = nil
}

func (d *decoder) take(n int) []byte {
	if n > len(d.rest) {
		d.fail("ends early")
		return make([]byte, min(n, 8)) // enough for every number
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) u16() uint16 { return binary.LittleEndian.Uint16(d.take(2)) }
func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }

// count is a number of things that take at least size bytes each.
func (d *decoder) count(size int) int {
	n := int(d.u32())
	if n > len(d.rest)/size {
		d.fail("count is more than the record has bytes for")
		return 0
	}
	return n
}

func (d *decoder) text(limit int) string {
	n := int(d.u16())
	if n > limit {
		d.fail("text is too long")
		return ""
	}
	return string(d.take(n))
}

func (d *decoder) place() place {
	n := int(d.take(1)[0])
	root := d.take(n)
	return place{string(root), d.text(maxPath)}
}

func (d *decoder) state() state {
	present := d.take(1)[0]
	s := state{present == 1, int64(d.u64()), d.u64()}
	if present > 1 || s.size < 0 || !s.present && s != (state{}) {
		d.fail("no state of a file")
	}
	return s
}

func (d *decoder) entryChange() entryChange {
	e := entryChange{slot: region.Slot(d.u16())}
	e.old, e.new = d.entry(), d.entry()
	e.stream, e.sum = d.u32(), d.u64()
	return e
}

func (d *decoder) entry() region.Entry {
	return region.Entry{Location: region.Location(d.u32()), Timestamp: d.u32()}
}
