package region

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/codec"
	"strata/region/vfs"
)

func testRepair(t testing.TB, path string, opts RepairOptions) *RepairReport {
	t.Helper()
	opts.MaxStream, opts.Now = testMaxStream, func() time.Time { return time.Unix(2000, 0) }
	r, err := Repair(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// damagedImage has something for most of what a repair does.
func damagedImage(t testing.TB) *image {
	m := newImage(t, defectPos)
	healthy(m)
	a, b := m.version(78, codec.Zlib, 100, 5000), m.version(victim, codec.Zlib, 100, 300)
	m.set(victim, a.start, a.n, 5)
	m.set(78, b.start, b.n, 6)
	m.stub(90, codec.Zlib, encode(t, codec.LZ4, chunkBytes(m.pos.Chunk(90), 100, 70)))
	m.version(91, codec.Zlib, 100, 5000)
	m.set(91, 5000, 3, 7)
	m.setLength(m.chunk(92, codec.Gzip, 6000), 0)
	m.set(93, 1, 1, 7)
	m.files["c.50.-64.mcc"] = []byte("no stub stands for it")
	m.files[".strata-c.1.2.mcc.4"] = []byte("left over")
	return m
}

// settled makes everything durable that has been written to the folder.
func settled(t testing.TB, fsys vfs.FS, dir string) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f, err := fsys.OpenFile(filepath.Join(dir, e.Name()), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(fsys.SyncDir(dir), fsys.SyncDir(filepath.Dir(dir))); err != nil {
		t.Fatal(err)
	}
}

func allOptions(fsys vfs.FS) RepairOptions {
	return RepairOptions{
		FS: fsys, Inspect: inspectChunk, DropMissing: true, RemoveOrphans: true, RemoveLeftovers: true,
		MaxStream: testMaxStream, Now: func() time.Time { return time.Unix(2000, 0) },
	}
}

func TestRepairLeavesTheOldFileOrTheNewOneAtEachCrash(t *testing.T) {
	seed := uint64(testbed.Seed(t))
	for _, windows := range []bool{false, true} {
		m := damagedImage(t)
		start := func() (*vfs.Mem, *vfs.Fault, string) {
			mem := vfs.NewMem(vfs.MemOptions{Windows: windows})
			path := m.save(mem, "w")
			settled(t, mem, "w")
			return mem, vfs.NewFault(mem), path
		}
		mem, fault, path := start()
		whole, err := Repair(path, allOptions(fault))
		if err != nil {
			t.Fatal(err)
		}
		repaired, operations := fileBytes(t, mem, path), fault.Count(vfs.OpMutating)
		if len(whole.Actions) < 8 || len(whole.Unrepairable) > 0 || bytes.Equal(repaired, m.bytes) {
			t.Fatalf("the fixture is no good: %+v", whole)
		}
		states, old := 0, 0
		for n := range operations {
			mem, fault, path := start()
			crash := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
			if _, err := Repair(path, allOptions(fault)); err == nil {
				t.Errorf("operation %d: no error", n)
			}
			if crash.Fired() == 0 {
				t.Fatalf("operation %d: the crash never came", n)
			}
			for i := range 12 {
				disk := mem.CrashClone(vfs.CrashOptions{Keep: vfs.Keep(min(i, 2)), Seed: seed + uint64(100*n+i)})
				states++
				got := fileBytes(t, disk, path)
				switch {
				case bytes.Equal(got, m.bytes):
					old++
				case !bytes.Equal(got, repaired):
					t.Fatalf("windows %v, operation %d, outcome %d: neither the old file nor the new one", windows, n, i)
				case !bytes.Equal(fileBytes(t, disk, whole.Kept), m.bytes):
					t.Fatalf("windows %v, operation %d, outcome %d: the new file without a copy of the old one", windows, n, i)
				}
				if _, err := Repair(path, allOptions(disk)); err != nil {
					t.Fatalf("repair after the crash: %v", err)
				}
				if got := fileBytes(t, disk, path); !bytes.Equal(got, repaired) {
					t.Fatalf("windows %v, operation %d: another result after the crash", windows, n)
				}
				if r := testCheck(t, disk, path); r.Worst() >= SeverityWarning {
					t.Fatalf("after the repair: %v", r.Findings)
				}
			}
		}
		t.Logf("windows %v: %d states at %d operations, %d with the old file", windows, states, operations, old)
		if old == 0 || old == states {
			t.Error("the crashes lead to one state only")
		}
	}
}

func TestRepairChangesNothingAfterAnyFailedOperation(t *testing.T) {
	m := damagedImage(t)
	for n := 0; ; n++ {
		mem := vfs.NewMem(vfs.MemOptions{})
		path := m.save(mem, "w")
		fault := vfs.NewFault(mem)
		planned := fault.Add(vfs.Rule{Nth: n, Err: vfs.ErrNoSpace})
		r, err := Repair(path, allOptions(fault))
		if planned.Fired() == 0 {
			if n < 20 {
				t.Errorf("a repair took %d operations", n)
			}
			return
		}
		got := fileBytes(t, mem, path)
		if err != nil && !errors.Is(err, vfs.ErrNoSpace) {
			t.Errorf("operation %d: %v", n, err)
		}
		if same := bytes.Equal(got, m.bytes); err == nil && same != !r.Changed {
			t.Errorf("operation %d: no error, changed %v, same %v", n, r.Changed, same)
		} else if !same && len(contents(t, mem, path)) != 9 {
			t.Errorf("operation %d: neither the old file nor the new one", n)
		} else if !same {
			var kept []string
			entries, err := mem.ReadDir("w")
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if strings.Contains(e.Name(), keptInfix) && bytes.Equal(fileBytes(t, mem, "w/"+e.Name()), m.bytes) {
					kept = append(kept, e.Name())
				}
			}
			if len(kept) != 1 {
				t.Errorf("operation %d: changed, and the raw copies are %v", n, kept)
			}
		}
	}
}

func TestTheSameDamageIsKeptOnce(t *testing.T) {
	fsys := vfs.NewMem(vfs.MemOptions{})
	m := damagedImage(t)
	opts := RepairOptions{FS: fsys, Inspect: inspectChunk, KeepDir: "kept/raw"}
	for range 3 {
		path := m.save(fsys, "w")
		r := testRepair(t, path, opts)
		if !r.Changed || !bytes.Equal(fileBytes(t, fsys, r.Kept), m.bytes) {
			t.Fatalf("changed %v, kept %q", r.Changed, r.Kept)
		}
		// A copy that a crash has cut short is no copy.
		if entries, err := fsys.ReadDir("kept/raw"); err != nil || len(entries) != 1 {
			t.Fatalf("%d copies, %v", len(entries), err)
		}
		putFile(t, fsys, r.Kept, m.bytes[:100])
	}
}

func TestRepairTrustsTheJournalsImage(t *testing.T) {
	m := newImage(t, defectPos)
	healthy(m)
	want := m.chunk(victim, codec.Zlib, 700)
	old := m.version(victim, codec.Zlib, 400, 700) // newer, but not what was published
	image := *(*Header)(m.bytes)
	m.set(victim, old.start, old.n, 9)
	m.set(3, 9, 9, 9)
	m.set(600, old.start, old.n, 9)     // was deleted
	image.Set(601, Entry{1<<20 | 1, 1}) // leads nowhere: not trusted
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	r := testRepair(t, path, RepairOptions{FS: fsys, Inspect: inspectChunk, Image: &image})
	if len(r.Unrepairable) > 0 || len(r.Actions) != 3 {
		t.Fatalf("%+v", r)
	}
	image.Set(601, Entry{})
	got := (*Header)(fileBytes(t, fsys, path)[:HeaderBytes])
	if *got != image || got.Location(victim).Sector() != want.start {
		t.Errorf("the header is not the image")
	}
}

func TestRepairWithoutInspectionMendsEntriesOnly(t *testing.T) {
	m := newImage(t, defectPos)
	healthy(m)
	x := m.chunk(60, codec.Zlib, 9000)
	m.set(60, x.start, 0, 5)
	x = m.chunk(61, codec.Zlib, 9000)
	m.set(61, x.start, x.n+1, 5)
	m.grow(m.next + 1)
	m.setLength(m.chunk(62, codec.Zlib, 9000), 1<<30)
	m.stub(63, codec.Zlib, encode(t, codec.Gzip, chunkBytes(m.pos.Chunk(63), 100, 70)))
	m.version(64, codec.Zlib, 100, 90)
	m.set(64, 4000, 1, 5) // its record is there, and nobody can tell
	h := (*Header)(m.bytes)
	m.set(65, h.Location(40).Sector(), 1, 5) // one of the two is right
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	before := contents(t, fsys, path)
	r := testRepair(t, path, RepairOptions{FS: fsys})
	var left []string
	for _, f := range r.Unrepairable {
		left = append(left, brief(f))
	}
	if got, want := strings.Join(left, ", "), "overlap 40, out-of-range 64, overlap 65"; got != want {
		t.Errorf("left %s, want %s", got, want)
	}
	after := contents(t, fsys, path)
	wantSame(t, "after the repair", after, before)
	for s := Slot(60); s < 64; s++ {
		if after[s] == nil {
			t.Errorf("slot %d is not readable", s)
		}
	}
}

func TestAMovedRegionIsReportedAndNotScattered(t *testing.T) {
	m := newImage(t, defectPos)
	healthy(m)
	x := m.chunk(200, codec.Zlib, 90)
	m.set(200, x.start, 0, 5) // a defect that can be repaired all the same
	m.pos = Pos{8, 8}
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	c := testCheck(t, fsys, path)
	if c.Findings[0].Class != MovedRegion || len(c.Findings) != 2 {
		t.Errorf("found %v", c.Findings)
	}
	r := testRepair(t, path, RepairOptions{FS: fsys, Inspect: inspectChunk, ScanEmpty: true})
	if r.MovedTo == nil || *r.MovedTo != defectPos || len(r.Actions) != 1 || r.Actions[0].Kind != FixCount {
		t.Errorf("%+v", r)
	}
	if len(r.Unrepairable) != 1 || r.Unrepairable[0].Class != MovedRegion {
		t.Errorf("left %v", r.Unrepairable)
	}
	if err := fsys.Rename(path, "w/"+defectPos.Name()); err != nil {
		t.Fatal(err)
	}
	if r := testCheck(t, fsys, "w/"+defectPos.Name()); r.Worst() != SeverityNone {
		t.Errorf("under its own name: %v", r.Findings)
	}
}

func TestRecordsBeyondTwoGiBAreReadAndMovedDown(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a sparse file of 2 GiB")
	}
	fsys := vfs.NewMem(vfs.MemOptions{})
	m := newImage(t, defectPos)
	healthy(m)
	far := m.record(m.next, byte(codec.Zlib), encode(t, codec.Zlib, chunkBytes(m.pos.Chunk(victim), 100, 9000)))
	record := bytes.Clone(m.bytes[int(far.start)*SectorBytes:])
	m.bytes = m.bytes[:int(far.start)*SectorBytes]
	m.set(victim, MaxSectors+5, far.n, 5)
	path := m.save(fsys, "w")
	f, err := fsys.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(record, int64(MaxSectors+5)*SectorBytes)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	before := contents(t, fsys, path)
	if before[victim] == nil {
		t.Error("the record is not read")
	}
	r := testCheck(t, fsys, path)
	if len(r.Findings) != 1 || r.Findings[0].Class != BeyondLimit || r.FreeSectors < MaxSectors-100 {
		t.Errorf("%v, %d sectors free", r.Findings, r.FreeSectors)
	}
	rep := testRepair(t, path, RepairOptions{FS: fsys, Inspect: inspectChunk})
	if len(rep.Actions) != 1 || rep.Actions[0].Kind != MoveDown || len(rep.Unrepairable) > 0 {
		t.Errorf("%+v", rep)
	}
	wantSame(t, "after the repair", contents(t, fsys, path), before)
}

