package transplant

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

const overworld, nether, end = "minecraft:overworld", "minecraft:the_nether", "minecraft:the_end"

var ctx = context.Background()

// rig is a world of its own, in memory.
type rig struct {
	t    *testing.T
	w    *anvil.World
	s    *store.Store
	todo []func() error
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return rigOf(t, anvil.NativeVersion)
}

// rigOf makes a world whose level.dat has a data version.
func rigOf(t *testing.T, version int32) *rig {
	t.Helper()
	const dir = "world"
	options := anvil.Options{FS: vfs.NewMem(vfs.MemOptions{})}
	w, err := anvil.Create(dir, anvil.CreateOptions{Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if version != anvil.NativeVersion {
		setVersion(t, options.FS, filepath.Join(dir, level.FileName), version)
	}
	r := &rig{t: t}
	if r.w, err = anvil.Open(dir, options); err != nil {
		t.Fatal(err)
	}
	where, err := store.WorldOf(r.w)
	if err != nil {
		t.Fatal(err)
	}
	if r.s, err = store.Open(where, store.Options{Memory: 16 << 20, NoControl: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func setVersion(t *testing.T, fsys vfs.FS, path string, version int32) {
	t.Helper()
	file, err := vfs.ReadFile(fsys, path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	data, how, err := nbt.Unpack(file, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	edit := tape.Edit()
	edit.Set(tape.Root().Get("Data"), "DataVersion", edit.Int(version))
	if data, err = edit.AppendTo(nil); err == nil {
		data, err = nbt.Pack(nil, data, how)
	}
	if err == nil {
		err = vfs.WriteFileSync(fsys, path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) dim(name string) store.Dim {
	for i, d := range r.s.World().Dimensions {
		if d.Name == name {
			return store.Dim(i)
		}
	}
	r.t.Fatalf("no dimension %s", name)
	return 0
}

func (r *rig) raw(dim string, k store.Kind) *store.Raw {
	raw, err := r.s.Raw(r.dim(dim), k)
	if err != nil {
		r.t.Fatal(err)
	}
	return raw
}

// put stores a document with the next flush.
func (r *rig) put(dim string, k store.Kind, pos region.ChunkPos, scheme codec.Scheme, document []byte) {
	r.t.Helper()
	e, err := codec.NewEncoder(scheme, 1)
	if err != nil {
		r.t.Fatal(err)
	}
	data, err := e.Append(nil, document)
	if err != nil {
		r.t.Fatal(err)
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
		return raw.Replace(ctx, pos, store.RawWrite{Old: header.Entry(pos.Slot()), Record: region.Record{Scheme: scheme, Data: data}})
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

// chunkAt is a chunk with a tick, and with a note that tells it from others.
func chunkAt(t testing.TB, pos region.ChunkPos, version int, note string) []byte {
	t.Helper()
	return document(t, fmt.Sprintf(`{DataVersion:%d,xPos:%d,zPos:%d,Status:"minecraft:full",block_ticks:[{x:%d,y:1,z:%d}],note:"%s"}`,
		version, pos.X, pos.Z, pos.X*16+3, pos.Z*16+5, note))
}

// entitiesAt is an entity chunk with the pig that was born at a position.
func entitiesAt(t testing.TB, pos, born region.ChunkPos, note string) []byte {
	t.Helper()
	return document(t, fmt.Sprintf(`{DataVersion:4903,Position:[I;%d,%d],Entities:[{id:"pig",Pos:[%gd,64d,%gd],UUID:[I;%d,%d,3,4]}],note:"%s"}`,
		pos.X, pos.Z, float64(pos.X*16)+3.5, float64(pos.Z*16)+5.25, born.X, born.Z, note))
}

func poiAt(t testing.TB, pos region.ChunkPos, note string) []byte {
	t.Helper()
	return document(t, fmt.Sprintf(`{DataVersion:4903,Sections:{"4":{Records:[{pos:[I;%d,64,%d]}]}},note:"%s"}`, pos.X*16+3, pos.Z*16+5, note))
}

// chunk stores a chunk with entities and points of interest.
func (r *rig) chunk(dim string, pos region.ChunkPos, note string) {
	r.t.Helper()
	r.put(dim, store.Chunks, pos, codec.Zlib, chunkAt(r.t, pos, 4903, note))
	r.put(dim, store.Entities, pos, codec.None, entitiesAt(r.t, pos, pos, note))
	r.put(dim, store.POI, pos, codec.LZ4, poiAt(r.t, pos, note))
}

// content is every document of the world, with its scheme.
func (r *rig) content() map[string]string {
	r.t.Helper()
	r.flush()
	all := map[string]string{}
	var dec codec.Decoder
	var tape nbt.Tape
	for _, d := range r.s.World().Dimensions {
		for _, k := range kinds {
			err := r.raw(d.Name, k).Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
				if err != nil {
					return err
				}
				data, err := rec.AppendDecoded(&dec, nil, maxDocument)
				if err != nil {
					return err
				}
				if err := tape.Parse(data); err != nil {
					return err
				}
				all[where(d.Name, k, pos)] = fmt.Sprint(rec.Scheme, " ", snbtOf(r.t, data))
				return nil
			})
			if err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return all
}

func where(dim string, k store.Kind, pos region.ChunkPos) string {
	return fmt.Sprint(dim, " ", k, " ", pos)
}

// copyTo copies chunks of a dimension and checks that a plan tells the same.
func (r *rig) copyTo(to *rig, dim string, chunks []region.ChunkPos, o Options) *Result {
	r.t.Helper()
	r.flush()
	to.flush()
	picked := &edit.Picked{}
	for _, pos := range chunks {
		picked.Add(r.dim(dim), pos)
	}
	plan, err := Copy(ctx, r.s, to.s, picked, o)
	if err != nil {
		r.t.Fatal(err)
	}
	targets, err := Targets(r.s, to.s, picked, o)
	if err != nil {
		r.t.Fatal(err)
	}
	if o.Change, err = undo.Begin(to.s, "copy", undo.Options{}); err != nil {
		r.t.Fatal(err)
	}
	result, err := Copy(ctx, r.s, to.s, picked, o)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := o.Change.Finish(ctx); err != nil {
		r.t.Fatal(err)
	}
	if plan.Created != result.Created || plan.Replaced != result.Replaced || plan.Bytes != result.Bytes || plan.Removed != result.Removed {
		r.t.Errorf("planned %+v, did %+v", plan, result)
	}
	if targets.Count < result.Created+result.Replaced {
		r.t.Errorf("%d targets of %+v", targets.Count, result)
	}
	return result
}

func (r *rig) undo() {
	r.t.Helper()
	trail, err := undo.Find(r.s, "")
	if err != nil {
		r.t.Fatal(err)
	}
	report, err := undo.Undo(ctx, trail, undo.RestoreOptions{})
	if err := errors.Join(err, trail.Close()); err != nil || len(report.Failed) > 0 {
		r.t.Fatal(report, err)
	}
}

// square are the chunks of a square.
func square(from, to int32) (all []region.ChunkPos) {
	for x := from; x <= to; x++ {
		for z := from; z <= to; z++ {
			all = append(all, region.ChunkPos{X: x, Z: z})
		}
	}
	return all
}
