package undo

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func random(t testing.TB) *rand.Rand { return rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1)) }

func at(x, z int32) region.ChunkPos { return region.ChunkPos{X: x, Z: z} }

func TestUndoBringsEverythingBackByteForByte(t *testing.T) {
	rng := random(t)
	for i := range testbed.Runs(t, 3) {
		m := vfs.NewMem(vfs.MemOptions{Windows: i%2 == 1})
		s := open(t, makeWorld(t, m, "w"))
		sc := makeScene(t, s, rng, 40, true)
		before := content(t, s)
		if err := sc.run(s, rng, true); err != nil {
			t.Fatal(err)
		}
		after := content(t, s)
		if compareContent(after, before) == "" {
			t.Fatal("the change changed nothing")
		}
		r, err := undoLast(s, RestoreOptions{})
		if err != nil || len(r.Failed) > 0 {
			t.Fatalf("undo: %v, %+v", err, r)
		}
		if d := compareContent(content(t, s), before); d != "" {
			t.Errorf("after undo: %s", d)
		}
		if r.Restored != r.Restore || r.Restored == 0 {
			t.Errorf("restored %d of %d", r.Restored, r.Restore)
		}
		if _, err := undoLast(s, RestoreOptions{}); !errors.Is(err, ErrNoChange) {
			t.Errorf("undone again: %v", err)
		}
		infos, err := List(m, "w")
		if err != nil || len(infos) != 1 || infos[0].State != Undone || infos[0].Bytes > 1000 || infos[0].Command != "strata test" {
			t.Errorf("list: %+v, %v", infos, err)
		}
		if n := infos[0].Chunks + infos[0].Entities + infos[0].POI; n != 40 || infos[0].Files != 4 {
			t.Errorf("%d objects, %d files", n, infos[0].Files)
		}
		closeStore(t, s)
	}
}

