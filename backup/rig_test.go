package backup

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"strata/anvil"
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
	t.Cleanup(func() { sealFolders(vfs.OS(), dir, 0o755) })
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

func (r *rig) live(bytes bool) sums { return sumsOf(r.t, r.fs, r.world, bytes) }

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
