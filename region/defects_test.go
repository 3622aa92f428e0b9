package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/region/codec"
	"strata/region/vfs"
)

// victim is the slot that a defect is about; the others are healthy.
const victim Slot = 77

var defectPos = Pos{1, -2}

// defect is a fixture and what has to come of it. Most are what people have
// reported of real worlds.
type defect struct {
	name  string
	build func(m *image)
	class Class // a finding of this class has to be there
	slot  int   // of that finding
	read  Class // of reading the victim, "" for readable, absentRead for an empty slot
	opts  func(o *RepairOptions)
	acts  []string // "kind slot", in the order of the report
	left  []string // "class slot" of severity error, after the repair
	heals bool     // the victim is readable after the repair
}

const absentRead Class = "absent"

// healthy puts the chunks that no defect may harm.
func healthy(m *image) {
	m.chunk(3, codec.Zlib, 9000)
	m.chunk(40, codec.LZ4, 200)
	m.chunk(500, codec.None, 5000)
	m.chunk(1023, codec.Gzip, 100)
}

func (m *image) version(s Slot, scheme codec.Scheme, lastUpdate int64, fill int) extent {
	return m.record(0, byte(scheme), encode(m.t, scheme, chunkBytes(m.pos.Chunk(s), lastUpdate, fill)))
}

func (m *image) setLength(x extent, n uint32) {
	binary.BigEndian.PutUint32(m.bytes[int(x.start)*SectorBytes:], n)
}

