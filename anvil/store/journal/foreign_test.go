package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// interrupted is a workload whose epoch has a part of every kind.
var interrupted = workload{setup: func(r *rig) {
	r.epoch(change{path: "w/data/raids.dat", size: 50}, change{path: over, slot: 30, size: big}, change{path: west, slot: 1, size: 100})
}, run: func(r *rig) {
	r.epoch(change{path: over, slot: 1, size: 9000}, change{path: over, slot: 2}, change{path: over, slot: 30, size: 10},
		change{path: west, slot: 3, size: big}, change{path: nether, slot: 7, size: 400},
		change{path: player, size: 90, keepOld: true}, change{path: level, size: 950}, change{path: "w/data/raids.dat"})
}}

// pending are the disks of power cuts between the flush of the record and its
// retirement: right after the one, in the middle, and right before the other.
func pending(t *testing.T, memory vfs.MemOptions) (*rig, []*vfs.Mem) {
	t.Helper()
	found, ok := pendingStates[memory.Windows]
	if !ok {
		found.rig, found.disks = findPending(t, memory)
		pendingStates[memory.Windows] = found
	}
	var disks []*vfs.Mem
	for _, d := range found.disks {
		disks = append(disks, d.CrashClone(vfs.CrashOptions{}))
	}
	return found.rig, disks
}

// pendingStates keeps what findPending finds; tests that use it do not run in
// parallel.
var pendingStates = map[bool]struct {
	rig   *rig
	disks []*vfs.Mem
}{}

func findPending(t *testing.T, memory vfs.MemOptions) (r *rig, disks []*vfs.Mem) {
	t.Helper()
	for n := range interrupted.operations(t, memory) {
		next := interrupted.start(memory)
		next.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		interrupted.play(next)
		disk := next.mem.CrashClone(vfs.CrashOptions{})
		report, err := Inspect(Options{FS: disk, Roots: testRoots})
		if err != nil {
			t.Fatal(err)
		}
		if report.Outcome == Pending {
			r, disks = next, append(disks, disk)
		}
		if len(disks) > 0 && report.Outcome != Pending {
			break
		}
	}
	if len(disks) < 5 {
		t.Fatalf("%d pending states", len(disks))
	}
	return r, []*vfs.Mem{disks[0], disks[len(disks)/2], disks[len(disks)-1]}
}

