package store

import (
	"bytes"
	"context"
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/region/vfs"
)

// onDisk is what a process that opens the world now would find, without the
// store that has it open.
func onDisk(t testing.TB, m *vfs.Mem, w World, ref Ref) int32 {
	t.Helper()
	w.FS = m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepNone})
	s := openStore(t, w, small())
	defer closeStore(t, s)
	return get(t, s, ref)
}

func TestChangesAreDurableAfterAnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		w := makeWorld(t, m, "w")
		s := openStore(t, w, small())
		put(t, s, at(0, 0), 1)
		time.Sleep(4 * time.Second)
		if n := onDisk(t, m, w, at(0, 0)); n != -1 {
			t.Errorf("%d is on the disk before its time", n)
		}
		put(t, s, at(1, 0), 2)
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		for x, want := range []int32{1, 2} { // of one epoch
			if n := onDisk(t, m, w, at(int32(x), 0)); n != want {
				t.Errorf("chunk %d: %d is on the disk", x, n)
			}
		}
		if e := s.Metrics().Epochs; e != 1 {
			t.Errorf("%d epochs", e)
		}
		closeStore(t, s)
	})
}

func TestDriftWaitsForAutosaveOrRelease(t *testing.T) {
	inhabited := func(n int64) func(*chunk.Chunk) error {
		return func(c *chunk.Chunk) error { c.SetInhabitedTime(n); return nil }
	}
	for name, tc := range map[string]struct {
		change Change
		f      func(*chunk.Chunk) error
		after  time.Duration // to the save; 0: none
	}{
		"structural":         {Structural, updateNumber(2), 5 * time.Second},
		"drift":              {Drift, updateNumber(2), 300 * time.Second},
		"InhabitedTime":      {Structural, inhabited(5), 300 * time.Second},
		"LastUpdate":         {Structural, func(c *chunk.Chunk) error { c.SetLastUpdate(9); return nil }, 0},
		"nothing":            {Structural, func(*chunk.Chunk) error { return nil }, 0},
		"a change and error": {Structural, func(c *chunk.Chunk) error { setNumber(c, 3); return errors.New("x") }, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := openStore(t, makeWorld(t, mem(), "w"), small())
				put(t, s, at(0, 0), 1)
				barrier(t, s)
				h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
				if err != nil {
					t.Fatal(err)
				}
				h.Update(tc.change, tc.f)
				saves := func() int64 { synctest.Wait(); return s.Metrics().Saves - 1 }
				if tc.after > 0 {
					time.Sleep(tc.after - time.Millisecond)
					if n := saves(); n != 0 {
						t.Errorf("saved %d times too early", n)
					}
					time.Sleep(2 * time.Millisecond)
					if n := saves(); n != 1 {
						t.Errorf("saved %d times after %v", n, tc.after)
					}
				}
				time.Sleep(time.Hour)
				if n := saves(); n != min(1, int64(tc.after)) {
					t.Errorf("saved %d times in the end", n)
				}
				if tc.after == 300*time.Second { // and once more, now released
					if err := h.Update(tc.change, func(c *chunk.Chunk) error {
						c.SetInhabitedTime(77)
						return nil
					}); err != nil {
						t.Error(err)
					}
					h.Release()
					time.Sleep(6 * time.Second)
					if n := saves(); n != 2 {
						t.Errorf("saved %d times after the release", n)
					}
				}
				h.Release()
				closeStore(t, s)
			})
		})
	}
}

