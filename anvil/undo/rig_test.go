package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

const over, nether = "minecraft:overworld", "minecraft:the_nether"

// makeWorld makes the folder of a world with two dimensions and a level.dat.
func makeWorld(t testing.TB, fsys vfs.FS, dir string) store.World {
	t.Helper()
	if err := vfs.MkdirAllSync(fsys, filepath.Join(dir, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := level.NewLevel(level.Fresh{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileSync(fsys, filepath.Join(dir, level.FileName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return worldAt(fsys, dir)
}

func worldAt(fsys vfs.FS, dir string) store.World {
	w := store.World{FS: fsys, Roots: []journal.Root{{Dir: dir}}}
	for _, name := range []string{"overworld", "the_nether"} {
		d := filepath.Join(dir, "dimensions", "minecraft", name)
		w.Dimensions = append(w.Dimensions, store.Dimension{
			Name: "minecraft:" + name, Region: filepath.Join(d, "region"),
			Entities: filepath.Join(d, "entities"), POI: filepath.Join(d, "poi"),
		})
	}
	return w
}

func open(t testing.TB, w store.World) *store.Store {
	t.Helper()
	s, err := store.Open(w, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func raw(t testing.TB, s *store.Store, dim store.Dim, k store.Kind) *store.Raw {
	t.Helper()
	r, err := s.Raw(dim, k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put puts a record in the place of what is there.
func put(r *store.Raw, pos region.ChunkPos, scheme codec.Scheme, payload []byte) error {
	e, err := codec.NewEncoder(scheme, 1)
	if err != nil {
		return err
	}
	data, err := e.Append(nil, payload)
	if err != nil {
		return err
	}
	entry, err := slotEntry(r, pos)
	if err != nil {
		return err
	}
	return r.Replace(ctx, pos, store.RawWrite{Old: entry, Record: region.Record{Scheme: scheme, Data: data}, Overwrite: true})
}

func remove(r *store.Raw, pos region.ChunkPos) error {
	entry, err := slotEntry(r, pos)
	if err != nil || entry.Empty() {
		return err
	}
	return r.Delete(ctx, pos, entry)
}

// content is all there is in a world but what is ours: payloads with their
// schemes, and files.
func content(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	w := worldOf(s)
	for i := range w.all.Dimensions {
		for k := range store.POI + 1 {
			r := raw(t, s, store.Dim(i), k)
			err := r.Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
				all[fmt.Sprint(i, k, pos)] = fmt.Sprint(rec.Scheme, rec.External, err == nil, string(rec.Data))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	files(t, w.fs, w.main(), all)
	return all
}

func files(t testing.TB, fsys vfs.FS, dir string, all map[string]string) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		_, isRegion := region.ParseName(e.Name())
		switch {
		case e.IsDir() && e.Name() != ownFolder:
			files(t, fsys, path, all)
		case e.IsDir(), isRegion, e.Name() == "session.lock":
		default:
			data, err := vfs.ReadFile(fsys, path, 1<<30)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(data)
		}
	}
}

// compare says where two contents differ, without the bytes.
func compareContent(got, want map[string]string) string {
	keys := func(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
	if d := cmp.Diff(keys(want), keys(got)); d != "" {
		return d
	}
	text := ""
	for _, k := range keys(want) {
		if got[k] != want[k] {
			text += k + " differs\n"
		}
	}
	return text
}

// scene is a world and a random change of it.
type scene struct {
	objects []target
	paths   []string
}

type target struct {
	dim  store.Dim
	kind store.Kind
	pos  region.ChunkPos
}

func (x target) name() string { return []string{over, nether}[x.dim] }

// makeScene fills a world, and chooses what is to be changed: present and absent
// objects of all kinds, and files.
func makeScene(t testing.TB, s *store.Store, rng *rand.Rand, objects int, large bool) *scene {
	t.Helper()
	sc := &scene{}
	seen := map[target]bool{}
	for len(sc.objects) < objects {
		x := target{store.Dim(rng.IntN(2)), store.Kind(rng.IntN(3)), region.ChunkPos{X: int32(rng.IntN(40)), Z: int32(rng.IntN(3))}}
		if seen[x] {
			continue
		}
		seen[x] = true
		sc.objects = append(sc.objects, x)
		if rng.IntN(4) > 0 {
			if err := put(raw(t, s, x.dim, x.kind), x.pos, someScheme(rng), payload(rng, large && rng.IntN(12) == 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := s.World().Roots[0].Dir
	for i := range 4 {
		sc.paths = append(sc.paths, filepath.Join(dir, "data", fmt.Sprint(i, ".dat")))
		if i > 0 {
			if err := s.StageFile(sc.paths[i], payload(rng, false), store.FileOptions{Perm: 0o600}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Barrier(ctx); err != nil {
		t.Fatal(err)
	}
	return sc
}

func someScheme(rng *rand.Rand) codec.Scheme {
	return []codec.Scheme{codec.Zlib, codec.Gzip, codec.None, codec.LZ4}[rng.IntN(4)]
}

// payload is random bytes, of a large record in a file of its own.
func payload(rng *rand.Rand, large bool) []byte {
	n := 1 + rng.IntN(9000)
	if large {
		n = 1<<20 + rng.IntN(1<<16)
	}
	data := make([]byte, n)
	for i := 0; i < n; i += 8 {
		v := rng.Uint64()
		copy(data[i:], []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24), byte(v >> 32), byte(v >> 40), byte(v >> 48), byte(v >> 56)})
	}
	return data
}

// keep keeps everything of a scene.
func (sc *scene) keep(c *Change) error {
	for _, x := range sc.objects {
		if err := c.Keep(x.name(), x.kind, x.pos); err != nil {
			return err
		}
	}
	for _, p := range sc.paths {
		if err := c.KeepFile(p); err != nil {
			return err
		}
	}
	return c.Commit()
}

// change changes everything of a scene in a random way.
func (sc *scene) change(s *store.Store, rng *rand.Rand, large bool) error {
	for _, x := range sc.objects {
		r, err := s.Raw(x.dim, x.kind)
		if err != nil {
			return err
		}
		switch rng.IntN(3) {
		case 0:
			err = remove(r, x.pos)
		case 1:
			err = put(r, x.pos, someScheme(rng), payload(rng, large && rng.IntN(12) == 0))
		}
		if err != nil {
			return err
		}
	}
	for _, x := range sc.objects {
		r, err := s.Raw(x.dim, x.kind)
		if err == nil {
			_, err = r.RemoveEmpty(ctx, x.pos.Region())
		}
		if err != nil {
			return err
		}
	}
	for i, p := range sc.paths {
		var err error
		if i == 1 {
			err = s.RemoveFile(p)
		} else {
			err = s.StageFile(p, bytes.Repeat([]byte{byte(rng.Uint32())}, 100), store.FileOptions{})
		}
		if err != nil {
			return err
		}
	}
	return s.Barrier(ctx)
}

// run is the whole of a change.
func (sc *scene) run(s *store.Store, rng *rand.Rand, large bool) error {
	c, err := Begin(s, "test", Options{Command: "strata test"})
	if err != nil {
		return err
	}
	err = sc.keep(c)
	if err == nil {
		err = sc.change(s, rng, large)
	}
	if err == nil {
		err = c.Finish(ctx)
	}
	return errors.Join(err, c.Abort())
}

// undoLast undoes the last change.
func undoLast(s *store.Store, o RestoreOptions) (r *Report, err error) {
	t, err := Find(s, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return Undo(ctx, t, o)
}
