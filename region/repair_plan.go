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
	kept                      // not ours to judge: an unknown scheme, or a chunk of another region
	damaged                   // does not lead to a readable record
)

// record is a record that a slot could get.
type record struct {
	verdict
	location Location // with the count that the record needs
	from     int      // the slot whose entry names it, -1: none
	body     bool     // an external file without a stub
	inlined  bool     // the stream beside a stub whose external file is missing
	// guessed: the entry's count does not fit the record, so that the record
	// yields to one whose entry is whole.
	guessed bool
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
	r := &record{verdict: v, from: int(s)}
	switch v.class {
	case ZeroCount, BadLength:
		p.believeLength(s, r)
	case ExternalMissing:
		if v.inline > 0 {
			if in := p.x.examineInline(l, s); in.usable() {
				r.verdict, r.inlined = in, true
			}
		}
	}
	switch {
	case r.class != "":
		sp.standing = damaged
		return
	case r.opaque:
		sp.standing = kept
	case p.inPlace(s, r):
		sp.standing = sound
	case r.seen.Position.Region() != p.c.home || r.external:
		sp.standing = kept // its own region's file, or its body's name, is not ours to change
	default:
		sp.standing = misplaced
	}
	r.location = MakeLocation(l.Sector(), min(r.sectors(), countByLength))
	sp.own = r
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
	if n, err := readFull(p.x.file, head[:], at); err != nil || n < len(head) {
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
	if v.usable() {
		r.verdict, r.guessed = v, true
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
// whose entry is whole keeps them before one whose count was guessed, and one
// that says that it is this chunk before one that says nothing. Between
// others there is no telling; they stay and are reported.
func (p *planner) resolveOverlaps() {
	var own []*record
	for s := range p.slots {
		if p.slots[s].standing == sound && !p.slots[s].own.body {
			own = append(own, p.slots[s].own)
		}
	}
	slices.SortStableFunc(own, func(a, b *record) int { return cmp.Compare(a.location.Sector(), b.location.Sector()) })
	var far *record
	for _, r := range own {
		need := extent{r.location.Sector(), r.sectors()}
		if far == nil || need.start >= far.location.Sector()+far.sectors() {
			far = r
			continue
		}
		switch keep, lose := preferred(far, r); {
		case lose == nil:
			if need.end() > far.location.Sector()+far.sectors() {
				far = r
			}
		default:
			p.slots[lose.from] = slotPlan{standing: damaged}
			far = keep
		}
	}
}

// preferred is which of two records that share sectors keeps them; lose is
// nil if neither is better.
func preferred(a, b *record) (keep, lose *record) {
	for _, better := range []func(r, o *record) bool{
		func(r, o *record) bool { return !r.guessed && o.guessed },
		func(r, o *record) bool { return r.seen.HasPosition && !o.seen.HasPosition },
	} {
		if better(a, b) {
			return a, b
		}
		if better(b, a) {
			return b, a
		}
	}
	return a, nil
}
