package backup

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"time"

	"strata/anvil/store"
	"strata/backup/pack"
	"strata/backup/source"
	"strata/region"
	"strata/region/vfs"
)

// entry is a file of a snapshot: what is in it, and what it was, to tell whether
// it has changed. It is a row of the snapshot's table.
type entry struct {
	kind source.Kind
	stat stat
	// data is the content of a data file and of an external file that no region
	// file names; of other external files it is that of the record, size 0.
	data content
	// region is set for region files. One that is too short to be one is Data.
	region *regionEntry
	// dimension and record are of region files and external files.
	dimension string
	record    store.Kind
}

// regionEntry is what there is of a region file.
type regionEntry struct {
	table pack.ID // of slots
	// sum is the xxh64 of the live header.
	sum uint64
	// chunks is the number of slots that are not empty.
	chunks int64
	// odd: something of it cannot be read, or its records overlap. It comes back
	// with every byte in its place, as exact ones do, of which rest has all bytes
	// that records and header do not have.
	odd, exact bool
	rest       content
}

// stat is what a file was.
type stat struct {
	mode          fs.FileMode
	size          int64
	mod, change   int64 // ns since 1970
	device, inode uint64
}

func statOf(i vfs.FileInfo) stat {
	return stat{i.Mode, i.Size, nanos(i.ModTime), nanos(i.ChangeTime), i.Device, i.Inode}
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func (s stat) modTime() time.Time { return time.Unix(0, s.mod) }

const (
	flagParts    = 1 << iota // of data
	flagOdd                  // of a region
	flagExact                //
	flagRest                 // there is one
	flagRestList             // and it is a list
	flagDim                  // there is a dimension
)

func (e *entry) append(b []byte) []byte {
	flags := byte(0)
	set := func(on bool, bit byte) {
		if on {
			flags |= bit
		}
	}
	set(e.data.parts, flagParts)
	set(e.dimension != "", flagDim)
	if g := e.region; g != nil {
		set(g.odd, flagOdd)
		set(g.exact, flagExact)
		set(!g.rest.id.IsZero(), flagRest)
		set(g.rest.parts, flagRestList)
	}
	b = append(b, byte(e.kind), flags)
	b = binary.AppendUvarint(b, uint64(e.stat.mode))
	b = appendInt(b, e.stat.size)
	b = appendInt(b, e.stat.mod)
	b = appendInt(b, e.stat.change)
	b = binary.AppendUvarint(b, e.stat.device)
	b = binary.AppendUvarint(b, e.stat.inode)
	if e.dimension != "" {
		b = append(b, byte(e.record), byte(len(e.dimension)))
		b = append(b, e.dimension...)
	}
	switch {
	case e.kind == source.Folder:
	case e.region == nil:
		b = append(b, e.data.id[:]...)
		b = appendInt(b, e.data.size)
	default:
		g := e.region
		b = append(b, g.table[:]...)
		b = binary.LittleEndian.AppendUint64(b, g.sum)
		b = appendInt(b, g.chunks)
		if !g.rest.id.IsZero() {
			b = append(b, g.rest.id[:]...)
			b = appendInt(b, g.rest.size)
		}
	}
	return b
}

// entryReader takes an entry apart, which may be damaged.
type entryReader struct {
	b   []byte
	bad bool
}

func (r *entryReader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, n)
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *entryReader) byte() byte { return r.take(1)[0] }

func (r *entryReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.bad = r.bad || n <= 0
	r.b = r.b[max(0, min(n, len(r.b))):]
	return v
}

func (r *entryReader) varint() int64 {
	v, n := binary.Varint(r.b)
	r.bad = r.bad || n <= 0
	r.b = r.b[max(0, min(n, len(r.b))):]
	return v
}

func (r *entryReader) size() int64 {
	n := r.varint()
	r.bad = r.bad || n < 0 || n > 1<<50
	return n
}

