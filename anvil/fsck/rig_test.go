package fsck

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

const over = anvil.Overworld

// rig is a world under test, of which every byte may be damaged.
type rig struct {
	t   testing.TB
	fs  vfs.FS
	dir string
	has map[store.Kind]string
}

// newRig makes a world without chunks in memory.
func newRig(t testing.TB) *rig { return rigAt(t, vfs.NewMem(vfs.MemOptions{}), "world") }

func rigAt(t testing.TB, fsys vfs.FS, dir string) *rig {
	t.Helper()
	w, err := anvil.Create(dir, anvil.CreateOptions{Options: anvil.Options{FS: fsys}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, fs: fsys, dir: dir}
}

func (r *rig) open() *anvil.World {
	r.t.Helper()
	w, err := anvil.Open(r.dir, anvil.Options{FS: r.fs})
	if err != nil {
		r.t.Fatal(err)
	}
	return w
}

// folder is one of the overworld's.
func (r *rig) folder(k store.Kind) string {
	if r.has == nil {
		d, err := r.open().Dimension(over)
		if err != nil {
			r.t.Fatal(err)
		}
		r.has = map[store.Kind]string{}
		for _, k := range kinds {
			r.has[k] = dirOf(&d, k)
		}
	}
	return r.has[k]
}

func (r *rig) check() *Report {
	r.t.Helper()
	report, err := Check(r.t.Context(), r.open(), Options{Workers: 1, pause: time.Microsecond})
	if err != nil {
		r.t.Fatal(err)
	}
	return report
}

// repair checks, plans and repairs as the command does.
func (r *rig) repair(o RepairOptions) (*Plan, *Outcome) {
	r.t.Helper()
	w := r.open()
	where, err := store.WorldOf(w)
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := store.Open(where, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			r.t.Error(err)
		}
	}()
	report, err := Check(r.t.Context(), w, Options{Workers: 1, pause: time.Microsecond})
	if err != nil {
		r.t.Fatal(err)
	}
	plan, err := MakePlan(r.t.Context(), s, w, report, o)
	if err != nil {
		r.t.Fatal(err)
	}
	if plan.Empty() {
		return plan, &Outcome{}
	}
	change, err := undo.Begin(s, "fsck", undo.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	defer change.Abort()
	out, err := plan.Apply(r.t.Context(), s, change, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range out.Failed {
		r.t.Errorf("failed: %v: %s", f.String(), f.Error)
	}
	if err := change.Finish(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	return plan, out
}

// chunkNBT is a real chunk of 26.2 with something to tell it from others.
func chunkNBT(t testing.TB, pos region.ChunkPos, change func(*chunk.Chunk)) []byte {
	t.Helper()
	c, err := chunk.New(testTables, pos, chunk.Options{DataVersion: anvil.NativeVersion, MinSection: -4, Sections: 24, Status: chunk.StatusFull})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.FillSection(-4, block.Stone.Default()); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(pos.X), uint64(pos.Z)))
	for range 40 {
		c.SetBlock(rng.IntN(16), -50+rng.IntN(16), rng.IntN(16), block.Dirt.Default())
	}
	c.ComputeHeightmaps(chunk.FinalHeightmaps...)
	c.SetLastUpdate(1000)
	if change != nil {
		change(c)
	}
	data, err := new(chunk.Encoder).Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var testTables = chunk.NewTables()

// entitiesNBT is an entity chunk with a pig in each of the chunks given.
func entitiesNBT(t testing.TB, pos region.ChunkPos, in ...region.ChunkPos) []byte {
	t.Helper()
	list := []any{}
	for i, c := range in {
		list = append(list, map[string]any{
			"id": "minecraft:pig", "Pos": []float64{float64(c.X)*16 + 8, 64, float64(c.Z)*16 + 8},
			"UUID": []int32{c.X, c.Z, int32(i), 77},
		})
	}
	return marshal(t, map[string]any{"DataVersion": int32(anvil.NativeVersion), "Position": []int32{pos.X, pos.Z}, "Entities": list})
}

// poiNBT has a bed in each of the chunks given.
func poiNBT(t testing.TB, in ...region.ChunkPos) []byte {
	t.Helper()
	var records []any
	for _, c := range in {
		records = append(records, map[string]any{"type": "minecraft:home", "pos": []int32{c.X*16 + 1, 64, c.Z*16 + 1}, "free_tickets": int32(1)})
	}
	return marshal(t, map[string]any{
		"DataVersion": int32(anvil.NativeVersion),
		"Sections":    map[string]any{"4": map[string]any{"Valid": true, "Records": records}},
	})
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := nbt.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func encode(t testing.TB, scheme codec.Scheme, data []byte) []byte {
	t.Helper()
	e, err := codec.NewEncoder(scheme, 1)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Append(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// image is a region file, byte by byte.
type image struct {
	t     testing.TB
	pos   region.Pos
	bytes []byte
}

func newImage(t testing.TB, x, z int32) *image {
	return &image{t, region.Pos{X: x, Z: z}, make([]byte, region.HeaderBytes)}
}

func (m *image) at(x, z int32) region.ChunkPos {
	return region.ChunkPos{X: m.pos.X*32 + x, Z: m.pos.Z*32 + z}
}

// record puts a record at the end, and makes the slot of pos name it.
func (m *image) record(pos region.ChunkPos, typ byte, stream []byte) region.Location {
	start := len(m.bytes) / region.SectorBytes
	head := binary.BigEndian.AppendUint32(nil, uint32(len(stream)+1))
	m.bytes = append(append(append(m.bytes, head...), typ), stream...)
	for len(m.bytes)%region.SectorBytes != 0 {
		m.bytes = append(m.bytes, 0)
	}
	l := region.MakeLocation(uint32(start), min(uint32(len(m.bytes)/region.SectorBytes-start), 255))
	m.set(pos, l)
	return l
}

func (m *image) set(pos region.ChunkPos, l region.Location) {
	(*region.Header)(m.bytes).Set(pos.Slot(), region.Entry{Location: l, Timestamp: 1000})
}

// put puts NBT into the slot of pos.
func (m *image) put(pos region.ChunkPos, data []byte) region.Location {
	m.t.Helper()
	return m.record(pos, byte(codec.Zlib), encode(m.t, codec.Zlib, data))
}

// chunk puts a sound chunk into its slot.
func (m *image) chunk(x, z int32) region.Location {
	m.t.Helper()
	return m.put(m.at(x, z), chunkNBT(m.t, m.at(x, z), nil))
}

func (m *image) save(r *rig, k store.Kind) {
	m.t.Helper()
	r.write(filepath.Join(r.folder(k), m.pos.Name()), m.bytes)
}

func (r *rig) write(path string, data []byte) {
	r.t.Helper()
	if err := vfs.MkdirAll(r.fs, filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	file, err := r.fs.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := file.WriteAt(data, 0); err != nil {
		r.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) read(path string) []byte {
	r.t.Helper()
	data, err := vfs.ReadFile(r.fs, path, 1<<30)
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

// payloads are the records of all folders that can be read, with their schemes,
// by dimension, kind and position.
func (r *rig) payloads() map[string]string {
	r.t.Helper()
	where, err := store.WorldOf(r.open())
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := store.OpenRead(where, store.Options{Memory: 16 << 20})
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	all := map[string]string{}
	for i, d := range where.Dimensions {
		for _, k := range kinds {
			raw, err := s.Raw(store.Dim(i), k)
			if err != nil {
				r.t.Fatal(err)
			}
			err = raw.Each(r.t.Context(), func(pos region.ChunkPos, rec region.Record, err error) error {
				if err == nil {
					all[fmt.Sprintf("%s %v %v", d.Name, k, pos)] = fmt.Sprint(rec.Scheme, string(rec.Data))
				}
				return nil
			})
			if err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return all
}

// name is a chunk's in payloads.
func name(k store.Kind, pos region.ChunkPos) string { return fmt.Sprintf("%s %v %v", over, k, pos) }

// tree is every file of the world but ours, with its content.
func (r *rig) tree() map[string]string {
	r.t.Helper()
	all := map[string]string{}
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := r.fs.ReadDir(dir)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.Name() == "session.lock":
			case e.IsDir():
				walk(path)
			case e.Type()&fs.ModeSymlink != 0:
				all[path] = "link"
			default:
				all[path] = string(r.read(path))
			}
		}
	}
	walk(r.dir)
	return all
}

// wantClasses fails unless the report has these classes above info, and each
// as often as it is named.
func wantClasses(t testing.TB, r *Report, classes ...Class) {
	t.Helper()
	want := map[Class]int{}
	for _, c := range classes {
		want[c]++
	}
	got := map[Class]int{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity > region.SeverityInfo {
			got[f.Class] += f.Count
		}
	}
	same := len(got) == len(want)
	for c, n := range want {
		same = same && got[c] == n
	}
	if !same {
		var lines strings.Builder
		for i := range r.Findings[:min(len(r.Findings), 12)] {
			lines.WriteString("\n\t" + r.Findings[i].String())
		}
		t.Errorf("classes %v, want %v:%s", got, want, lines.String())
	}
}

// wantSound fails if a second repair has anything to do.
func (r *rig) wantSettled(o RepairOptions) {
	r.t.Helper()
	before := r.tree()
	plan, _ := r.repair(o)
	if !plan.Empty() {
		for i := range plan.Steps {
			r.t.Errorf("a second repair: %v", plan.Steps[i].String())
		}
	}
	for path, data := range r.tree() {
		if before[path] != data && !strings.Contains(path, filepath.Join("strata", "journal")) {
			r.t.Errorf("a second repair changes %s", path)
		}
	}
}

func hasInfo(r *Report, class Class) bool {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Class == class && f.Severity == region.SeverityInfo {
			return true
		}
	}
	return false
}

func mustRaw(t testing.TB, v any) nbt.Raw {
	t.Helper()
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
