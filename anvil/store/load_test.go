package store

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/region/vfs"
)

func TestLoadTellsAbsentFromWhatCannotBeRead(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	tables := chunk.NewTables()
	good, newer, elsewhere, broken, old := at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(4, 0)
	writeRecord(t, w, good, encoded(t, numbered(t, tables, good.Pos, 7)))
	future, err := chunk.New(tables, newer.Pos, chunk.Options{DataVersion: level.NativeVersion + 1, Sections: 1})
	if err != nil {
		t.Fatal(err)
	}
	writeRecord(t, w, newer, encoded(t, future))
	writeRecord(t, w, elsewhere, encoded(t, numbered(t, tables, at(9, 9).Pos, 1)))
	writeRecord(t, w, broken, []byte("\x0a\x00\x00 this is no NBT"))
	writeRecord(t, w, old, []byte{10, 0, 0, 3, 0, 11, 'D', 'a', 't', 'a', 'V', 'e', 'r', 's', 'i', 'o', 'n', 0, 0, 0, 99, 0})
	s := openStore(t, w, small())
	defer closeStore(t, s)
	if n := get(t, s, good); n != 7 {
		t.Errorf("number %d", n)
	}
	for ref, want := range map[Ref]error{
		newer: ErrTooNew, elsewhere: ErrWrongPosition, broken: ErrUnreadable, old: ErrTooOld,
		at(5, 0): ErrAbsent, at(5000, 0): ErrAbsent, {1, Chunks, good.Pos}: ErrAbsent,
		{7, Chunks, good.Pos}: ErrRange, at(1<<26, 0): ErrRange,
	} {
		h, err := s.Load(ctx, ref.Dim, ref.Pos, Normal)
		if !errors.Is(err, want) || h != nil {
			t.Errorf("%v: %v, want %v", ref, err, want)
		}
		var e *Error
		if !errors.As(err, &e) || e.Ref != ref {
			t.Errorf("%v: the error does not say so: %v", ref, err)
		}
		for _, other := range []error{ErrAbsent, ErrUnreadable, ErrTooNew, ErrTooOld, ErrWrongPosition} {
			if other != want && errors.Is(err, other) {
				t.Errorf("%v is %v as well", ref, other)
			}
		}
		// Nothing but what is absent is put anything over.
		if want == ErrRange {
			continue
		}
		err = s.Put(ctx, ref.Dim, numbered(t, s.Tables(), ref.Pos, 1))
		if (err == nil) != (want == ErrAbsent) || err != nil && !errors.Is(err, want) {
			t.Errorf("%v: put over it: %v", ref, err)
		}
	}
	if n := s.Metrics().Objects; n != 3 {
		t.Errorf("%d objects are left, not the 3 that were put", n)
	}
}

// slowReads holds reads of region files up until it is told to let go.
type slowReads struct {
	fault *vfs.Fault
	begun chan struct{}
	going chan struct{}
	order []int64 // sectors that were read; while one load runs at a time
}

func newSlowReads(inner vfs.FS) *slowReads {
	r := &slowReads{fault: vfs.NewFault(inner), begun: make(chan struct{}, 100), going: make(chan struct{})}
	return r
}

func (r *slowReads) arm() {
	r.fault.Add(vfs.Rule{Ops: vfs.OpRead, Name: "*.mca", Forever: true, Hook: func(in vfs.OpInfo) {
		if in.Off >= 8192 {
			r.order = append(r.order, in.Off/4096)
			r.begun <- struct{}{}
			<-r.going
		}
	}})
}

func TestConcurrentLoadsAreOneLoad(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	writeRecord(t, w, at(0, 0), encoded(t, numbered(t, chunk.NewTables(), at(0, 0).Pos, 7)))
	slow := newSlowReads(m)
	w.FS = slow.fault
	s := openStore(t, w, small())
	defer closeStore(t, s)
	slow.arm()
	var all sync.WaitGroup
	const callers = 20
	for range callers {
		all.Go(func() {
			if n := get(t, s, at(0, 0)); n != 7 {
				t.Errorf("number %d", n)
			}
		})
	}
	<-slow.begun
	for s.Metrics().Joined < callers-1 {
		runtime.Gosched()
	}
	// Somebody who does not want to wait any more takes nothing from others.
	short, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Load(short, 0, at(0, 0).Pos, Normal); !errors.Is(err, context.Canceled) {
		t.Errorf("load with an ended context: %v", err)
	}
	if h, ok := s.Peek(0, at(0, 0).Pos); ok || h != nil {
		t.Error("peek waited for a load, or made one up")
	}
	close(slow.going)
	all.Wait()
	if m := s.Metrics(); m.Loads != 1 || m.Region.Reads != 1 {
		t.Errorf("%d loads, %d reads", m.Loads, m.Region.Reads)
	}
}

