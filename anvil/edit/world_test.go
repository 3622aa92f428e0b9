package edit

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/store/journal"
	"strata/anvil/undo"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

var ctx = context.Background()

const over = "minecraft:overworld"

func worldAt(fsys vfs.FS, dir string) store.World {
	return store.World{FS: fsys, Roots: []journal.Root{{Dir: dir}}, Dimensions: []store.Dimension{
		{Name: over, Region: filepath.Join(dir, "region"), Entities: filepath.Join(dir, "entities"), POI: filepath.Join(dir, "poi")},
	}}
}

// newWorld makes a world of 26.2 without chunks.
func newWorld(t testing.TB, fsys vfs.FS, dir string) store.World {
	t.Helper()
	l, err := level.NewLevel(level.Fresh{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := vfs.MkdirAllSync(fsys, dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileSync(fsys, filepath.Join(dir, level.FileName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return worldAt(fsys, dir)
}

func openWorld(t testing.TB, w store.World) *store.Store {
	t.Helper()
	s, err := store.Open(w, store.Options{Memory: 16 << 20, NoControl: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeWorld(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func rawOf(t testing.TB, s *store.Store, k store.Kind) *store.Raw {
	t.Helper()
	r, err := s.Raw(0, k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put puts a document in an empty slot.
func put(t testing.TB, s *store.Store, k store.Kind, pos region.ChunkPos, text string, scheme codec.Scheme) {
	t.Helper()
	e, err := codec.NewEncoder(scheme, codec.Sector)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Append(nil, document(t, text))
	if err != nil {
		t.Fatal(err)
	}
	err = rawOf(t, s, k).Replace(ctx, pos, store.RawWrite{Record: region.Record{Scheme: scheme, Data: data}})
	if err != nil {
		t.Fatal(err)
	}
}

// chunkText is a chunk, with more bytes in it if it is to be large.
func chunkText(pos region.ChunkPos, version int, large bool) string {
	more := ""
	if large {
		more = fmt.Sprintf(`more:[B;%s0b],`, strings.Repeat("1b,", 1<<20))
	}
	return fmt.Sprintf(`{DataVersion:%d,%sxPos:%d,zPos:%d,Status:"minecraft:full",InhabitedTime:1L}`, version, more, pos.X, pos.Z)
}

// payloads are all records, and the names of all files but ours.
func payloads(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, k := range kinds {
		err := rawOf(t, s, k).Each(ctx, func(pos region.ChunkPos, rec region.Record, err error) error {
			all[fmt.Sprint(k, pos)] = fmt.Sprint(rec.Scheme, rec.External, err, string(rec.Data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		dir := map[store.Kind]string{store.Chunks: "region", store.Entities: "entities", store.POI: "poi"}[k]
		entries, err := s.World().FS.ReadDir(filepath.Join("w", dir))
		if err != nil && !strings.Contains(err.Error(), fs.ErrNotExist.Error()) {
			t.Fatal(err)
		}
		for _, e := range entries {
			all[dir+"/"+e.Name()] = ""
		}
	}
	return all
}

func sameContent(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if g, ok := got[k]; !ok || g != v {
			t.Errorf("%s: %s differs (there: %v)", what, k, ok)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: %s is there", what, k)
		}
	}
}

// changeWorld runs a change that is kept.
func changeWorld(t testing.TB, s *store.Store, f func(c *undo.Change) error) {
	t.Helper()
	c, err := undo.Begin(s, "test", undo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f(c); err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(ctx); err != nil {
		t.Fatal(err)
	}
}

func undoWorld(t testing.TB, s *store.Store) {
	t.Helper()
	trail, err := undo.Find(s, "")
	if err != nil {
		t.Fatal(err)
	}
	defer trail.Close() // it only reads
	if r, err := undo.Undo(ctx, trail, undo.RestoreOptions{}); err != nil || len(r.Failed) > 0 {
		t.Fatalf("undo: %+v, %v", r, err)
	}
}

func at(x, z int32) region.ChunkPos { return region.ChunkPos{X: x, Z: z} }

func pickedOf(all ...region.ChunkPos) *Picked {
	p := &Picked{}
	for _, pos := range all {
		p.Add(0, pos)
	}
	return p
}

func TestDeleteTakesTriplesExternalBodiesAndEmptiedFiles(t *testing.T) {
	for _, windows := range []bool{false, true} {
		m := vfs.NewMem(vfs.MemOptions{Windows: windows})
		s := openWorld(t, newWorld(t, m, "w"))
		for _, pos := range []region.ChunkPos{at(0, 0), at(1, 0), at(40, 0)} {
			put(t, s, store.Chunks, pos, chunkText(pos, 4903, pos == at(40, 0)), codec.None)
			put(t, s, store.POI, pos, `{DataVersion:4903,Sections:{}}`, codec.Zlib)
		}
		put(t, s, store.Entities, at(40, 0), `{DataVersion:4903,Position:[I;40,0],Entities:[]}`, codec.Gzip)
		before := payloads(t, s)
		if _, ok := before["region/c.40.0.mcc"]; !ok {
			t.Fatal("no record is in a file of its own")
		}
		p := pickedOf(at(0, 0), at(40, 0), at(41, 0)) // the last is not there
		dry, err := Delete(ctx, s, p, DeleteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sameContent(t, "counted", payloads(t, s), before)
		var d *Deleted
		changeWorld(t, s, func(c *undo.Change) error {
			d, err = Delete(ctx, s, p, DeleteOptions{Change: c})
			return err
		})
		if d.Chunks != 2 || d.Entities != 1 || d.POI != 2 || d.Regions != 3 || d.Failed != 0 {
			t.Errorf("%+v", d)
		}
		if dry.Chunks != d.Chunks || dry.Regions != d.Regions || dry.Bytes != d.Bytes {
			t.Errorf("planned %+v, done %+v", dry, d)
		}
		left := payloads(t, s)
		want := map[string]string{"region/r.0.0.mca": "", "poi/r.0.0.mca": ""}
		for _, k := range []string{"region 1,0", "poi 1,0"} {
			want[k] = before[k]
		}
		sameContent(t, "deleted", left, want)
		undoWorld(t, s)
		sameContent(t, "undone", payloads(t, s), before)
		closeWorld(t, s)
	}
}

func TestChunksThatCannotBeChangedAreCountedAndLeft(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := openWorld(t, newWorld(t, m, "w"))
	defer closeWorld(t, s)
	put(t, s, store.Chunks, at(0, 0), chunkText(at(0, 0), 4903, false), codec.Zlib)
	put(t, s, store.Chunks, at(1, 0), chunkText(at(1, 0), 9999, false), codec.Zlib) // newer than the world
	put(t, s, store.Chunks, at(2, 0), chunkText(at(2, 0), 1343, false), codec.LZ4)  // too old for the field
	put(t, s, store.Chunks, at(3, 0), `{a:1}`, codec.Zlib)
	entry := region.Entry{}
	err := rawOf(t, s, store.Chunks).Replace(ctx, at(4, 0), store.RawWrite{Old: entry, Record: region.Record{Scheme: codec.Zlib, Data: []byte("no stream")}})
	if err != nil {
		t.Fatal(err)
	}
	before := payloads(t, s)
	fields := fieldsOf(t, "status=carvers", "inhabited=9")
	var r *Result
	changeWorld(t, s, func(c *undo.Change) error {
		r, err = Change(ctx, s, pickedOf(at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(4, 0), at(5, 0)), fields, ChangeOptions{Change: c})
		return err
	})
	skipped := int64(0)
	for _, n := range r.Skipped {
		skipped += n
	}
	if r.Changed != 1 || skipped != 2 || r.Failed != 3 {
		t.Errorf("%+v", r)
	}
	after := payloads(t, s)
	if after["region 0,0"] == before["region 0,0"] {
		t.Error("nothing was changed")
	}
	after["region 0,0"] = before["region 0,0"]
	sameContent(t, "changed", after, before)
	d, err := Read(s, store.Ref{Pos: at(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := d.Root().Get("InhabitedTime").Int(); n != 9 || !d.Root().Get("Status").Is("minecraft:carvers") {
		t.Errorf("it is %s", text(d.r))
	}
	undoWorld(t, s)
	sameContent(t, "undone", payloads(t, s), before)
}

func TestRegionFilesThatCannotBeWrittenAreCountedAndTheRestGoesOn(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := openWorld(t, newWorld(t, m, "w"))
	for _, pos := range []region.ChunkPos{at(0, 0), at(40, 0)} {
		put(t, s, store.Chunks, pos, chunkText(pos, 4903, false), codec.Zlib)
	}
	closeWorld(t, s)
	fault := vfs.NewFault(m)
	s = openWorld(t, worldAt(fault, "w"))
	defer closeWorld(t, s)
	fault.Add(vfs.Rule{Ops: vfs.OpOpen | vfs.OpCreate, Name: "r.0.0.mca", Forever: true, Err: fs.ErrPermission})
	p := pickedOf(at(0, 0), at(40, 0))
	changeWorld(t, s, func(c *undo.Change) error {
		r, err := Change(ctx, s, p, fieldsOf(t, "inhabited=3"), ChangeOptions{Change: c})
		if err == nil && (r.Changed != 1 || r.Failed != 1) {
			t.Errorf("changed: %+v", r)
		}
		return err
	})
	changeWorld(t, s, func(c *undo.Change) error {
		d, err := Delete(ctx, s, p, DeleteOptions{Change: c})
		if err == nil && (d.Chunks != 1 || d.Failed != 1 || d.Regions != 1) {
			t.Errorf("deleted: %+v", d)
		}
		return err
	})
}

func TestBlocksOfAChangedChunkHaveTheirPointsOfInterestLookedForAgain(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	s := openWorld(t, newWorld(t, m, "w"))
	defer closeWorld(t, s)
	doc := `{DataVersion:3700,xPos:0,zPos:0,isLightOn:1b,Heightmaps:{},sections:[{Y:0b,block_states:{palette:[{Name:"minecraft:bell"}]}}]}`
	put(t, s, store.Chunks, at(0, 0), doc, codec.Zlib)
	put(t, s, store.Chunks, at(1, 0), strings.Replace(doc, "xPos:0", "xPos:1", 1), codec.Zlib)
	for x := range int32(2) {
		put(t, s, store.POI, at(x, 0), `{DataVersion:3700,Sections:{"0":{Valid:1b,Records:[]}}}`, codec.Zlib)
	}
	changeWorld(t, s, func(c *undo.Change) error {
		r, err := Change(ctx, s, pickedOf(at(0, 0)), fieldsOf(t, "replace_blocks=bell=stone"), ChangeOptions{Change: c})
		if err == nil && (r.Chunks != 1 || r.POI != 1) {
			t.Errorf("%+v", r)
		}
		return err
	})
	for x, want := range []int64{0, 1} {
		d, err := Read(s, store.Ref{Kind: store.POI, Pos: at(int32(x), 0)})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := d.Root().Get("Sections").Get("0").Get("Valid").Int(); n != want {
			t.Errorf("chunk %d: %d, want %d", x, n, want)
		}
	}
	d, err := Read(s, store.Ref{Pos: at(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	want := normal(t, 0, `{DataVersion:3700,xPos:0,zPos:0,isLightOn:0b,sections:[{Y:0b,block_states:{palette:[{Name:"minecraft:stone"}]}}]}`)
	if got := text(d.r); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
