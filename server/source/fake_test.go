package source

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/pregen"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// fake is a generator of chunks of stone, which does to some what tests say.
type fake struct {
	tables *chunk.Tables
	before func(ctx context.Context, pos region.ChunkPos) error

	mu    sync.Mutex
	order []region.ChunkPos
}

func (f *fake) Facts() pregen.Facts               { return pregen.Facts{Revision: "1", Rim: 2} }
func (f *fake) NewWorker() (pregen.Worker, error) { return f, nil }
func (f *fake) Release()                          {}

func (f *fake) Generate(ctx context.Context, b *pregen.Batch, done func(pregen.Made) error) error {
	for _, w := range b.Chunks {
		m := pregen.Made{Pos: w.Pos}
		if !w.Rim {
			if f.before != nil {
				if err := f.before(ctx, w.Pos); err != nil {
					return err
				}
			}
			f.mu.Lock()
			f.order = append(f.order, w.Pos)
			f.mu.Unlock()
			c, err := chunk.New(f.tables, w.Pos, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24, Status: chunk.StatusFull})
			if err != nil {
				return err
			}
			c.SetBlock(1, 1, 1, block.Stone.Default())
			m.Chunk = c
		}
		if err := done(m); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// memoryRig is a world in memory, and its file system.
func memoryRig(t *testing.T) (*store.Store, *vfs.Fault) {
	t.Helper()
	fs := vfs.NewFault(vfs.NewMem(vfs.MemOptions{}))
	w, err := anvil.Create("world", anvil.CreateOptions{Options: anvil.Options{FS: fs}})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	st, err := store.Open(parts, store.Options{Interval: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st, fs
}

func fakeSource(t *testing.T, st *store.Store, before func(context.Context, region.ChunkPos) error) (*Source, *fake) {
	t.Helper()
	f := &fake{tables: st.Tables(), before: before}
	s, err := New(Options{Store: st, Generator: f, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return s, f
}

func TestAPanicIsTheErrorOfItsChunkAlone(t *testing.T) {
	st, _ := memoryRig(t)
	bad := region.ChunkPos{X: 1, Z: 0}
	s, _ := fakeSource(t, st, func(_ context.Context, pos region.ChunkPos) error {
		if pos == bad {
			panic("here")
		}
		return nil
	})
	s.Want(around(region.ChunkPos{}, 1))
	got, _ := collect(t, s, 9)
	for pos, r := range got {
		if (r.Err != nil) != (pos == bad) || pos == bad && !errors.Is(r.Err, ErrGenerator) {
			t.Errorf("chunk %v: %v", pos, r.Err)
		}
	}
	release(got, nil)
	// It is not tried again as long as it is asked for, and it is afterwards.
	s.Want([]Request{{Pos: bad}})
	if m := s.Metrics(); m.Wanted != 0 {
		t.Errorf("what has failed is tried again: %+v", m)
	}
	s.Want(nil)
	s.Want([]Request{{Pos: bad}})
	again, _ := collect(t, s, 1)
	if m := s.Metrics(); again[bad].Err == nil || m.Failed != 2 || m.FailedJobs != 3 {
		t.Errorf("%v, %+v", again[bad].Err, m)
	}
}

func TestChunksComeInTheOrderOfTheirRanks(t *testing.T) {
	st, _ := memoryRig(t)
	s, f := fakeSource(t, st, nil)
	far := region.ChunkPos{X: 100, Z: 100}
	list := around(region.ChunkPos{}, 3)
	for i := range list {
		list[i].Rank += 1000
	}
	s.Want(append(list, Request{far, 1}))
	got, _ := collect(t, s, len(list)+1)
	release(got, nil)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.order[0] != far || f.order[1] != (region.ChunkPos{}) {
		t.Errorf("order %v", f.order[:4])
	}
}

func TestWhatIsNoLongerWantedDoesNotCome(t *testing.T) {
	st, _ := memoryRig(t)
	started := make(chan struct{}, 64)
	s, _ := fakeSource(t, st, func(ctx context.Context, pos region.ChunkPos) error {
		if pos.X < 50 {
			started <- struct{}{}
			<-ctx.Done() // it goes on until it is given up
			return ctx.Err()
		}
		return nil
	})
	s.Want(around(region.ChunkPos{}, 1))
	<-started
	there := around(region.ChunkPos{X: 60}, 1)
	s.Want(there)
	got, _ := collect(t, s, len(there))
	release(got, nil)
	for pos, r := range got {
		if pos.X < 50 || r.Err != nil {
			t.Errorf("chunk %v came, %v", pos, r.Err)
		}
	}
	if _, err := st.Load(t.Context(), 0, region.ChunkPos{}, store.Normal); !errors.Is(err, store.ErrAbsent) {
		t.Errorf("a chunk that was given up: %v", err)
	}
	if m := s.Metrics(); m.Wanted+m.Ready+m.Making+m.Missing+m.Loading != 0 || m.Failed != 0 {
		t.Errorf("metrics %+v", m)
	}
}

func TestCloseEndsAJobAndReleasesResults(t *testing.T) {
	st, _ := memoryRig(t)
	started := make(chan struct{}, 64)
	s, _ := fakeSource(t, st, func(ctx context.Context, pos region.ChunkPos) error {
		if pos != (region.ChunkPos{X: 50}) {
			return nil
		}
		started <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	s.Want(append(around(region.ChunkPos{}, 1), Request{region.ChunkPos{X: 50}, 100}))
	<-started
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := s.Take(nil, 100); len(got) != 0 {
		t.Errorf("%d results after Close", len(got))
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	s.Want(around(region.ChunkPos{}, 1)) // does nothing
	if err := st.Barrier(t.Context()); err != nil {
		t.Error(err)
	}
	if m := st.Metrics(); m.Saves < 9 {
		t.Errorf("%d saves, want what was made", m.Saves)
	}
}

func TestWithoutGeneratorAbsentChunksAreErrors(t *testing.T) {
	st, _ := memoryRig(t)
	s, err := New(Options{Store: st})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, _ := chunk.New(st.Tables(), region.ChunkPos{X: 1}, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24, Status: chunk.StatusCarvers})
	if err := st.Put(t.Context(), 0, c); err != nil {
		t.Fatal(err)
	}
	s.Want([]Request{{Pos: region.ChunkPos{}}, {Pos: region.ChunkPos{X: 1}}})
	got, _ := collect(t, s, 2)
	if err := got[region.ChunkPos{}].Err; !errors.Is(err, store.ErrAbsent) {
		t.Error(err)
	}
	if err := got[region.ChunkPos{X: 1}].Err; !errors.Is(err, ErrUnfinished) {
		t.Error(err)
	}
}

func TestWhatCannotBeReadIsAnErrorAndStays(t *testing.T) {
	st, _ := memoryRig(t)
	raw, err := st.Raw(0, store.Chunks)
	if err != nil {
		t.Fatal(err)
	}
	bad := region.ChunkPos{X: 0, Z: 1}
	garbage := []byte("no chunk at all")
	if err := raw.Replace(t.Context(), bad, store.RawWrite{Record: region.Record{Scheme: codec.None, Data: garbage}}); err != nil {
		t.Fatal(err)
	}
	s, _ := fakeSource(t, st, nil)
	s.Want(around(region.ChunkPos{}, 1))
	got, _ := collect(t, s, 9)
	release(got, nil)
	for pos, r := range got {
		if (r.Err != nil) != (pos == bad) || pos == bad && !errors.Is(r.Err, store.ErrUnreadable) {
			t.Errorf("chunk %v: %v", pos, r.Err)
		}
	}
	rec, err := raw.Read(bad, nil)
	if err != nil || string(rec.Data) != string(garbage) {
		t.Errorf("it was changed: %q, %v", rec.Data, err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	st, _ := memoryRig(t)
	for _, o := range []Options{{}, {Store: st, Workers: -1}, {Store: st, Loads: 1000}, {Store: st, Tile: 3}, {Store: st, Queue: -1}} {
		if s, err := New(o); !errors.Is(err, ErrOptions) || s != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestOnAFullDiskNothingIsGeneratedUntilThereIsRoom(t *testing.T) {
	st, fs := memoryRig(t)
	fs.Add(vfs.Rule{Ops: vfs.OpWrite, Forever: true, Err: vfs.ErrNoSpace})
	c, _ := chunk.New(st.Tables(), region.ChunkPos{X: 99}, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24, Status: chunk.StatusFull})
	if err := st.Put(t.Context(), 0, c); err != nil {
		t.Fatal(err)
	}
	if err := st.Barrier(t.Context()); !errors.Is(err, vfs.ErrNoSpace) {
		t.Fatal(err)
	}
	s, f := fakeSource(t, st, nil)
	s.Want(append(around(region.ChunkPos{}, 1), Request{region.ChunkPos{X: 99}, 50}))
	got, _ := collect(t, s, 1) // what is there is loaded all the same
	release(got, nil)
	if got[region.ChunkPos{X: 99}].Hold == nil {
		t.Errorf("%v", got)
	}
	for deadline := time.Now().Add(10 * time.Second); !s.Metrics().NoSpace; {
		if time.Now().After(deadline) {
			t.Fatal("it does not say that there is no room")
		}
		time.Sleep(time.Millisecond)
	}
	f.mu.Lock()
	if len(f.order) != 0 {
		t.Errorf("%d chunks were generated", len(f.order))
	}
	f.mu.Unlock()
	fs.Clear()
	got, _ = collect(t, s, 9)
	release(got, nil)
	if m := s.Metrics(); m.NoSpace || m.Generated != 9 {
		t.Errorf("metrics %+v", m)
	}
}

func TestTilesAreMadeWholeAheadOfWishes(t *testing.T) {
	st, _ := memoryRig(t)
	f := &fake{tables: st.Tables()}
	s, err := New(Options{Store: st, Generator: f, Workers: 2, Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	take := func(list []Request) map[region.ChunkPos]Result {
		s.Want(list)
		got, _ := collect(t, s, len(list))
		release(got, nil)
		return got
	}
	take(around(region.ChunkPos{X: 3, Z: 3}, 1))
	take([]Request{{Pos: region.ChunkPos{X: 6, Z: 6}}})
	if m := s.Metrics(); m.Generated != 64 || m.Ahead != 64-9-1 || m.Jobs != 2 {
		t.Errorf("metrics %+v, want a whole tile in two jobs", m)
	}
	got := take([]Request{{Pos: region.ChunkPos{}}, {Pos: region.ChunkPos{X: 7, Z: 7}}})
	for pos, r := range got {
		if r.Err != nil || r.Generated {
			t.Errorf("chunk %v: %+v, want it loaded", pos, r)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := make(map[region.ChunkPos]bool)
	for _, pos := range f.order {
		if seen[pos] {
			t.Errorf("chunk %v was made twice", pos)
		}
		seen[pos] = true
	}
}

// Plans change while chunks are loaded and made; nothing is lost or held.
func TestPlansMayChangeAtAnyTime(t *testing.T) {
	st, _ := memoryRig(t)
	f := &fake{tables: st.Tables()}
	s, err := New(Options{Store: st, Generator: f, Workers: 2, Ahead: true, Tile: 4, Queue: 8})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	for range testbed.Runs(t, 60) {
		s.Want(around(region.ChunkPos{X: rng.Int32N(30), Z: rng.Int32N(30)}, rng.Int32N(4)))
		for range rng.IntN(20) {
			for _, r := range s.Take(nil, rng.IntN(10)) {
				if r.Err != nil {
					t.Fatalf("chunk %v: %v", r.Pos, r.Err)
				}
				r.Release()
			}
			runtime.Gosched()
		}
	}
	last := around(region.ChunkPos{X: 15, Z: 15}, 5)
	s.Want(last)
	got, _ := collect(t, s, len(last))
	release(got, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := st.Barrier(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := st.Metrics(); m.Objects != 0 {
		t.Errorf("%d objects are still held", m.Objects)
	}
}
