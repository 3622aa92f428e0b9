package shrink

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestRecompressingKeepsDocumentsAndTimestamps(t *testing.T) {
	rng := random(t)
	for _, c := range []struct {
		scheme         codec.Scheme
		level          codec.Level
		damaged, large bool
	}{
		{0, 9, false, false}, {codec.Zlib, codec.Sector, true, true}, {codec.Gzip, 12, true, false},
		{codec.LZ4, 0, false, true}, {codec.None, 0, true, true},
	} {
		m := vfs.NewMem(vfs.MemOptions{})
		w := makeWorld(t, m, "w")
		fill(t, w, rng, 9, c.damaged, c.large)
		s := open(t, w)
		before := read(t, s)
		v, err := Look(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		o := RecompressOptions{Scheme: c.scheme, Level: c.level, Workers: 3}
		o.DryRun = true
		planned, err := Recompress(ctx, s, v, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(read(t, s), before, true, true); d != "" {
			t.Errorf("%v %v: a dry run changed\n%s", c.scheme, c.level, d)
		}
		o.DryRun = false
		got, err := recompressed(s, o)
		if err != nil || len(got.Failed) > 0 {
			t.Fatalf("%v %v: %v, %+v", c.scheme, c.level, err, got)
		}
		if !equalCounts(planned, got) {
			t.Errorf("planned %+v, done %+v", planned, got)
		}
		after := read(t, s)
		if d := differ(after, before, true, false); d != "" {
			t.Errorf("%v %v:\n%s", c.scheme, c.level, d)
		}
		want := c.scheme
		if want == 0 {
			want = codec.Zlib
		}
		for k, r := range after {
			if old := before[k]; old.document == "damaged "+old.stream {
				if r.stream != old.stream || r.scheme != old.scheme {
					t.Errorf("%v: damaged record %s has changed", c.scheme, k)
				}
			} else if r.scheme != want && !before[k].external && !isExternal(len(r.document)) {
				t.Errorf("%s has scheme %v, want %v", k, r.scheme, want)
			}
		}
		closeStore(t, s)
		check(t, w)
		if c.scheme != codec.None && (got.PayloadAfter >= got.PayloadBefore || got.BytesAfter >= got.BytesBefore || got.Replaced == 0) {
			t.Errorf("%v %v saved nothing: %+v", c.scheme, c.level, got)
		}
		if c.damaged && got.Damaged != 4 {
			t.Errorf("%d damaged", got.Damaged)
		}
		takeBack(t, w, before)
	}
}

func equalCounts(a, b *Recompressed) bool {
	return a.Records == b.Records && a.Replaced == b.Replaced && a.Unchanged == b.Unchanged && a.Damaged == b.Damaged &&
		a.PayloadAfter == b.PayloadAfter && a.SectorsAfter == b.SectorsAfter && a.BytesBefore == b.BytesBefore && a.Rewritten == b.Rewritten
}

// takeBack undoes the last change and compares.
func takeBack(t *testing.T, w store.World, before map[string]record) {
	t.Helper()
	s := open(t, w)
	defer closeStore(t, s)
	trail, err := undo.Find(s, "")
	if err != nil {
		t.Fatal(err)
	}
	defer trail.Close()
	r, err := undo.Undo(ctx, trail, undo.RestoreOptions{})
	if err != nil || len(r.Failed) > 0 {
		t.Fatal(err, r)
	}
	if d := differ(read(t, s), before, false, true); d != "" {
		t.Errorf("after undo:\n%s", d)
	}
}

func TestTheExpectedSizeIsTheSize(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 6, true, true)
	s := open(t, w)
	defer closeStore(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	planned, err := Recompress(ctx, s, v, RecompressOptions{Level: 9, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := recompressed(s, RecompressOptions{Level: 9})
	if err != nil {
		t.Fatal(err)
	}
	if planned.BytesAfter != got.BytesAfter {
		t.Errorf("expected %d bytes, there are %d", planned.BytesAfter, got.BytesAfter)
	}
	again, err := recompressed(s, RecompressOptions{Level: 9})
	if err != nil || again.Replaced != 0 || again.Rewritten != 0 || again.BytesBefore != got.BytesAfter || again.BytesAfter != got.BytesAfter {
		t.Errorf("again: %+v, %v; the first time %+v", again, err, got)
	}
	worse, err := recompressed(s, RecompressOptions{Level: 1})
	if err != nil || worse.PayloadAfter > worse.PayloadBefore || worse.Replaced > worse.Records/2 {
		t.Errorf("at level 1 records were replaced by larger ones: %+v, %v", worse, err)
	}
	worse, err = recompressed(s, RecompressOptions{Level: 1, Always: true})
	if err != nil || worse.Replaced == 0 || worse.PayloadAfter <= worse.PayloadBefore {
		t.Errorf("at level 1 always: %+v, %v", worse, err)
	}
}

func TestRecordsThatAreNotPickedStayByteForByte(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 30, false, true)
	s := open(t, w)
	defer closeStore(t, s)
	before := read(t, s)
	pick := func(ref store.Ref) bool { return ref.Kind == store.Chunks && ref.Pos.X%2 == 0 }
	got, err := recompressed(s, RecompressOptions{Scheme: codec.Gzip, Level: 6, Pick: pick})
	if err != nil || got.Replaced == 0 {
		t.Fatal(err, got)
	}
	changed := int64(0)
	for k, r := range read(t, s) {
		if r.stream == before[k].stream && r.scheme == before[k].scheme {
			continue
		}
		changed++
		var x, z int32
		if n, err := scanKey(k, &x, &z); n != 2 || err != nil || x%2 != 0 {
			t.Errorf("%s has changed", k)
		}
	}
	if changed != got.Replaced {
		t.Errorf("%d records have changed, %d were counted", changed, got.Replaced)
	}
}

func TestFilesWithUnreadableRecordsAreChangedRecordByRecord(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 30, false, false)
	// Slot 500 names sectors beyond the end, 501 a sector with a length of 0, and
	// 502 those of another record.
	path := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")
	data, err := vfs.ReadFile(m, path, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	bad := len(data) / region.SectorBytes
	data = append(data, make([]byte, region.SectorBytes)...)
	data[bad*region.SectorBytes+10] = 7
	copy(data[500*4:], []byte{0x7f, 0, 0, 1})
	copy(data[501*4:], []byte{byte(bad >> 16), byte(bad >> 8), byte(bad), 1})
	if err := vfs.WriteFileSync(m, path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, w)
	before := read(t, s)
	got, err := recompressed(s, RecompressOptions{Level: 12})
	if err != nil || len(got.Failed) > 0 || got.Damaged != 2 {
		t.Fatalf("%v, %+v", err, got)
	}
	after := read(t, s)
	if d := differ(after, before, true, false); d != "" {
		t.Error(d)
	}
	closeStore(t, s)
	now, err := vfs.ReadFile(m, path, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if string(now[500*4:501*4]) != "\x7f\x00\x00\x01" || now[501*4+3] != 1 {
		t.Errorf("entries of records that cannot be read: % x", now[500*4:502*4])
	}
	at := int(now[501*4])<<16 | int(now[501*4+1])<<8 | int(now[501*4+2])
	if string(now[at*region.SectorBytes:][:region.SectorBytes]) != string(data[bad*region.SectorBytes:]) {
		t.Error("the sector that cannot be read has changed")
	}
	// What is free may be what slot 500 has lost.
	if len(now) < len(data) {
		t.Errorf("the file has %d bytes after %d", len(now), len(data))
	}
}

func TestLargeFilesAreChangedInPieces(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 70, true, true)
	s := open(t, w)
	defer closeStore(t, s)
	before := read(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Files {
		v.Files[i].Dense += maxHeld // as if it were that large
	}
	change, err := undo.Begin(s, "recompress", undo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Recompress(ctx, s, v, RecompressOptions{Scheme: codec.Gzip, Level: 6, Change: change})
	if err != nil || len(got.Failed) > 0 || got.Replaced == 0 || got.BytesAfter >= got.BytesBefore {
		t.Fatalf("%v, %+v", err, got)
	}
	if err := change.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if d := differ(read(t, s), before, true, false); d != "" {
		t.Error(d)
	}
}

func TestSymbolicLinksAreRefused(t *testing.T) {
	w := makeWorld(t, vfs.OS(), filepath.Join(t.TempDir(), "w"))
	fill(t, w, random(t), 5, false, false)
	path := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.mca")
	if err := errors.Join(os.Rename(path, elsewhere), os.Symlink(elsewhere, path)); err != nil {
		testbed.SkipOrFail(t, "no symbolic links here: %v", err)
	}
	data, err := os.ReadFile(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, w)
	defer closeStore(t, s)
	got, err := recompressed(s, RecompressOptions{Level: 9})
	if err != nil || len(got.Failed) != 1 || !errors.Is(got.Failed[0].Err, vfs.ErrSymlink) {
		t.Errorf("%v, %+v", err, got)
	}
	now, err := os.ReadFile(elsewhere)
	if err != nil || string(now) != string(data) {
		t.Errorf("what the link leads to has changed, %v", err)
	}
}

// TestKilledRunsAreGoneOnWith crashes at operations all over a run: the world must
// be sound, each document as it was, and the next run must come to the same end.
func TestKilledRunsAreGoneOnWith(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 8, true, true)
	s := open(t, w)
	before := read(t, s)
	closeStore(t, s)
	o := RecompressOptions{Scheme: codec.LZ4, Workers: 2}
	resumed, runs := 0, 0
	step := 1 + 60/testbed.Runs(t, 8)
	for n := rng.IntN(step); ; n += step {
		left := crash(t, m, n, vfs.CrashOptions{Keep: []vfs.Keep{vfs.KeepNone, vfs.KeepAll, vfs.KeepRandom}[rng.IntN(3)], Seed: rng.Uint64()}, o)
		if left == nil {
			break
		}
		runs++
		w := worldAt(left, "w")
		s := open(t, w)
		if d := differ(read(t, s), before, true, false); d != "" {
			t.Fatalf("killed at operation %d:\n%s", n, d)
		}
		got, err := recompressed(s, o)
		if err != nil || len(got.Failed) > 0 {
			t.Fatalf("killed at operation %d, the next run: %v, %+v", n, err, got)
		}
		resumed += got.Resumed
		if d := differ(read(t, s), before, true, false); d != "" {
			t.Fatalf("killed at operation %d, after the next run:\n%s", n, d)
		}
		again, err := recompressed(s, o)
		if err != nil || again.Replaced != 0 || again.Resumed != 0 {
			t.Fatalf("killed at operation %d, the run after the next: %v, %+v", n, err, again)
		}
		closeStore(t, s)
		check(t, w)
		if _, err := left.Stat(filepath.Join("w", ownFolder, logName)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the log of a run that is through is there: %v", err)
		}
	}
	t.Logf("%d crashes, %d files were not done again", runs, resumed)
	if runs == 0 || resumed == 0 && !testing.Short() {
		t.Errorf("%d crashes, %d files were not done again", runs, resumed)
	}
}

// crash recompresses a copy of a world whose disk dies at operation n. It returns
// what is left, or nil if the run was through before.
func crash(t *testing.T, from *vfs.Mem, n int, after vfs.CrashOptions, o RecompressOptions) *vfs.Mem {
	t.Helper()
	m := from.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
	fault := vfs.NewFault(m)
	s := open(t, worldAt(fault, "w"))
	rule := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
	_, err := recompressed(s, o)
	if rule.Fired() == 0 {
		rule.Withdraw()
		if err != nil {
			t.Fatalf("without a crash: %v", err)
		}
		closeStore(t, s)
		return nil
	}
	s.Abandon() // its disk is dead
	return m.CrashClone(after)
}

func TestAFullDiskEndsTheRunAndHarmsNothing(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rng, 12, false, false)
	fault := vfs.NewFault(m)
	s := open(t, worldAt(fault, "w"))
	before := read(t, s)
	fault.Add(vfs.Rule{Ops: vfs.OpWrite, Name: ".strata-r.*", Forever: true, Err: vfs.ErrNoSpace})
	if _, err := recompressed(s, RecompressOptions{Level: 9}); !errors.Is(err, vfs.ErrNoSpace) {
		t.Errorf("got %v", err)
	}
	fault.Clear()
	if d := differ(read(t, s), before, true, true); d != "" {
		t.Error(d)
	}
	closeStore(t, s)
	check(t, w)
}

func TestALogOfOtherSettingsIsNotGoneOnWith(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	fill(t, w, rand.New(rand.NewPCG(1, 2)), 3, false, false)
	s := open(t, w)
	defer closeStore(t, s)
	v, err := Look(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	first := RecompressOptions{Scheme: codec.Zlib, Level: 9}
	log, err := openLog(s, &first)
	if err == nil {
		err = errors.Join(log.add(s, &v.Files[0]), log.close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    RecompressOptions
		torn string
		want bool
	}{
		{first, "", true}, {first, `{"path":"x","by`, true}, {RecompressOptions{Scheme: codec.Zlib, Level: 8}, "", false},
		{first, "", false}, // the run before has begun a new log
	} {
		if c.torn != "" {
			f, err := m.OpenFile(log.path, os.O_RDWR, 0)
			if err == nil {
				_, err = f.WriteAt([]byte(c.torn), log.end)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		l, err := openLog(s, &c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.has(s, &v.Files[0]); got != c.want || l.has(s, &v.Files[1]) {
			t.Errorf("%+v: file is done %v, want %v", c.o, got, c.want)
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSchemesThatTheGameDoesNotReadAreRefused(t *testing.T) {
	for _, c := range []struct {
		version int32
		scheme  codec.Scheme
		want    bool
	}{
		{4903, codec.LZ4, true}, {3700, codec.LZ4, false}, {3700, codec.None, true}, {2225, codec.None, false},
		{0, codec.Zlib, true}, {0, codec.Gzip, true},
	} {
		if err := CheckScheme(c.version, c.scheme); (err == nil) != c.want || err != nil && !errors.Is(err, ErrScheme) {
			t.Errorf("%v in %d: %v", c.scheme, c.version, err)
		}
	}
}
