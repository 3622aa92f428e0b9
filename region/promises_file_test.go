package region

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

// A file with more than one hard link is never written in place: on a real
// file system the snapshot keeps its hash over payloads, headers, holes,
// truncation and compaction.
func TestSnapshotKeepsItsHash(t *testing.T) {
	dir := t.TempDir()
	path, snapshot := filepath.Join(dir, "r.0.0.mca"), filepath.Join(dir, "snapshot")
	f, err := Open(path, Options{PunchHoles: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := range Slot(20) {
		write(t, f, s, payload(s, 1, 9000))
	}
	write(t, f, 30, payload(30, 1, 100_000)) // the tail that goes
	if err := vfs.OS().Link(path, snapshot); err != nil {
		t.Fatal(err)
	}
	want := hashOf(t, snapshot)
	g, err := f.Stage(Write{Slot: 1, Scheme: codec.None, Data: payload(1, 2, 9000)})
	if err != nil {
		t.Fatal(err)
	}
	if hashOf(t, snapshot) != want {
		t.Fatal("the snapshot has changed before anything was published")
	}
	if err := g.Publish(); err != nil {
		t.Fatal(err)
	}
	g.Release()
	if err := f.Write(context.Background(), Write{Slot: 30, Delete: true}); err != nil {
		t.Fatal(err)
	}
	for v := 2; v < 8; v++ {
		for s := range Slot(20) {
			write(t, f, s, payload(s, v, 2000*v))
		}
	}
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	if hashOf(t, snapshot) != want {
		t.Fatal("the snapshot has changed")
	}
	if got := f.Metrics().LinkBreaks; got != 1 {
		t.Fatalf("%d clones were made for one link", got)
	}
	for s := range Slot(20) {
		wantRecord(t, f, s, payload(s, 7, 14_000))
	}
}

// A link that is made while a published group holds its old sectors keeps
// them: no hole is punched and no tail cut off a linked file.
func TestLinkedFileIsNotCutOrPunched(t *testing.T) {
	r := newRig(Options{PunchHoles: true}, vfs.MemOptions{})
	r.group(repeat(4, 9000)...)
	r.save(edit{slot: 9, size: 400_000})
	st := r.stage(edit{slot: 1, size: 100}, edit{slot: 9})
	r.submit(st.saves)
	if err := st.g.Publish(); err != nil {
		t.Fatal(err)
	}
	r.ack(st.saves)
	r.link("snapshot")
	st.g.Release()
	r.close()
	y := &tally{}
	y.inspectLinks(r.mem, r)
	for _, p := range y.problems {
		t.Error(p)
	}
	r.save(edit{slot: 2, size: 100})
	r.settle(t, nil)
}

func hashOf(t *testing.T, path string) [32]byte {
	t.Helper()
	data, err := vfs.ReadFile(vfs.OS(), path, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(data)
}

// linkless is a file system that cannot count links.
type linkless struct{ vfs.FS }

type linklessFile struct{ vfs.File }

func (l linkless) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	f, err := l.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return linklessFile{f}, nil
}

func (f linklessFile) Stat() (vfs.FileInfo, error) {
	info, err := f.File.Stat()
	info.Links = 0
	return info, err
}

// Where links cannot be counted the file is taken for linked, once for each
// opening.
func TestUnknownLinkCountIsTakenForALink(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 9000))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := m.Link(testPath, "w/snapshot"); err != nil {
		t.Fatal(err)
	}
	want, err := vfs.ReadFile(m, "w/snapshot", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for opening := range 3 {
		f := open(t, linkless{m}, Options{})
		for v := range 5 {
			write(t, f, 1, payload(1, v, 9000))
			write(t, f, 2, payload(2, v, 4000*v+100))
		}
		if got := f.Metrics().LinkBreaks; got != 1 {
			t.Fatalf("opening %d: %d clones", opening, got)
		}
		wantRecord(t, f, 1, payload(1, 4, 9000))
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := vfs.ReadFile(m, "w/snapshot", 1<<20); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("opening %d: the snapshot has changed (%v)", opening, err)
		}
	}
}

