package fsck

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestRealWorldsAreClean(t *testing.T) {
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	worlds, err := filepath.Glob(filepath.Join(dir, "sample", "*", "level.dat"))
	if err != nil || len(worlds) < 4 {
		t.Fatalf("%d worlds, %v", len(worlds), err)
	}
	for _, path := range worlds {
		w, err := anvil.Open(filepath.Dir(path), anvil.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := Check(t.Context(), w, Options{})
		if err != nil {
			t.Fatal(err)
		}
		wantClasses(t, report)
		if report.Chunks < 400 || report.Files < 3 {
			t.Errorf("%s: %d chunks, %d files", path, report.Chunks, report.Files)
		}
	}
}

func TestDataFilesAreSniffedAndRestored(t *testing.T) {
	r := newRig(t)
	data := filepath.Join(r.dir, "data", "minecraft")
	doc := marshal(t, map[string]any{"data": map[string]any{"map": int32(4)}, "DataVersion": int32(4903)})
	for name, how := range map[string]nbt.Compression{"maps/raw": nbt.Uncompressed, "maps/gzip": nbt.Gzip, "maps/zlib": nbt.Zlib} {
		packed, err := nbt.Pack(nil, doc, how)
		if err != nil {
			t.Fatal(err)
		}
		r.write(filepath.Join(data, name+".dat"), packed)
	}
	wantClasses(t, r.check())

	players := r.open().Players()
	const id = "8667ba71-b85a-4004-af54-457a9734eed7"
	sound := filepath.Join(players.Data, id+".dat")
	old := marshal(t, map[string]any{"Health": float32(20)})
	r.write(sound+"_old", old)
	r.write(sound, nil)                                                        // a full disk
	r.write(filepath.Join(data, "scoreboard.dat"), []byte("\x1f\x8bnot gzip")) // and nothing to restore
	r.write(filepath.Join(players.Stats, id+".json"), []byte(`{"stats":`))     // cut off
	r.write(filepath.Join(players.Data, id+"-1234567.dat"), []byte("half"))    // a killed writer
	r.write(filepath.Join(r.dir, "level8471236.dat"), []byte("half"))          // another
	wantClasses(t, r.check(), DamagedData, DamagedData, BadJSON, region.Leftover, region.Leftover)
	r.repair(RepairOptions{})
	wantClasses(t, r.check(), DamagedData, BadJSON)
	if !bytes.Equal(r.read(sound), old) {
		t.Error("the player is not the old one")
	}
	r.wantSettled(RepairOptions{})
}

func TestLevelIsRestoredFromOld(t *testing.T) {
	r := newRig(t)
	level := filepath.Join(r.dir, "level.dat")
	sound := r.read(level)
	r.write(level+"_old", sound)
	r.write(level, []byte("\x1f\x8bdamaged"))
	wantClasses(t, r.check(), Class(anvil.LevelFromOld))
	r.repair(RepairOptions{})
	wantClasses(t, r.check())
	if !bytes.Equal(r.read(level), sound) || string(r.read(level+"_damaged")) != "\x1f\x8bdamaged" {
		t.Error("level.dat is not the old one, or what it was is lost")
	}
	r.wantSettled(RepairOptions{})
}

func TestRescuedObjectsGoBack(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.put(m.at(2, 2), chunkNBT(t, m.at(2, 2), func(c *chunk.Chunk) { c.SetLastUpdate(3000) }))
	m.save(r, store.Chunks)
	newer := func(c *chunk.Chunk) { c.SetLastUpdate(2000) }
	rescue := func(name string, pos region.ChunkPos) {
		r.write(filepath.Join(r.dir, "strata", "rescue", name), encode(t, codec.Zlib, chunkNBT(t, pos, newer)))
	}
	rescue("region@minecraft%3Aoverworld@1@1.nbt", m.at(1, 1))   // newer than the world's
	rescue("region@minecraft%3Aoverworld@2@2.nbt", m.at(2, 2))   // older
	rescue("region@minecraft%3Aoverworld@70@2.nbt", m.at(70, 2)) // absent there
	rescue("region@minecraft%3Aoverworld@4@4.nbt", m.at(9, 9))   // of another place
	r.write(filepath.Join(r.dir, "strata", "rescue", "file@raids.dat"), []byte("data"))
	wantClasses(t, r.check(), Rescued, Rescued, Rescued, Rescued, Rescued)
	before := r.payloads()
	plan, _ := r.repair(RepairOptions{})
	if len(plan.Steps) != 2 || len(plan.Left) != 3 {
		t.Errorf("plan %+v", plan)
	}
	wantClasses(t, r.check(), Rescued, Rescued, Rescued)
	after := r.payloads()
	if one := name(store.Chunks, m.at(1, 1)); after[one] == before[one] || after[name(store.Chunks, m.at(70, 2))] == "" {
		t.Error("what was rescued is not in the world")
	}
	if two := name(store.Chunks, m.at(2, 2)); after[two] != before[two] {
		t.Error("a newer chunk was replaced")
	}
	r.wantSettled(RepairOptions{})
}

// withStrays is a world with chunks in wrong places and with files that a repair sets
// aside: bodies that no record stands for, one of them where a chunk is going
// to be, a temporary file, and a region file that is none, with a body.
func withStrays(t *testing.T, fsys vfs.FS) (r *rig, strays map[string]string) {
	r = rigAt(t, fsys, "world")
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.put(m.at(4, 4), chunkNBT(t, m.at(40, 2), nil))
	m.save(r, store.Chunks)
	strays = map[string]string{}
	for name, text := range map[string]string{
		m.at(9, 9).ExternalName(): "body", m.at(2, 2).ExternalName(): "a body where a chunk will be",
		"tmp12345.tmp": "temporary", "r.5.5.mca": "this is no region file", region.ChunkPos{X: 160, Z: 161}.ExternalName(): "its body",
	} {
		path := filepath.Join(r.folder(store.Chunks), name)
		strays[path] = text
		r.write(path, []byte(text))
	}
	return r, strays
}

// undoLast takes the last change back as the command does.
func undoLast(t testing.TB, fsys vfs.FS) error {
	w, err := anvil.Open("world", anvil.Options{FS: fsys})
	if err != nil {
		return err
	}
	where, err := store.WorldOf(w)
	if err != nil {
		return err
	}
	s, err := store.Open(where, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		return err
	}
	closed := false
	defer func() {
		if !closed {
			s.Abandon()
		}
	}()
	trail, err := undo.Find(s, "")
	if err != nil {
		return err
	}
	report, err := undo.Undo(t.Context(), trail, undo.RestoreOptions{})
	if err := errors.Join(err, trail.Close()); err != nil {
		return err
	}
	if report.Failures > 0 {
		return fmt.Errorf("%v: %w", report.Failed[0].Target, report.Failed[0].Err)
	}
	closed = true
	return s.Close()
}

func wantStrays(t *testing.T, r *rig, strays map[string]string, what string) {
	t.Helper()
	for path, text := range strays {
		if got, err := vfs.ReadFile(r.fs, path, 1<<20); err != nil || string(got) != text {
			t.Errorf("%s: %s is %q, %v", what, filepath.Base(path), got, err)
		}
	}
}

func TestUndoTakesARepairBack(t *testing.T) {
	r, strays := withStrays(t, vfs.NewMem(vfs.MemOptions{}))
	before := r.payloads()
	_, out := r.repair(RepairOptions{})
	if two := name(store.Chunks, region.ChunkPos{X: 2, Z: 2}); len(r.payloads()) != len(before) || r.payloads()[two] == "" {
		t.Fatal("not repaired")
	}
	for path := range strays {
		if _, err := r.fs.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was not set aside: %v", filepath.Base(path), err)
		}
	}
	if err := undoLast(t, r.fs); err != nil {
		t.Fatal(err)
	}
	if after := r.payloads(); !maps.Equal(after, before) {
		t.Errorf("chunks are not what they were: %d, want %d", len(after), len(before))
	}
	wantStrays(t, r, strays, "undone")
	for _, path := range out.Kept {
		if strings.Contains(filepath.Base(path), ".mcc") {
			if _, err := r.fs.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is still in the rescue folder: %v", path, err)
			}
		}
	}
}