func TestRepairOnTheMachinesFileSystem(t *testing.T) {
	dir := t.TempDir()
	m := damagedImage(t)
	fsys := vfs.OS()
	path := m.save(fsys, dir)
	linked := filepath.Join(dir, "snapshot")
	if err := fsys.Link(path, linked); err != nil {
		t.Skipf("no hard links: %v", err)
	}
	if r, err := Repair(path, allOptions(nil)); err != nil || !r.Changed {
		t.Fatalf("%+v, %v", r, err)
	}
	if r := testCheck(t, fsys, path); r.Worst() >= SeverityWarning {
		t.Errorf("after the repair: %v", r.Findings)
	}
	if !bytes.Equal(fileBytes(t, fsys, linked), m.bytes) {
		t.Error("a hard-linked copy has changed")
	}
	if runtime.GOOS == "windows" {
		return // symbolic links need a privilege there
	}
	link := filepath.Join(t.TempDir(), defectPos.Name())
	if err := os.Symlink(linked, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Repair(link, allOptions(nil)); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("through a symbolic link: %v", err)
	}
}

// A damaged length that is too long may cover the record that is missing: the
// stream, which ends before, shows that the sectors behind it are not its own.
func TestRepairFindsARecordBehindADamagedLength(t *testing.T) {
	m := newImage(t, defectPos)
	healthy(m)
	x := m.chunk(60, codec.Zlib, 500)
	y := m.chunk(61, codec.Zlib, 500)
	if y.start != x.end() {
		t.Fatal("the two records are not neighbours")
	}
	m.setLength(x, (y.end()-x.start)*SectorBytes-100)
	m.set(60, x.start, countByLength, 5)
	m.set(61, 1<<23, 94, 0)
	// The same of a stub, whose length is 1, and an entry without a count.
	stub := m.stub(62, codec.Zlib, encode(t, codec.Zlib, chunkBytes(m.pos.Chunk(62), 100, 70)))
	z := m.chunk(63, codec.Zlib, 500)
	m.setLength(stub, 2*SectorBytes-100)
	m.set(62, stub.start, countByLength, 5)
	m.set(63, z.start, 0, 5)
	fsys := vfs.NewMem(vfs.MemOptions{})
	path := m.save(fsys, "w")
	r := testRepair(t, path, RepairOptions{FS: fsys, Inspect: inspectChunk})
	if len(r.Unrepairable) > 0 {
		t.Errorf("left: %v", r.Unrepairable)
	}
	after := contents(t, fsys, path)
	for s, fill := range map[Slot]int{60: 500, 61: 500, 62: 70, 63: 500} {
		if !bytes.Equal(after[s], chunkBytes(m.pos.Chunk(s), 100, fill)) {
			t.Errorf("slot %d is not what it was: %v", s, r.Actions)
		}
	}
}