// A full file is compacted first; if that is not possible the error is
// ErrFull and nothing has changed.
func TestFullFileIsCompactedElseRefused(t *testing.T) {
	r := newRig(Options{}, vfs.MemOptions{})
	r.group(repeat(6, 9000)...)
	f := r.file
	fill := func() { // as if 2 GiB of holes were in use
		f.mu.Lock()
		defer f.mu.Unlock()
		f.sectors.retain(extent{f.sectors.end, MaxSectors - f.sectors.end})
	}
	fill()
	r.save(edit{slot: 1, size: 20_000})
	if got := f.Metrics().Compactions; got != 1 {
		t.Fatalf("%d compactions", got)
	}
	p := r.pin()
	fill()
	header := f.Header()
	err := f.Write(context.Background(), Write{Slot: 1, Scheme: codec.None, Data: payload(1, 9, 30_000)})
	wantErr(t, err, ErrFull)
	if *f.Header() != *header {
		t.Fatal("the header has changed")
	}
	r.unpin(p)
	for s := range Slot(6) {
		if end := f.Entry(s).Location.Sector() + f.Entry(s).Location.Count(); end > MaxSectors {
			t.Fatalf("slot %d ends at sector %d", s, end)
		}
	}
	r.settle(t, nil)
}

// Records beyond 2 GiB are read, and none is written there.
func TestFileOverTwoGiBIsReadAndWrittenBelow(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 9000))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	const far = MaxSectors + 10
	record := make([]byte, 3*SectorBytes)
	putRecordHeader(record, 9000, codec.None, false)
	copy(record[RecordHeaderBytes:], payload(2, 1, 9000))
	overwrite(t, m, testPath, record, far*SectorBytes)
	var h Header
	data, err := vfs.ReadFile(m, testPath, 4<<30)
	if err != nil {
		t.Fatal(err)
	}
	copy(h[:], data)
	h.Set(2, Entry{MakeLocation(far, 3), 1})
	overwrite(t, m, testPath, h[:], 0)

	f, err = Open(testPath, Options{FS: m})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	wantRecord(t, f, 2, payload(2, 1, 9000))
	for s := range Slot(10) {
		write(t, f, s, payload(s, 2, 9000))
		if got := f.Entry(s).Location; got.Sector()+got.Count() > MaxSectors {
			t.Fatalf("slot %d was written to sector %d", s, got.Sector())
		}
	}
}

// A stub of an external body takes a fresh sector each time, and the body of
// an interrupted replacement is one that its stub describes.
func TestStubTakesAFreshSector(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	last := Location(0)
	for v := range 4 {
		write(t, f, 3, payload(3, v, big+v))
		if l := f.Entry(3).Location; l == last || l.Count() != 1 {
			t.Fatalf("version %d has its stub at %v", v, l)
		}
		last = f.Entry(3).Location
	}
}

// Absent and unreadable are different: whatever is wrong with a record, it is
// never read as absent, and not overwritten without the flag.
func TestDamagedRecordIsNotAbsent(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, m *vfs.Mem, l Location){
		"length 0":       spoil(0, 0, 0, 0, 0),
		"length -1":      spoil(0, 0xff, 0xff, 0xff, 0xff),
		"length 2^31-1":  spoil(0, 0x7f, 0xff, 0xff, 0xff),
		"unknown scheme": spoil(4, 77),
		"no stream":      spoil(4, byte(codec.Zlib)),
		"external":       spoil(4, byte(codec.Zlib)|externalFlag),
		"truncated": func(t *testing.T, m *vfs.Mem, l Location) {
			f, err := m.OpenFile(testPath, 2, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := f.Truncate(int64(l.Sector())*SectorBytes + 100); err != nil {
				t.Fatal(err)
			}
		},
		"gone": func(t *testing.T, m *vfs.Mem, l Location) {
			f, err := m.OpenFile(testPath, 2, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := f.Truncate(int64(l.Sector()) * SectorBytes); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newWorld(t)
			f := open(t, m, Options{})
			write(t, f, 7, payload(7, 1, 9000))
			l := f.Entry(7).Location
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, m, l)
			f, err := Open(testPath, Options{FS: m})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			_, _, err = f.Decode(7, new(codec.Decoder), nil, nil)
			var where *Error
			if err == nil || errors.Is(err, ErrAbsent) || !errors.As(err, &where) || where.Class == "" {
				t.Fatalf("reading gives %v", err)
			}
			w := Write{Slot: 7, Scheme: codec.None, Data: payload(7, 2, 100)}
			wantErr(t, f.Write(context.Background(), w), ErrUnreadable)
			wantErr(t, f.Write(context.Background(), Write{Slot: 7, Delete: true}), ErrUnreadable)
			w.Overwrite = true
			if err := f.Write(context.Background(), w); err != nil {
				t.Fatal(err)
			}
			wantRecord(t, f, 7, payload(7, 2, 100))
		})
	}
}