var defects = []defect{
	{name: "zero bytes", class: ZeroByte, slot: -1, read: absentRead, build: func(m *image) { m.bytes = nil }},
	{name: "last sector without padding", class: Unpadded, slot: -1, heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 6000)
		m.bytes = m.bytes[:int(x.start)*SectorBytes+4+int(recordLength(m.bytes[int(x.start)*SectorBytes:]))]
	}},
	{name: "record in the last, short sector", class: ShortPadding, slot: int(victim), heals: true, build: func(m *image) {
		m.chunk(victim, codec.Zlib, 6000)
		m.bytes = m.bytes[:len(m.bytes)-1]
	}},
	{name: "header cut", class: ShortHeader, slot: -1, read: OutOfRange, build: func(m *image) {
		m.set(victim, 2, 1, 5)
		m.bytes = m.bytes[:5000]
	}, acts: []string{"pad-header -1"}, left: []string{"out-of-range 3", "out-of-range 40", "out-of-range 77", "out-of-range 500", "out-of-range 1023"}},
	{name: "header without timestamps", class: ShortHeader, slot: -1, read: OutOfRange, build: func(m *image) {
		m.set(victim, 2, 1, 5)
		m.bytes = m.bytes[:4096]
	}, opts: func(o *RepairOptions) { o.DropMissing = true },
		acts: []string{"drop 3", "drop 40", "drop 77", "drop 500", "drop 1023", "pad-header -1"}},
	{name: "text", class: NotRegion, slot: -1, read: OutOfRange, build: func(m *image) {
		m.bytes = []byte(strings.Repeat("This is no region file. ", 400))
	}, left: []string{"not-region -1", "..."}},
	{name: "short text", class: NotRegion, slot: -1, read: OutOfRange, build: func(m *image) {
		m.bytes = []byte(strings.Repeat("<html></html>\n", 30))
	}, left: []string{"not-region -1", "short-header -1", "..."}},
	{name: "location in the header", class: InHeader, slot: int(victim), read: InHeader, build: func(m *image) {
		m.set(victim, 1, 3, 5)
	}, left: []string{"in-header 77"}},
	{name: "location in the header, dropped", class: InHeader, slot: int(victim), read: InHeader, build: func(m *image) {
		m.set(victim, 0, 9, 5)
	}, opts: func(o *RepairOptions) { o.DropMissing = true }, acts: []string{"drop 77"}},
	{name: "location beyond the end", class: OutOfRange, slot: int(victim), read: OutOfRange, build: func(m *image) {
		m.set(victim, 1<<24-1, 255, 5)
	}, left: []string{"out-of-range 77"}},
	{name: "location beyond the end, two old copies", class: OutOfRange, slot: int(victim), read: OutOfRange, heals: true, build: func(m *image) {
		m.version(victim, codec.Zlib, 50, 300)
		m.version(victim, codec.Zlib, 100, 5000)
		m.version(victim, codec.Zlib, 40, 300)
		m.set(victim, 4000, 2, 5)
	}, acts: []string{"recover 77"}},
	{name: "two equally new copies", class: OutOfRange, slot: int(victim), read: OutOfRange, build: func(m *image) {
		m.version(victim, codec.Zlib, 50, 300)
		m.version(victim, codec.Zlib, 50, 5000)
		m.set(victim, 4000, 2, 5)
	}, left: []string{"ambiguous 77", "out-of-range 77"}},
	{name: "the same copy twice", class: OutOfRange, slot: int(victim), read: OutOfRange, heals: true, build: func(m *image) {
		m.version(victim, codec.Zlib, 100, 300)
		m.version(victim, codec.LZ4, 100, 300)
		m.set(victim, 4000, 2, 5)
	}, acts: []string{"recover 77"}},
	{name: "freed copies of an empty slot stay dead", class: EmptyTimestamp, slot: int(victim), read: absentRead, build: func(m *image) {
		m.version(victim, codec.Zlib, 50, 300)
		m.set(victim, 0, 0, 5)
		m.set(600, 3999, 1, 5) // makes the repair look around
	}, left: []string{"out-of-range 600"}},
	{name: "count 0", class: ZeroCount, slot: int(victim), read: ZeroCount, heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 9000)
		m.set(victim, x.start, 0, 5)
	}, acts: []string{"fix-count 77"}},
	{name: "count 0 and no record", class: ZeroCount, slot: int(victim), read: ZeroCount, build: func(m *image) {
		m.grow(m.next + 2)
		m.set(victim, m.next-1, 0, 5)
	}, left: []string{"zero-count 77"}},
	{name: "count too large", class: OversizedCount, slot: int(victim), heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 3000)
		m.grow(m.next + 2)
		m.set(victim, x.start, x.n+2, 5)
	}, acts: []string{"fix-count 77"}},
	{name: "count beyond the end", class: OversizedCount, slot: int(victim), heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 3000)
		m.set(victim, x.start, 200, 5)
	}, acts: []string{"fix-count 77"}},
	{name: "count reaches into another chunk", class: Overlap, slot: 78, heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 3000)
		m.chunk(78, codec.Zlib, 100)
		m.set(victim, x.start, x.n+1, 5)
	}, acts: []string{"fix-count 77"}},
	{name: "count too small", class: BadLength, slot: int(victim), read: BadLength, heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 9000)
		m.set(victim, x.start, 1, 5)
	}, acts: []string{"fix-count 77"}},
	{name: "count 255 of a larger record", class: "", slot: -1, heals: true, build: func(m *image) {
		x := m.record(0, byte(codec.None), chunkBytes(m.pos.Chunk(victim), 100, 300*SectorBytes))
		m.set(victim, x.start, 255, 5)
	}},
	{name: "length 0", class: BadLength, slot: int(victim), read: BadLength, build: func(m *image) {
		m.setLength(m.chunk(victim, codec.Zlib, 3000), 0)
	}, acts: []string{"fix-length 77"}, heals: true},
	{name: "length 0 of a record without compression", class: BadLength, slot: int(victim), read: BadLength, build: func(m *image) {
		m.setLength(m.chunk(victim, codec.None, 3000), 0)
	}, left: []string{"bad-length 77"}},
	{name: "length 2^31", class: BadLength, slot: int(victim), read: BadLength, build: func(m *image) {
		m.setLength(m.chunk(victim, codec.Gzip, 3000), 1<<31)
	}, acts: []string{"fix-length 77"}, heals: true},
	{name: "length 2^31-1", class: BadLength, slot: int(victim), read: BadLength, build: func(m *image) {
		m.setLength(m.chunk(victim, codec.LZ4, 3000), 1<<31-1)
	}, acts: []string{"fix-length 77"}, heals: true},
	{name: "length 2^31-1, count 255", class: TooLarge, slot: int(victim), read: TooLarge, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 3000)
		m.setLength(x, 1<<31-1)
		m.set(victim, x.start, 255, 5)
	}, acts: []string{"fix-length 77"}, heals: true},
	{name: "length 0, with an old copy", class: BadLength, slot: int(victim), read: BadLength, heals: true, build: func(m *image) {
		m.version(victim, codec.Gzip, 100, 300)
		m.setLength(m.chunk(victim, codec.None, 3000), 0)
	}, acts: []string{"recover 77"}},
	{name: "file ends inside the record", class: Truncated, slot: int(victim), read: Truncated, build: func(m *image) {
		m.chunk(victim, codec.Zlib, 9000)
		m.bytes = m.bytes[:len(m.bytes)-SectorBytes]
	}, left: []string{"truncated 77"}},
	{name: "two slots, one record", class: WrongPosition, slot: int(victim), read: "", build: func(m *image) {
		h := (*Header)(m.bytes)
		m.set(victim, h.Location(3).Sector(), h.Location(3).Count(), 5)
	}, acts: []string{"clear 77"}},
	{name: "two slots, one record, and the other's is elsewhere", class: Overlap, slot: 3, heals: true, build: func(m *image) {
		h := (*Header)(m.bytes)
		m.version(victim, codec.Zlib, 100, 3000)
		m.set(victim, h.Location(3).Sector(), h.Location(3).Count(), 5)
	}, acts: []string{"recover 77"}},
	{name: "points into another record", class: Overlap, slot: 3, read: BadLength, build: func(m *image) {
		h := (*Header)(m.bytes)
		m.set(victim, h.Location(3).Sector()+1, 1, 5)
	}, acts: []string{"clear 77"}},
	{name: "overwritten from the second sector on", class: Overlap, slot: int(victim), read: BadStream, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 9000)
		stream := encode(m.t, codec.Zlib, chunkBytes(m.pos.Chunk(78), 100, 300))
		m.record(x.start+1, byte(codec.Zlib), stream)
		m.set(78, x.start+1, 1, 5)
	}, acts: []string{"shorten 77"}, left: []string{"bad-length 77"}},
	{name: "two chunks swapped", class: WrongPosition, slot: int(victim), heals: true, build: func(m *image) {
		a, b := m.version(78, codec.Zlib, 100, 5000), m.version(victim, codec.Zlib, 100, 300)
		m.set(victim, a.start, a.n, 5)
		m.set(78, b.start, b.n, 6)
	}, acts: []string{"relocate 77", "relocate 78"}},
	{name: "chunk in an empty slot's neighbour", class: WrongPosition, slot: 80, heals: true, read: absentRead, build: func(m *image) {
		x := m.version(victim, codec.Zlib, 100, 5000)
		m.set(80, x.start, x.n, 5)
	}, acts: []string{"relocate 77", "clear 80"}},
	{name: "a second copy in another slot", class: WrongPosition, slot: 80, heals: true, build: func(m *image) {
		m.chunk(victim, codec.Zlib, 700)
		x := m.version(victim, codec.Zlib, 200, 5000)
		m.set(80, x.start, x.n, 5)
	}, acts: []string{"clear 80"}},
	{name: "two slots claim an empty slot's chunk", class: WrongPosition, slot: 80, read: absentRead, build: func(m *image) {
		x, y := m.version(victim, codec.Zlib, 100, 5000), m.version(victim, codec.Zlib, 100, 50)
		m.set(80, x.start, x.n, 5)
		m.set(81, y.start, y.n, 5)
	}, left: []string{"ambiguous 77", "wrong-position 80", "wrong-position 81"}},
	{name: "chunk of another region", class: WrongPosition, slot: int(victim), build: func(m *image) {
		x := m.record(0, byte(codec.Zlib), encode(m.t, codec.Zlib, chunkBytes(ChunkPos{-500, 9}, 100, 50)))
		m.set(victim, x.start, x.n, 5)
	}, left: []string{"wrong-position 77"}},
	{name: "external file missing", class: ExternalMissing, slot: int(victim), read: ExternalMissing, build: func(m *image) {
		m.stub(victim, codec.Zlib, nil)
	}, left: []string{"external-missing 77"}},
	{name: "external file missing, dropped", class: ExternalMissing, slot: int(victim), read: ExternalMissing, build: func(m *image) {
		m.stub(victim, codec.Zlib, nil)
	}, opts: func(o *RepairOptions) { o.DropMissing = true }, acts: []string{"drop 77"}},
	{name: "external file missing, stream in the stub", class: ExternalMissing, slot: int(victim), read: ExternalMissing, heals: true, build: func(m *image) {
		x := m.record(0, byte(codec.Zlib)|externalFlag, encode(m.t, codec.Zlib, chunkBytes(m.pos.Chunk(victim), 100, 7000)))
		m.set(victim, x.start, x.n, 5)
	}, acts: []string{"recover-inline 77"}},
	{name: "external file and stream in the stub", class: ExternalInline, slot: int(victim), heals: true, build: func(m *image) {
		m.stub(victim, codec.Zlib, encode(m.t, codec.Zlib, chunkBytes(m.pos.Chunk(victim), 100, 70)))
		x := m.record(0, byte(codec.Zlib)|externalFlag, encode(m.t, codec.Zlib, chunkBytes(m.pos.Chunk(victim), 90, 7000)))
		m.set(victim, x.start, x.n, 5)
	}},
	{name: "external file in another scheme", class: SchemeMismatch, slot: int(victim), heals: true, build: func(m *image) {
		m.stub(victim, codec.Zlib, encode(m.t, codec.LZ4, chunkBytes(m.pos.Chunk(victim), 100, 70)))
	}, acts: []string{"fix-scheme 77"}},
	{name: "stub lost", class: OutOfRange, slot: int(victim), read: OutOfRange, heals: true, build: func(m *image) {
		m.files[m.pos.Chunk(victim).ExternalName()] = encode(m.t, codec.Gzip, chunkBytes(m.pos.Chunk(victim), 100, 70))
		m.set(victim, 7000, 1, 5)
	}, acts: []string{"recover-external 77"}},
	{name: "orphan external file", class: OrphanExternal, slot: -1, read: absentRead, build: func(m *image) {
		m.files[m.pos.Chunk(victim).ExternalName()] = []byte("old")
	}},
	{name: "orphan external file, removed", class: OrphanExternal, slot: -1, read: absentRead, build: func(m *image) {
		m.files[m.pos.Chunk(victim).ExternalName()] = []byte("old")
	}, opts: func(o *RepairOptions) { o.RemoveOrphans = true }, acts: []string{"remove-orphan -1"}},
	{name: "leftovers", class: Leftover, slot: -1, read: absentRead, build: func(m *image) {
		m.files["tmp1234567890.tmp"], m.files[".strata-r.1.-2.mca.3"] = []byte("x"), nil
	}, opts: func(o *RepairOptions) { o.RemoveLeftovers = true }, acts: []string{"remove-leftover -1", "remove-leftover -1"}},
	{name: "custom scheme", class: UnknownScheme, slot: int(victim), read: UnknownScheme, build: func(m *image) {
		x := m.record(0, byte(codec.Custom), append([]byte{0, 6}, "mod:xzdata"...))
		m.set(victim, x.start, x.n, 5)
	}},
	{name: "scheme of the future", class: UnknownScheme, slot: int(victim), read: UnknownScheme, build: func(m *image) {
		m.version(victim, codec.Zlib, 90, 300) // a freed copy is no reason to give it up
		x := m.record(0, 5, []byte("zstd?"))
		m.set(victim, x.start, x.n, 5)
	}},
	{name: "stream damaged", class: BadStream, slot: int(victim), read: BadStream, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 3000)
		m.bytes[int(x.start)*SectorBytes+1000] ^= 0x10
	}, left: []string{"bad-stream 77"}},
	{name: "content refused", class: BadContent, slot: int(victim), build: func(m *image) {
		x := m.record(0, byte(codec.Zlib), encode(m.t, codec.Zlib, []byte{0}))
		m.set(victim, x.start, x.n, 5)
	}, left: []string{"bad-nbt 77"}},
	{name: "inflates beyond the limit", class: TooLarge, slot: int(victim), read: TooLarge, build: func(m *image) {
		x := m.record(0, byte(codec.Zlib), encode(m.t, codec.Zlib, make([]byte, testMaxStream+1)))
		m.set(victim, x.start, x.n, 5)
	}, left: []string{"too-large 77"}},
	{name: "inflates beyond the limit, with an old copy", class: TooLarge, slot: int(victim), read: TooLarge, build: func(m *image) {
		m.version(victim, codec.Zlib, 100, 50)
		x := m.record(0, byte(codec.LZ4), encode(m.t, codec.LZ4, make([]byte, testMaxStream+1)))
		m.set(victim, x.start, x.n, 5)
	}, left: []string{"too-large 77"}},
	{name: "stream damaged, with an old copy", class: BadStream, slot: int(victim), read: BadStream, heals: true, build: func(m *image) {
		m.version(victim, codec.Zlib, 100, 50)
		x := m.record(0, byte(codec.LZ4), encode(m.t, codec.LZ4, chunkBytes(m.pos.Chunk(victim), 200, 3000)))
		m.bytes[int(x.start)*SectorBytes+1000] ^= 0x10
		m.set(victim, x.start, x.n, 5)
	}, acts: []string{"recover 77"}},
	{name: "bytes of an older record in the padding", class: StaleBytes, slot: int(victim), heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 1000)
		copy(m.bytes[int(x.end())*SectorBytes-50:], "left over")
	}},
	{name: "timestamp of the future", class: "", slot: -1, heals: true, build: func(m *image) {
		x := m.chunk(victim, codec.Zlib, 1000)
		m.set(victim, x.start, x.n, 1<<32-1)
	}},
	{name: "header all zeros", class: LostHeader, slot: -1, read: absentRead, heals: true, build: func(m *image) {
		m.chunk(victim, codec.Zlib, 1000)
		clear(m.bytes[:HeaderBytes])
	}, opts: func(o *RepairOptions) { o.ScanEmpty = true },
		acts: []string{"recover 3", "recover 40", "recover 77", "recover 500", "recover 1023"}},
	{name: "header of random bytes", class: OutOfRange, slot: int(victim), read: OutOfRange, heals: true, build: func(m *image) {
		m.chunk(victim, codec.Zlib, 1000)
		for s := range Slot(Slots) {
			m.set(s, 1<<20+uint32(s)*977, uint32(s)&0xff, 1)
		}
	}, acts: []string{"recover 3", "recover 40", "recover 77", "recover 500", "recover 1023"}, left: []string{"..."}},
}

