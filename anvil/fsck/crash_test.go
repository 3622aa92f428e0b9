package fsck

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/vfs"
)

// ailing is a world that a repair has much to do with, and the chunks that it
// has in the end.
func ailing(t *testing.T) (mem *vfs.Mem, want []string) {
	mem = vfs.NewMem(vfs.MemOptions{})
	r := rigAt(t, mem, "world")
	m := newImage(t, 0, 0)
	m.chunk(1, 1)
	m.put(m.at(3, 3), chunkNBT(t, m.at(2, 2), nil))
	m.put(m.at(4, 4), chunkNBT(t, m.at(40, 2), nil))
	m.put(m.at(6, 6), []byte{0})
	m.save(r, store.Chunks)
	r.write(filepath.Join(r.folder(store.Chunks), m.at(9, 9).ExternalName()), []byte("body"))
	level := filepath.Join(r.dir, "level.dat")
	r.write(level+"_old", r.read(level))
	r.write(level, []byte("\x1f\x8bdamaged"))
	r.write(filepath.Join(r.dir, "strata", "rescue", "region@minecraft%3Aoverworld@70@2.nbt"), chunkNBT(t, m.at(70, 2), nil))
	donor := rigAt(t, mem, "donor")
	m.chunk(6, 6)
	m.save(donor, store.Chunks)
	for _, pos := range []region.ChunkPos{m.at(1, 1), m.at(2, 2), m.at(40, 2), m.at(6, 6), m.at(70, 2)} {
		want = append(want, name(store.Chunks, pos))
	}
	slices.Sort(want)
	// What was there before the repair is durable.
	return mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll}), want
}

// tryRepair repairs as the command does, until it is through or the file system
// is dead.
func tryRepair(t *testing.T, fsys vfs.FS) error {
	w, err := anvil.Open("world", anvil.Options{FS: fsys})
	if err != nil {
		return err
	}
	other, err := anvil.Open("donor", anvil.Options{FS: fsys})
	if err != nil {
		return err
	}
	donor, err := NewWorldDonor(other)
	if err != nil {
		return err
	}
	defer donor.Close()
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
			s.Abandon() // the process is killed here
		}
	}()
	report, err := Check(t.Context(), w, Options{Workers: 1, Own: true, pause: time.Microsecond})
	if err != nil {
		return err
	}
	plan, err := MakePlan(t.Context(), s, w, report, RepairOptions{Donors: []Donor{donor}})
	if err != nil {
		return err
	}
	change, err := undo.Begin(s, "fsck", undo.Options{})
	if err != nil {
		return err
	}
	defer change.Abort()
	out, err := plan.Apply(t.Context(), s, change, nil)
	if err != nil {
		return err
	}
	if len(out.Failed) > 0 {
		return fmt.Errorf("%v: %s", out.Failed[0].String(), out.Failed[0].Error)
	}
	if err := change.Finish(t.Context()); err != nil {
		return err
	}
	closed = true
	return s.Close()
}

// A repair that is killed at any operation is run again and comes to the same
// end, and chunks that were sound are what they were at every moment.
func TestKilledRepairIsRunAgain(t *testing.T) {
	base, want := ailing(t)
	sound := (&rig{t: t, fs: base, dir: "world"}).payloads()[name(store.Chunks, region.ChunkPos{X: 1, Z: 1})]
	step := max(1, 100/testbed.Runs(t, 40)) // a repair is about a hundred operations
	for n := 0; ; n += step {
		mem := base.CrashClone(vfs.CrashOptions{})
		fault := vfs.NewFault(mem)
		crash := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		err := tryRepair(t, fault)
		if crash.Fired() == 0 {
			if err != nil {
				t.Fatalf("without a crash: %v", err)
			}
			if n < 40 {
				t.Errorf("a repair is %d operations", n)
			}
			t.Logf("%d operations", n)
			return
		}
		keep := vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: uint64(n)}
		after := &rig{t: t, fs: mem.CrashClone(keep), dir: "world"}
		if got := after.payloads()[name(store.Chunks, region.ChunkPos{X: 1, Z: 1})]; got != sound {
			t.Fatalf("operation %d: a sound chunk has changed", n)
		}
		if err := tryRepair(t, after.fs); err != nil {
			t.Fatalf("operation %d: repair again: %v", n, err)
		}
		var got []string
		for key := range after.payloads() {
			got = append(got, key)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("operation %d: chunks %q, want %q", n, got, want)
		}
		report := after.check()
		wantClasses(t, report)
		if t.Failed() {
			t.Fatalf("operation %d", n)
		}
	}
}

func TestJournalsAreReported(t *testing.T) {
	found := map[Class]bool{}
	for n := 0; ; n++ {
		mem := vfs.NewMem(vfs.MemOptions{})
		r := rigAt(t, mem, "world")
		fault := vfs.NewFault(mem)
		w, err := anvil.Open(r.dir, anvil.Options{FS: fault})
		if err != nil {
			t.Fatal(err)
		}
		where, err := store.WorldOf(w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(where, store.Options{Memory: 16 << 20, NoControl: true})
		if err != nil {
			t.Fatal(err)
		}
		crash := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Crash: true})
		doc, err := nbt.Pack(nil, marshal(t, map[string]any{"data": map[string]any{}}), nbt.Gzip)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.StageFile(filepath.Join(r.dir, "data", "minecraft", "raids.dat"), doc, store.FileOptions{}); err == nil {
			if err := s.Barrier(t.Context()); err != nil && crash.Fired() == 0 {
				t.Error(err)
			}
		}
		s.Abandon() // the process is killed here
		if crash.Fired() == 0 {
			break
		}
		after := &rig{t: t, fs: mem.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll}), dir: r.dir}
		report := after.check()
		for i := range report.Findings {
			found[report.Findings[i].Class] = true
		}
	}
	if !found[JournalPending] {
		t.Errorf("no pending journal in %v", found)
	}
	r := newRig(t)
	r.write(filepath.Join(r.dir, "strata", "journal.stale"), []byte("old"))
	wantClasses(t, r.check(), JournalStale)
}

// FuzzInspect is about what may be in a record: nothing panics, and what is
// noted has a severity.
func FuzzInspect(f *testing.F) {
	pos := region.ChunkPos{X: 2, Z: 3}
	f.Add(byte(0), chunkNBT(f, pos, func(c *chunk.Chunk) { c.SetLightOn(true) }))
	f.Add(byte(1), entitiesNBT(f, pos, pos, pos))
	f.Add(byte(2), poiNBT(f, pos))
	t := newTables()
	f.Fuzz(func(tt *testing.T, kind byte, data []byte) {
		r := rules{kind: kinds[int(kind)%len(kinds)], world: 4903, tables: t, height: anvil.Height{MinY: -64, Blocks: 384}, bounded: true}
		i := newInspector(r)
		in, err := i.inspect(pos, data)
		if err == nil && in.HasPosition && in.Position != pos && len(i.elsewhere) != 1 {
			tt.Errorf("a chunk that says %v is not noted", in.Position)
		}
		for _, n := range i.notes {
			if severityOf(n.class) == region.SeverityNone || n.pos != pos {
				tt.Errorf("note %+v", n)
			}
		}
	})
}