// write, remove and patch do what another program might.
func write(t *testing.T, fsys vfs.FS, path, data string) {
	t.Helper()
	if err := vfs.WriteFileSync(fsys, path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, fsys vfs.FS, path string) {
	t.Helper()
	if err := errors.Join(fsys.Remove(path), fsys.SyncDir(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
}

func saveChunk(t *testing.T, fsys vfs.FS, path string, w region.Write) {
	t.Helper()
	f, err := region.Open(path, region.Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Write(context.Background(), w), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// patch changes two bytes of the nether's payload that the record names.
func patch(t *testing.T, disk *vfs.Mem, slot region.Slot) {
	t.Helper()
	f, err := disk.OpenFile("w/strata/journal", os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readContent(f, 4<<20, "")
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, rc := range c.rec.regions {
		if rc.at.root != "nether" {
			continue
		}
		f, err := disk.OpenFile(nether, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		at := int64(rc.header.Location(slot).Sector())*region.SectorBytes + 40
		if _, err = f.WriteAt([]byte{0xee, 0xdd}, at); err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// temporaries are our temporary files in a folder that begin so.
func temporaries(t *testing.T, disk *vfs.Mem, dir, prefix string) []string {
	t.Helper()
	var paths []string
	for _, name := range names(disk) {
		if strings.HasPrefix(name, dir+"/"+prefix) {
			paths = append(paths, name)
		}
	}
	return paths
}

// A foreign write between the crash and the opening voids the replay: nothing
// is changed, the journal is kept, and the report names file and chunk.
func TestForeignWritesVoidTheReplay(t *testing.T) {
	some := region.Write{Scheme: codec.None, Data: []byte("of another program")}
	at := func(s region.Slot) region.Write { w := some; w.Slot = s; return w }
	for _, c := range []struct {
		name    string
		path    string // that the report names, or its beginning
		slot    int
		foreign func(t *testing.T, disk *vfs.Mem) bool // false: not possible in this state
	}{
		{"chunk that the epoch left alone", over, 77, func(t *testing.T, d *vfs.Mem) bool { saveChunk(t, d, over, at(77)); return true }},
		{"chunk that the epoch changed", nether, 7, func(t *testing.T, d *vfs.Mem) bool { saveChunk(t, d, nether, at(7)); return true }},
		{"chunk that the epoch removed", over, 2, func(t *testing.T, d *vfs.Mem) bool { saveChunk(t, d, over, at(2)); return true }},
		{"chunk removed", over, 1, func(t *testing.T, d *vfs.Mem) bool {
			saveChunk(t, d, over, region.Write{Slot: 1, Delete: true})
			return true
		}},
		{"payload overwritten", nether, 7, func(t *testing.T, d *vfs.Mem) bool { patch(t, d, 7); return true }},
		{"external stub overwritten", west, 3, func(t *testing.T, d *vfs.Mem) bool {
			f, err := d.OpenFile(west, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for s := int64(2); s < 8; s++ { // wherever it is
				f.WriteAt([]byte{9}, s*region.SectorBytes)
			}
			return f.Sync() == nil
		}},
		{"player saved", player, -1, func(t *testing.T, d *vfs.Mem) bool { write(t, d, player, "other"); return true }},
		{"player removed", player, -1, func(t *testing.T, d *vfs.Mem) bool {
			remove(t, d, player)
			return len(temporaries(t, d, "w/playerdata", vfs.TempPrefix)) > 0 // else its temporary is missed first
		}},
		{"old player file changed", player + "_old", -1, func(t *testing.T, d *vfs.Mem) bool { write(t, d, player+"_old", "x"); return true }},
		{"level.dat changed", level, -1, func(t *testing.T, d *vfs.Mem) bool { write(t, d, level, "of another world"); return true }},
		{"removed file made anew", "w/data/raids.dat", -1, func(t *testing.T, d *vfs.Mem) bool { write(t, d, "w/data/raids.dat", "x"); return true }},
		{"external body changed", "w/region/c.-29.0.mcc", -1, func(t *testing.T, d *vfs.Mem) bool {
			write(t, d, "w/region/c.-29.0.mcc", "x")
			return true
		}},
		{"removed body changed", "w/region/c.30.0.mcc", -1, func(t *testing.T, d *vfs.Mem) bool { write(t, d, "w/region/c.30.0.mcc", "x"); return true }},
		{"temporary file swept", "w/playerdata/" + vfs.TempPrefix, -1, func(t *testing.T, d *vfs.Mem) bool {
			swept := temporaries(t, d, "w/playerdata", vfs.TempPrefix)
			for _, p := range swept {
				if p != swept[0] {
					remove(t, d, p)
				}
			}
			return len(swept) > 1 && d.Remove(swept[0]) == nil
		}},
		{"temporary body damaged", "w/region/" + vfs.TempPrefix, -1, func(t *testing.T, d *vfs.Mem) bool {
			bodies := temporaries(t, d, "w/region", vfs.TempPrefix+"c.")
			for _, p := range bodies {
				write(t, d, p, "x")
			}
			return len(bodies) > 0
		}},
		{"region file removed", nether, -1, func(t *testing.T, d *vfs.Mem) bool { remove(t, d, nether); return true }},
		{"region file is a folder", nether, -1, func(t *testing.T, d *vfs.Mem) bool {
			remove(t, d, nether)
			return vfs.MkdirAllSync(d, nether, 0o755) == nil
		}},
		{"region file emptied", over, 1, func(t *testing.T, d *vfs.Mem) bool {
			write(t, d, over, "")
			return true
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, memory := range []vfs.MemOptions{{}, windows} {
				tried := 0
				_, disks := pending(t, memory)
				for i, disk := range disks {
					if !c.foreign(t, disk) {
						continue
					}
					tried++
					voids(t, disk, fmt.Sprintf("state %d, windows %v", i, memory.Windows), c.path, c.slot)
				}
				if tried == 0 {
					t.Error("possible in no state")
				}
			}
		})
	}
}

// voids checks that the journal is set aside for the reason given, and that
// this is all that happens.
func voids(t *testing.T, disk *vfs.Mem, state, path string, slot int) {
	t.Helper()
	opts := Options{FS: disk, Roots: testRoots}
	before := bytesOf(disk)
	report, err := Inspect(opts)
	if err != nil || report.Outcome != Void {
		t.Fatalf("%s: Inspect says %v, %v", state, report, err)
	}
	if !maps.Equal(before, bytesOf(disk)) {
		t.Errorf("%s: Inspect has changed the world", state)
	}
	j, err := Open(opts)
	if err != nil {
		t.Fatalf("%s: %v", state, err)
	}
	report = j.Report()
	var m *Mismatch
	if report.Outcome != SetAside || !errors.As(report.Reason, &m) {
		t.Fatalf("%s: %s, %v", state, report.Outcome, report.Reason)
	}
	if !strings.HasPrefix(m.Path, path) || m.Slot != slot {
		t.Errorf("%s: the report blames %s, slot %d (%v), want %s, slot %d", state, m.Path, m.Slot, m, path, slot)
	}
	if report.Path != "w/strata/journal.stale" || !slices.Contains(report.Stale, report.Path) || len(report.Headers) != 3 {
		t.Errorf("%s: kept as %s of %v, %d headers", state, report.Path, report.Stale, len(report.Headers))
	}
	j.Close()
	after := bytesOf(disk)
	before["w/strata/journal.stale"] = before["w/strata/journal"]
	before["w/strata/journal"] = stateOf(nil).String()
	if !maps.Equal(before, after) {
		for name := range after {
			if before[name] != after[name] {
				t.Errorf("%s: %s has changed", state, name)
			}
		}
	}
	if again, err := Open(opts); err != nil || again.Report().Outcome != Nothing {
		t.Errorf("%s: opened again: %v", state, err)
	}
}

// What another program has left as it was, or as the epoch would have it, does
// not hold the replay up.
func TestReplayOfAWorldThatWasMoved(t *testing.T) {
	r, disks := pending(t, vfs.MemOptions{})
	for i, disk := range disks {
		if err := errors.Join(disk.Rename("w", "elsewhere"), disk.Rename("n", "w")); err != nil {
			t.Fatal(err)
		}
		roots := []Root{{"", "elsewhere"}, {"nether", "w"}}
		j, err := Open(Options{FS: disk, Roots: roots})
		if err != nil || j.Report().Outcome != Replayed {
			t.Fatalf("state %d: %v", i, err)
		}
		rep := j.Report()
		if rep.Regions != 3 || rep.Chunks != 5 || rep.Files != 6 || rep.Headers["elsewhere/region/r.0.0.mca"] == nil {
			t.Errorf("state %d: report %+v", i, rep)
		}
		j.Close()
		if err := errors.Join(disk.Rename("w", "n"), disk.Rename("elsewhere", "w")); err != nil {
			t.Fatal(err)
		}
		is, err := look(disk)
		if err != nil {
			t.Fatal(err)
		}
		if d := r.differ(is, r.candidate); d != "" {
			t.Errorf("state %d: %s", i, d)
		}
	}
}

func TestRootThatIsGoneVoidsTheReplay(t *testing.T) {
	_, disks := pending(t, vfs.MemOptions{})
	j, err := Open(Options{FS: disks[0], Roots: testRoots[:1]})
	if err != nil {
		t.Fatal(err)
	}
	var m *Mismatch
	if rep := j.Report(); rep.Outcome != SetAside || !errors.As(rep.Reason, &m) || !strings.Contains(m.Problem, "nether") {
		t.Errorf("%s, %v", rep.Outcome, rep.Reason)
	}
}

// A journal that was set aside is not overwritten by the next one.
func TestStaleJournalsAreNumbered(t *testing.T) {
	_, disks := pending(t, vfs.MemOptions{})
	record, err := vfs.ReadFile(disks[0], "w/strata/journal", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	write(t, disks[0], level, "other")
	for i, want := range []string{"journal.stale", "journal.stale.1", "journal.stale.2"} {
		write(t, disks[0], "w/strata/journal", string(record)+strings.Repeat("x", i))
		j, err := Open(Options{FS: disks[0], Roots: testRoots})
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Report().Path; got != "w/strata/"+want || len(j.Report().Stale) != i+1 {
			t.Errorf("kept as %s of %v, want %s", got, j.Report().Stale, want)
		}
		j.Close()
		if kept, err := vfs.ReadFile(disks[0], "w/strata/"+want, 1<<30); err != nil || len(kept) != len(record)+i {
			t.Errorf("%s has %d bytes, %v", want, len(kept), err)
		}
	}
}

func TestBytesThatAreNoJournalAreKept(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	write(t, r.mem, "w/strata/journal", "something else")
	rep, err := Inspect(Options{FS: r.mem, Roots: testRoots})
	if err != nil || rep.Outcome != Void || rep.Reason == nil {
		t.Errorf("%+v, %v", rep, err)
	}
	j, err := Open(Options{FS: r.mem, Roots: testRoots})
	if err != nil || j.Report().Outcome != SetAside {
		t.Fatalf("%+v, %v", j.Report(), err)
	}
	if data, err := vfs.ReadFile(r.mem, "w/strata/journal.stale", 100); err != nil || string(data) != "something else" {
		t.Errorf("kept %q, %v", data, err)
	}
}

// A failure of the file system is no mismatch: the record waits.
func TestReplayThatCanNotReadKeepsTheRecord(t *testing.T) {
	r, disks := pending(t, vfs.MemOptions{})
	for _, name := range []string{"r.0.0.mca", "level.dat", "a.dat", "c.30.0.mcc"} {
		disk := disks[0].CrashClone(vfs.CrashOptions{})
		fault := vfs.NewFault(disk)
		planned := fault.Add(vfs.Rule{Ops: vfs.OpRead, Name: name, Err: errIO})
		before := bytesOf(disk)
		if _, err := Open(Options{FS: fault, Roots: testRoots}); !errors.Is(err, errIO) {
			t.Errorf("%s: %v", name, err)
		}
		if planned.Fired() == 0 {
			t.Errorf("%s was not read", name)
		}
		if !maps.Equal(before, bytesOf(disk)) {
			t.Errorf("%s: the world has changed", name)
		}
		j, err := Open(Options{FS: disk, Roots: testRoots})
		if err != nil || j.Report().Outcome != Replayed {
			t.Fatalf("%s: then %v", name, err)
		}
		j.Close()
		for _, p := range inspect(&rig{base: r.candidate, ignored: r.ignored}, disk) {
			t.Error(p)
		}
	}
}

// The temporary files of an epoch that was set aside stay beside its record.
func TestInspectOfAWorldWithoutJournal(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAllSync(mem, "w", 0o755); err != nil {
		t.Fatal(err)
	}
	rep, err := Inspect(Options{FS: mem, Roots: testRoots[:1]})
	if err != nil || rep.Outcome != Nothing || len(rep.Stale) != 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	if _, err := mem.Stat("w/strata"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Inspect has made the folder: %v", err)
	}
}

// level.dat tells worlds apart, also for an epoch that leaves it alone: a
// journal that came along with a copy or a restored world is void there.
func TestAnotherLevelDatVoidsTheReplay(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	r.use()
	r.fault.Add(vfs.Rule{Ops: vfs.OpRename, Name: "a.dat", Crash: true})
	r.epoch(change{path: player, size: 30}, change{path: over, slot: 1, size: 40})
	for name, change := range map[string]func(disk *vfs.Mem){
		"changed": func(disk *vfs.Mem) { write(t, disk, level, "of another world") },
		"removed": func(disk *vfs.Mem) { remove(t, disk, level) },
	} {
		disk := r.mem.CrashClone(vfs.CrashOptions{})
		change(disk)
		j, err := Open(Options{FS: disk, Roots: testRoots})
		if err != nil {
			t.Fatal(err)
		}
		var m *Mismatch
		if rep := j.Report(); rep.Outcome != SetAside || !errors.As(rep.Reason, &m) || m.Path != level {
			t.Errorf("%s: %s, %v", name, rep.Outcome, rep.Reason)
		}
		for _, p := range inspect(&rig{base: r.base, ignored: map[string]bool{level: true}}, disk) {
			if !strings.Contains(p, "is \"40:") { // the region was published before the crash
				t.Errorf("%s: %s", name, p)
			}
		}
		j.Close()
	}
}
