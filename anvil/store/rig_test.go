package store

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"sync"
	"testing"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store/journal"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

// at is a chunk of the overworld.
func at(x, z int32) Ref { return Ref{0, Chunks, region.ChunkPos{X: x, Z: z}} }

func (r Ref) as(k Kind) Ref { r.Kind = k; return r }

// makeWorld makes the folder of a world with two dimensions and a level.dat.
func makeWorld(t testing.TB, fsys vfs.FS, dir string) World {
	t.Helper()
	if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileSync(fsys, filepath.Join(dir, level.FileName), levelDat(t, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	return worldAt(fsys, dir)
}

func worldAt(fsys vfs.FS, dir string) World {
	w := World{FS: fsys, Roots: []journal.Root{{Dir: dir}}}
	for _, name := range []string{"overworld", "the_nether"} {
		d := filepath.Join(dir, "dimensions", "minecraft", name)
		w.Dimensions = append(w.Dimensions, Dimension{
			Name: "minecraft:" + name, Region: filepath.Join(d, "region"),
			Entities: filepath.Join(d, "entities"), POI: filepath.Join(d, "poi"),
		})
	}
	return w
}

// levelDat is a level.dat whose time is n.
func levelDat(t testing.TB, n int64) []byte {
	t.Helper()
	l, err := level.NewLevel(level.Fresh{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	e := l.Edit()
	e.SetTime(n)
	if l, err = e.Level(); err != nil {
		t.Fatal(err)
	}
	data, err := l.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// events collects what a store tells.
type events struct {
	mu  sync.Mutex
	all []Event
}

func (e *events) add(x Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, x)
}

func (e *events) count(k EventKind) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.all {
		if x.Kind == k {
			n++
		}
	}
	return n
}

func small() Options { return Options{Memory: 16 << 20, Loads: 2, Encoders: 2} }

func openStore(t testing.TB, w World, o Options) *Store {
	t.Helper()
	s, err := Open(w, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// check looks the world over: every region file must be without defects that
// are ours.
func check(t testing.TB, w World) {
	t.Helper()
	for _, d := range w.Dimensions {
		for k := range Kind(kinds) {
			dir := d.dir(k)
			if _, err := w.FS.Stat(dir); err != nil {
				continue
			}
			f, err := region.OpenFolder(dir, region.FolderOptions{Options: region.Options{FS: w.FS, ReadOnly: true}})
			if err != nil {
				t.Error(err)
				continue
			}
			checkFolder(t, f)
			f.Close()
		}
	}
}

func checkFolder(t testing.TB, d *region.Folder) {
	t.Helper()
	regions, err := d.Regions()
	if err != nil {
		t.Error(err)
	}
	for _, p := range regions {
		f, release, err := d.Acquire(p, false)
		if err != nil {
			t.Error(err)
			continue
		}
		for s := range region.Slot(region.Slots) {
			if f.Entry(s).Empty() {
				continue
			}
			if _, _, err := f.Decode(s, new(codec.Decoder), nil, nil); err != nil {
				t.Errorf("%v: %v", p.Chunk(s), err)
			}
		}
		release()
	}
}

// numbered makes a chunk that says which version of itself it is.
func numbered(t testing.TB, tables *chunk.Tables, pos region.ChunkPos, n int32) *chunk.Chunk {
	t.Helper()
	c, err := chunk.New(tables, pos, chunk.Options{DataVersion: level.NativeVersion, MinSection: 0, Sections: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := setNumber(c, n); err != nil {
		t.Fatal(err)
	}
	return c
}

const numberMember = "strata:number"

func setNumber(c *chunk.Chunk, n int32) error {
	return c.SetMember(numberMember, nbt.Raw{Type: nbt.TypeInt, Data: binary.BigEndian.AppendUint32(nil, uint32(n))})
}

// updateNumber is a change of a chunk to another version of itself.
func updateNumber(n int32) func(*chunk.Chunk) error {
	return func(c *chunk.Chunk) error { return setNumber(c, n) }
}

// number is what a chunk says, 0 if nothing.
func number(c *chunk.Chunk) int32 {
	raw, ok := c.Member(numberMember)
	if !ok || len(raw.Data) != 4 {
		return 0
	}
	return int32(binary.BigEndian.Uint32(raw.Data))
}

// numberedDocument is the NBT of entities or points of interest.
func numberedDocument(t testing.TB, ref Ref, n int32) []byte {
	t.Helper()
	data, err := nbt.Marshal(struct {
		DataVersion int32
		Position    []int32
		Number      int32
	}{level.NativeVersion, []int32{ref.Pos.X, ref.Pos.Z}, n})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func documentNumber(t testing.TB, data []byte) int32 {
	t.Helper()
	var v struct{ Number int32 }
	if err := nbt.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v.Number
}

func put(t testing.TB, s *Store, ref Ref, n int32) {
	t.Helper()
	var err error
	if ref.Kind == Chunks {
		err = s.Put(ctx, ref.Dim, numbered(t, s.Tables(), ref.Pos, n))
	} else {
		err = s.PutDocument(ctx, ref, numberedDocument(t, ref, n))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// get is the number of an object, -1 if it is absent.
func get(t testing.TB, s *Store, ref Ref) int32 {
	t.Helper()
	n, err := numberOf(t, s, ref)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func numberOf(t testing.TB, s *Store, ref Ref) (int32, error) {
	t.Helper()
	if ref.Kind != Chunks {
		data, err := s.LoadDocument(ctx, ref, Normal)
		if isAbsent(err) {
			return -1, nil
		}
		if err != nil {
			return 0, err
		}
		return documentNumber(t, data), nil
	}
	h, err := s.Load(ctx, ref.Dim, ref.Pos, Normal)
	if isAbsent(err) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	defer h.Release()
	c, err := h.Snapshot()
	if err != nil {
		return 0, err
	}
	return number(c), nil
}

func isAbsent(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Err == ErrAbsent
}

func barrier(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Barrier(ctx); err != nil {
		t.Fatal(err)
	}
}

// writeRecord puts a record into a region file past the store.
func writeRecord(t testing.TB, w World, ref Ref, payload []byte) {
	t.Helper()
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := enc.Append(nil, payload)
	if err != nil {
		t.Fatal(err)
	}
	d, err := region.OpenFolder(w.Dimensions[ref.Dim].dir(ref.Kind), region.FolderOptions{Options: region.Options{FS: w.FS}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(ctx, ref.Pos, region.Write{Scheme: codec.Zlib, Data: stream, Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func encoded(t testing.TB, c *chunk.Chunk) []byte {
	t.Helper()
	var e chunk.Encoder
	data, err := e.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// onWindows makes file systems in memory behave like those of Windows.
var onWindows bool

func mem() *vfs.Mem { return vfs.NewMem(vfs.MemOptions{Windows: onWindows}) }
