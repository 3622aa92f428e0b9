package prune

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"strata/anvil"
	"strata/anvil/query"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

const overworld, nether = "minecraft:overworld", "minecraft:the_nether"

var ctx = context.Background()

// rig is a world of its own, open as a world and as a store.
type rig struct {
	t   *testing.T
	dir string
	w   *anvil.World
	s   *store.Store

	todo []func() error
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, dir: filepath.Join(t.TempDir(), "world")}
	w, err := anvil.Create(r.dir, anvil.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r.open()
	t.Cleanup(func() {
		if err := r.s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) open() {
	r.t.Helper()
	var err error
	if r.w, err = anvil.Open(r.dir, anvil.Options{}); err != nil {
		r.t.Fatal(err)
	}
	where, err := store.WorldOf(r.w)
	if err != nil {
		r.t.Fatal(err)
	}
	if r.s, err = store.Open(where, store.Options{Memory: 16 << 20, NoControl: true}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) raw(dim string, k store.Kind) *store.Raw {
	r.t.Helper()
	for i, d := range r.s.World().Dimensions {
		if d.Name == dim {
			raw, err := r.s.Raw(store.Dim(i), k)
			if err != nil {
				r.t.Fatal(err)
			}
			return raw
		}
	}
	r.t.Fatalf("no dimension %s", dim)
	return nil
}

// put stores a document, or bytes as they are, with the next flush.
func (r *rig) put(dim string, k store.Kind, pos region.ChunkPos, v any) {
	r.t.Helper()
	data, isBytes := v.([]byte)
	if !isBytes {
		var err error
		if data, err = nbt.Marshal(v); err != nil {
			r.t.Fatal(err)
		}
	}
	raw := r.raw(dim, k)
	r.todo = append(r.todo, func() error {
		header, err := raw.Header(pos.Region())
		if errors.Is(err, fs.ErrNotExist) {
			header, err = new(region.Header), nil
		}
		if err != nil {
			return err
		}
		return raw.Replace(ctx, pos, store.RawWrite{Old: header.Entry(pos.Slot()), Record: region.Record{Scheme: codec.None, Data: data}})
	})
}

// flush stores what was put: many at a time, as they share flushes.
func (r *rig) flush() {
	r.t.Helper()
	var group errgroup.Group
	group.SetLimit(64)
	for _, f := range r.todo {
		group.Go(f)
	}
	r.todo = nil
	if err := group.Wait(); err != nil {
		r.t.Fatal(err)
	}
}

// chunk stores a chunk with entities and points of interest.
func (r *rig) chunk(dim string, pos region.ChunkPos, status string, inhabited int64) {
	r.t.Helper()
	r.put(dim, store.Chunks, pos, map[string]any{
		"DataVersion": int32(4903), "xPos": pos.X, "zPos": pos.Z, "Status": "minecraft:" + status, "InhabitedTime": inhabited,
	})
	r.put(dim, store.Entities, pos, map[string]any{"DataVersion": int32(4903), "Position": []int32{pos.X, pos.Z}})
	r.put(dim, store.POI, pos, map[string]any{"DataVersion": int32(4903), "note": fmt.Sprint(dim, pos)})
}

// content is every record of the world.
func (r *rig) content() map[string]string {
	r.t.Helper()
	r.flush()
	all := map[string]string{}
	for _, d := range r.s.World().Dimensions {
		for _, k := range kinds {
			err := r.raw(d.Name, k).Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
				all[fmt.Sprint(d.Name, " ", k, " ", pos)] = fmt.Sprintf("%v %x %v", rec.Scheme, rec.Data, err != nil)
				return nil
			})
			if err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return all
}

func (r *rig) decide(where string, rules Rules, dims ...string) *Plan {
	r.t.Helper()
	r.flush()
	q, err := query.Compile(where)
	if err != nil {
		r.t.Fatal(err)
	}
	p, err := Decide(ctx, r.w, r.s, q, query.Options{Dimensions: dims}, rules)
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// square calls f with the chunks of a square.
func square(from, to int32, f func(region.ChunkPos)) {
	for x := from; x <= to; x++ {
		for z := from; z <= to; z++ {
			f(region.ChunkPos{X: x, Z: z})
		}
	}
}

func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }
