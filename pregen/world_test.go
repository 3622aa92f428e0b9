package pregen

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"maps"
	"strings"
	"testing"

	"strata/anvil"
	"strata/anvil/level"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/vfs"
)

func TestWorldsThatCannotHaveChunksAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		create anvil.CreateOptions
		o      WorldOptions
		dims   []string
		want   string // "" for none
	}{
		"a plain one":       {create: anvil.CreateOptions{NoStructures: true}},
		"with structures":   {want: "generate_structures"},
		"structures made":   {o: WorldOptions{Structures: true}},
		"with a data pack":  {create: anvil.CreateOptions{NoStructures: true, Fresh: level.Fresh{Packs: level.Packs{Enabled: []string{"vanilla", "file/hills.zip"}}}}, want: "file/hills.zip"},
		"a pack that runs":  {create: anvil.CreateOptions{NoStructures: true, Fresh: level.Fresh{Packs: level.Packs{Enabled: []string{"vanilla", "file/hills.zip"}}}}, o: WorldOptions{RunsPack: func(id string) bool { return id == "file/hills.zip" }}},
		"packs ignored":     {create: anvil.CreateOptions{NoStructures: true, Fresh: level.Fresh{Packs: level.Packs{Enabled: []string{"x"}}}}, o: WorldOptions{IgnorePacks: true}},
		"of another brand":  {create: anvil.CreateOptions{NoStructures: true, Fresh: level.Fresh{Brands: []string{"vanilla", "fabric"}}}, want: `"fabric"`},
		"without dimension": {create: anvil.CreateOptions{NoStructures: true}, dims: []string{"my:world"}, want: "my:world"},
	} {
		c.create.FS = vfs.NewMem(vfs.MemOptions{})
		w, err := anvil.Create("w", c.create)
		if err != nil {
			t.Fatal(name, err)
		}
		err = CheckWorld(w, append(c.dims, anvil.Overworld), c.o)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if refused, ok := errors.AsType[*RefusedError](err); ok && len(refused.Reasons) != 1 {
			t.Errorf("%s: %q", name, refused.Reasons)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOtherVersionsAreRefused(t *testing.T) {
	for _, version := range []int32{anvil.NativeVersion + 1, 4786, 3465} {
		mem := vfs.NewMem(vfs.MemOptions{})
		path := createWorld(t, mem, "w")
		w, err := anvil.Open(path, anvil.Options{FS: mem, Write: true})
		if err != nil {
			t.Fatal(err)
		}
		edit := w.Level().Edit()
		edit.SetVersion(level.Version{ID: version, Name: "other"})
		changed, err := edit.Level()
		if err == nil {
			err = w.WriteLevel(changed)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckWorld(w, nil, WorldOptions{}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), fmt.Sprint(version)) {
			t.Errorf("version %d: %v", version, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWorldsAreCreatedWholeOrNotAtAll(t *testing.T) {
	request := Request{"radius": "3"}
	for _, exists := range []bool{false, true} {
		step := 1
		if testing.Short() {
			step = 5
		}
		for at := 0; ; at += step {
			mem := vfs.NewMem(vfs.MemOptions{})
			if exists {
				if err := vfs.MkdirAllSync(mem, "/worlds/new", 0o755); err != nil {
					t.Fatal(err)
				}
			}
			fault := vfs.NewFault(mem)
			fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: at, Crash: true})
			o := anvil.CreateOptions{Options: anvil.Options{FS: fault}, Seed: 5, NoStructures: true}
			err := CreateWorld("/worlds/new", o, request)
			left := mem.CrashClone(vfs.CrashOptions{})
			if err == nil && fault.Crashed() {
				t.Fatal("no error of a crash")
			}
			// The next try makes it, or finds it made.
			o.FS = left
			if again := CreateWorld("/worlds/new", o, request); again != nil && !errors.Is(again, anvil.ErrNotEmpty) {
				t.Fatalf("after a crash at %d: %v", at, again)
			}
			w, werr := anvil.Open("/worlds/new", anvil.Options{FS: left})
			if werr != nil {
				t.Fatalf("after a crash at %d: %v", at, werr)
			}
			if seed, ok := w.Seed(); !ok || seed != 5 || w.Level().Name() != "new" {
				t.Errorf("seed %d, name %q", seed, w.Level().Name())
			}
			if kept, finished, err := ReadRequest(left, "/worlds/new"); err != nil || finished || !maps.Equal(kept, request) {
				t.Errorf("request %v: %v", kept, err)
			}
			if entries, err := left.ReadDir("/worlds"); err != nil || len(entries) != 1 {
				t.Errorf("after a crash at %d: %v %v", at, entries, err)
			}
			if !fault.Crashed() {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := vfs.MkdirAllSync(mem, "/worlds/full/photos", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := CreateWorld("/worlds/full", anvil.CreateOptions{Options: anvil.Options{FS: mem}}, nil); !errors.Is(err, anvil.ErrNotEmpty) {
		t.Errorf("a folder with something in it: %v", err)
	}
}

func TestTheMapShowsWhatBecameOfEachChunk(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	o := options(square(t, 0, 0, 6), newFake())
	var m *Map
	o.Begin = func(_ string, a *plan.Area) { m = NewMap(a.Bounds()) }
	o.Seen = func(_ string, c region.ChunkPos, s State) { m.Set(c, s) }
	interrupted(t, mem, world, o, 40)
	o.Seen = func(_ string, c region.ChunkPos, s State) { m.Set(c, s) }
	mustRun(t, mem, world, o)
	var out bytes.Buffer
	if err := m.WritePNG(&out); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	// Bounds have a chunk to spare: 16 by 16.
	scale := fewPixels / 16
	if b.Dx() != 16*scale || b.Dy() != 16*scale {
		t.Fatalf("%v", b)
	}
	counts := map[uint32]int{}
	for z := range 16 {
		for x := range 16 {
			_, g, _, a := img.At(x*scale+scale/2, z*scale+scale/2).RGBA()
			counts[g>>8<<8|a>>8]++
		}
	}
	made, resumed := counts[0xa6ff], counts[0xcfff]
	if made+resumed != 169 || resumed < 40 || counts[0] != 16*16-169 {
		t.Errorf("colours %v", maps.All(counts))
	}
	// Large areas have several chunks a cell, and show failures.
	big := NewMap(plan.Rect{MinX: -10_000, MinZ: -10_000, MaxX: 9_999, MaxZ: 9_999})
	big.Set(region.ChunkPos{X: -10_000, Z: -10_000}, Failed)
	big.Set(region.ChunkPos{X: -9_999, Z: -9_999}, New)
	big.Set(region.ChunkPos{X: 10_000, Z: 0}, New) // outside
	if big.cells[0] != Failed || big.step != 5 || big.w != 4000 {
		t.Errorf("cell %v, %d chunks a cell, %d cells", big.cells[0], big.step, big.w)
	}
}

func TestEmptyMapsArePictures(t *testing.T) {
	m := NewMap(plan.Rect{MaxX: -1, MaxZ: -1})
	m.Set(region.ChunkPos{}, New)
	if err := m.WritePNG(new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
}
