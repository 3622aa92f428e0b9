package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"strata/region/codec"
	"strata/region/vfs"
)

const testPath = "w/r.0.0.mca"

func newWorld(t testing.TB) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAllSync(m, "w", 0o755); err != nil {
		t.Fatal(err)
	}
	return m
}

// open opens a region file whose check must be clean when the test ends.
func open(t testing.TB, fsys vfs.FS, opts Options) *File {
	t.Helper()
	opts.FS = fsys
	f, err := Open(testPath, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("close: %v", err)
		}
		checkClean(t, fsys, testPath)
	})
	return f
}

// checkClean fails the test if the full check finds an error.
func checkClean(t testing.TB, fsys vfs.FS, path string) {
	t.Helper()
	if _, err := fsys.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return
	}
	f, err := Open(path, Options{FS: fsys, ReadOnly: true})
	if err != nil {
		t.Errorf("check: %v", err)
		return
	}
	defer f.Close()
	used := map[uint32]Slot{}
	for s := range Slot(Slots) {
		rec, err := f.Read(s, nil)
		if errors.Is(err, ErrAbsent) {
			continue
		}
		if err != nil {
			t.Errorf("check: %v", err)
			continue
		}
		l := rec.Entry.Location
		for i := range l.Count() {
			if other, taken := used[l.Sector()+i]; taken {
				t.Errorf("slots %d and %d share sector %d", s, other, l.Sector()+i)
			}
			used[l.Sector()+i] = s
		}
	}
}

// payload is a stream of n bytes that names its slot and version.
func payload(s Slot, version, n int) []byte {
	b := make([]byte, max(n, 16))
	binary.LittleEndian.PutUint64(b, uint64(s))
	binary.LittleEndian.PutUint64(b[8:], uint64(version))
	r := rand.New(rand.NewPCG(uint64(s), uint64(version)))
	for i := 16; i < len(b); i += 8 {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], r.Uint64())
		copy(b[i:], w[:])
	}
	return b
}

func write(t testing.TB, f *File, s Slot, data []byte) {
	t.Helper()
	if err := f.Write(context.Background(), Write{Slot: s, Scheme: codec.None, Data: data}); err != nil {
		t.Fatal(err)
	}
}

func wantRecord(t testing.TB, f *File, s Slot, data []byte) {
	t.Helper()
	rec, err := f.Read(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(rec.Data, data) {
		t.Fatalf("slot %d: got %d bytes that are not the %d written", s, len(rec.Data), len(data))
	}
}

func wantErr(t testing.TB, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("got error %v, want %v", got, want)
	}
}

