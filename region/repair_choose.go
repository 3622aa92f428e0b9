package region

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"strata/region/codec"
)

// gather finds the records that could stand for chunks whose own entry is no
// good: those in other chunks' slots, those in sectors that nobody names, and
// external files without a stub.
func (p *planner) gather() error {
	var taken []extent
	searching := p.opts.ScanEmpty || slices.ContainsFunc(p.slots[:], func(sp slotPlan) bool { return sp.searched() })
	var bodies [Slots]bool
	if searching {
		var err error
		if bodies, err = p.bodies(); err != nil {
			return err
		}
	}
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		if sp.standing == misplaced {
			t := sp.own.seen.Position.Slot()
			p.slots[t].candidates = append(p.slots[t].candidates, sp.own)
		}
		if bodies[s] && (sp.searched() || sp.standing == vacant && p.opts.ScanEmpty) {
			if r := p.body(s); r != nil {
				sp.candidates = append(sp.candidates, r)
			}
		}
		if sp.own != nil {
			taken = append(taken, sp.own.needs())
		}
	}
	slices.SortFunc(taken, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	p.dropGuesses(taken)
	// A record that no entry names can be told only by its content.
	if p.opts.Inspect == nil || !searching {
		return nil
	}
	return p.x.scan(taken, func(at uint32, v verdict) bool {
		if c := v.seen.Position; v.seen.HasPosition && c.Region() == p.c.home {
			sp := &p.slots[c.Slot()]
			if sp.searched() || sp.standing == vacant && p.opts.ScanEmpty {
				r := &record{verdict: v, from: -1}
				r.dropSlack()
				r.location = MakeLocation(at, min(r.sectors(), countByLength))
				sp.candidates = append(sp.candidates, r)
			}
		}
		return true
	})
}

// dropGuesses drops the candidates that were guessed and lie on records that
// need no guess.
func (p *planner) dropGuesses(taken []extent) {
	for s := range p.slots {
		sp := &p.slots[s]
		sp.candidates = slices.DeleteFunc(sp.candidates, func(r *record) bool {
			return r.guessed && slices.ContainsFunc(taken, func(x extent) bool {
				return x.start < r.needs().end() && r.needs().start < x.end()
			})
		})
	}
}

func (sp *slotPlan) searched() bool { return sp.standing == damaged || sp.standing == misplaced }

// bodies are the slots whose chunks have an external file.
func (p *planner) bodies() (have [Slots]bool, err error) {
	entries, err := p.x.fs.ReadDir(filepath.Dir(p.c.report.Path))
	if err != nil || !p.c.report.Named {
		return have, err
	}
	for _, e := range entries {
		if c, ok := ParseExternalName(e.Name()); ok && c.Region() == p.c.report.Pos {
			have[c.Slot()] = true
		}
	}
	return have, nil
}

// body is the chunk's external file if there is one that can be read. Its
// name says whose it is.
func (p *planner) body(s Slot) *record {
	data, class, _ := p.x.readExternal(s)
	if class != "" || len(data) == 0 {
		return nil
	}
	// Any bytes decode as none, so that comes last; judge tries it only if
	// the callback can tell.
	r := &record{verdict: verdict{scheme: codec.Zlib, external: true, size: RecordHeaderBytes, stream: int64(len(data))}, from: -1, body: true}
	p.x.judge(&r.verdict, data, s)
	if !r.usable() || !p.inPlace(s, r) {
		return nil
	}
	if r.actual != 0 {
		r.scheme, r.actual = r.actual, 0
	}
	return r
}

// rank orders candidates, the best first: the newest, and of equally new ones
// that which an entry names.
func rank(a, b *record) int {
	named := func(r *record) int {
		if r.from >= 0 {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.seen.LastUpdate, a.seen.LastUpdate), named(a)-named(b))
}

// choice is the best candidate of a slot. equal has more than one element if
// several are equally good and differ; then there is no choice.
func (sp *slotPlan) choice() (best *record, equal []*record) {
	if len(sp.candidates) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(sp.candidates, rank)
	best = sp.candidates[0]
	differ := false
	for _, r := range sp.candidates {
		if rank(best, r) != 0 {
			break
		}
		equal = append(equal, r)
		differ = differ || r.content != best.content
	}
	if differ {
		return nil, equal
	}
	return best, equal[:1]
}

// block marks the slots that stay as they are: those that are not ours to
// judge, those without a clear choice, and those whose record belongs to such
// a slot, for it would be named by nobody.
func (p *planner) block() {
	for s := range Slot(Slots) {
		sp := &p.slots[s]
		if sp.standing == kept {
			sp.blocked = true
		}
		if sp.standing == sound || sp.standing == kept {
			continue
		}
		if _, equal := sp.choice(); len(equal) > 1 {
			sp.blocked = true
			p.ambiguous = append(p.ambiguous, p.ambiguity(s, equal))
		}
	}
	for again := true; again; {
		again = false
		for s := range p.slots {
			sp := &p.slots[s]
			if sp.standing == misplaced && !sp.blocked && p.slots[sp.own.seen.Position.Slot()].blocked {
				sp.blocked, again = true, true
			}
		}
	}
}

func (p *planner) ambiguity(s Slot, equal []*record) Finding {
	var places []string
	for _, r := range equal {
		if r.body {
			places = append(places, "external file")
		} else {
			places = append(places, fmt.Sprintf("sector %d", r.location.Sector()))
		}
	}
	return Finding{
		Class: Ambiguous, Severity: Ambiguous.Severity(), Path: p.c.report.Path,
		Slot: int(s), Chunk: p.c.report.Pos.Chunk(s), Sector: -1, Offset: -1,
		Detail: "equally new: " + strings.Join(places, ", "),
	}
}

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
