package region

import (
	"cmp"
	"fmt"
	"slices"
)

// decide gives slot s its entry.
func (p *planner) decide(s Slot) {
	sp := &p.slots[s]
	if sp.blocked {
		return
	}
	if sp.standing == sound {
		p.mendOwn(s, sp.own)
		return
	}
	best, _ := sp.choice()
	switch {
	case best != nil:
		p.take(s, best)
	case sp.standing == misplaced:
		from := p.header.Entry(s)
		p.set(s, 0)
		p.note(Clear, s, from, "its record in sector %d is chunk %s", sp.own.location.Sector(), sp.own.seen.Position)
	}
}

// mendOwn corrects what is wrong about an entry that leads to its record.
func (p *planner) mendOwn(s Slot, r *record) {
	from := p.header.Entry(s)
	switch {
	case r.actual != 0:
		p.add(s, r, byte(r.actual)|externalFlag, 0)
		p.note(FixScheme, s, from, "the stub says %s, the external file is %s", r.scheme, r.actual)
	case r.resized:
		p.addCopy(s, r)
		p.note(FixLength, s, from, "the stream takes %d bytes", r.size-RecordHeaderBytes)
	case r.location.Sector()+r.sectors() > MaxSectors && p.canAdd(r.sectors()):
		p.addCopy(s, r)
		p.note(MoveDown, s, from, "the record lies beyond 2 GiB, in sector %d", r.location.Sector())
	case from.Location.Count() != r.location.Count():
		p.set(s, r.location)
		p.note(FixCount, s, from, "%d sectors, of which the record needs %d", from.Location.Count(), r.sectors())
	}
}

// take gives slot s another record than its entry named, or that one as it
// was guessed.
func (p *planner) take(s Slot, r *record) {
	from, sector := p.header.Entry(s), r.location.Sector()
	kind, reason := Recover, fmt.Sprintf("found in sector %d", sector)
	switch {
	case r.body:
		kind, reason = RecoverExternal, fmt.Sprintf("%s is readable, %s", p.c.report.Pos.Chunk(s).ExternalName(), r.scheme)
	case r.inlined:
		kind, reason = RecoverInline, fmt.Sprintf("the external file is missing, the stub holds a stream of %d bytes", r.stream)
	case r.from == int(s) && r.resized:
		kind, reason = FixLength, fmt.Sprintf("the stream takes %d bytes", r.stream)
	case r.from == int(s):
		kind, reason = FixCount, fmt.Sprintf("%d sectors, of which the record needs %d", from.Location.Count(), r.sectors())
	case r.from >= 0:
		kind, reason = Relocate, fmt.Sprintf("stood in slot %d, sector %d", r.from, sector)
	}
	switch {
	case r.body:
		p.add(s, r, byte(r.scheme)|externalFlag, 0)
	case r.inlined, r.resized:
		p.add(s, r, byte(r.scheme), r.stream)
	default:
		p.set(s, r.location)
	}
	p.note(kind, s, from, "%s", reason)
}

// addCopy gives slot s a copy of its record below 2 GiB.
func (p *planner) addCopy(s Slot, r *record) {
	typ, stream := byte(r.scheme), r.size-RecordHeaderBytes
	if r.external {
		typ |= externalFlag
	}
	p.add(s, r, typ, stream)
}

// canAdd reports whether n sectors have room below 2 GiB.
func (p *planner) canAdd(n uint32) bool {
	_, ok := p.freeMap(n).alloc(n)
	return ok
}

// add gives slot s a record of its own with the type byte typ and the first
// stream bytes of r. It goes behind everything the file holds, so that no
// byte of the old file is lost; only beyond 2 GiB sectors that nobody names
// are used.
func (p *planner) add(s Slot, r *record, typ byte, stream int64) {
	n := sectorsFor(RecordHeaderBytes + stream)
	x, ok := p.freeMap(n).alloc(n)
	if !ok {
		return
	}
	p.added = append(p.added, addition{
		place: x, from: int64(r.location.Sector())*SectorBytes + RecordHeaderBytes, bytes: int(stream), typ: typ,
	})
	p.size = max(p.size, int64(x.end())*SectorBytes)
	p.set(s, MakeLocation(x.start, min(n, countByLength)))
}

// freeMap is where an addition of n sectors may go.
func (p *planner) freeMap(n uint32) *sectorMap {
	m := newSectorMap()
	if inFile := sectorCount(p.size); inFile+int64(n) <= MaxSectors {
		m.retain(extent{0, uint32(inFile)})
		return m
	}
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		for _, h := range []*Header{&p.old, &p.header, &p.c.header} {
			m.retain(extent{h.Location(s).Sector(), max(h.Location(s).Count(), 1)})
		}
		for _, r := range sp.candidates {
			m.retain(r.place())
		}
		if sp.own != nil {
			m.retain(sp.own.place())
		}
	}
	for _, a := range p.added {
		m.retain(a.place)
	}
	return m
}

// settle deals with the damaged entries that nothing has replaced: they stay,
// but they do not claim sectors that are another chunk's.
func (p *planner) settle() {
	sure := p.sure()
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		from := p.header.Entry(s)
		if sp.standing != damaged || sp.blocked || from != p.old.Entry(s) {
			continue
		}
		l := from.Location
		x, err := entryExtent(p.x.file, l, p.x.size)
		if err != nil {
			p.x.fail(err) //nolint:errcheck // ends the repair
			return
		}
		i, inside := slices.BinarySearchFunc(sure, x.start, func(o extent, at uint32) int {
			if o.end() <= at {
				return -1
			}
			if o.start > at {
				return 1
			}
			return 0
		})
		switch {
		case inside:
			p.set(s, 0)
			p.note(Clear, s, from, "sector %d is part of another chunk's record", x.start)
		case i < len(sure) && x.end() > sure[i].start && x.start >= HeaderSectors:
			p.set(s, MakeLocation(x.start, min(sure[i].start-x.start, countByLength-1)))
			p.note(Shorten, s, from, "sector %d is another chunk's", sure[i].start)
		case p.opts.DropMissing && p.isNowhere(s):
			p.set(s, 0)
			p.note(Drop, s, from, "its record is nowhere")
		}
	}
}

// sure are the sectors of the records that can be read, in ascending order
// and without overlaps.
func (p *planner) sure() (list []extent) {
	for s := range Slot(Slots) {
		sp, l := &p.slots[s], p.header.Location(s)
		r := sp.own
		if best, _ := sp.choice(); best != nil && l == best.location {
			r = best
		}
		switch {
		case l == 0:
		case r != nil && r.usable() && l.Sector() == r.location.Sector():
			list = append(list, r.place())
		case l != p.old.Location(s):
			list = append(list, extent{l.Sector(), l.Count()}) // an addition
		}
	}
	slices.SortFunc(list, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	merged := list[:0]
	for _, x := range list {
		if n := len(merged); n > 0 && x.start < merged[n-1].end() {
			merged[n-1].n = max(merged[n-1].end(), x.end()) - merged[n-1].start
			continue
		}
		merged = append(merged, x)
	}
	return merged
}

// isNowhere reports whether a damaged slot's record is not in the file at
// all, so that emptying the slot drops no bytes.
func (p *planner) isNowhere(s Slot) bool {
	for i := range p.c.used {
		if u := &p.c.used[i]; u.slot == s {
			switch u.verdict.class {
			case InHeader, OutOfRange, ExternalMissing:
				return true
			}
		}
	}
	return false
}
