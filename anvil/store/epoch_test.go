package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store/journal"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region/vfs"
)

// everything is one object of each kind and place that an epoch spans.
var everything = []Ref{
	at(0, 0), at(1, 0), at(40, 0), {1, Chunks, at(0, 0).Pos},
	at(0, 0).as(Entities), at(0, 0).as(POI), at(2, 2).as(Entities),
}

const playerPath = "w/players/data/1.dat"

// playerDat is a data file that says which version it is.
func playerDat(t testing.TB, n int32) []byte {
	t.Helper()
	data, err := nbt.Marshal(struct{ Number int32 }{n})
	if err == nil {
		data, err = nbt.Pack(nil, data, nbt.Gzip)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func fileNumber(t testing.TB, data []byte) int32 {
	t.Helper()
	doc, _, err := nbt.Unpack(data, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return documentNumber(t, doc)
}

// bulky is a document that is too large for a region file if n is odd: it
// moves between the two forms with each version.
func bulky(t testing.TB, ref Ref, n int32) []byte {
	t.Helper()
	rest := make([]byte, 16)
	if n%2 == 1 {
		rest = make([]byte, 1<<20+50_000)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	for i := 0; i+8 <= len(rest); i += 8 {
		binary.LittleEndian.PutUint64(rest[i:], rng.Uint64())
	}
	data, err := nbt.Marshal(struct {
		DataVersion int32
		Position    []int32
		Number      int32
		Rest        []byte
	}{level.NativeVersion, []int32{ref.Pos.X, ref.Pos.Z}, n, rest})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// putEverything makes version n of the world within one cut.
func putEverything(t testing.TB, s *Store, n int32) {
	t.Helper()
	for _, ref := range everything {
		if ref == at(2, 2).as(Entities) {
			if err := s.PutDocument(ctx, ref, bulky(t, ref, n)); err != nil {
				t.Fatal(err)
			}
		} else {
			put(t, s, ref, n)
		}
	}
	stageEverything(t, s, n)
}

func stageEverything(t testing.TB, s *Store, n int32) {
	t.Helper()
	if err := s.StageFile(playerPath, playerDat(t, n), FileOptions{KeepOld: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.StageFile("w/level.dat", levelDat(t, int64(n)), FileOptions{KeepOld: true}); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("w/data/%d.dat", n%2) // one comes, the other goes
	other := fmt.Sprintf("w/data/%d.dat", (n+1)%2)
	if err := s.StageFile(path, playerDat(t, n), FileOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveFile(other); err != nil {
		t.Fatal(err)
	}
}

// versions are the versions that the parts of the world are in.
func versions(t testing.TB, s *Store) map[string]int32 {
	t.Helper()
	found := map[string]int32{}
	for _, ref := range everything {
		n, err := numberOf(t, s, ref)
		if err != nil {
			t.Errorf("%v: %v", ref, err)
		}
		found[ref.String()] = max(n, 0)
	}
	if data, err := s.ReadFile(playerPath, 1<<20); err == nil {
		found["player"] = fileNumber(t, data)
	} else if errors.Is(err, fs.ErrNotExist) {
		found["player"] = 0
	} else {
		t.Error(err)
	}
	if l, _, err := level.Read(s.fs, "w"); err != nil {
		t.Errorf("level.dat: %v", err)
	} else {
		found["level.dat"] = int32(l.Time())
	}
	for n := range 2 {
		if data, err := s.ReadFile(fmt.Sprintf("w/data/%d.dat", n), 1<<20); err == nil {
			found[fmt.Sprint("data ", len(found))] = fileNumber(t, data)
		}
	}
	return found
}

// oneVersion is the version that all parts are in.
func oneVersion(t testing.TB, s *Store) (n int32, ok bool) {
	t.Helper()
	found := versions(t, s)
	n = found["player"]
	for _, v := range found {
		if v != n {
			t.Errorf("parts are of different epochs: %v", found)
			return n, false
		}
	}
	return n, true
}

// TestEpochIsWholeAfterEveryCrash cuts the power before every operation of
// some epochs that changes the disk.
func TestEpochIsWholeAfterEveryCrash(t *testing.T) {
	seed := testbed.Seed(t)
	m := mem()
	w := makeWorld(t, m, "w")
	f := vfs.NewFault(m)
	w.FS = f
	s := openStore(t, w, small())
	type crash struct {
		m     *vfs.Mem
		acked int32
		op    vfs.OpInfo
	}
	var mu sync.Mutex
	var crashes []crash
	var acked atomic.Int32
	keeps := []vfs.CrashOptions{{Keep: vfs.KeepNone}, {Keep: vfs.KeepRandom}, {Keep: vfs.KeepAll}}
	ops := 0
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: func(op vfs.OpInfo) {
		mu.Lock()
		defer mu.Unlock()
		for i, k := range keeps {
			if testing.Short() && (ops+i)%6 != 0 {
				continue
			}
			k.Seed = uint64(seed) + uint64(len(crashes))
			crashes = append(crashes, crash{m.CrashClone(k), acked.Load(), op})
		}
		ops++
	}})
	for n := range int32(3) {
		putEverything(t, s, n+1)
		barrier(t, s)
		acked.Store(n + 1)
	}
	f.Clear()
	closeStore(t, s)
	seen := map[int32]int{}
	for i, c := range crashes {
		c.op.Name = filepath.Base(c.op.Name)
		after := worldAt(c.m, "w")
		s, err := Open(after, small())
		if err != nil {
			t.Fatalf("crash %d, before %v: %v", i, c.op, err)
		}
		n, ok := oneVersion(t, s)
		if r := s.Journal(); r.Outcome == journal.SetAside {
			t.Errorf("the journal was set aside: %v", r.Reason)
		}
		if !ok || n < c.acked || n > c.acked+1 {
			t.Fatalf("crash %d, before %v: version %d, acknowledged was %d", i, c.op, n, c.acked)
		}
		seen[n]++
		closeStore(t, s)
		if t.Failed() {
			t.FailNow()
		}
		check(t, after)
	}
	t.Logf("%d crashes, versions %v", len(crashes), seen)
	if len(crashes) < 50 || seen[1] == 0 || seen[2] == 0 {
		t.Error("too few crashes")
	}
}

// TestEpochSurvivesEveryFault lets an operation fail once: every fourth, from a
// random one on, or all in a long run. The store goes on, and in the end the
// disk has what was put last.
func TestEpochSurvivesEveryFault(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	fired, failedEpochs, reopened := 0, 0, 0
	stride := max(1, 4/testbed.Runs(t, 1))
	if onWindows {
		stride *= 4
	}
	for nth := int(uint64(testbed.Seed(t)) % uint64(stride)); ; nth += stride {
		m := mem()
		w := makeWorld(t, m, "w")
		f := vfs.NewFault(m)
		w.FS = f
		var told events
		opts := small()
		opts.Events = told.add
		s := openStore(t, w, opts)
		putEverything(t, s, 1)
		barrier(t, s)
		fault := f.Add(vfs.Rule{Ops: vfs.OpMutating | vfs.OpClose | vfs.OpRead | vfs.OpStat, Nth: nth, Err: errors.New("injected")})
		putEverythingTolerant(t, s, 2)
		err := s.Barrier(ctx)
		if err != nil {
			failedEpochs++
			if err := s.Barrier(ctx); err != nil {
				t.Fatalf("fault %d: the next epoch fails as well: %v\n%v", nth, err, f.Ops())
			}
		}
		reopened += told.count(JournalReplayed)
		if n := told.count(ObjectRescued); n > 0 {
			t.Fatalf("fault %d: %d objects rescued after one fault", nth, n)
		}
		was := fault.Fired()
		fault.Withdraw()
		putEverything(t, s, 3)
		barrier(t, s)
		closeStore(t, s)
		s = openStore(t, worldAt(m, "w"), small())
		if n, ok := oneVersion(t, s); !ok || n != 3 {
			t.Fatalf("fault %d: version %d", nth, n)
		}
		closeStore(t, s)
		check(t, w)
		if was == 0 {
			break
		}
		fired++
	}
	t.Logf("%d faults, %d failed epochs, %d completed by opening the journal again", fired, failedEpochs, reopened)
	if fired < 50/stride || failedEpochs == 0 || stride == 1 && reopened == 0 {
		t.Error("the faults did not do much")
	}
}

// putEverythingTolerant is putEverything where loads may fail, once.
func putEverythingTolerant(t testing.TB, s *Store, n int32) {
	t.Helper()
	for _, ref := range everything {
		for range 2 {
			var err error
			switch {
			case ref == at(2, 2).as(Entities):
				err = s.PutDocument(ctx, ref, bulky(t, ref, n))
			case ref.Kind == Chunks:
				err = s.Put(ctx, ref.Dim, numbered(t, s.Tables(), ref.Pos, n))
			default:
				err = s.PutDocument(ctx, ref, numberedDocument(t, ref, n))
			}
			if err == nil {
				break
			}
		}
	}
	for range 2 {
		if s.StageFile(playerPath, playerDat(t, n), FileOptions{KeepOld: true}) == nil {
			break
		}
	}
}

// A store that was killed between the record and the headers is completed by
// the next opening, unless somebody has written meanwhile.
func TestAForeignWriteVoidsTheReplay(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		t.Run(fmt.Sprint("foreign=", foreign), func(t *testing.T) {
			m := mem()
			w := makeWorld(t, m, "w")
			f := vfs.NewFault(m)
			w.FS = f
			s := openStore(t, w, small())
			putEverything(t, s, 1)
			barrier(t, s)
			// The power fails at the first header.
			f.Add(vfs.Rule{Ops: vfs.OpWrite, Name: "r.0.0.mca", Forever: true, Hook: func(op vfs.OpInfo) {
				if op.Off == 0 {
					f.Add(vfs.Rule{Crash: true})
				}
			}})
			putEverything(t, s, 2)
			if err := s.Barrier(ctx); err == nil {
				t.Fatal("no error")
			}
			after := worldAt(m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepNone}), "w")
			want := int32(2)
			if foreign {
				want = 1
				writeRecord(t, after, at(1, 0), encoded(t, numbered(t, chunk.NewTables(), at(1, 0).Pos, 77)))
			}
			r, err := OpenRead(after, small())
			if err != nil {
				t.Fatal(err)
			}
			if o := r.Journal().Outcome; o != journal.Pending && !foreign || o != journal.Void && foreign {
				t.Errorf("a reader is told %q", o)
			}
			closeStore(t, r)
			var told events
			opts := small()
			opts.Events = told.add
			s2 := openStore(t, after, opts)
			if n := get(t, s2, at(0, 0)); n != want {
				t.Errorf("version %d, want %d", n, want)
			}
			if told.count(JournalReplayed) == 1 == foreign || told.count(JournalSetAside) == 1 != foreign {
				t.Errorf("told %v", told.all)
			}
			if foreign {
				if n := get(t, s2, at(1, 0)); n != 77 {
					t.Errorf("what the other program wrote is %d", n)
				}
			}
			closeStore(t, s2)
			check(t, after)
			s.Abandon() // its disk is gone
		})
	}
}

// An object that is changed after a cut and before its content is taken is
// saved as it was at the cut.
func TestCutHasEverythingAsItWasThen(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	put(t, s, at(0, 0), 1)
	put(t, s, at(1, 0), 1)
	put(t, s, at(2, 0), 1)
	put(t, s, at(0, 0).as(Entities), 1)
	s.publish.Lock() // we are the keeper
	b := s.cut(true)
	put(t, s, at(0, 0), 2)
	if err := s.Update(ctx, 0, at(1, 0).Pos, Structural, updateNumber(2)); err != nil {
		t.Error(err)
	}
	if err := s.Update(ctx, 0, at(1, 0).Pos, Structural, updateNumber(3)); err != nil {
		t.Error(err)
	}
	if err := s.Delete(ctx, at(2, 0)); err != nil {
		t.Error(err)
	}
	put(t, s, at(0, 0).as(Entities), 2)
	s.take(b)
	err := s.commit(b)
	s.settle(b, err)
	s.publish.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []Ref{at(0, 0), at(1, 0), at(2, 0), at(0, 0).as(Entities)} {
		if n := onDisk(t, m, w, ref); n != 1 {
			t.Errorf("%v: %d on the disk", ref, n)
		}
	}
	barrier(t, s)
	for ref, want := range map[Ref]int32{at(0, 0): 2, at(1, 0): 3, at(2, 0): -1, at(0, 0).as(Entities): 2} {
		if n := onDisk(t, m, w, ref); n != want {
			t.Errorf("%v: %d on the disk, want %d", ref, n, want)
		}
		if n := get(t, s, ref); n != want {
			t.Errorf("%v: %d in memory, want %d", ref, n, want)
		}
	}
}

// TestTogetherIsNeverDivided moves things between chunks and their entities
// while epochs are made as fast as they can, and cuts the power at random.
func TestTogetherIsNeverDivided(t *testing.T) {
	seed := testbed.Seed(t)
	m := mem()
	w := makeWorld(t, m, "w")
	opts := small()
	opts.Interval = time.Nanosecond
	s := openStore(t, w, opts)
	const pairs, total = 4, 1000
	var holds [pairs][2]*Hold
	for i := range holds {
		for j := range 2 {
			put(t, s, at(int32(i), int32(40*j)), total/2)
			h, err := s.Load(ctx, 0, at(int32(i), int32(40*j)).Pos, Normal)
			if err != nil {
				t.Fatal(err)
			}
			holds[i][j] = h
		}
	}
	barrier(t, s)
	var all sync.WaitGroup
	var stop atomic.Bool
	for i := range holds {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			for !stop.Load() {
				d := rng.Int32N(21) - 10
				if err := s.Together(func(tx Together) error {
					add := func(d int32) func(*chunk.Chunk) error {
						return func(c *chunk.Chunk) error { return setNumber(c, number(c)+d) }
					}
					return errors.Join(tx.Update(holds[i][0], Structural, add(d)), tx.Update(holds[i][1], Structural, add(-d)))
				}); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(50 * time.Microsecond)
			}
		})
	}
	epochs := int64(0)
	for n := range testbed.Runs(t, 40) {
		for s.Metrics().Epochs < epochs+2 {
			time.Sleep(100 * time.Microsecond)
		}
		epochs = s.Metrics().Epochs
		after := w
		after.FS = m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepRandom, Seed: uint64(seed) + uint64(n)})
		s2 := openStore(t, after, small())
		for i := range holds {
			a, b := get(t, s2, at(int32(i), 0)), get(t, s2, at(int32(i), 40))
			if a+b != total {
				t.Errorf("crash %d: pair %d has %d and %d", n, i, a, b)
			}
		}
		closeStore(t, s2)
	}
	stop.Store(true)
	all.Wait()
	for i := range holds {
		holds[i][0].Release()
		holds[i][1].Release()
	}
	closeStore(t, s)
}

func TestByTickCutsAtTicksAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		w := makeWorld(t, m, "w")
		opts := small()
		opts.ByTick = true
		s := openStore(t, w, opts)
		put(t, s, at(0, 0), 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := s.Metrics().Epochs; n != 0 {
			t.Errorf("%d epochs without a tick", n)
		}
		put(t, s, at(1, 0), 2)
		s.Tick()
		put(t, s, at(2, 0), 3)
		synctest.Wait()
		for x, want := range []int32{1, 2, -1} {
			if n := onDisk(t, m, w, at(int32(x), 0)); n != want {
				t.Errorf("chunk %d: %d on the disk, want %d", x, n, want)
			}
		}
		s.Tick() // nothing is due
		synctest.Wait()
		if n := s.Metrics().Epochs; n != 1 {
			t.Errorf("%d epochs", n)
		}
		if err := s.BarrierHere(ctx); err != nil {
			t.Error(err)
		}
		if n := onDisk(t, m, w, at(2, 0)); n != 3 {
			t.Errorf("%d on the disk", n)
		}
		// An epoch that is due already does not keep the barrier from its own.
		put(t, s, at(2, 1), 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := s.BarrierHere(ctx); err != nil {
			t.Error(err)
		}
		// From elsewhere a barrier waits for the tick.
		done := make(chan error)
		go func() { done <- s.Barrier(ctx) }()
		time.Sleep(time.Minute)
		select {
		case <-done:
			t.Error("a barrier without a tick")
		default:
		}
		s.Tick()
		if err := <-done; err != nil {
			t.Error(err)
		}
		put(t, s, at(3, 0), 4)
		closeStore(t, s)
		if n := onDisk(t, m, w, at(3, 0)); n != 4 {
			t.Errorf("%d on the disk", n)
		}
	})
}

func TestWhatIsWrittenBeforeACutIsInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		w := makeWorld(t, m, "w")
		opts := small()
		opts.ByTick = true
		var s *Store
		file, calls := filepath.Join(w.Roots[0].Dir, "data", "written.dat"), 0
		opts.BeforeCut = func() {
			calls++
			put(t, s, at(1, 0), 7)
			if err := s.StageFile(file, []byte{1, 2}, FileOptions{}); err != nil {
				t.Error(err)
			}
		}
		s = openStore(t, w, opts)
		put(t, s, at(0, 0), 1)
		s.Tick()
		if calls != 0 {
			t.Error("called before a tick that cuts nothing")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		s.Tick()
		synctest.Wait()
		if calls != 1 {
			t.Errorf("called %d times", calls)
		}
		if n := onDisk(t, m, w, at(1, 0)); n != 7 {
			t.Errorf("%d on the disk", n)
		}
		if data, err := vfs.ReadFile(m, file, 10); err != nil || len(data) != 2 {
			t.Errorf("the file holds %v, %v", data, err)
		}
		closeStore(t, s)
		if calls != 1 {
			t.Error("called by Close")
		}
	})
}

func TestWithoutAutosaveOnlyThoseWhoAskAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		w := makeWorld(t, m, "w")
		s := openStore(t, w, small())
		s.SetAutosave(false)
		put(t, s, at(0, 0), 1)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := onDisk(t, m, w, at(0, 0)); n != -1 {
			t.Errorf("%d on the disk", n)
		}
		if err := s.Barrier(ctx); err != nil {
			t.Fatal(err)
		}
		if n := onDisk(t, m, w, at(0, 0)); n != 1 {
			t.Errorf("%d on the disk after a barrier", n)
		}
		put(t, s, at(0, 0), 2)
		time.Sleep(time.Hour)
		s.SetAutosave(true)
		synctest.Wait()
		if n := onDisk(t, m, w, at(0, 0)); n != 2 {
			t.Errorf("%d on the disk after it was switched on", n)
		}
		s.SetAutosave(false)
		put(t, s, at(0, 0), 3)
		closeStore(t, s)
		if n := onDisk(t, m, w, at(0, 0)); n != 3 {
			t.Errorf("%d on the disk in the end", n)
		}
	})
}

func TestWithoutAutosaveChangesStillFindRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := mem()
		opts := small()
		opts.DirtyLimit = 1
		s := openStore(t, makeWorld(t, m, "w"), opts)
		s.SetAutosave(false)
		for x := range int32(3) {
			put(t, s, at(x, 0), 1) // waits for room
		}
		if s.Metrics().Epochs == 0 {
			t.Error("no epoch has made room")
		}
		closeStore(t, s)
	})
}

func TestBarrierWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := small()
		opts.ByTick = true
		s := openStore(t, makeWorld(t, mem(), "w"), opts)
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err := s.Barrier(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		closeStore(t, s)
	})
}

func TestDataFilesAreReadAsStaged(t *testing.T) {
	m := mem()
	s := openStore(t, makeWorld(t, m, "w"), small())
	defer closeStore(t, s)
	read := func() string {
		data, err := s.ReadFile("w/data/x.dat", 100)
		if errors.Is(err, fs.ErrNotExist) {
			return "absent"
		}
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	var got []string
	note := func(err error) {
		if err != nil {
			t.Error(err)
		}
		got = append(got, read())
	}
	note(nil)
	note(s.StageFile("w/data/x.dat", []byte("one"), FileOptions{}))
	note(s.StageFile("w/data/x.dat", []byte("two"), FileOptions{}))
	note(s.Barrier(ctx))
	note(s.RemoveFile("w/data/x.dat"))
	note(s.Barrier(ctx))
	if want := []string{"absent", "one", "two", "two", "absent", "absent"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, path := range []string{
		"elsewhere/x.dat", "w/strata/journal", "w/session.lock", "w", "w/../x",
		"w/dimensions/minecraft/overworld/region/r.0.0.mca", "w/region/c.1.2.mcc", "w/.strata-1",
	} {
		if err := s.StageFile(path, []byte("x"), FileOptions{}); !errors.Is(err, ErrPath) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := s.RemoveFile("w/level.dat"); !errors.Is(err, ErrPath) {
		t.Errorf("level.dat removed: %v", err)
	}
	if d := s.Metrics().DirtyBytes; d != 0 {
		t.Errorf("%d bytes are still counted as changed", d)
	}
}

// An object that is being saved is nowhere else yet.
func TestObjectsStayWhileTheyAreSaved(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	put(t, s, at(0, 0), 1)
	barrier(t, s)
	put(t, s, at(0, 0), 2)
	s.publish.Lock() // we are the keeper
	b := s.cut(true)
	s.take(b)
	for range 2 {
		if n := get(t, s, at(0, 0)); n != 2 {
			t.Errorf("%d while it is saved", n)
		}
		s.cache.cache.Wait()
		s.cache.take(at(0, 0).key()) // the cache has a mind of its own
	}
	s.settle(b, errors.New("failed"))
	s.publish.Unlock()
	if n := get(t, s, at(0, 0)); n != 2 {
		t.Errorf("%d after its save failed", n)
	}
	barrier(t, s)
	if n := onDisk(t, m, w, at(0, 0)); n != 2 {
		t.Errorf("%d on the disk", n)
	}
}
