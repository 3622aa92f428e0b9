package backup

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

// rig is a world and a repository on one file system, with a clock that stands.
type rig struct {
	t     testing.TB
	fs    vfs.FS
	mem   *vfs.Mem // nil on the machine's file system
	base  string
	world string
	now   time.Time
	// ahead of the world's clock is the repository's: what is in the world is old
	// then when a snapshot begins.
	ahead time.Duration
	rnd   *rand.Rand
	repo  Repository
}

// newRig makes a small world and a repository in memory.
func newRig(t testing.TB, target Target) *rig {
	r := &rig{t: t, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), base: "", world: "world"}
	r.mem = vfs.NewMem(vfs.MemOptions{Windows: onWindows, Now: func() time.Time { return r.now }})
	r.fs = r.mem
	r.begin(target)
	return r
}

// newDiskRig makes them on the machine's file system, where the clock goes on.
func newDiskRig(t testing.TB, target Target) *rig {
	dir := t.TempDir()
	t.Cleanup(func() { sealFolders(vfs.OS(), dir, 0o755) }) //nolint:errcheck // TempDir says what it cannot remove
	r := &rig{t: t, fs: vfs.OS(), base: dir, world: filepath.Join(dir, "world"), now: time.Now()}
	r.begin(target)
	return r
}

func (r *rig) begin(target Target) {
	r.t.Helper()
	r.rnd = rand.New(rand.NewPCG(uint64(testbed.Seed(r.t)), 3))
	w, err := anvil.Create(r.world, anvil.CreateOptions{Options: anvil.Options{FS: r.fs}, Seed: 7})
	must(r.t, err)
	must(r.t, w.Close())
	for _, dir := range r.regionDirs() {
		r.fill(dir, region.Pos{}, 20)
		r.fill(dir, region.Pos{X: -1}, 6)
	}
	r.put("dimensions/minecraft/overworld/data/mod/things.bin", r.bytes(20_000))
	r.put("players/data/5f0f0f0f-0000-4000-8000-00000000000a.dat", r.bytes(900))
	r.put("empty.txt", nil)
	r.now = r.now.Add(time.Minute)
	repo, err := Init(ctx, r.path("repo"), InitOptions{FS: r.fs, Target: target})
	must(r.t, err)
	must(r.t, repo.Close())
	r.open()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) path(elem ...string) string { return filepath.Join(append([]string{r.base}, elem...)...) }

// open opens the repository anew.
func (r *rig) open() {
	r.t.Helper()
	repo, err := Open(r.path("repo"), OpenOptions{FS: r.fs, Now: func() time.Time { return r.time().Add(r.ahead) }})
	must(r.t, err)
	r.repo = repo
}

func (r *rig) time() time.Time {
	if r.mem == nil {
		return time.Now()
	}
	return r.now
}

func (r *rig) regionDirs() []string {
	var dirs []string
	for _, dim := range []string{"overworld", "the_nether"} {
		for _, kind := range []string{"region", "entities", "poi"} {
			dirs = append(dirs, path.Join("dimensions/minecraft", dim, kind))
		}
	}
	return dirs
}

func (r *rig) bytes(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 8 {
		var x [8]byte
		binary.LittleEndian.PutUint64(x[:], r.rnd.Uint64())
		copy(b[i:], x[:])
	}
	return b
}

// fill makes a region file with so many chunks.
func (r *rig) fill(dir string, p region.Pos, chunks int) {
	r.t.Helper()
	must(r.t, vfs.MkdirAll(r.fs, r.worldPath(dir), 0o755))
	w, err := region.Create(r.worldPath(dir+"/"+p.Name()), region.Options{FS: r.fs})
	must(r.t, err)
	stamp := uint32(r.now.Add(-time.Hour).Unix())
	for _, s := range r.rnd.Perm(region.Slots)[:chunks] {
		slot := region.Slot(s)
		data := zlibbed(r.t, r.document(p.Chunk(slot), 100+r.rnd.IntN(4000)))
		must(r.t, w.Put(slot, region.Record{Scheme: codec.Zlib, Data: data, Entry: region.Entry{Timestamp: stamp}}))
	}
	must(r.t, w.Finish())
}

