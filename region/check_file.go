package region

import (
	"cmp"
	"fmt"
	"slices"
)

// checker is one run of Check.
type checker struct {
	report *Report
	x      *examiner
	header Header
	used   []claim // in the order of sectors
	placed []placed
	home   Pos  // the region whose chunks the file holds
	moved  bool // home is not what the file's name says
}

// claim is what one entry says is its own, and what was found there.
type claim struct {
	slot    Slot
	place   extent
	verdict verdict
}

// placed is a chunk that says where it is.
type placed struct {
	slot Slot
	at   ChunkPos
}

// run checks the file and puts the findings in order.
func (c *checker) run() {
	c.check()
	slices.SortStableFunc(c.report.Findings, func(a, b Finding) int {
		return cmp.Or(a.Slot-b.Slot, cmp.Compare(b.Severity, a.Severity))
	})
}

func (c *checker) check() {
	r := c.report
	info, err := c.x.file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("is a folder")
	}
	if err != nil {
		c.about(IOError, -1, "%v", c.x.fail(err))
		return
	}
	r.SizeBytes, c.x.size = info.Size, info.Size
	if _, err := c.x.readFull(c.header[:], 0); err != nil {
		c.about(IOError, 0, "read header: %v", err)
		return
	}
	switch {
	case info.Size == 0:
		c.about(ZeroByte, -1, "empty region")
	case info.Size < HeaderBytes:
		c.about(ShortHeader, info.Size, "the file has %d of %d header bytes", info.Size, HeaderBytes)
	case info.Size%SectorBytes != 0:
		c.about(Unpadded, info.Size, "the last sector has %d bytes", info.Size%SectorBytes)
	}
	if !c.collect() {
		return
	}
	for i := range c.used {
		c.entry(&c.used[i])
	}
	c.overlaps()
	c.space()
	c.positions()
	c.identity()
}

// collect lists the entries in the order of their sectors, so that the file
// is read from front to back.
func (c *checker) collect() bool {
	for s := range Slot(Slots) {
		e := c.header.Entry(s)
		if e.Empty() {
			if e.Timestamp != 0 {
				c.find(EmptyTimestamp, s, "timestamp %d", e.Timestamp)
			}
			continue
		}
		x, err := entryExtent(c.x.file, e.Location, c.x.size)
		if err != nil {
			c.find(IOError, s, "read record length: %v", c.x.fail(err))
			return false
		}
		c.used = append(c.used, claim{slot: s, place: x})
	}
	c.report.Chunks = len(c.used)
	slices.SortStableFunc(c.used, func(a, b claim) int { return cmp.Compare(a.place.start, b.place.start) })
	return true
}

// entry examines the record of one slot.
func (c *checker) entry(u *claim) {
	r, s, l, v := c.report, u.slot, c.header.Location(u.slot), &u.verdict
	*v = c.x.examine(l, s)
	if v.size > 0 {
		r.Schemes[v.scheme]++
		r.PayloadBytes += v.stream
		r.StaleBytes += int64(v.stale)
		r.PaddingBytes += max(0, min(int64(u.place.n)*SectorBytes, c.x.size-int64(u.place.start)*SectorBytes)-v.size)
	}
	switch {
	case v.external:
		r.External++
		r.stubs[s/64] |= 1 << (s % 64)
	case v.class != "":
		r.unclear[s/64] |= 1 << (s % 64)
	}
	if v.class != "" {
		detail := fmt.Sprintf("location %d+%d", l.Sector(), l.Count())
		if v.err != nil {
			detail = v.err.Error()
		}
		c.find(v.class, s, "%s", detail)
	}
	if v.size > 0 {
		c.remarks(u, v)
	}
	if v.usable() && v.seen.HasPosition {
		c.placed = append(c.placed, placed{s, v.seen.Position})
	}
}

// remarks reports what does not keep the record from being read.
func (c *checker) remarks(u *claim, v *verdict) {
	s, count, need := u.slot, c.header.Location(u.slot).Count(), v.sectors()
	if v.opaque {
		c.find(UnknownScheme, s, "compression type %d (%s)", byte(v.scheme), v.scheme)
	}
	if v.actual != 0 {
		c.find(SchemeMismatch, s, "the stub says %s, the external file is %s", v.scheme, v.actual)
	}
	if v.inline > 0 {
		c.find(ExternalInline, s, "the stub holds a stream of %d bytes", v.inline)
	}
	if need < count {
		c.find(OversizedCount, s, "%d sectors of which the record needs %d", count, need)
	}
	if int64(u.place.start)+int64(need) > MaxSectors {
		c.find(BeyondLimit, s, "the record ends in sector %d", int64(u.place.start)+int64(need)-1)
	}
	if end := int64(u.place.start+need) * SectorBytes; end > c.x.size {
		c.find(ShortPadding, s, "%d bytes are missing behind the record", end-c.x.size)
	}
	if v.stale > 0 {
		c.find(StaleBytes, s, "%d bytes behind the record are not zero", v.stale)
	}
}

