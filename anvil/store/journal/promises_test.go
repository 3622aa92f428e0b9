package journal

import (
	"context"
	"errors"
	"fmt"
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

// changesOf is an epoch with a part of every kind.
func changesOf() []change {
	return []change{{path: over, slot: 1, size: 9000}, {path: over, slot: 30, size: 10}, {path: west, slot: 3, size: big},
		{path: nether, slot: 7, size: 400}, {path: player, size: 90, keepOld: true}, {path: level, size: 950}, {path: "w/data/raids.dat"}}
}

// TestOrderOfAnEpoch reads the order of the file operations: everything that
// the record relies on is flushed before it, nothing that it announces happens
// before it is flushed itself, and it is retired when all of that is flushed.
func TestOrderOfAnEpoch(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	r.use()
	before := len(r.fault.Ops())
	r.epoch(changesOf()...)
	ops := r.fault.Ops()[before:]
	var recordAt, recordFlushed, retiredAt int
	unflushed := map[string]int{} // written or changed, and where
	for i, op := range ops {
		name := op.Name
		isJournal := filepath.Base(name) == "journal"
		switch op.Op {
		case vfs.OpWrite:
			switch {
			case isJournal && op.Len > headBytes:
				recordAt = i
				if len(unflushed) > 0 {
					t.Errorf("the record is written while %v are not flushed", unflushed)
				}
			case isJournal:
				retiredAt = i
				if len(unflushed) > 0 {
					t.Errorf("the record is retired while %v are not flushed", unflushed)
				}
			case op.Off == 0 && op.Len == region.HeaderBytes && recordFlushed == 0:
				t.Errorf("header of %s before the record", name)
			}
			unflushed[name] = i
		case vfs.OpCreate:
			if strings.Contains(name, vfs.TempPrefix) {
				unflushed[filepath.Dir(name)] = i
			}
		case vfs.OpRename, vfs.OpRemove:
			if recordFlushed == 0 {
				t.Errorf("%v before the record is flushed", op)
			}
			unflushed[filepath.Dir(name)] = i
		case vfs.OpSync:
			delete(unflushed, name)
			if isJournal && recordAt > 0 && recordFlushed == 0 {
				recordFlushed = i
			}
		case vfs.OpSyncDir:
			delete(unflushed, name)
		}
	}
	if recordFlushed == 0 || retiredAt == 0 || len(unflushed) > 0 || len(r.errs) > 0 {
		t.Errorf("record at %d, flushed at %d, retired at %d, unflushed %v, errors %v", recordAt, recordFlushed, retiredAt, unflushed, r.errs)
	}
	r.close()
}

// Sectors of replaced chunks stay until the record is retired, although the
// header no longer names them.
func TestOldSectorsAreFreeOnlyAfterRetirement(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	r.use()
	f := r.region(nether)
	old := f.Entry(7).Location
	var at []uint32
	try := func() {
		g, err := f.Stage(region.Write{Slot: 50, Scheme: codec.None, Data: make([]byte, 9000)})
		if err != nil {
			t.Error(err)
			return
		}
		// The sectors show in what was written last.
		ops := r.fault.Ops()
		for _, op := range slices.Backward(ops) {
			if op.Op == vfs.OpWrite && op.Name == nether {
				at = append(at, uint32(op.Off/region.SectorBytes))
				break
			}
		}
		g.Abort()
	}
	hook := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Nth: 1, Hook: func(vfs.OpInfo) { try() }})
	r.epoch(change{path: nether, slot: 7, size: 100}, change{path: player, size: 4})
	try()
	if hook.Fired() == 0 || len(at) != 2 {
		t.Fatalf("hook fired %d times, %v", hook.Fired(), at)
	}
	if at[0] == old.Sector() || at[1] != old.Sector() {
		t.Errorf("old sectors begin at %d; before the retirement %d was allocated, after it %d", old.Sector(), at[0], at[1])
	}
	r.close()
}

func TestCloseLeavesAnEmptyJournal(t *testing.T) {
	for _, memory := range []vfs.MemOptions{{}, windows} {
		r := interrupted.start(memory)
		r.use()
		if info, err := r.mem.Stat("w/strata/journal"); err != nil || info.Size != preallocated {
			t.Errorf("an open journal has %d bytes (%v)", info.Size, err)
		}
		r.epoch(changesOf()...)
		r.close()
		disk := r.mem.CrashClone(vfs.CrashOptions{})
		if info, err := disk.Stat("w/strata/journal"); err != nil || info.Size != 0 {
			t.Errorf("%d bytes are left (%v)", info.Size, err)
		}
		// Removing our folder then loses nothing.
		remove(t, disk, "w/strata/journal")
		remove(t, disk, "w/strata")
		if j, err := Open(Options{FS: disk, Roots: testRoots}); err != nil || j.Report().Outcome != Nothing {
			t.Errorf("%v", err)
		}
		for _, p := range inspect(r, disk) {
			t.Error(p)
		}
	}
}

