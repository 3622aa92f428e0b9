package backup

import (
	"cmp"
	"slices"

	"strata/backup/pack"
	"strata/region"
)

// layout is where the records of a region file lie in it.
type layout struct {
	size    int64
	records []placed // sorted by from
}

// placed is the bytes of a record with its length, without padding.
type placed struct {
	from, to int64
	slot     region.Slot
	sectors  int64 // end of its sectors
}

// span is a part of a file.
type span struct{ from, to int64 }

// stubBytes is the length of a stub.
const stubBytes = region.RecordHeaderBytes

// layoutOf places the records of slots in a file of that size; sizeOf is how long
// an object is.
func layoutOf(all *slots, size int64, sizeOf func(pack.ID) (int, error)) (layout, error) {
	l := layout{size: size}
	for i := range all {
		s := &all[i]
		if s.entry.Empty() || !s.readable() || s.flags&slotOddStub != 0 {
			continue
		}
		n := int64(stubBytes)
		if s.flags&slotExternal == 0 {
			object, err := sizeOf(s.id)
			if err != nil {
				return l, damaged(err)
			}
			n = 4 + int64(object)
		}
		if s.flags&slotElided != 0 {
			n = int64(s.entry.Location.Count()) * region.SectorBytes // it is encoded anew, and padded
		}
		from := int64(s.entry.Location.Sector()) * region.SectorBytes
		end := from + max(int64(s.entry.Location.Count())*region.SectorBytes, n)
		l.records = append(l.records, placed{from, from + n, region.Slot(i), end})
	}
	slices.SortFunc(l.records, func(a, b placed) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.slot, b.slot)) })
	return l, nil
}

// end is where the sectors of the last record end.
func (l *layout) end() (end int64) {
	for _, r := range l.records {
		end = max(end, r.sectors)
	}
	return end
}

// overlap reports whether sectors of two records are the same.
func (l *layout) overlap() bool {
	for i := 1; i < len(l.records); i++ {
		if l.records[i].from < l.records[i-1].sectors {
			return true
		}
	}
	return false
}

// gaps lists what lies between records, behind the header.
func (l *layout) gaps() (all []span) {
	at := int64(region.HeaderBytes)
	for _, r := range l.records {
		if r.from > at {
			all = append(all, span{at, min(r.from, l.size)})
		}
		at = max(at, r.to)
	}
	if at < l.size {
		all = append(all, span{at, l.size})
	}
	return slices.DeleteFunc(all, func(s span) bool { return s.from >= s.to })
}

// mergeSpans sorts parts of a file and joins those that touch.
func mergeSpans(all []span) (merged []span) {
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for _, s := range all {
		if n := len(merged); n > 0 && s.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, s.to)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}