// overlaps reports the entries that name a sector that another one names.
// Entries that point at nothing are defects of their own.
func (c *checker) overlaps() {
	var reported [Slots]bool
	far := new(claim) // of those so far, the one that reaches farthest
	for i := range c.used {
		u := &c.used[i]
		if u.place.start < HeaderSectors || int64(u.place.start)*SectorBytes >= c.x.size {
			continue
		}
		if u.place.start < far.place.end() {
			for _, pair := range [][2]*claim{{far, u}, {u, far}} {
				if !reported[pair[0].slot] {
					reported[pair[0].slot] = true
					c.find(Overlap, pair[0].slot, "shares sector %d with chunk %s (slot %d)",
						u.place.start, c.report.Pos.Chunk(pair[1].slot), pair[1].slot)
				}
			}
		}
		if u.place.end() > far.place.end() {
			far = u
		}
	}
}

// space counts the sectors that nobody claims.
func (c *checker) space() {
	total := sectorCount(c.x.size)
	free, next := total, int64(0)
	claimed := func(from, to int64) {
		from, to = max(from, next), min(to, total)
		if to > from {
			free -= to - from
			next = to
		}
	}
	claimed(0, HeaderSectors)
	for i := range c.used {
		u := &c.used[i]
		claimed(int64(u.place.start), int64(u.place.start)+int64(u.place.n))
	}
	c.report.FreeSectors = free
}

// positions compares where chunks say that they are with their slots.
func (c *checker) positions() {
	c.home, c.moved = homeOf(c.placed, c.report.Pos, c.report.Named)
	if c.moved {
		c.about(MovedRegion, -1, "all %d chunks that say where they are belong to %s", len(c.placed), c.home.Name())
		return
	}
	for _, p := range c.placed {
		if p.at != c.home.Chunk(p.slot) {
			c.find(WrongPosition, p.slot, "the chunk says that it is %s", p.at)
		}
	}
}

// homeOf is the region whose chunks a file holds: the one its name says,
// unless all of them say that they are in one other region, and in the slots
// they are in. A file without a position in its name belongs where most of
// its chunks say.
func homeOf(chunks []placed, pos Pos, named bool) (home Pos, moved bool) {
	if len(chunks) == 0 {
		return pos, false
	}
	if !named {
		votes := map[Pos]int{}
		for _, p := range chunks {
			votes[p.at.Region()]++
		}
		home = chunks[0].at.Region()
		for _, p := range chunks { // in their order, so that equal votes give one result
			if r := p.at.Region(); votes[r] > votes[home] {
				home = r
			}
		}
		return home, false
	}
	home = chunks[0].at.Region()
	if home == pos {
		return pos, false
	}
	for _, p := range chunks {
		if p.at != home.Chunk(p.slot) {
			return pos, false
		}
	}
	return home, true
}

// identity tells files that are no region files, and headers that are gone.
func (c *checker) identity() {
	if c.header == (Header{}) {
		if n := c.x.size; n > HeaderBytes && c.anyRecord() {
			c.about(LostHeader, 0, "the header is all zeros, and records follow it")
		}
		return
	}
	if c.isForeign() && !c.anyRecord() {
		c.about(NotRegion, 0, "most locations lie beyond 2 GiB, and no sector begins a record")
	}
}

// isForeign reports whether the header is none by the look of it: no entry
// has a record of a believable length, and most point where no program could
// have written, as text and most other files do when taken for locations.
func (c *checker) isForeign() bool {
	far := 0
	for i := range c.used {
		if c.used[i].place.start >= MaxSectors {
			far++
		}
	}
	return len(c.report.Schemes) == 0 && 2*far > len(c.used)
}

// anyRecord reports whether some sector begins a record or a stub. A failed
// read counts as one: then there is no telling.
func (c *checker) anyRecord() bool {
	found, err := c.x.findStub()
	if !found && err == nil {
		err = c.x.scan(nil, func(uint32, verdict) bool {
			found = true
			return false
		})
	}
	return found || err != nil
}