func TestSecondOpenerChangesNothing(t *testing.T) {
	for _, memory := range []vfs.MemOptions{{}, windows} {
		r := interrupted.start(memory)
		r.use()
		r.epoch(change{path: over, slot: 1, size: 10})
		before := bytesOf2(r.mem)
		if _, err := Open(Options{FS: r.mem, Roots: testRoots}); !errors.Is(err, ErrInUse) {
			t.Errorf("a second opener: %v", err)
		}
		rep, err := Inspect(Options{FS: r.mem, Roots: testRoots})
		if want := map[bool]Outcome{false: Nothing, true: InUse}[memory.Windows]; err != nil || rep.Outcome != want {
			t.Errorf("a reader: %v, %v", rep, err)
		}
		if !maps.Equal(before, bytesOf2(r.mem)) {
			t.Error("the world has changed")
		}
		r.epoch(change{path: over, slot: 1, size: 20}) // the first one goes on
		r.close()
		if len(r.errs) > 0 {
			t.Error(r.errs)
		}
		if j, err := Open(Options{FS: r.mem, Roots: testRoots}); err != nil {
			t.Errorf("after Close: %v", err)
		} else {
			j.Close()
		}
	}
}

// bytesOf2 is bytesOf without the journal, which may be locked.
func bytesOf2(fsys vfs.FS) map[string]string {
	all := map[string]string{}
	for _, name := range names(fsys) {
		if name != "w/strata/journal" {
			s, _ := readState(fsys, name)
			all[name] = s.String()
		}
	}
	return all
}

// An epoch that is aborted, cancelled or refused leaves the world as it was,
// temporary files included.
func TestEpochThatDoesNotHappenLeavesNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		end  func(r *rig, e *Epoch) error
		want error
	}{
		{"aborted", func(_ *rig, e *Epoch) error { e.Abort(); return nil }, nil},
		{"cancelled", func(_ *rig, e *Epoch) error { return e.Commit(cancelled) }, context.Canceled},
		{"condition does not hold", func(r *rig, e *Epoch) error {
			g, err := r.region(animals).Stage(region.Write{Slot: 1, Scheme: codec.None, Data: []byte{1}, If: &region.Entry{Timestamp: 5}})
			if err = errors.Join(err, e.Add(g)); err != nil {
				return err
			}
			return e.Commit(context.Background())
		}, region.ErrChanged},
		{"record too large", func(r *rig, e *Epoch) error {
			r.journal.limit = 20_000
			defer func() { r.journal.limit = MaxRecord }()
			return e.Commit(context.Background())
		}, ErrTooLarge},
		{"external file twice", func(_ *rig, e *Epoch) error {
			if err := e.Remove("w/region/c.-29.0.mcc"); err != nil {
				return err
			}
			return errors.Join(e.Write("w/region/c.30.0.mcc", []byte{1}, 0o644), e.Commit(context.Background()))
		}, ErrTwice},
		{"journal does not grow", func(r *rig, e *Epoch) error {
			r.journal.file.size = 0
			p := r.fault.Add(vfs.Rule{Ops: vfs.OpPreallocate, Err: errFull})
			defer p.Withdraw()
			return e.Commit(context.Background())
		}, vfs.ErrNoSpace},
		{"folder not flushed", func(r *rig, e *Epoch) error {
			p := r.fault.Add(vfs.Rule{Ops: vfs.OpSyncDir, Err: errIO})
			defer p.Withdraw()
			return e.Commit(context.Background())
		}, ErrFlush},
		{"record not flushed", func(r *rig, e *Epoch) error {
			p := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Err: errIO})
			q := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Nth: 1, Err: errIO, Landed: vfs.CrashOptions{Keep: vfs.KeepAll}})
			defer p.Withdraw()
			defer q.Withdraw()
			return e.Commit(context.Background())
		}, ErrFlush},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := interrupted.start(vfs.MemOptions{})
			j := r.use()
			for _, path := range []string{over, west, nether, animals} {
				r.region(path)
			}
			before := names(r.mem)
			e, err := j.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := r.stage(e, changesOf()); !ok {
				t.Fatal(r.errs)
			}
			if err := c.end(r, e); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if after := names(r.mem); !slices.Equal(before, after) {
				t.Errorf("files before %v, after %v", before, after)
			}
			for _, p := range inspect(r, r.mem.CrashClone(vfs.CrashOptions{})) {
				t.Error(p)
			}
			if rep, err := Inspect(Options{FS: r.mem.CrashClone(vfs.CrashOptions{}), Roots: testRoots}); err != nil || rep.Outcome != Nothing {
				t.Errorf("the journal has %v, %v", rep.Outcome, err)
			}
			for want, err := range map[error]error{ErrDone: e.Commit(context.Background())} {
				if !errors.Is(err, want) {
					t.Errorf("committed again: %v", err)
				}
			}
			if err := errors.Join(e.Write(player, nil, 0o644)); !errors.Is(err, ErrDone) {
				t.Errorf("written to when done: %v", err)
			}
			r.epoch(changesOf()...) // the next one succeeds
			r.close()
			for _, err := range r.errs {
				t.Error(err)
			}
			for _, p := range inspect(r, r.mem) {
				t.Error(p)
			}
		})
	}
}