// An undo of a repair that is killed at any operation can be run again, and the
// files it had put back by then stay.
func TestKilledUndoOfARepairIsRunAgain(t *testing.T) {
	r, strays := withStrays(t, vfs.NewMem(vfs.MemOptions{}))
	before := r.payloads()
	r.repair(RepairOptions{})
	repaired := r.fs.(*vfs.Mem).CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
	step := max(1, 100/testbed.Runs(t, 40))
	for n := 0; ; n += step {
		mem := repaired.CrashClone(vfs.CrashOptions{})
		fault := vfs.NewFault(mem)
		crash := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		err := undoLast(t, fault)
		if crash.Fired() == 0 {
			if err != nil || n < 40 {
				t.Errorf("an undo is %d operations: %v", n, err)
			}
			return
		}
		after := &rig{t: t, fs: mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: uint64(n)}), dir: "world"}
		// The kill may have come after the last operation that counts.
		if err := undoLast(t, after.fs); err != nil && !errors.Is(err, undo.ErrNoChange) {
			t.Fatalf("operation %d: undo again: %v", n, err)
		}
		if got := after.payloads(); !maps.Equal(got, before) {
			t.Fatalf("operation %d: %d chunks are not what they were", n, len(got))
		}
		wantStrays(t, after, strays, fmt.Sprint("operation ", n))
	}
}

