package journal

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// record is what the journal holds of one epoch.
type record struct {
	levelOld, levelNew state // of level.dat
	regions            []regionChange
	files              []fileChange // applied in this order, removals last
}

// regionChange is a region file's part.
type regionChange struct {
	at      place
	header  *region.Header // whole, as the epoch leaves it
	entries []entryChange  // by slot, ascending
}

type entryChange struct {
	slot     region.Slot
	old, new region.Entry
	// stream is the length of what follows the five bytes of the record's
	// header in the region file, 0 for a stub; sum is the xxh64 of both.
	// Both are 0 for a deletion.
	stream uint32
	sum    uint64
}

// fileChange puts the file with the base name temporary in the place of at, or
// removes at if temporary is empty.
type fileChange struct {
	at        place
	temporary string
	old, new  state
}

func (f *fileChange) removes() bool { return f.temporary == "" }

func (r *record) chunks() (n int) {
	for i := range r.regions {
		n += len(r.regions[i].entries)
	}
	return n
}

// entryOf is what a record says of a change of a region file.
func entryOf(c *region.Change) entryChange {
	e := entryChange{slot: c.Slot, old: c.Old, new: c.New}
	if c.New.Empty() {
		return e
	}
	if c.BodyTo == "" {
		e.stream = uint32(len(c.Data))
	}
	d := xxhash.New()
	head := recordHeader(c.Scheme, c.BodyTo != "", e.stream)
	d.Write(head[:])           //nolint:errcheck // a hash takes everything
	d.Write(c.Data[:e.stream]) //nolint:errcheck // as above
	e.sum = d.Sum64()
	return e
}

// recordHeader is how region writes it: the length of what follows, then the
// compression type, with its highest bit set in a stub.
func recordHeader(s codec.Scheme, stub bool, stream uint32) (h [region.RecordHeaderBytes]byte) {
	binary.BigEndian.PutUint32(h[:], stream+1)
	h[4] = byte(s)
	if stub {
		h[4] |= 0x80
	}
	return h
}

// check says what is wrong with a record, "" if it may be written and read.
// It bounds what a record of others could make us do.
func (r *record) check(main string) string {
	seen := map[place]bool{}
	for i := range r.regions {
		if problem := r.regions[i].check(main); problem != "" {
			return problem
		}
		if seen[r.regions[i].at] {
			return "a file occurs twice"
		}
		seen[r.regions[i].at] = true
	}
	for i := range r.files {
		f := &r.files[i]
		if problem := f.check(main); problem != "" {
			return problem
		}
		if seen[f.at] || !f.removes() && seen[f.at.beside(f.temporary)] {
			return "a file occurs twice"
		}
		seen[f.at] = true
		if !f.removes() {
			seen[f.at.beside(f.temporary)] = true
		}
		if f.at == levelPlace(main) && (f.old != r.levelOld || f.new != r.levelNew) {
			return "level.dat has two states"
		}
	}
	return ""
}

func levelPlace(main string) place { return place{main, "level.dat"} }

func (c *regionChange) check(main string) string {
	if _, ok := region.ParseName(c.at.base()); !ok || !c.at.valid(main) {
		return "not a region file's path"
	}
	for i, e := range c.entries {
		switch l := e.new.Location; {
		case e.slot >= region.Slots || i > 0 && e.slot <= c.entries[i-1].slot:
			return "slots are not in order"
		case c.header.Entry(e.slot) != e.new:
			return "entry and header differ"
		case l == 0 && (e.stream != 0 || e.sum != 0):
			return "empty slot with a payload"
		case l != 0 && (l.Sector() < region.HeaderSectors || region.RecordHeaderBytes+int64(e.stream) > int64(l.Count())*region.SectorBytes):
			return "payload is larger than its sectors"
		}
	}
	return ""
}

func (f *fileChange) check(main string) string {
	switch {
	case !f.at.valid(main) || strings.HasPrefix(f.at.base(), vfs.TempPrefix):
		return "not a file's path"
	case f.removes() && (f.new.present || !f.old.present), !f.removes() && !f.new.present:
		return "new state is wrong"
	case f.removes():
		return ""
	case !strings.HasPrefix(f.temporary, vfs.TempPrefix) || strings.Contains(f.temporary, "/") || !f.at.beside(f.temporary).valid(main):
		return "not a temporary file's name"
	}
	return ""
}

// sort brings entries into the order that a record needs, and removals last.
func (r *record) sort() {
	for i := range r.regions {
		slices.SortFunc(r.regions[i].entries, func(a, b entryChange) int { return int(a.slot) - int(b.slot) })
	}
	slices.SortStableFunc(r.files, func(a, b fileChange) int { return order(a) - order(b) })
}

func order(f fileChange) int {
	if f.removes() {
		return 1
	}
	return 0
}
