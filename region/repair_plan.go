package region

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"strata/region/codec"
)

// standing is what becomes of a slot's own entry.
type standing uint8

const (
	vacant    standing = iota // empty
	sound                     // leads to a readable record, in place as far as we can tell
	misplaced                 // leads to a readable record of another chunk of the region
	kept                      // not ours to judge: an unknown scheme, a chunk of another region, one beyond the limit
	damaged                   // does not lead to a readable record
)

// record is a record that a slot could get.
type record struct {
	verdict
	location Location // with the count that the record needs
	from     int      // the slot whose entry names it, -1: none
	body     bool     // an external file without a stub
	inlined  bool     // the stream beside a stub whose external file is missing
	resized  bool     // the length field is wrong, the stream shows the record's size
	guessed  bool     // count or length had to be guessed: it yields to records that are whole
}

// slotPlan is one slot of a planner.
type slotPlan struct {
	standing   standing
	own        *record   // of the slot's entry, unless it is vacant or damaged
	candidates []*record // others of the same chunk
	blocked    bool      // stays as it is
}

// planner decides what the entries of the repaired file are.
type planner struct {
	c    *checker
	x    *examiner
	opts RepairOptions
	now  int64
	// old is the header that is mended: the file's, with the journal's
	// entries in it. header is the repaired one.
	old, header Header
	slots       [Slots]slotPlan
	added       []addition
	size        int64 // of the repaired file
	actions     []Action
	ambiguous   []Finding
}

func newPlanner(c *checker, opts RepairOptions) *planner {
	return &planner{c: c, x: c.x, opts: opts, now: opts.Now().Unix(), old: c.header, header: c.header, size: c.x.size}
}

func (p *planner) result() *overlay {
	return &overlay{File: p.x.file, header: p.header, added: p.added, size: p.size}
}

func (p *planner) plan() error {
	for i := range p.c.used {
		p.classify(p.c.used[i].slot, p.c.used[i].verdict)
	}
	if p.opts.Image != nil {
		p.trustImage()
	}
	p.resolveOverlaps()
	if err := p.gather(); err != nil {
		return err
	}
	p.block()
	for s := range Slot(Slots) {
		p.decide(s)
	}
	p.settle()
	if p.x.failed != nil {
		return p.x.failed
	}
	if n := p.x.size; n > 0 && n < HeaderBytes {
		p.actions = append(p.actions, Action{
			Kind: PadHeader, Slot: -1, Path: p.c.report.Path,
			Reason: fmt.Sprintf("the file has %d of %d header bytes", n, HeaderBytes),
		})
		p.size = max(p.size, HeaderBytes)
	}
	return nil
}

// classify takes what was found at a slot's entry.
func (p *planner) classify(s Slot, v verdict) {
	l, sp := p.old.Location(s), &p.slots[s]
	if v.class == TooLarge && p.isThere(l, v) {
		sp.standing = kept // our limit says nothing about the chunk
		return
	}
	if v.class != "" {
		sp.standing = damaged
		p.guess(s, v)
		return
	}
	r := &record{verdict: v, from: int(s)}
	switch sp.own = r; {
	case r.opaque:
		sp.standing = kept
	case p.inPlace(s, r):
		sp.standing = sound
	case r.seen.Position.Region() != p.c.home || r.external:
		sp.standing = kept // its own region's file, or its body's name, is not ours to change
	default:
		sp.standing = misplaced
		r.dropSlack()
	}
	r.location = MakeLocation(l.Sector(), min(r.sectors(), countByLength))
}

// isThere reports whether the file has as many bytes as the record's length
// says.
func (p *planner) isThere(l Location, v verdict) bool {
	if v.size > 0 {
		return true // it was read, and decodes to more than the limit
	}
	at := int64(l.Sector()) * SectorBytes
	var head [RecordHeaderBytes]byte
	n, err := p.x.readFull(head[:], at)
	return err == nil && n == len(head) && at+4+int64(recordLength(head[:])) <= p.x.size
}

// guess makes what a damaged entry may have meant a candidate.
func (p *planner) guess(s Slot, v verdict) {
	l := p.old.Location(s)
	r := &record{verdict: v, from: int(s), guessed: true}
	switch v.class {
	case ZeroCount, BadLength, Truncated, TooLarge:
		if p.believeLength(s, r); r.class != "" {
			p.believeStream(s, r)
		}
	case ExternalMissing:
		if v.inline > 0 {
			r.verdict, r.inlined = p.x.examineInline(l, s), true
		}
	}
	r.location = MakeLocation(l.Sector(), min(r.sectors(), countByLength))
	switch {
	case !r.usable():
	case r.external && (r.actual != 0 || r.inline > 0):
		// Not a stub as anyone writes it, so it may be none; the external file
		// is a candidate without it.
	case p.inPlace(s, r):
		p.slots[s].candidates = append(p.slots[s].candidates, r)
	case r.seen.Position.Region() == p.c.home && !r.external && !r.inlined:
		t := &p.slots[r.seen.Position.Slot()]
		t.candidates = append(t.candidates, r)
	}
}