func TestUndoNamesWhatHasChangedSince(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	sc := makeScene(t, s, rng, 20, false)
	before := content(t, s)
	if err := sc.run(s, rng, false); err != nil {
		t.Fatal(err)
	}
	x := sc.objects[3]
	if err := put(raw(t, s, x.dim, x.kind), x.pos, codec.Zlib, []byte("somebody's work")); err != nil {
		t.Fatal(err)
	}
	if err := s.StageFile(sc.paths[2], []byte("more of it"), store.FileOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Barrier(ctx); err != nil {
		t.Fatal(err)
	}
	work := content(t, s)
	_, err := undoLast(s, RestoreOptions{})
	conflict, ok := errors.AsType[*ConflictError](err)
	if !ok || !errors.Is(err, ErrSince) {
		t.Fatalf("undo: %v", err)
	}
	want := []Target{{Dimension: x.name(), Kind: x.kind.String(), Pos: x.pos}, {Path: sc.paths[2]}}
	if d := cmp.Diff(want, conflict.Some, cmp.Comparer(func(a, b Target) bool { return a.String() == b.String() })); d != "" {
		t.Error(d)
	}
	if d := compareContent(content(t, s), work); d != "" {
		t.Errorf("the refused undo wrote: %s", d)
	}
	r, err := undoLast(s, RestoreOptions{Force: true})
	if err != nil || r.Replaced == "" {
		t.Fatalf("undo by force: %v, %+v", err, r)
	}
	if d := compareContent(content(t, s), before); d != "" {
		t.Errorf("after undo by force: %s", d)
	}
	// And what that replaced comes back.
	if r, err := undoLast(s, RestoreOptions{}); err != nil || r.Restored != 2 {
		t.Fatalf("undo of the undo: %v, %+v", err, r)
	}
	now := content(t, s)
	for _, key := range []string{sc.paths[2]} {
		if now[key] != work[key] {
			t.Errorf("%s is not as before the forced undo", key)
		}
	}
}

// unfinished makes a change that ends before Finish.
func unfinished(t *testing.T, s *store.Store, pos region.ChunkPos, data string) {
	t.Helper()
	c, err := Begin(s, "killed", Options{})
	if err == nil {
		err = c.Keep(over, store.Chunks, pos)
	}
	if err == nil {
		err = c.Commit()
	}
	if err == nil {
		err = put(raw(t, s, 0, store.Chunks), pos, codec.Zlib, []byte(data))
	}
	if err == nil {
		err = c.Abort()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnfinishedChangesAreUndoneUnlessSomethingCameAfter(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	s := open(t, w)
	defer closeStore(t, s)
	unfinished(t, s, at(0, 0), "one")
	infos, err := List(m, "w")
	if err != nil || len(infos) != 1 || !infos[0].Incomplete() {
		t.Fatalf("%+v, %v", infos, err)
	}
	if r, err := undoLast(s, RestoreOptions{}); err != nil || r.Restored != 1 {
		t.Fatalf("undo: %+v, %v", r, err)
	}
	if n := len(content(t, s)); n != 1 {
		t.Errorf("%d things are left", n)
	}
	// A later change of the same chunk.
	unfinished(t, s, at(0, 0), "two")
	unfinished(t, s, at(0, 0), "three")
	unfinished(t, s, at(1, 0), "four")
	infos, err = List(m, "w")
	if err != nil || len(infos) != 4 {
		t.Fatal(infos, err)
	}
	two, err := Find(s, infos[2].ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Undo(ctx, two, RestoreOptions{}); !errors.Is(err, ErrSince) {
		t.Errorf("undone over a later change: %v", err)
	}
	if err := two.Close(); err != nil {
		t.Error(err)
	}
	// A game that has run since.
	l, err := s.ReadFile(filepath.Join("w", "level.dat"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.StageFile(filepath.Join("w", "level.dat"), append(l, 0), store.FileOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Barrier(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := undoLast(s, RestoreOptions{}); !errors.Is(err, ErrSince) {
		t.Errorf("undone after a game: %v", err)
	}
}

func TestATimestampAloneIsBroughtBack(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	r := raw(t, s, 0, store.Chunks)
	if err := put(r, at(0, 0), codec.Zlib, []byte("a")); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Read(at(0, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Begin(s, "timestamp", Options{})
	if err == nil {
		err = c.Keep(over, store.Chunks, at(0, 0))
	}
	if err == nil {
		err = c.Commit()
	}
	stamp := uint32(77)
	if err == nil {
		err = r.Replace(ctx, at(0, 0), store.RawWrite{Old: rec.Entry, Record: rec, SameContent: true, Timestamp: &stamp})
	}
	if err == nil {
		err = c.Finish(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := undoLast(s, RestoreOptions{}); err != nil || got.Restored != 1 {
		t.Fatalf("undo: %+v, %v", got, err)
	}
	if now, err := r.Read(at(0, 0), nil); err != nil || now.Entry.Timestamp != rec.Entry.Timestamp {
		t.Errorf("timestamp %d, %v, was %d", now.Entry.Timestamp, err, rec.Entry.Timestamp)
	}
}

func TestWhatCouldNotBeReadIsKeptAsAFile(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	w := makeWorld(t, m, "w")
	s := open(t, w)
	if err := put(raw(t, s, 0, store.Chunks), at(0, 0), codec.Zlib, []byte("a")); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	path := filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")
	f, err := m.OpenFile(path, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{0xff, 0xff, 0xff, 0xff}, region.HeaderBytes); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, w)
	defer closeStore(t, s)
	r := raw(t, s, 0, store.Chunks)
	c, err := Begin(s, "delete", Options{})
	if err == nil {
		err = c.Keep(over, store.Chunks, at(0, 0))
	}
	if err == nil {
		err = c.Commit()
	}
	if err == nil {
		err = remove(r, at(0, 0))
	}
	if err == nil {
		err = c.Finish(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := undoLast(s, RestoreOptions{})
	if err != nil || got.Lost != 1 || got.Restored != 0 || got.KeptIn == "" {
		t.Fatalf("undo: %+v, %v", got, err)
	}
	data, err := vfs.ReadFile(m, filepath.Join(got.KeptIn, "lost-0-region-0.0.bin"), 1<<20)
	if err != nil || len(data) < 10 || data[0] != 0xff {
		t.Errorf("kept %d bytes, %v", len(data), err)
	}
}

func TestAChangeThatKeepsNothingGoes(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	c, err := Begin(s, "delete", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(ctx); err != nil || c.ID() != "" {
		t.Errorf("%q, %v", c.ID(), err)
	}
	if err := c.Abort(); err != nil {
		t.Error(err)
	}
	if infos, err := List(m, "w"); err != nil || len(infos) != 0 {
		t.Errorf("%+v, %v", infos, err)
	}
}

func TestAnInterruptedUndoByForceGoesOn(t *testing.T) {
	rng := random(t)
	m := vfs.NewMem(vfs.MemOptions{})
	s := open(t, makeWorld(t, m, "w"))
	defer closeStore(t, s)
	sc := makeScene(t, s, rng, 10, false)
	before := content(t, s)
	if err := sc.run(s, rng, false); err != nil {
		t.Fatal(err)
	}
	x := sc.objects[0]
	if err := put(raw(t, s, x.dim, x.kind), x.pos, codec.Zlib, []byte("work")); err != nil {
		t.Fatal(err)
	}
	// As far as an undo by force that is killed before it writes.
	first, err := Find(s, "")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := first.keepSince(ctx, RestoreOptions{})
	if err == nil {
		err = first.mark(Undoing)
	}
	if err := errors.Join(err, kept.Abort(), first.Close()); err != nil {
		t.Fatal(err)
	}
	again, err := Find(s, "")
	if err != nil || again.Info().ID != first.Info().ID {
		t.Fatalf("goes on with %+v, %v", again, err)
	}
	defer again.Close() // it only reads
	if _, err := Undo(ctx, again, RestoreOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	if d := compareContent(content(t, s), before); d != "" {
		t.Error(d)
	}
}