// What has been put in the place of a file since is not overwritten but by
// force, and then set aside in turn.
func TestUndoOfARepairKeepsWhatHasTakenAFilesPlace(t *testing.T) {
	r, strays := withStrays(t, vfs.NewMem(vfs.MemOptions{}))
	r.repair(RepairOptions{})
	body := filepath.Join(r.folder(store.Chunks), region.ChunkPos{X: 9, Z: 9}.ExternalName())
	r.write(body, []byte("another"))
	var conflict *undo.ConflictError
	if err := undoLast(t, r.fs); !errors.As(err, &conflict) || conflict.Count != 1 || conflict.Some[0].Path != body {
		t.Fatalf("undo over another file: %v", err)
	}
	if got := r.read(body); string(got) != "another" {
		t.Fatalf("it was overwritten with %q", got)
	}
	where, err := store.WorldOf(r.open())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(where, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	trail, err := undo.Find(s, "")
	if err != nil {
		t.Fatal(err)
	}
	report, err := undo.Undo(t.Context(), trail, undo.RestoreOptions{Force: true})
	if err := errors.Join(err, trail.Close(), s.Close()); err != nil || report.Failures > 0 {
		t.Fatalf("undo by force: %v, %+v", err, report)
	}
	wantStrays(t, r, strays, "by force")
	if err := undoLast(t, r.fs); err != nil {
		t.Fatalf("undo of the undo: %v", err)
	}
	if got := r.read(body); string(got) != "another" {
		t.Errorf("what force had replaced is %q", got)
	}
}

func TestBothLayoutsAreCheckedAndDuplicatesReported(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.save(r, store.Chunks)
	d, err := r.open().Dimension(anvil.Nether)
	if err != nil {
		t.Fatal(err)
	}
	r.write(filepath.Join(d.Region, "r.0.0.mca"), m.bytes)
	r.write(filepath.Join(r.dir, "DIM-1", "region", "r.0.0.mca"), m.bytes)
	r.write(filepath.Join(r.dir, "DIM1", "region", "r.0.0.mca"), m.bytes)
	// The chunk reaches below the nether.
	wantClasses(t, r.check(), Class(anvil.DuplicateDimension), Class(anvil.LeftoverDimension), SectionRange)
}

func TestLinkedWorldIsCheckedAndKeepsItsLink(t *testing.T) {
	dir := t.TempDir()
	r := rigAt(t, vfs.OS(), filepath.Join(dir, "real"))
	m := newImage(t, 0, 0)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.save(r, store.Chunks)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(r.dir, link); err != nil {
		testbed.SkipOrFail(t, "no symbolic links here: %v", err)
	}
	r.dir = link
	wantClasses(t, r.check(), region.WrongPosition)
	r.repair(RepairOptions{})
	wantClasses(t, r.check())
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}

func TestLockedWorldIsReadAndNotRepaired(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.save(r, store.Chunks)
	w, err := anvil.Open(r.dir, anvil.Options{FS: r.fs, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	report := r.check()
	if wantClasses(t, report, region.WrongPosition); !report.Live {
		t.Error("not live")
	}
	where, err := store.WorldOf(r.open())
	if err != nil {
		t.Fatal(err)
	}
	if s, err := store.Open(where, store.Options{Memory: 16 << 20}); err == nil {
		t.Errorf("opened for writing, %v", s.Close())
	}
}

func TestChangingFileIsUnstableNotDamaged(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	fault := vfs.NewFault(mem)
	r := rigAt(t, fault, "world")
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.record(m.at(2, 2), byte(codec.Zlib), []byte{1, 2, 3})
	m.record(m.at(6, 6), byte(codec.Zlib), []byte{1, 2, 3})
	m.save(r, store.Chunks)
	path := filepath.Join(r.folder(store.Chunks), "r.0.0.mca")
	stamp, writing := uint32(1000), true
	// Somebody publishes 2,2 anew whenever the file is opened.
	fault.Add(vfs.Rule{Ops: vfs.OpOpen, Name: "r.0.0.mca", Forever: true, Hook: func(vfs.OpInfo) {
		if !writing {
			return
		}
		stamp++
		(*region.Header)(m.bytes).Set(m.at(2, 2).Slot(), region.Entry{
			Location: (*region.Header)(m.bytes).Location(m.at(2, 2).Slot()), Timestamp: stamp,
		})
		file, err := mem.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			_, err = file.WriteAt(m.bytes[:region.HeaderBytes], 0)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}})
	wantClasses(t, r.check(), Unstable, region.BadStream)
	if stamp < 1000+3*maxTries {
		t.Errorf("read %d times", (stamp-1000)/3)
	}
	writing = false
	wantClasses(t, r.check(), region.BadStream, region.BadStream)
}

func TestStaleHandleIsOpenedOnceMore(t *testing.T) {
	fault := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	r := rigAt(t, fault, "world")
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.save(r, store.Chunks)
	stale := fault.Add(vfs.Rule{Ops: vfs.OpRead, Name: "r.0.0.mca", Nth: 2, Err: syscall.Errno(116)})
	wantClasses(t, r.check())
	if stale.Fired() != 1 {
		t.Error("the fault never fired")
	}
	fault.Add(vfs.Rule{Ops: vfs.OpRead, Name: "r.0.0.mca", Nth: 2, Forever: true, Err: syscall.Errno(116)})
	wantClasses(t, r.check(), region.IOError)
}

func TestUnreadableFileFailsAloneAndIsReported(t *testing.T) {
	fault := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	r := rigAt(t, fault, "world")
	m := newImage(t, 0, 0)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.save(r, store.Chunks)
	n := newImage(t, 1, 0)
	n.chunk(1, 1)
	n.save(r, store.Chunks)
	fault.Add(vfs.Rule{Ops: vfs.OpOpen, Name: "r.1.0.mca", Forever: true, Err: fs.ErrPermission})
	report := r.check()
	wantClasses(t, report, region.IOError, region.WrongPosition)
	if report.Worst() != region.SeverityFatal {
		t.Errorf("worst is %v", report.Worst())
	}
}

func TestFullDiskLeavesTheWorldAsItWas(t *testing.T) {
	fault := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	r := rigAt(t, fault, "world")
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.save(r, store.Chunks)
	where, err := store.WorldOf(r.open())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(where, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := r.open()
	report := r.check()
	plan, err := MakePlan(t.Context(), s, w, report, RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	change, err := undo.Begin(s, "fsck", undo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer change.Abort()
	full := fault.Add(vfs.Rule{Ops: vfs.OpWrite, Name: ".strata-*", Forever: true, Err: vfs.ErrNoSpace})
	if _, err := plan.Apply(t.Context(), s, change, nil); !errors.Is(err, vfs.ErrNoSpace) || full.Fired() == 0 {
		t.Errorf("%v", err)
	}
	full.Withdraw()
	if !bytes.Equal(r.read(filepath.Join(r.folder(store.Chunks), "r.0.0.mca")), m.bytes) {
		t.Error("the region file has changed")
	}
}

func TestIgnoredFindingsAreNeitherReportedNorRepaired(t *testing.T) {
	r := newRig(t)
	m := newImage(t, 0, 0)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.save(r, store.Chunks)
	report, err := Check(t.Context(), r.open(), Options{Ignore: func(f *Finding) bool {
		return f.Class == region.WrongPosition && strings.HasSuffix(f.File, "r.0.0.mca")
	}})
	if err != nil {
		t.Fatal(err)
	}
	if wantClasses(t, report); report.Ignored != 1 || len(report.leads.regions) > 0 {
		t.Errorf("%d ignored, leads %+v", report.Ignored, report.leads)
	}
}

func TestEveryClassHasASeverityAndIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for class := range severities {
		if !strings.Contains(string(doc), string(class)) {
			t.Errorf("doc.go does not name %s", class)
		}
	}
	for class := range regionClasses {
		if !strings.Contains(string(doc), string(class)) {
			t.Errorf("doc.go does not name %s", class)
		}
	}
}

// A real world is damaged at random and repaired from a copy of itself: every
// record is what it was, entities and points of interest included, but for
// those that nothing shows to have been there.
func TestRealWorldIsRepairedFromACopy(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks worlds")
	}
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	donor := &rig{t: t, fs: vfs.OS(), dir: filepath.Join(dir, "sample", "layout-1.21.3")}
	r := &rig{t: t, fs: vfs.OS(), dir: filepath.Join(dir, "copy")}
	if err := os.CopyFS(r.dir, os.DirFS(donor.dir)); err != nil {
		t.Fatal(err)
	}
	want := donor.payloads()
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, part := range []string{"region", "entities", "poi"} {
		files, err := filepath.Glob(filepath.Join(r.dir, part, "*.mca"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			data := r.read(path)
			if len(data) <= region.HeaderBytes {
				continue
			}
			for range 1 + rng.IntN(6) {
				damageRecord(rng, data, part == "poi")
			}
			r.write(path, data)
		}
	}
	w, err := NewWorldDonor(donor.open())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	o := RepairOptions{Donors: []Donor{w}}
	plan, _ := r.repair(o)
	if len(plan.Steps) == 0 {
		t.Error("nothing to do")
	}
	for i := range plan.Left {
		t.Errorf("left: %v", plan.Left[i].String())
	}
	got := r.payloads()
	for key, payload := range want {
		if got[key] != payload {
			t.Errorf("%s is not what it was", key)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d chunks, want %d", len(got), len(want))
	}
	wantClasses(t, r.check())
	r.wantSettled(o)
}

// damageRecord damages a chunk in a way that leaves its slot in use. Empty points
// of interest do not say where they belong, so they must stay in their place.
func damageRecord(rng *rand.Rand, data []byte, inPlace bool) {
	h := (*region.Header)(data)
	var used []region.Slot
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			used = append(used, s)
		}
	}
	if len(used) == 0 {
		return
	}
	a, b := used[rng.IntN(len(used))], used[rng.IntN(len(used))]
	at := int(h.Location(a).Sector()) * region.SectorBytes
	kind := rng.IntN(6)
	if inPlace && (kind == 1 || kind == 2) {
		kind = 0
	}
	switch kind {
	case 0: // a bit of the stream
		if at+10 < len(data) {
			data[min(len(data)-1, at+5+rng.IntN(200))] ^= 1 << rng.IntN(8)
		}
	case 1: // two slots change places
		x, y := h.Entry(a), h.Entry(b)
		h.Set(a, y)
		h.Set(b, x)
	case 2: // one is named twice
		h.Set(b, h.Entry(a))
	case 3:
		h.Set(a, region.Entry{Location: region.MakeLocation(h.Location(a).Sector(), 0), Timestamp: h.Timestamp(a)})
	case 4:
		h.Set(a, region.Entry{Location: region.MakeLocation(1<<20, 1), Timestamp: h.Timestamp(a)})
	case 5: // a sector of zeros
		clear(data[min(at, len(data)):min(at+region.SectorBytes, len(data))])
	}
}