// brief is the "class slot" form of a finding.
func brief(f Finding) string { return fmt.Sprintf("%s %d", f.Class, f.Slot) }

func (d *defect) image(t *testing.T) *image {
	m := newImage(t, defectPos)
	healthy(m)
	d.build(m)
	return m
}

func TestDefectsAreFoundReadWrittenAroundAndRepaired(t *testing.T) {
	for i := range defects {
		d := &defects[i]
		t.Run(d.name, func(t *testing.T) {
			d.checkFound(t)
			d.checkRead(t)
			d.checkWritesAround(t)
			d.checkRepair(t)
		})
	}
}

func (d *defect) checkFound(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	d.image(t).save(fsys, "w")
	r, err := CheckFolder(context.Background(), "w", CheckOptions{FS: fsys, Inspect: inspectChunk, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(r.Findings, r.Regions[0].Findings)
	found := false
	for _, f := range all {
		if f.Severity != severities[f.Class] || f.Path == "" {
			t.Errorf("finding %+v", f)
		}
		found = found || f.Class == d.class && f.Slot == d.slot
	}
	if found != (d.class != "") {
		t.Errorf("want %s of slot %d, got %v", d.class, d.slot, all)
	}
	if d.class == "" && r.Worst() != SeverityNone {
		t.Errorf("want no finding, got %v", all)
	}
}

// classOf is the class of a read's error, absentRead or "" for none.
func classOf(t *testing.T, err error) Class {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrAbsent):
		return absentRead
	case errors.As(err, &e) && e.Class != "":
		return e.Class
	}
	t.Errorf("an error without a class: %v", err)
	return ""
}