func TestEqualContentIsNotWrittenAgain(t *testing.T) {
	s := openStore(t, makeWorld(t, mem(), "w"), small())
	defer closeStore(t, s)
	put(t, s, at(0, 0), 1)
	put(t, s, at(0, 0).as(Entities), 1)
	barrier(t, s)
	step := func(what string, saves, elided int64, change func()) {
		t.Helper()
		s.cache.cache.Wait() // what is queued there is not found: a load has no reference
		before := s.Metrics()
		change()
		barrier(t, s)
		after := s.Metrics()
		if after.Saves-before.Saves != saves || after.Elided-before.Elided != elided {
			t.Errorf("%s: %d saves, %d elided, want %d, %d", what,
				after.Saves-before.Saves, after.Elided-before.Elided, saves, elided)
		}
	}
	update := func(f func(*chunk.Chunk) error) {
		t.Helper()
		if err := s.Update(ctx, 0, at(0, 0).Pos, Structural, f); err != nil {
			t.Fatal(err)
		}
	}
	step("nothing", 0, 0, func() { get(t, s, at(0, 0)) })
	step("there and back", 0, 1, func() { update(updateNumber(2)); update(updateNumber(1)) })
	step("the same put again", 0, 1, func() { put(t, s, at(0, 0), 1) })
	step("LastUpdate beside it", 0, 1, func() {
		update(func(c *chunk.Chunk) error { c.SetLastUpdate(99); return setNumber(c, 1) })
	})
	step("another one", 1, 0, func() { update(updateNumber(2)) })
	step("InhabitedTime", 1, 0, func() {
		update(func(c *chunk.Chunk) error { c.SetInhabitedTime(99); return nil })
	})
	step("the same document", 0, 1, func() { put(t, s, at(0, 0).as(Entities), 1) })
	step("another document", 1, 0, func() { put(t, s, at(0, 0).as(Entities), 2) })
	step("deleted", 1, 0, func() { s.Delete(ctx, at(0, 0)) })
	step("put back", 1, 0, func() { put(t, s, at(0, 0), 2) })
}

// A version that may or may not have reached the disk is no reference.
func TestAFailedWriteClearsTheReferenceOfElision(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	s := openStore(t, w, small())
	put(t, s, at(0, 0), 1)
	barrier(t, s)
	s.cache.cache.Wait() // what is queued there is not found: a load has no reference
	fault := f.Add(vfs.Rule{Ops: vfs.OpWrite, Name: "*.mca", Err: syscall.EIO})
	put(t, s, at(0, 0), 2)
	if err := s.Barrier(ctx); !errors.Is(err, syscall.EIO) {
		t.Fatalf("the barrier: %v", err)
	}
	if fault.Fired() != 1 {
		t.Fatal("no fault")
	}
	put(t, s, at(0, 0), 1)
	barrier(t, s)
	if got := s.Metrics(); got.Elided != 0 || got.Saves != 2 {
		t.Errorf("%d elided, %d saves", got.Elided, got.Saves)
	}
	closeStore(t, s)
	if n := onDisk(t, m, worldAt(m, "w"), at(0, 0)); n != 1 {
		t.Errorf("%d on the disk", n)
	}
}

func TestVersionsThatTheWorldDoesNotHaveAreRefused(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	tables := chunk.NewTables()
	old := at(3, 3)
	c, err := chunk.New(tables, old.Pos, chunk.Options{DataVersion: 3955, Sections: 1}) // 1.21
	if err != nil {
		t.Fatal(err)
	}
	writeRecord(t, w, old, encoded(t, c))
	s := openStore(t, w, small())
	defer closeStore(t, s)
	if s.Version() != level.NativeVersion {
		t.Fatalf("the world's version is %d", s.Version())
	}
	for v, want := range map[int32]error{4785: ErrTooOld, 4786: nil, 4903: nil, 4904: ErrTooNew} {
		c, err := chunk.New(s.Tables(), at(0, 0).Pos, chunk.Options{DataVersion: v, Sections: 1})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Put(ctx, 0, c)
		var ve *VersionError
		if !errors.Is(err, want) || want != nil && (!errors.As(err, &ve) || ve.Version != v || ve.Max != 4903 || ve.Min != 4786) {
			t.Errorf("put of %d: %v", v, err)
		}
	}
	// An old chunk loads, and stays as it is.
	if err := s.Update(ctx, 0, old.Pos, Structural, updateNumber(1)); !errors.Is(err, ErrTooOld) {
		t.Errorf("update of an old chunk: %v", err)
	}
}