// document is an NBT document of a chunk that says where it is: a compound with
// xPos, zPos, DataVersion, LastUpdate and a byte array of random bytes.
func (r *rig) document(c region.ChunkPos, size int) []byte {
	return document(c, 4903, 1, r.bytes(size))
}

func document(c region.ChunkPos, version int32, lastUpdate int64, data []byte) []byte {
	b := []byte{10, 0, 0}
	tag := func(kind byte, name string) {
		b = append(b, kind)
		b = binary.BigEndian.AppendUint16(b, uint16(len(name)))
		b = append(b, name...)
	}
	for _, x := range []struct {
		name string
		v    int32
	}{{"DataVersion", version}, {"xPos", c.X}, {"zPos", c.Z}} {
		tag(3, x.name)
		b = binary.BigEndian.AppendUint32(b, uint32(x.v))
	}
	tag(4, "LastUpdate")
	b = binary.BigEndian.AppendUint64(b, uint64(lastUpdate))
	tag(7, "data")
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, 0)
}

// encoders are costly to make.
var encoders = sync.Pool{New: func() any {
	e, err := codec.NewEncoder(codec.Zlib, 1)
	if err != nil {
		panic(err)
	}
	return e
}}

func zlibbed(t testing.TB, data []byte) []byte {
	t.Helper()
	e := encoders.Get().(*codec.Encoder)
	defer encoders.Put(e)
	out, err := e.Append(nil, data)
	must(t, err)
	return out
}

// write writes a chunk of a folder of region files in place, as a server does.
func (r *rig) write(dir string, c region.ChunkPos, size int) {
	r.t.Helper()
	if size == 0 {
		size = 100 + r.rnd.IntN(6000)
	}
	f := r.region(dir, c.Region())
	must(r.t, f.Write(ctx, region.Write{Slot: c.Slot(), Scheme: codec.Zlib, Data: zlibbed(r.t, r.document(c, size))}))
	must(r.t, f.Close())
}

func (r *rig) region(dir string, p region.Pos) *region.File {
	r.t.Helper()
	folder := r.worldPath(dir)
	must(r.t, vfs.MkdirAll(r.fs, folder, 0o755))
	f, err := region.Open(filepath.Join(folder, p.Name()), region.Options{FS: r.fs, Now: r.time})
	must(r.t, err)
	return f
}

func (r *rig) worldPath(name string) string { return filepath.Join(r.world, filepath.FromSlash(name)) }

// put replaces a file as careful programs do.
func (r *rig) put(name string, data []byte) {
	r.t.Helper()
	must(r.t, vfs.MkdirAll(r.fs, filepath.Dir(r.worldPath(name)), 0o755))
	must(r.t, vfs.WriteFileSync(r.fs, r.worldPath(name), data, 0o644))
}

// overwrite changes bytes of a file where it is.
func (r *rig) overwrite(name string, at int64, data []byte) {
	r.t.Helper()
	f, err := r.fs.OpenFile(r.worldPath(name), os.O_RDWR, 0)
	must(r.t, err)
	_, err = f.WriteAt(data, at)
	must(r.t, err)
	must(r.t, f.Close())
}

// create makes a snapshot a minute later.
func (r *rig) create(o CreateOptions) *Report {
	r.t.Helper()
	r.now = r.now.Add(time.Minute)
	rep, err := r.repo.Create(ctx, r.world, o)
	must(r.t, err)
	r.now = r.now.Add(time.Minute)
	return rep
}

// sums are the contents of a world: files by their paths, and chunks by path and
// position.
type sums map[string]string

// sumsOf reads a world. bytes compares region files by their bytes, and not by what
// is in them.
func sumsOf(t testing.TB, fsys vfs.FS, root string, bytes bool) sums {
	t.Helper()
	s := sums{}
	must(t, s.walk(fsys, root, "", bytes))
	return s
}

