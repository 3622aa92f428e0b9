package world

import (
	"errors"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
	"strata/server/source"
	"strata/server/stream"
)

// loader is a source that loads at once what is in the store.
type loader struct {
	t     testing.TB
	store *store.Store
	ready []source.Result
}

func (l *loader) Want(requests []source.Request) {
	for _, r := range requests {
		hold, err := l.store.Load(l.t.Context(), 0, r.Pos, store.Urgent)
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		l.ready = append(l.ready, source.Result{Pos: r.Pos, Hold: hold, Err: err})
	}
}

func (l *loader) Take(dst []source.Result, _ int) []source.Result {
	dst, l.ready = append(dst, l.ready...), nil
	return dst
}

func (l *loader) Close() error { return nil }

// rig is a world with one dimension that is played in.
type rig struct {
	t     testing.TB
	parts store.World
	store *store.Store
	d     *Dimension
}

// memoryRig is a new world in memory. Nothing is open.
func memoryRig(t testing.TB) *rig {
	t.Helper()
	w, err := anvil.Create("world", anvil.CreateOptions{Options: anvil.Options{FS: vfs.NewMem(vfs.MemOptions{})}})
	if err != nil {
		t.Fatal(err)
	}
	return rigOf(t, w)
}

func rigOf(t testing.TB, w *anvil.World) *rig {
	t.Helper()
	parts, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, parts: parts}
}

// open opens the store and the overworld with what lies around chunk 0, 0.
func (r *rig) open(around stream.View) {
	r.t.Helper()
	var err error
	r.store, err = store.Open(r.parts, store.Options{ByTick: true, NoControl: true, BeforeCut: func() {
		if err := r.d.SaveTicks(); err != nil {
			r.t.Error(err)
		}
	}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.d = NewDimension(Options{
		ID: anvil.Overworld, Source: &loader{t: r.t, store: r.store}, Together: r.store.Together, Sky: true,
		Foreign: r.store.Tables().States, Shape: stream.Shape{Low: -4, High: 20},
		Failed: func(pos region.ChunkPos, err error) { r.t.Errorf("chunk %v: %v", pos, err) },
	})
	r.d.SetViews([]stream.View{around})
	r.tick(0)
}

// tick runs some ticks.
func (r *rig) tick(n int) {
	r.t.Helper()
	for i := 0; i <= n; i++ {
		if err := r.d.Tick(); err != nil {
			r.t.Fatal(err)
		}
		if i == n {
			return
		}
		r.d.RunTicks(r.d.Context())
		if _, err := r.d.Flush(); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *rig) close() {
	r.t.Helper()
	if err := errors.Join(r.d.Close(), r.store.Close()); err != nil {
		r.t.Fatal(err)
	}
}

// put makes full chunks around 0, 0 that change builds.
func (r *rig) put(radius int32, change func(*chunk.Chunk)) {
	r.t.Helper()
	s, err := store.Open(r.parts, store.Options{NoControl: true})
	if err != nil {
		r.t.Fatal(err)
	}
	for z := -radius; z <= radius; z++ {
		for x := -radius; x <= radius; x++ {
			c, err := chunk.New(s.Tables(), region.ChunkPos{X: x, Z: z}, chunk.Options{
				DataVersion: s.Version(), MinSection: -4, Sections: 24, Status: chunk.StatusFull,
			})
			if err != nil {
				r.t.Fatal(err)
			}
			change(c)
			if err := s.Put(r.t.Context(), 0, c); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// onDisk is a chunk as a process that starts now would find it.
func (r *rig) onDisk(pos region.ChunkPos) *chunk.Chunk {
	r.t.Helper()
	s, err := store.OpenRead(r.parts, store.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	hold, err := s.Load(r.t.Context(), 0, pos, store.Urgent)
	if err != nil {
		r.t.Fatal(err)
	}
	defer hold.Release()
	c, err := hold.Snapshot()
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}