func spoil(at int64, b ...byte) func(*testing.T, *vfs.Mem, Location) {
	return func(t *testing.T, m *vfs.Mem, l Location) {
		overwrite(t, m, testPath, b, int64(l.Sector())*SectorBytes+at)
	}
}

// A record of more than 255 sectors, as other servers wrote them, is freed
// whole, and once: when its entry goes, whatever comes after it.
func TestRecordBeyondTheCountIsFreedOnce(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 9000))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	const sectors = 300
	record := make([]byte, sectors*SectorBytes)
	putRecordHeader(record, len(record)-RecordHeaderBytes, codec.None, false)
	copy(record[RecordHeaderBytes:], payload(2, 1, len(record)-RecordHeaderBytes))
	overwrite(t, m, testPath, record, 5*SectorBytes)
	data, err := vfs.ReadFile(m, testPath, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	h := (*Header)(data)
	h.Set(2, Entry{MakeLocation(5, 255), 1})
	overwrite(t, m, testPath, h[:], 0)

	f = open(t, m, Options{})
	wantRecord(t, f, 2, payload(2, 1, len(record)-RecordHeaderBytes))
	a, err := f.Stage(Write{Slot: 2, Scheme: codec.None, Data: payload(2, 2, 9000)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Publish(); err != nil {
		t.Fatal(err)
	}
	pin, err := f.Pin() // between publish and release
	if err != nil {
		t.Fatal(err)
	}
	publishAll(t, f, Write{Slot: 2, Scheme: codec.None, Data: payload(2, 3, 5000)})
	a.Release()
	for v := range 4 {
		publishAll(t, f, Write{Slot: 3, Scheme: codec.None, Data: payload(3, v, 13_000)})
	}
	rec, err := pin.Read(2, nil)
	if err != nil || !bytes.Equal(rec.Data, payload(2, 2, 9000)) {
		t.Fatalf("the pin reads %s, %v", describe(rec.Data), err)
	}
	if err := pin.Release(); err != nil {
		t.Fatal(err)
	}
	if _, live := f.Size(); live != (2+3+2+4)*SectorBytes {
		t.Fatalf("%d live sectors", live/SectorBytes)
	}
	for s := Slot(1); s <= 3; s++ {
		for i := range f.Entry(s).Location.Count() {
			if n := f.sectors.refs[f.Entry(s).Location.Sector()+i]; n != 1 {
				t.Errorf("%d holders of a sector of slot %d", n, s)
			}
		}
	}
}

// What Decode learns of a version of a slot does not count for the next one.
func TestKindBelongsToItsVersion(t *testing.T) {
	f := open(t, newWorld(t), Options{})
	write(t, f, 1, payload(1, 1, 9000))
	before := f.version[1].Load()
	write(t, f, 1, payload(1, 2, big))
	f.learn(1, before, kindOf(codec.None, false)) // a slow Decode of version 1
	if f.knownKind(1) != 0 {
		t.Fatal("the kind of an old version is believed")
	}
	write(t, f, 1, payload(1, 3, 9000))
	if es, _ := f.fs.ReadDir("w"); len(es) != 1 {
		t.Fatalf("the external body was left: %v", es)
	}
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	if f.knownKind(1) != kindOf(codec.None, false) {
		t.Fatal("compaction forgets what records are")
	}
}