func (s sums) walk(fsys vfs.FS, root, rel string, bytes bool) error {
	entries, err := fsys.ReadDir(filepath.Join(root, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		info, err := fsys.Stat(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if info.IsDir() {
			if err := s.walk(fsys, root, name, bytes); err != nil {
				return err
			}
			continue
		}
		if e.Name() == session.FileName || strings.HasPrefix(e.Name(), vfs.TempPrefix) {
			continue
		}
		key := filepath.ToSlash(name)
		if pos, ok := region.ParseName(e.Name()); ok && !bytes && info.Size >= region.HeaderBytes {
			if err := s.region(fsys, filepath.Join(root, name), key, pos); err != nil {
				return err
			}
			continue
		}
		if _, ok := region.ParseExternalName(e.Name()); ok && !bytes {
			continue // what is in it is the chunk's
		}
		data, err := vfs.ReadFile(fsys, filepath.Join(root, name), 1<<30)
		if err != nil {
			return err
		}
		s[key] = fmt.Sprintf("%d %x", len(data), sha256.Sum256(data))
	}
	return nil
}

func (s sums) region(fsys vfs.FS, name, key string, pos region.Pos) (err error) {
	f, err := region.Open(name, region.Options{FS: fsys, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for slot := range region.Slot(region.Slots) {
		e := f.Entry(slot)
		if e == (region.Entry{}) {
			continue
		}
		text := fmt.Sprintf("%d ", e.Timestamp)
		if !e.Empty() {
			rec, err := f.Read(slot, nil)
			var at *region.Error
			switch {
			case errors.As(err, &at):
				text += string(at.Class)
			case err != nil:
				return err
			default:
				text += fmt.Sprintf("%v %x", rec.Scheme, sha256.Sum256(rec.Data))
			}
		}
		s[fmt.Sprintf("%s#%v", key, pos.Chunk(slot))] = text
	}
	return nil
}

// diff lists what differs, at most a few.
func (s sums) diff(other sums) (all []string) {
	keys := slices.Sorted(maps.Keys(s))
	for _, k := range keys {
		if other[k] != s[k] {
			all = append(all, fmt.Sprintf("%s: %q, not %q", k, other[k], s[k]))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(other)) {
		if _, has := s[k]; !has {
			all = append(all, k+" is too much")
		}
	}
	if len(all) > 10 {
		all = append(all[:10], fmt.Sprintf("and %d more", len(all)-10))
	}
	return all
}

func (r *rig) live(bytes bool) sums { return sumsOf(r.t, r.fs, r.world, bytes) }

// want restores a snapshot and compares it.
func (r *rig) want(id string, want sums, bytes bool) {
	r.t.Helper()
	to := r.path("restored")
	_, err := r.repo.Restore(ctx, id, RestoreOptions{To: to})
	must(r.t, err)
	if diff := want.diff(sumsOf(r.t, r.fs, to, bytes)); len(diff) > 0 {
		r.t.Errorf("snapshot %s does not come back: %s", id, strings.Join(diff, "\n"))
	}
	must(r.t, removeAll(r.fs, to))
}

// wantView compares a snapshot as it is seen without a restore.
func (r *rig) wantView(id string, want sums) {
	r.t.Helper()
	v, err := r.repo.View(ctx, id)
	must(r.t, err)
	if diff := want.diff(sumsOf(r.t, v, v.Root, false)); len(diff) > 0 {
		r.t.Errorf("snapshot %s is not what it was: %s", id, strings.Join(diff, "\n"))
	}
	must(r.t, v.Close())
}

// verify demands that the repository is sound.
func (r *rig) verify() *VerifyReport {
	r.t.Helper()
	v, err := r.repo.Verify(ctx, VerifyOptions{})
	must(r.t, err)
	if !v.OK() {
		r.t.Errorf("damage %v, lost %v", v.Damage, v.Lost)
	}
	return v
}

// remove removes a file of the world.
func (r *rig) remove(name string) {
	r.t.Helper()
	must(r.t, r.fs.Remove(r.worldPath(name)))
}

// bothTargets runs a test with a repo and a tree.
func bothTargets(t *testing.T, f func(t *testing.T, target Target)) {
	t.Helper()
	for _, target := range []Target{Repo, Tree} {
		t.Run(string(target), func(t *testing.T) { f(t, target) })
	}
}

// quiesce notes what it is called for.
func quiesce(called *string) func(context.Context) (func() error, error) {
	return func(context.Context) (func() error, error) {
		*called = "off"
		return func() error {
			*called += " on"
			return nil
		}, nil
	}
}