// A journal whose epoch was left incomplete, or in doubt, takes no more until
// the world is opened again; then it is complete, or nothing.
func TestBrokenJournalTakesNoEpochs(t *testing.T) {
	for _, c := range []struct {
		name string
		rule vfs.Rule
		want error
	}{
		{"header not flushed", vfs.Rule{Ops: vfs.OpSync, Name: "r.*", Nth: 3}, ErrIncomplete},
		{"file not renamed", vfs.Rule{Ops: vfs.OpRename, Name: "level.dat"}, ErrIncomplete},
		{"folder not flushed", vfs.Rule{Ops: vfs.OpSyncDir, Name: "playerdata", Nth: 1}, ErrIncomplete},
		{"not retired", vfs.Rule{Ops: vfs.OpSync, Name: "journal", Nth: 1}, ErrIncomplete},
		{"record neither flushed nor erased", vfs.Rule{Ops: vfs.OpSync, Name: "journal"}, ErrInDoubt},
		{"record lost or not", vfs.Rule{Ops: vfs.OpSync, Name: "journal", Landed: vfs.CrashOptions{Keep: vfs.KeepAll}}, ErrInDoubt},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := interrupted.start(vfs.MemOptions{})
			j := r.use()
			e, err := j.Begin()
			if err != nil {
				t.Fatal(err)
			}
			early, err := j.Begin()
			if err != nil {
				t.Fatal(err)
			}
			next, ok := r.stage(e, changesOf())
			if !ok {
				t.Fatal(r.errs)
			}
			c.rule.Err, c.rule.Forever = errIO, true
			planned := r.fault.Add(c.rule)
			if c.name == "header not flushed" { // the payloads are
				planned.Withdraw()
				c.rule.Nth = 0
				planned = r.fault.Add(c.rule)
			}
			if err := e.Commit(context.Background()); !errors.Is(err, c.want) || !errors.Is(err, errIO) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			planned.Withdraw()
			if _, err := j.Begin(); !errors.Is(err, ErrBroken) {
				t.Errorf("begin: %v", err)
			}
			if err := early.Commit(context.Background()); !errors.Is(err, ErrBroken) {
				t.Errorf("commit: %v", err)
			}
			r.stranded(changesOf()[:4])
			r.candidate = next
			if c.want == ErrIncomplete {
				r.base, r.candidate = next, nil
			}
			for _, keep := range []vfs.Keep{vfs.KeepNone, vfs.KeepAll} {
				disk := r.mem.CrashClone(vfs.CrashOptions{Keep: keep})
				for _, p := range interrupted.reopen(r, &tally{}, disk, false) {
					t.Errorf("power cut, keep %d: %s", keep, p)
				}
			}
			r.close()
			r.use()
			r.epoch(changesOf()...)
			r.close()
			for _, p := range append(inspect(r, r.mem), r.broken...) {
				t.Error(p)
			}
			for _, err := range r.errs {
				t.Error(err)
			}
		})
	}
}