func TestWrittenChunkIsReadBackByTheSameAndTheNextOpening(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	sizes := []int{16, 4091, 4092, 8187, 8188, 50_000, 1_044_475, 1_044_476, 2_000_000}
	for i, n := range sizes {
		write(t, f, Slot(i*7), payload(Slot(i*7), 1, n))
	}
	for i, n := range sizes {
		wantRecord(t, f, Slot(i*7), payload(Slot(i*7), 1, n))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	g := open(t, m, Options{ReadOnly: true})
	for i, n := range sizes {
		wantRecord(t, g, Slot(i*7), payload(Slot(i*7), 1, n))
	}
	_, err := g.Read(1, nil)
	wantErr(t, err, ErrAbsent)
	rec, err := g.Read(49, nil)
	if err != nil || !rec.External != (sizes[7] < 1_044_476) {
		t.Fatalf("slot 49: external %v, %v", rec.External, err)
	}
}

func TestExternalBoundaryIsTheGames(t *testing.T) {
	// 1,044,475 bytes of stream and 5 of header are 255 sectors exactly.
	if isExternal(1_044_475) || !isExternal(1_044_476) {
		t.Fatal("the boundary between inline and external is off")
	}
}

func TestOpenForReadingCreatesNothing(t *testing.T) {
	m := newWorld(t)
	_, err := Open(testPath, Options{FS: m, ReadOnly: true})
	wantErr(t, err, fs.ErrNotExist)
	d, err := OpenFolder("w", FolderOptions{Options: Options{FS: m, ReadOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = d.Read(ChunkPos{5, 5}, nil)
	wantErr(t, err, ErrAbsent)
	if es, _ := m.ReadDir("w"); len(es) != 0 {
		t.Fatalf("reading created %v", es)
	}
	_, err = OpenFolder("none", FolderOptions{Options: Options{FS: m, ReadOnly: true}})
	wantErr(t, err, fs.ErrNotExist)
}

func TestWriteChunkReusesFreedSectors(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	for v := range 200 {
		write(t, f, 3, payload(3, v, 9000))
	}
	if total, _ := f.Size(); total > (HeaderSectors+2*3)*SectorBytes {
		t.Fatalf("one chunk of 3 sectors rewritten 200 times takes %d bytes", total)
	}
}

func TestDeleteEmptiesTheSlotAndKeepsATimestamp(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 9, payload(9, 1, 100))
	before := f.Entry(9)
	if err := f.Write(context.Background(), Write{Slot: 9, Delete: true}); err != nil {
		t.Fatal(err)
	}
	_, err := f.Read(9, nil)
	wantErr(t, err, ErrAbsent)
	if e := f.Entry(9); !e.Empty() || e.Timestamp <= before.Timestamp {
		t.Fatalf("entry after delete: %+v, before %+v", e, before)
	}
	if err := f.Write(context.Background(), Write{Slot: 10, Delete: true}); err != nil {
		t.Fatal(err)
	}
	if f.Entry(10) != (Entry{}) {
		t.Fatal("deleting an empty slot changed its entry")
	}
}

func TestTimestampRisesWithEveryWrite(t *testing.T) {
	m := newWorld(t)
	clock := time.Unix(1000, 0)
	f := open(t, m, Options{Now: func() time.Time { return clock }})
	for want := range uint32(4) {
		write(t, f, 0, payload(0, int(want), 100))
		if got := f.Entry(0).Timestamp; got != 1000+want {
			t.Fatalf("timestamp %d, want %d", got, 1000+want)
		}
	}
	clock = time.Unix(5000, 0)
	write(t, f, 0, payload(0, 5, 100))
	if got := f.Entry(0).Timestamp; got != 5000 {
		t.Fatalf("timestamp %d, want the clock's", got)
	}
	w := Write{Slot: 0, Scheme: codec.None, Data: payload(0, 6, 100), Timestamp: 7, SetTimestamp: true}
	if err := f.Write(context.Background(), w); err != nil {
		t.Fatal(err)
	}
	if got := f.Entry(0).Timestamp; got != 7 {
		t.Fatalf("timestamp %d, want the one set", got)
	}
	for _, c := range []struct {
		now      int64
		previous uint32
	}{{-5, 0}, {1 << 40, 3}, {5, 1<<32 - 1}, {1 << 40, 1<<32 - 1}} {
		if nextTimestamp(c.now, c.previous) == c.previous {
			t.Errorf("nextTimestamp(%d, %d) does not change", c.now, c.previous)
		}
	}
}

func TestConditionalWriteFailsWhenTheSlotHasChanged(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 100))
	old := f.Entry(1)
	write(t, f, 1, payload(1, 2, 100))
	good := f.Submit(Write{Slot: 2, Scheme: codec.None, Data: payload(2, 1, 50)})
	err := f.Write(context.Background(), Write{Slot: 1, Scheme: codec.None, Data: payload(1, 3, 100), If: &old})
	wantErr(t, err, ErrChanged)
	if err := good.Wait(context.Background()); err != nil {
		t.Fatalf("a write in the same group: %v", err)
	}
	wantRecord(t, f, 1, payload(1, 2, 100))
	now := f.Entry(1)
	if err := f.Write(context.Background(), Write{Slot: 1, Scheme: codec.None, Data: payload(1, 3, 100), If: &now}); err != nil {
		t.Fatal(err)
	}
}

func TestStagedGroupIsInvisibleUntilPublished(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 100))
	g, err := f.Stage(Write{Slot: 1, Scheme: codec.None, Data: payload(1, 2, 100)},
		Write{Slot: 2, Scheme: codec.None, Data: payload(2, 1, 6000)})
	if err != nil {
		t.Fatal(err)
	}
	wantRecord(t, f, 1, payload(1, 1, 100))
	_, err = f.Read(2, nil)
	wantErr(t, err, ErrAbsent)
	wantErr(t, f.Compact(), ErrBusy)
	if err := g.Publish(); err != nil {
		t.Fatal(err)
	}
	wantRecord(t, f, 1, payload(1, 2, 100))
	wantRecord(t, f, 2, payload(2, 1, 6000))
	g.Release()
	wantErr(t, g.Publish(), ErrDone)

	_, live := f.Size()
	g, err = f.Stage(Write{Slot: 1, Scheme: codec.None, Data: payload(1, 3, 100)})
	if err != nil {
		t.Fatal(err)
	}
	g.Abort()
	g.Abort()
	if _, now := f.Size(); now != live {
		t.Fatalf("abort left %d live bytes, want %d", now, live)
	}
	wantRecord(t, f, 1, payload(1, 2, 100))
}

