package source

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

// rig is a new world with its store and generators.
type rig struct {
	path  string
	store *store.Store
	gens  *Generators
}

func newRig(tb testing.TB, o anvil.CreateOptions) *rig {
	tb.Helper()
	r := &rig{path: filepath.Join(tb.TempDir(), "world")}
	w, err := anvil.Create(r.path, o)
	if err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	r.open(tb)
	tb.Cleanup(func() { r.close(tb) })
	return r
}

func (r *rig) open(tb testing.TB) {
	tb.Helper()
	w, err := anvil.Open(r.path, anvil.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if r.gens, err = OpenGenerators(w, GeneratorOptions{}); err != nil {
		tb.Fatal(err)
	}
	parts, err := store.WorldOf(w)
	if err != nil {
		tb.Fatal(err)
	}
	w.Close()
	if r.store, err = store.Open(parts, store.Options{NoControl: true}); err != nil {
		tb.Fatal(err)
	}
}

func (r *rig) close(tb testing.TB) {
	tb.Helper()
	if err := r.gens.Close(); err != nil {
		tb.Error(err)
	}
	if err := r.store.Close(); err != nil {
		tb.Error(err)
	}
}

// source starts a source of the overworld; o says what else.
func (r *rig) source(tb testing.TB, o Options) *Source {
	tb.Helper()
	if o.Generator == nil {
		g, err := r.gens.Generator(anvil.Overworld, r.store.Tables())
		if err != nil {
			tb.Fatal(err)
		}
		o.Generator = g
	}
	o.Store = r.store
	s, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// around are requests for a square, nearest first.
func around(centre region.ChunkPos, radius int32) (list []Request) {
	for z := -radius; z <= radius; z++ {
		for x := -radius; x <= radius; x++ {
			list = append(list, Request{region.ChunkPos{X: centre.X + x, Z: centre.Z + z}, x*x + z*z})
		}
	}
	return list
}

// collect takes results until there are n of chunks that were asked for. The
// caller releases the holds.
func collect(tb testing.TB, s *Source, n int) (got map[region.ChunkPos]Result, relit []Result) {
	tb.Helper()
	got = make(map[region.ChunkPos]Result)
	deadline := time.Now().Add(time.Minute)
	for len(got) < n {
		for _, r := range s.Take(nil, 16) {
			if r.Relit {
				relit = append(relit, r)
				continue
			}
			if _, twice := got[r.Pos]; twice {
				tb.Fatalf("chunk %v came twice", r.Pos)
			}
			got[r.Pos] = r
		}
		if time.Now().After(deadline) {
			tb.Fatalf("%d of %d chunks came: %+v", len(got), n, s.Metrics())
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
	return got, relit
}

func release(results map[region.ChunkPos]Result, relit []Result) {
	for _, r := range results {
		if r.Hold != nil {
			r.Release()
		}
	}
	for _, r := range relit {
		r.Release()
	}
}