// A file that another program has open is waited for, and if it stays open the
// next opening completes the epoch.
func TestFileInUseOnWindows(t *testing.T) {
	for _, lets := range []bool{true, false} {
		r := interrupted.start(windows)
		r.use()
		other, err := r.mem.OpenFile(level, os.O_RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		tries := 0
		r.fault.Add(vfs.Rule{Ops: vfs.OpRename, Name: "level.dat", Forever: true, Hook: func(vfs.OpInfo) {
			if tries++; lets && tries == 5 {
				other.Close()
			}
		}})
		e, err := r.journal.Begin()
		if err != nil {
			t.Fatal(err)
		}
		next, _ := r.stage(e, changesOf())
		err = e.Commit(context.Background())
		if lets && err != nil || !lets && (!errors.Is(err, ErrIncomplete) || !errors.Is(err, vfs.ErrInUse)) || tries < 5 {
			t.Fatalf("lets go %v: %v after %d tries", lets, err, tries)
		}
		other.Close()
		r.base = next
		r.close()
		r.use()
		if want := map[bool]Outcome{true: Nothing, false: Replayed}[lets]; r.journal.Report().Outcome != want {
			t.Errorf("lets go %v: %s", lets, r.journal.Report().Outcome)
		}
		r.close()
		for _, p := range inspect(r, r.mem) {
			t.Error(p)
		}
	}
}

// A record that is longer than what is preallocated makes the journal grow,
// and the next, shorter one is read for itself.
func TestJournalGrows(t *testing.T) {
	r := newRig(vfs.MemOptions{})
	var changes []change
	for i := range 520 {
		changes = append(changes, change{path: fmt.Sprintf("w/region/r.%d.9.mca", i), slot: 1, size: 20})
	}
	r.epoch(changes...)
	if info, err := r.mem.Stat("w/strata/journal"); err != nil || info.Size <= preallocated {
		t.Errorf("%d bytes (%v)", info.Size, err)
	}
	r.fault.Add(vfs.Rule{Ops: vfs.OpRename, Crash: true})
	r.epoch(change{path: player, size: 5}, change{path: changes[0].path, slot: 1})
	if r.candidate == nil {
		t.Fatal("no crash")
	}
	disk := r.mem.CrashClone(vfs.CrashOptions{})
	j, err := Open(Options{FS: disk, Roots: testRoots})
	if err != nil || j.Report().Outcome != Replayed || j.Report().Regions != 1 {
		t.Fatalf("%+v, %v", j.Report(), err)
	}
	for _, p := range inspect(&rig{base: r.candidate}, disk) {
		t.Error(p)
	}
}

func TestSequenceGoesOnAfterACrash(t *testing.T) {
	r, disks := pending(t, vfs.MemOptions{})
	j, err := Open(Options{FS: disks[0], Roots: testRoots})
	if err != nil {
		t.Fatal(err)
	}
	was := j.Report().Sequence
	if was == 0 || j.sequence != was {
		t.Errorf("sequence %d, then %d", was, j.sequence)
	}
	_ = r
	j.Close()
}

// A retirement whose flush failed may show in the cache alone. The process
// that opens the world next must not go by it: what it changes later would be
// found changed beside a record that still counts.
func TestRetirementThatOnlyTheCacheHasIsMadeDurable(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	r.use()
	planned := r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Nth: 1, Forever: true, Err: errIO})
	r.epoch(changesOf()...)
	planned.Withdraw()
	if len(r.errs) != 1 || !errors.Is(r.errs[0], ErrIncomplete) || r.journal != nil {
		t.Fatal(r.errs)
	}
	r.use()
	r.write(change{path: nether, slot: 7, size: 77})
	disk := r.mem.CrashClone(vfs.CrashOptions{})
	if rep, err := Inspect(Options{FS: disk, Roots: testRoots}); err != nil || rep.Outcome != Nothing {
		t.Errorf("%v: %v, %v", rep.Outcome, rep.Reason, err)
	}
	for _, p := range inspect(r, disk) {
		t.Error(p)
	}
	r.close()
}

// A record whose flush failed is written again, not only flushed again: the
// second flush of pages that count as clean would succeed and write nothing.
func TestRecordIsWrittenAgainAfterAFailedFlush(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	r.use()
	r.fault.Add(vfs.Rule{Ops: vfs.OpSync, Name: "journal", Err: errIO})
	r.fault.Add(vfs.Rule{Ops: vfs.OpRename, Name: "a.dat", Crash: true})
	r.epoch(change{path: nether, slot: 7, size: 50}, change{path: player, size: 60})
	if !r.fault.Crashed() || r.candidate == nil {
		t.Fatal(r.errs)
	}
	r.fault.Verify(t)
	disk := r.mem.CrashClone(vfs.CrashOptions{})
	j, err := Open(Options{FS: disk, Roots: testRoots})
	if err != nil {
		t.Fatal(err)
	}
	if o := j.Report().Outcome; o != Replayed {
		t.Errorf("the epoch is %s", o)
	}
	j.Close()
	for _, p := range inspect(&rig{base: r.candidate, ignored: r.ignored}, disk) {
		t.Error(p)
	}
}