// A world of an older version takes newer chunks from the epoch on that raises
// its level.dat.
func TestLevelDatRaisesTheWorldsVersion(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	if err := vfs.WriteFileSync(m, "w/level.dat", levelOf(t, 4790), 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, w, small())
	if s.Version() != 4790 {
		t.Fatalf("version %d", s.Version())
	}
	c := func() *chunk.Chunk { return numbered(t, s.Tables(), at(0, 0).Pos, 1) }
	if err := s.Put(ctx, 0, c()); !errors.Is(err, ErrTooNew) {
		t.Errorf("put: %v", err)
	}
	if err := s.StageFile("w/level.dat", []byte("no level"), FileOptions{}); err == nil {
		t.Error("a level.dat that cannot be read was staged")
	}
	if err := s.StageFile("w/level.dat", levelOf(t, 4903), FileOptions{KeepOld: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(ctx, 0, c()); !errors.Is(err, ErrTooNew) {
		t.Errorf("put before the epoch: %v", err)
	}
	barrier(t, s)
	if err := s.Put(ctx, 0, c()); err != nil {
		t.Error(err)
	}
	closeStore(t, s)
	if l, _, err := level.Read(m, "w"); err != nil || l.DataVersion() != 4903 {
		t.Errorf("level.dat: %v, %v", l, err)
	}
	if data, err := vfs.ReadFile(m, "w/level.dat_old", 1<<20); err != nil {
		t.Error(err)
	} else if l, err := level.Parse(data); err != nil || l.DataVersion() != 4790 {
		t.Errorf("level.dat_old: %v, %v", l, err)
	}
}

func TestASlowDiskHoldsChangesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		f := vfs.NewFault(m)
		w := makeWorld(t, m, "w")
		w.FS = f
		opts := small()
		opts.DirtyLimit = 20 * newChunkSize
		s := openStore(t, w, opts)
		f.Add(vfs.Rule{Ops: vfs.OpSync, Name: "*.mca", Forever: true, Hook: func(vfs.OpInfo) { time.Sleep(time.Second) }})
		start, most := time.Now(), int64(0)
		for x := range int32(200) {
			put(t, s, at(x, 0), x)
			m := s.Metrics()
			most = max(most, m.DirtyBytes+m.FlyingBytes)
		}
		if most > opts.DirtyLimit+2*newChunkSize {
			t.Errorf("%d bytes were changed and not saved, limit %d", most, opts.DirtyLimit)
		}
		if m := s.Metrics(); m.Waits == 0 || time.Since(start) < 5*time.Second {
			t.Errorf("%d waits, %v", m.Waits, time.Since(start))
		}
		// A caller that is not to wait does not.
		h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if err := h.Update(Structural, updateNumber(1000)); err != nil || time.Since(now) != 0 {
			t.Errorf("a tick waited %v: %v", time.Since(now), err)
		}
		h.Release()
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		for x := range int32(200) {
			err = s.Put(short, 0, numbered(t, s.Tables(), at(x, 1).Pos, 1))
			if err != nil {
				break
			}
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an impatient put: %v", err)
		}
		closeStore(t, s)
		check(t, w)
	})
}

// However small changes are, an epoch spans a bounded number of files.
func TestAnEpochSpansABoundedNumberOfRegions(t *testing.T) {
	s := openStore(t, makeWorld(t, mem(), "w"), small())
	for x := range int32(1200) {
		put(t, s, at(32*x, 0).as(POI), x)
	}
	m := s.Metrics()
	if m.Epochs == 0 || m.Waits == 0 {
		t.Errorf("%d epochs, %d waits", m.Epochs, m.Waits)
	}
	if n := get(t, s, at(32*7, 0).as(POI)); n != 7 {
		t.Errorf("%d", n)
	}
	closeStore(t, s)
}

func TestAFullDiskStopsGeneratingAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		f := vfs.NewFault(m)
		w := makeWorld(t, m, "w")
		w.FS = f
		var told events
		opts := small()
		opts.Events = told.add
		s := openStore(t, w, opts)
		put(t, s, at(0, 0), 1)
		barrier(t, s)
		h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
		if err != nil {
			t.Fatal(err)
		}
		full := f.Add(vfs.Rule{Ops: vfs.OpWrite | vfs.OpPreallocate | vfs.OpCreate, Name: "*.mca", Forever: true, Err: vfs.ErrNoSpace})
		for tick := range int32(400) { // 60 s: many times as often as an object may fail
			if err := h.Update(Structural, updateNumber(100+tick)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(150 * time.Millisecond)
		}
		if full.Fired() == 0 || !s.Metrics().NoSpace || told.count(SpaceOut) != 1 {
			t.Errorf("fired %d, told %d", full.Fired(), told.count(SpaceOut))
		}
		if err := s.Put(ctx, 0, numbered(t, s.Tables(), at(1, 0).Pos, 1)); !errors.Is(err, vfs.ErrNoSpace) {
			t.Errorf("generated on a full disk: %v", err)
		}
		if err := s.Barrier(ctx); !errors.Is(err, vfs.ErrNoSpace) {
			t.Errorf("barrier: %v", err)
		}
		if n := told.count(ObjectRescued); n != 0 {
			t.Errorf("%d objects rescued", n)
		}
		full.Withdraw()
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if s.Metrics().NoSpace || told.count(SpaceBack) != 1 {
			t.Error("space came back and nobody noticed")
		}
		if n := onDisk(t, m, worldAt(m, "w"), at(0, 0)); n != 499 {
			t.Errorf("%d on the disk", n)
		}
		h.Release()
		put(t, s, at(1, 0), 1)
		closeStore(t, s)
		check(t, w)
	})
}