func parseEntry(text string) (*entry, error) {
	r := &entryReader{b: []byte(text)}
	e := &entry{kind: source.Kind(r.byte())}
	flags := r.byte()
	e.stat = stat{mode: fs.FileMode(r.uvarint()), size: r.size(), mod: r.varint(), change: r.varint(), device: r.uvarint(), inode: r.uvarint()}
	if flags&flagDim != 0 {
		e.record = store.Kind(r.byte())
		e.dimension = string(r.take(int(r.byte())))
	}
	switch e.kind {
	case source.Folder:
	case source.Data, source.External:
		e.data = content{id: pack.ID(r.take(len(pack.ID{}))), parts: flags&flagParts != 0, size: r.size()}
	case source.RegionFile:
		g := &regionEntry{odd: flags&flagOdd != 0, exact: flags&flagExact != 0}
		g.table = pack.ID(r.take(len(pack.ID{})))
		g.sum = binary.LittleEndian.Uint64(r.take(8))
		g.chunks = r.size()
		if flags&flagRest != 0 {
			g.rest = content{id: pack.ID(r.take(len(pack.ID{}))), parts: flags&flagRestList != 0, size: r.size()}
		}
		e.region = g
	default:
		r.bad = true
	}
	// What is left is not as it would be written.
	r.bad = r.bad || string(e.append(nil)) != text
	if r.bad || len(r.b) > 0 || e.record > store.POI {
		return nil, fmt.Errorf("an entry of a snapshot: %w", ErrDamaged)
	}
	return e, nil
}

// slot is what a slot of a region file holds. It is a row of the region's table,
// whose key is the slot. Of the ID the row has the first half, which the store
// completes: IDs do not compress, and are the most of what a table takes.
type slot struct {
	entry region.Entry
	flags byte
	id    pack.ID // zero if it is empty or cannot be read
	// last is LastUpdate, of an elided one.
	last uint64
}

const (
	slotExternal   = 1 << iota
	slotUnreadable // its bytes are in the rest
	slotOddStub    // an external one of which the stub holds more, in the rest
	slotElided     // the object is that of another version; see elider
)

const slotBytes = 4 + 4 + 1 + pack.PrefixBytes

func (s *slot) value() string {
	b := make([]byte, 0, slotBytes)
	b = binary.BigEndian.AppendUint32(b, uint32(s.entry.Location))
	b = binary.BigEndian.AppendUint32(b, s.entry.Timestamp)
	b = append(b, s.flags)
	b = append(b, s.id[:pack.PrefixBytes]...)
	if s.flags&slotElided != 0 {
		b = binary.BigEndian.AppendUint64(b, s.last)
	}
	return string(b)
}

// slots is what a region file holds.
type slots [region.Slots]slot

// readable reports whether the slot has a record.
func (s *slot) readable() bool { return !s.id.IsZero() }

func slotKey(i region.Slot) string { return string([]byte{byte(i >> 8), byte(i)}) }

func (o objects) slots(t []tableRow) (*slots, error) {
	var all slots
	for _, row := range t {
		if len(row.Key) != 2 || len(row.Value) < slotBytes {
			return nil, fmt.Errorf("a slot of a region: %w", ErrDamaged)
		}
		i := region.Slot(row.Key[0])<<8 | region.Slot(row.Key[1])
		if i >= region.Slots {
			return nil, fmt.Errorf("slot %d of a region: %w", i, ErrDamaged)
		}
		b := []byte(row.Value)
		if elided := b[8]&slotElided != 0; elided && len(b) != slotBytes+8 || !elided && len(b) != slotBytes {
			return nil, fmt.Errorf("slot %d of a region: %w", i, ErrDamaged)
		}
		all[i] = slot{
			entry: region.Entry{Location: region.Location(binary.BigEndian.Uint32(b)), Timestamp: binary.BigEndian.Uint32(b[4:])},
			flags: b[8], id: o.store.Complete([pack.PrefixBytes]byte(b[9:])),
		}
		if len(b) > slotBytes {
			all[i].last = binary.BigEndian.Uint64(b[slotBytes:])
		}
	}
	return &all, nil
}

func (s *slots) rows() (rows []tableRow) {
	for i := range region.Slot(region.Slots) {
		if s[i] != (slot{}) {
			rows = append(rows, tableRow{Key: slotKey(i), Value: s[i].value()})
		}
	}
	return rows
}

// header is the header that the slots make.
func (s *slots) header() *region.Header {
	var h region.Header
	for i := range s {
		h.Set(region.Slot(i), s[i].entry)
	}
	return &h
}