func TestWaitingLoadsGoByPriorityAndCanBeGivenUp(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	for x := range int32(8) {
		writeRecord(t, w, at(x, 0), encoded(t, numbered(t, chunk.NewTables(), at(x, 0).Pos, x)))
	}
	slow := newSlowReads(m)
	w.FS = slow.fault
	opts := small()
	opts.Loads = 1
	s := openStore(t, w, opts)
	defer closeStore(t, s)
	slow.arm()
	var all sync.WaitGroup
	load := func(c context.Context, x int32, p Priority) {
		all.Go(func() {
			h, err := s.Load(c, 0, at(x, 0).Pos, p)
			if err != nil {
				if c.Err() == nil {
					t.Error(err)
				}
				return
			}
			h.Release()
		})
	}
	queued := func(n int) {
		for s.Metrics().QueuedLoads != n {
			runtime.Gosched()
		}
	}
	load(ctx, 0, Normal)
	<-slow.begun
	givenUp, cancel := context.WithCancel(ctx)
	load(givenUp, 5, Urgent)
	queued(1)
	load(ctx, 1, Background)
	queued(2)
	load(ctx, 2, Normal)
	queued(3)
	load(ctx, 3, Urgent)
	queued(4)
	load(ctx, 1, Priority(20)) // somebody else wants 1 most urgently
	for s.Metrics().Joined != 1 {
		runtime.Gosched()
	}
	cancel()
	queued(3)
	for range 3 {
		slow.going <- struct{}{}
		<-slow.begun
	}
	slow.going <- struct{}{}
	all.Wait()
	if got := s.Metrics(); got.Loads != 4 || got.Cancelled != 1 {
		t.Errorf("%d loads, %d cancelled", got.Loads, got.Cancelled)
	}
	// Chunk x is in sector 2+x.
	if want := []int64{2, 3, 5, 4}; !slices.Equal(slow.order, want) {
		t.Errorf("order %v, want %v", slow.order, want)
	}
}

func TestPeekFindsWhatIsInMemory(t *testing.T) {
	w := makeWorld(t, mem(), "w")
	s := openStore(t, w, small())
	defer closeStore(t, s)
	if _, ok := s.Peek(0, at(0, 0).Pos); ok {
		t.Error("found nothing")
	}
	put(t, s, at(0, 0), 1)
	peek := func() {
		t.Helper()
		h, ok := s.Peek(0, at(0, 0).Pos)
		if !ok {
			t.Fatal("not found")
		}
		defer h.Release()
		if c, err := h.Snapshot(); err != nil || number(c) != 1 {
			t.Errorf("%v, %v", c, err)
		}
	}
	peek()
	barrier(t, s)
	s.cache.cache.Wait()
	peek() // from the cache
	if m := s.Metrics(); m.Loads != 1 || m.Hits != 1 {
		t.Errorf("%d loads and %d hits", m.Loads, m.Hits)
	}
	poi := at(0, 0).as(POI)
	if _, ok := s.PeekDocument(poi); ok {
		t.Error("found no document")
	}
	put(t, s, poi, 5)
	if data, ok := s.PeekDocument(poi); !ok || documentNumber(t, data) != 5 {
		t.Errorf("document %q, %v", data, ok)
	}
	barrier(t, s)
	if _, ok := s.Peek(0, at(9, 9).Pos); ok || s.Metrics().Objects != 0 {
		t.Error("peeking left an object")
	}
}

func TestOpenReadWritesNothing(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	s := openStore(t, w, small())
	put(t, s, at(0, 0), 3)
	put(t, s, at(0, 0).as(Entities), 4)
	closeStore(t, s)
	left := w.Dimensions[0].Region + "/.strata-left"
	if err := vfs.WriteFileSync(m, left, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	inside := w
	f := vfs.NewFault(m)
	rule := f.Add(vfs.Rule{Ops: vfs.OpMutating | vfs.OpLock, Forever: true, Err: errors.New("written")})
	w.FS = f
	r, err := OpenRead(w, small())
	if err != nil {
		t.Fatal(err)
	}
	if n := get(t, r, at(0, 0)); n != 3 {
		t.Errorf("chunk %d", n)
	}
	if n := get(t, r, at(0, 0).as(Entities)); n != 4 {
		t.Errorf("entities %d", n)
	}
	if n := get(t, r, Ref{1, POI, at(0, 0).Pos}); n != -1 {
		t.Errorf("poi of a folder that is not there: %d", n)
	}
	for what, err := range map[string]error{
		"put":      r.Put(ctx, 0, numbered(t, r.Tables(), at(0, 0).Pos, 9)),
		"delete":   r.Delete(ctx, at(0, 0)),
		"barrier":  r.Barrier(ctx),
		"stage":    r.StageFile("w/players/a.dat", []byte("x"), FileOptions{}),
		"together": r.Together(func(Together) error { return nil }),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := r.Snapshot(ctx); !errors.Is(err, ErrReadOnly) {
		t.Errorf("snapshot: %v", err)
	}
	closeStore(t, r)
	if rule.Fired() != 0 {
		t.Errorf("%v", f.Ops())
	}
	if _, err := r.Load(ctx, 0, at(0, 0).Pos, Normal); !errors.Is(err, ErrClosed) {
		t.Errorf("load after close: %v", err)
	}
	// Who opens for writing removes what a killed process has left.
	s = openStore(t, inside, small())
	get(t, s, at(0, 0))
	closeStore(t, s)
	if _, err := m.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a temporary file is still there: %v", err)
	}
}

func TestNothingWorksAfterClose(t *testing.T) {
	s := openStore(t, makeWorld(t, mem(), "w"), small())
	put(t, s, at(0, 0), 1)
	h, err := s.Load(ctx, 0, at(0, 0).Pos, Normal)
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	for what, err := range map[string]error{
		"update":  h.Update(Structural, updateNumber(2)),
		"put":     s.Put(ctx, 0, numbered(t, s.Tables(), at(0, 0).Pos, 3)),
		"barrier": s.Barrier(ctx),
		"stage":   s.StageFile("w/data/x.dat", nil, FileOptions{}),
		"delete":  s.Delete(ctx, at(0, 0)),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := s.Load(ctx, 0, at(1, 0).Pos, Normal); !errors.Is(err, ErrClosed) {
		t.Errorf("load: %v", err)
	}
	if _, ok := s.Peek(0, at(0, 0).Pos); ok {
		t.Error("peek")
	}
	if _, err := s.Snapshot(ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("snapshot: %v", err)
	}
	h.Release()
}