// Close on a full disk loses nothing: the store stays, and closes when there
// is room.
func TestCloseThatCannotSaveLeavesTheStoreOpen(t *testing.T) {
	m := mem()
	f := vfs.NewFault(m)
	w := makeWorld(t, m, "w")
	w.FS = f
	s := openStore(t, w, small())
	put(t, s, at(0, 0), 1)
	full := f.Add(vfs.Rule{Ops: vfs.OpWrite | vfs.OpCreate, Forever: true, Err: vfs.ErrNoSpace})
	if err := s.Close(); !errors.Is(err, ErrUnsaved) || !errors.Is(err, vfs.ErrNoSpace) {
		t.Errorf("close: %v", err)
	}
	if n := get(t, s, at(0, 0)); n != 1 {
		t.Errorf("chunk %d", n)
	}
	full.Withdraw()
	closeStore(t, s)
	if n := onDisk(t, m, worldAt(m, "w"), at(0, 0)); n != 1 {
		t.Errorf("%d on the disk", n)
	}
	// Or gives up.
	s = openStore(t, w, small())
	put(t, s, at(0, 0), 2)
	if err := s.Abandon(); err != nil {
		t.Error(err)
	}
	if n := onDisk(t, m, worldAt(m, "w"), at(0, 0)); n != 1 {
		t.Errorf("%d on the disk after giving up", n)
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}

// A damaged file does not replace the sound one that it had before.
func TestOnlyASoundFileBecomesTheOldOne(t *testing.T) {
	m := mem()
	s := openStore(t, makeWorld(t, m, "w"), small())
	defer closeStore(t, s)
	stage := func(n int32) {
		t.Helper()
		if err := s.StageFile(playerPath, playerDat(t, n), FileOptions{KeepOld: true}); err != nil {
			t.Fatal(err)
		}
		barrier(t, s)
	}
	want := func(old int32) {
		t.Helper()
		data, err := vfs.ReadFile(m, playerPath+"_old", 1<<20)
		if err != nil || fileNumber(t, data) != old {
			t.Errorf("the old file: %v, %v", data, err)
		}
	}
	stage(1)
	stage(2)
	want(1)
	if err := vfs.WriteFileSync(m, playerPath, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	stage(3)
	want(1)
	if data, err := vfs.ReadFile(m, playerPath+"_damaged", 1<<20); err != nil || string(data) != "damaged" {
		t.Errorf("the damaged file: %q, %v", data, err)
	}
	stage(4)
	want(3)
}

// A document in the place of level.dat that is no level is damaged, too.
func TestAnotherDocumentDoesNotBecomeTheOldLevel(t *testing.T) {
	m := mem()
	s := openStore(t, makeWorld(t, m, "w"), small())
	defer closeStore(t, s)
	sound, err := vfs.ReadFile(m, "w/level.dat", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileSync(m, "w/level.dat_old", sound, 0o644); err != nil {
		t.Fatal(err)
	}
	other := playerDat(t, 1)
	if err := vfs.WriteFileSync(m, "w/level.dat", other, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.StageFile("w/level.dat", sound, FileOptions{KeepOld: true}); err != nil {
		t.Fatal(err)
	}
	barrier(t, s)
	for name, want := range map[string][]byte{"level.dat": sound, "level.dat_old": sound, "level.dat_damaged": other} {
		if data, err := vfs.ReadFile(m, "w/"+name, 1<<20); err != nil || !bytes.Equal(data, want) {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}