func TestSealedHeaderIsTheDurableOnePlusTheGroup(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 100))
	a, err := f.Stage(Write{Slot: 5, Scheme: codec.None, Data: payload(5, 1, 100)})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Stage(Write{Slot: 6, Scheme: codec.None, Data: payload(6, 1, 100)})
	if err != nil {
		t.Fatal(err)
	}
	h, changes, err := b.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if !h.Entry(5).Empty() || h.Entry(6) != changes[0].New || h.Entry(1) != f.Entry(1) {
		t.Fatal("the sealed header has an entry of another group, or lacks its own")
	}
	if err := b.Publish(); err != nil {
		t.Fatal(err)
	}
	b.Release()
	onDisk, err := vfs.ReadFile(m, testPath, 1<<20)
	if err != nil || !bytes.Equal(onDisk[:HeaderBytes], h[:]) {
		t.Fatalf("the header on disk is not the sealed one: %v", err)
	}
	if err := a.Publish(); err != nil {
		t.Fatal(err)
	}
	a.Release()
	wantRecord(t, f, 5, payload(5, 1, 100))
	wantRecord(t, f, 6, payload(6, 1, 100))
}

func TestUnreadableRecordIsNotOverwrittenWithoutTheFlag(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	for s, rec := range map[Slot]Write{
		1: {Scheme: codec.Zlib, Data: []byte("this is no zlib stream")},
		2: {Scheme: 57, Data: []byte("a scheme from the future")},
		3: {Scheme: codec.Custom, Data: []byte("\x00\x04mine and more")},
	} {
		rec.Slot = s
		if err := f.Write(context.Background(), rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f = open(t, m, Options{})
	for s := Slot(1); s <= 3; s++ {
		old, err := f.Read(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := Write{Slot: s, Scheme: codec.None, Data: payload(s, 1, 100)}
		wantErr(t, f.Write(context.Background(), w), ErrUnreadable)
		w.Delete = true
		wantErr(t, f.Write(context.Background(), w), ErrUnreadable)
		wantRecord(t, f, s, old.Data)
		w.Delete, w.Overwrite = false, true
		if err := f.Write(context.Background(), w); err != nil {
			t.Fatal(err)
		}
		wantRecord(t, f, s, payload(s, 1, 100))
	}
}

func TestExternalBodyComesAndGoesWithItsStub(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	body := "w/" + f.pos.Chunk(40).ExternalName()
	exists := func() bool { _, err := m.Stat(body); return err == nil }
	write(t, f, 40, payload(40, 1, 1_100_000))
	if !exists() {
		t.Fatal("no external file")
	}
	write(t, f, 40, payload(40, 2, 1_200_000))
	wantRecord(t, f, 40, payload(40, 2, 1_200_000))
	write(t, f, 40, payload(40, 3, 1000))
	wantRecord(t, f, 40, payload(40, 3, 1000))
	if exists() {
		t.Fatal("the external file outlived its stub")
	}
	write(t, f, 40, payload(40, 4, 1_100_000))
	if err := f.Write(context.Background(), Write{Slot: 40, Delete: true}); err != nil {
		t.Fatal(err)
	}
	if exists() {
		t.Fatal("the external file outlived its chunk")
	}
	es, _ := m.ReadDir("w")
	if len(es) != 1 {
		t.Fatalf("files left: %v", es)
	}
}

func TestReplacedExternalBodyKeepsItsStubsScheme(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	raw := payload(8, 1, 3_000_000)
	write(t, f, 8, raw) // scheme none
	enc, err := codec.NewEncoder(codec.Zlib, 1)
	if err != nil {
		t.Fatal(err)
	}
	raw2 := payload(8, 2, 3_000_000)
	stream, err := enc.Append(nil, raw2)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(context.Background(), Write{Slot: 8, Scheme: codec.Zlib, Data: stream}); err != nil {
		t.Fatal(err)
	}
	rec, err := f.Read(8, nil)
	if err != nil || rec.Scheme != codec.None || !bytes.Equal(rec.Data, raw2) {
		t.Fatalf("scheme %v, %v", rec.Scheme, err)
	}
	w := Write{Slot: 8, Scheme: codec.Zlib, Data: stream, Journaled: true}
	if err := f.Write(context.Background(), w); err != nil {
		t.Fatal(err)
	}
	if rec, err = f.Read(8, nil); err != nil || rec.Scheme != codec.Zlib || !bytes.Equal(rec.Data, stream) {
		t.Fatalf("journaled: scheme %v, %v", rec.Scheme, err)
	}
}

func TestReaderTriesOtherSchemesOnAnExternalBody(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	raw := payload(8, 1, 1_100_000)
	write(t, f, 8, raw)
	enc, _ := codec.NewEncoder(codec.Zlib, 1)
	stream, err := enc.Append(nil, raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(context.Background(), Write{Slot: 8, Scheme: codec.Gzip, Data: stream, Journaled: true}); err != nil {
		t.Fatal(err)
	}
	got, _, err := f.Decode(8, new(codec.Decoder), nil, nil)
	if err != nil || !bytes.Equal(got, raw) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
}

func TestGroupsShareBarriers(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	commits := make([]*Commit, 960)
	f.gate.Lock() // the first group waits while the others collect
	for i := range commits {
		commits[i] = f.Submit(Write{Slot: Slot(i), Scheme: codec.None, Data: payload(Slot(i), 1, 8000)})
	}
	f.gate.Unlock()
	for i, c := range commits {
		if err := c.Wait(context.Background()); err != nil {
			t.Fatal(i, err)
		}
	}
	if got := f.Metrics(); got.Flushes > 1+2*(1+960/48) || got.Writes != 960 {
		t.Fatalf("960 writes took %d flushes", got.Flushes)
	}
	each := open(t, newWorld(t), Options{Sync: SyncEach})
	for i := range Slot(10) {
		each.Submit(Write{Slot: i, Scheme: codec.None, Data: payload(i, 1, 100)})
	}
	write(t, each, 11, payload(11, 1, 100))
	if got := each.Metrics(); got.Flushes != 23 || got.Groups != 11 {
		t.Fatalf("SyncEach: %d flushes in %d groups for 11 writes", got.Flushes, got.Groups)
	}
}

func TestConcurrentReadersSeeWholeVersions(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	const slots, versions = 8, 150
	for s := range Slot(slots) {
		write(t, f, s, payload(s, 0, 5000))
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			var buf []byte
			r := rand.New(rand.NewPCG(1, 2))
			last := [slots]uint64{}
			for {
				select {
				case <-done:
					return
				default:
				}
				s := Slot(r.IntN(slots))
				rec, err := f.Read(s, buf)
				if err != nil {
					t.Error(err)
					return
				}
				v := binary.LittleEndian.Uint64(rec.Data[8:])
				if !bytes.Equal(rec.Data, payload(s, int(v), len(rec.Data))) || v < last[s] {
					t.Errorf("slot %d: torn, foreign or older record", s)
					return
				}
				last[s] = v
				buf = rec.Data
			}
		})
	}
	for v := 1; v < versions; v++ {
		for s := range Slot(slots) {
			f.Submit(Write{Slot: s, Scheme: codec.None, Data: payload(s, v, 3000+v*37%9000)})
		}
		if v%40 == 0 {
			if err := f.Compact(); err != nil && !errors.Is(err, ErrBusy) {
				t.Error(err)
			}
		}
	}
	write(t, f, 0, payload(0, versions, 100))
	close(done)
	wg.Wait()
}

func TestCompactIsDenseAndKeepsEveryRecord(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	r := rand.New(rand.NewPCG(3, 4))
	sizes := map[Slot]int{}
	for v := range 400 {
		s := Slot(r.IntN(100))
		sizes[s] = 16 + r.IntN(30_000)
		f.Submit(Write{Slot: s, Scheme: codec.None, Data: payload(s, 1, sizes[s])})
		_ = v
	}
	write(t, f, 500, payload(500, 1, 1_500_000))
	stamps := f.Header()
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	total, live := f.Size()
	if total != live {
		t.Fatalf("compacted file has %d bytes, %d live", total, live)
	}
	for s, n := range sizes {
		wantRecord(t, f, s, payload(s, 1, n))
		if f.Entry(s).Timestamp != stamps.Timestamp(s) {
			t.Fatal("compaction changed a timestamp")
		}
	}
	wantRecord(t, f, 500, payload(500, 1, 1_500_000))
	write(t, f, 1, payload(1, 2, 20_000))
	wantRecord(t, f, 1, payload(1, 2, 20_000))
}

// Rewrites at random with deferred freeing keep the file within 1.15 of what
// lives in it, and compaction leaves nothing over.
func TestFileStaysSmallOverRandomRewrites(t *testing.T) {
	// In a small file one large chunk is a good part of all.
	for chunks, bound := range map[int]float64{100: 1.30, 400: 1.15, Slots: 1.15} {
		t.Run(fmt.Sprintf("chunks=%d", chunks), func(t *testing.T) { rewriteAtRandom(t, chunks, bound) })
	}
}

func rewriteAtRandom(t *testing.T, chunks int, bound float64) {
	rewrites := 50_000
	if testing.Short() {
		rewrites = 5000
	}
	m := newWorld(t)
	f := open(t, m, Options{})
	r := rand.New(rand.NewPCG(5, 6))
	size := func() int { return min(1+int(r.ExpFloat64()*6000)+r.IntN(3000), 60_000) }
	data := payload(0, 0, 60_000)
	var last []*Commit
	for i := range chunks + rewrites {
		s := Slot(i)
		if i >= chunks {
			s = Slot(r.IntN(chunks))
		}
		last = append(last, f.Submit(Write{Slot: s, Scheme: codec.None, Data: data[:size()]}))
		if len(last) == 64 { // a store that saves 64 chunks at a time
			for _, c := range last {
				if err := c.Wait(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			last = last[:0]
		}
	}
	f.queue.drain()
	total, live := f.Size()
	t.Logf("after %d rewrites: %d bytes, %d live, ratio %.4f", rewrites, total, live, float64(total)/float64(live))
	if float64(total) > bound*float64(live) {
		t.Fatalf("file is %.3f of its live sectors", float64(total)/float64(live))
	}
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	if total, live = f.Size(); total != live {
		t.Fatalf("compacted: %d bytes, %d live", total, live)
	}
}

func TestWriteToAFileThatWasRemovedIsRefused(t *testing.T) {
	m := newWorld(t)
	f := open(t, m, Options{})
	write(t, f, 1, payload(1, 1, 100))
	if err := m.Remove(testPath); err != nil {
		t.Fatal(err)
	}
	err := f.Write(context.Background(), Write{Slot: 1, Scheme: codec.None, Data: payload(1, 2, 100)})
	wantErr(t, err, ErrReplaced)
	wantRecord(t, f, 1, payload(1, 1, 100))
}

func TestFinishFailsAfterAFailedPut(t *testing.T) {
	m := newWorld(t)
	disk := vfs.NewFault(m)
	w, err := Create(testPath, Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	disk.Add(vfs.Rule{Ops: vfs.OpSync, Name: "*.mcc*", Err: vfs.ErrNoSpace})
	rec := Record{Scheme: codec.None, Data: payload(3, 1, 1_200_000)}
	wantErr(t, w.Put(3, rec), vfs.ErrNoSpace)
	wantErr(t, w.Finish(), vfs.ErrNoSpace)
	disk.Verify(t)
	if es, _ := m.ReadDir("w"); len(es) != 0 {
		t.Fatalf("files left: %v", es)
	}
}

func TestWhatIsPutAfterAFlushIsFlushedAgain(t *testing.T) {
	m := newWorld(t)
	disk := vfs.NewFault(m)
	w, err := Create(testPath, Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	for s := range Slot(2) {
		if err := errors.Join(w.Put(s, Record{Scheme: codec.None, Data: payload(s, 1, 100)}), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	w.SetTimestamp(0, 7)
	failing := disk.Add(vfs.Rule{Ops: vfs.OpSync, Err: vfs.ErrNoSpace})
	wantErr(t, w.Flush(), vfs.ErrNoSpace)
	wantErr(t, w.Finish(), vfs.ErrNoSpace)
	if failing.Fired() != 1 {
		t.Error("a flush that failed was tried again")
	}
	if es, _ := m.ReadDir("w"); len(es) != 0 {
		t.Fatalf("files left: %v", es)
	}
}

func TestAWriterDoesNotMoveWhatItHasForEachRecord(t *testing.T) {
	data := payload(0, 1, 3000)
	n := testing.AllocsPerRun(3, func() {
		w, err := Create(testPath, Options{FS: newWorld(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for s := range Slot(250) {
			if err := w.Put(s, Record{Scheme: codec.None, Data: data}); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n > 100 {
		t.Errorf("%v allocations for 250 records", n)
	}
}

func TestNoSectorBeyondTwoGiBIsAllocated(t *testing.T) {
	m := newSectorMap()
	m.retain(extent{MaxSectors - 3, 1})
	if x, ok := m.alloc(MaxSectors - HeaderSectors - 3); !ok || x.start != HeaderSectors {
		t.Fatalf("%v %v", x, ok)
	}
	if x, ok := m.alloc(3); ok {
		t.Fatalf("allocated %v", x)
	}
	if _, ok := m.alloc(2); !ok {
		t.Fatal("the last two sectors were refused")
	}
	m.retain(extent{MaxSectors + 10, 4}) // beyond the limit: not tracked
	if int(m.end) > MaxSectors {
		t.Fatalf("end %d", m.end)
	}
}

func TestSectorMapAgreesWithAModel(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 9))
		m, held := newSectorMap(), []extent{}
		refs := map[uint32]int{0: 1, 1: 1}
		for range 400 {
			if len(held) > 0 && r.IntN(5) < 2 {
				i := r.IntN(len(held))
				m.release(held[i])
				for s := held[i].start; s < held[i].end(); s++ {
					if refs[s]--; refs[s] == 0 {
						delete(refs, s)
					}
				}
				held = append(held[:i], held[i+1:]...)
				continue
			}
			x, ok := m.alloc(1 + uint32(r.IntN(9)))
			if !ok {
				t.Fatal("full")
			}
			for s := x.start; s < x.end(); s++ {
				if refs[s] != 0 {
					t.Fatalf("seed %d: sector %d allocated twice", seed, s)
				}
				refs[s]++
			}
			held = append(held, x)
		}
		end := uint32(0)
		for s := range refs {
			end = max(end, s+1)
		}
		if m.live != len(refs) || m.end != end {
			t.Fatalf("seed %d: live %d end %d, want %d %d", seed, m.live, m.end, len(refs), end)
		}
	}
}

func ExampleFile() {
	m := vfs.NewMem(vfs.MemOptions{})
	f, err := Open("r.0.-1.mca", Options{FS: m})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	enc, _ := codec.NewEncoder(codec.Zlib, codec.Sector)
	stream, _ := enc.Append(nil, []byte("a chunk's NBT"))
	chunk := ChunkPos{X: 12, Z: -3}
	err = f.Write(context.Background(), Write{Slot: chunk.Slot(), Scheme: codec.Zlib, Data: stream})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, rec, err := f.Decode(chunk.Slot(), new(codec.Decoder), nil, nil)
	fmt.Println(string(data), rec.Scheme, err)
	_, err = f.Read(ChunkPos{X: 13, Z: -3}.Slot(), nil)
	fmt.Println(errors.Is(err, ErrAbsent))
	// Output:
	// a chunk's NBT zlib <nil>
	// true
}