func (p *planner) inPlace(s Slot, r *record) bool {
	return !r.seen.HasPosition || r.seen.Position == p.c.home.Chunk(s)
}

// believeLength tries a record whose entry counts no sectors, or too few,
// with the count that its length field asks for.
func (p *planner) believeLength(s Slot, r *record) {
	l := p.old.Location(s)
	at := int64(l.Sector()) * SectorBytes
	var head [RecordHeaderBytes]byte
	if n, err := p.x.readFull(head[:], at); err != nil || n < len(head) {
		return
	}
	size, scheme := 4+int64(int32(binary.BigEndian.Uint32(head[:]))), codec.Scheme(head[4])
	if size < RecordHeaderBytes || at+size > p.x.size {
		return
	}
	if scheme == codec.None && r.class == BadLength && p.opts.Inspect == nil {
		return // nothing but the length, which is in doubt, says where it ends
	}
	v := p.x.examine(MakeLocation(l.Sector(), min(sectorsFor(size), countByLength)), s)
	if v.usable() && !v.slack() {
		r.verdict = v
	}
}

// believeStream tries a record whose length is damaged: most streams end with
// a checksum and so show where they end.
func (p *planner) believeStream(s Slot, r *record) {
	v := p.x.examineUnsized(p.old.Location(s), s)
	if v.usable() {
		r.verdict, r.resized = v, true
	}
}

// trustImage puts the journal's entries in, where they differ and lead to a
// readable record in place, or say that there is none.
func (p *planner) trustImage() {
	for s := range Slot(Slots) {
		image, have := p.opts.Image.Entry(s), p.old.Entry(s)
		if image == have {
			continue
		}
		next := slotPlan{standing: vacant}
		if !image.Empty() {
			v := p.x.examine(image.Location, s)
			r := &record{verdict: v, location: image.Location, from: int(s)}
			if v.class != "" || !v.opaque && !p.inPlace(s, r) {
				continue
			}
			next = slotPlan{standing: sound, own: r}
			if v.opaque {
				next.standing = kept
			}
		}
		p.slots[s] = next
		p.old.Set(s, image)
		p.header.Set(s, image)
		p.note(RestoreImage, s, have, "the journal's entry")
	}
}

// note records an action on slot s, whose entry was from.
func (p *planner) note(kind ActionKind, s Slot, from Entry, format string, args ...any) {
	p.actions = append(p.actions, Action{
		Kind: kind, Slot: int(s), Chunk: p.c.report.Pos.Chunk(s),
		From: from, To: p.header.Entry(s), Reason: fmt.Sprintf(format, args...),
	})
}

// set gives slot s the location l and a timestamp that is new, so that who
// compares headers sees that the slot has changed.
func (p *planner) set(s Slot, l Location) {
	p.header.Set(s, Entry{l, nextTimestamp(p.now, p.header.Timestamp(s))})
}

func (r *record) place() extent {
	return extent{r.location.Sector(), max(r.sectors(), r.location.Count())}
}

// resolveOverlaps decides between readable records that share sectors: one
// that says that it is this chunk keeps them before one that says nothing.
// Between others there is no telling; they stay and are reported.
func (p *planner) resolveOverlaps() {
	var own []*record
	for s := range p.slots {
		if p.slots[s].standing == sound {
			own = append(own, p.slots[s].own)
		}
	}
	slices.SortStableFunc(own, func(a, b *record) int { return cmp.Compare(a.location.Sector(), b.location.Sector()) })
	var far *record
	for _, r := range own {
		switch {
		case far == nil || r.location.Sector() >= far.needs().end():
			far = r
		case far.seen.HasPosition && !r.seen.HasPosition:
			p.slots[r.from] = slotPlan{standing: damaged}
		case r.seen.HasPosition && !far.seen.HasPosition:
			p.slots[far.from] = slotPlan{standing: damaged}
			far = r
		case r.needs().end() > far.needs().end():
			far = r
		}
	}
}

// dropSlack makes a record that claims sectors behind its stream one that is
// written anew, since they may be another's.
func (r *record) dropSlack() {
	if r.slack() {
		r.trim()
		r.resized = true
	}
}

// needs are the sectors that the record itself takes.
func (r *record) needs() extent { return extent{r.location.Sector(), r.sectors()} }