func readClass(t *testing.T, f *File, s Slot) Class {
	_, _, err := f.Decode(s, new(codec.Decoder), nil, nil)
	return classOf(t, err)
}

func (d *defect) checkRead(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := d.image(t).save(fsys, "w")
	f, err := Open(path, Options{FS: fsys, ReadOnly: true, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readClass(t, f, victim); got != d.read {
		t.Errorf("reading gives %q, want %q", got, d.read)
	}
}

func (d *defect) checkWritesAround(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := d.image(t).save(fsys, "w")
	before := contents(t, fsys, path)
	f, err := Open(path, Options{FS: fsys, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	written := map[Slot][]byte{}
	if d.read != "" && d.read != absentRead {
		err := f.Write(context.Background(), Write{Slot: victim, Scheme: codec.None, Data: []byte("x")})
		if !errors.Is(err, ErrUnreadable) || !errors.Is(err, d.read) {
			t.Errorf("writing over the damaged record: %v", err)
		}
	}
	for i := range 100 {
		s := Slot(100 + rng.IntN(60))
		if i%10 == 0 {
			s = 40 // a healthy chunk: its sectors become free
		}
		data := chunkBytes(defectPos.Chunk(s), int64(1000+i), rng.IntN(20000))
		err := f.Write(context.Background(), Write{Slot: s, Scheme: codec.None, Data: data})
		if errors.Is(err, ErrUnreadable) {
			continue // this fixture has damaged that slot, too
		}
		if err != nil {
			t.Fatal(err)
		}
		written[s] = data
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	after := contents(t, fsys, path)
	wantSame(t, "after writes elsewhere", after, before, 40)
	wantSame(t, "written", after, written)
	g, err := Open(path, Options{FS: fsys, ReadOnly: true, MaxStream: testMaxStream})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	got := readClass(t, g, victim)
	if d.read == OutOfRange || d.read == Truncated {
		return // the file has grown, so that what was missing may be there now
	}
	if got != d.read {
		t.Errorf("after writes elsewhere reading gives %q, want %q", got, d.read)
	}
}

func (d *defect) checkRepair(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	m := d.image(t)
	path := m.save(fsys, "w")
	before := contents(t, fsys, path)
	opts := RepairOptions{FS: fsys, Inspect: inspectChunk, MaxStream: testMaxStream, Now: func() time.Time { return time.Unix(2000, 0) }}
	if d.opts != nil {
		d.opts(&opts)
	}
	opts.DryRun = true
	plan, err := Repair(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got := fileBytes(t, fsys, path); !bytes.Equal(got, m.bytes) {
		t.Error("a dry run has changed the file")
	}
	opts.DryRun = false
	r, err := Repair(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	plan.DryRun, plan.Changed = false, r.Changed
	if diff := cmp.Diff(plan, r); diff != "" {
		t.Errorf("the plan was another one:\n%s", diff)
	}
	d.wantReport(t, r)
	after := contents(t, fsys, path)
	wantSame(t, "after the repair", after, before)
	if _, ok := after[victim]; ok != d.heals {
		t.Errorf("readable after the repair: %v", ok)
	} else if ok && !bytes.Equal(after[victim][:20], chunkBytes(defectPos.Chunk(victim), 100, 0)[:20]) {
		t.Error("another version was recovered")
	}
	d.checkKept(t, fsys, m, r)
	d.checkAgain(t, fsys, path, opts, r)
}

func (d *defect) wantReport(t *testing.T, r *RepairReport) {
	var acts, left []string
	for _, a := range r.Actions {
		acts = append(acts, fmt.Sprintf("%s %d", a.Kind, a.Slot))
		if a.Reason == "" {
			t.Errorf("no reason: %+v", a)
		}
	}
	for _, f := range r.Unrepairable {
		left = append(left, brief(f))
	}
	if d := cmp.Diff(d.acts, acts); d != "" {
		t.Errorf("actions:\n%s", d)
	}
	want := d.left
	if n := len(want); n > 0 && want[n-1] == "..." && len(left) >= n-1 {
		want, left = want[:n-1], left[:n-1]
	}
	if d := cmp.Diff(want, left); d != "" && len(want)+len(left) > 0 {
		t.Errorf("unrepairable:\n%s", d)
	}
}

// checkKept wants a raw copy of a file that was changed, or in which there is
// something to choose, and of no other.
func (d *defect) checkKept(t *testing.T, fsys vfs.FS, m *image, r *RepairReport) {
	choice := slices.ContainsFunc(r.Unrepairable, func(f Finding) bool { return f.Class == Ambiguous })
	if (r.Changed || choice) != (r.Kept != "") {
		t.Errorf("changed %v, kept %q", r.Changed, r.Kept)
	}
	if r.Kept != "" && !bytes.Equal(fileBytes(t, fsys, r.Kept), m.bytes) {
		t.Error("the raw copy is not the old file")
	}
}

// checkAgain wants a second repair to find nothing to do, and Check to report
// as errors only what the first one said it could not repair.
func (d *defect) checkAgain(t *testing.T, fsys vfs.FS, path string, opts RepairOptions, first *RepairReport) {
	listed := map[string]bool{}
	for _, f := range first.Unrepairable {
		listed[brief(f)] = true
	}
	for _, f := range testCheck(t, fsys, path).Findings {
		if f.Severity >= SeverityError && !listed[brief(f)] {
			t.Errorf("left and not listed: %v", f)
		}
	}
	r, err := Repair(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Changed || len(r.Actions) > 0 {
		t.Errorf("a second repair does %v", r.Actions)
	}
}
