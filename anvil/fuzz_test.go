package anvil_test

import (
	"errors"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/region/vfs"
)

// FuzzOpen opens a world whose level.dat and settings are any bytes. Nothing
// that they name leads out of the world.
func FuzzOpen(f *testing.F) {
	f.Add(datBytes(f, oldLevel), []byte{})
	f.Add(datBytes(f, newLevel), datBytes(f, `{data:{seed:1L,dimensions:{"a:b":{type:{min_y:0,height:16}},"a:../../..":{},"..:..":{}}},DataVersion:4903}`))
	f.Add(datBytes(f, paperLevel), datBytes(f, `{data:{seed:1L,dimensions:{"a:b":{type:"a:b"},"DIM5":{}}},DataVersion:4903}`))
	f.Fuzz(func(t *testing.T, lvl, settings []byte) {
		m := mem()
		write(t, m, "w/level.dat", lvl)
		write(t, m, "w/data/minecraft/world_gen_settings.dat", settings)
		before := m.CrashClone(vfs.CrashOptions{Keep: vfs.KeepAll})
		w, err := anvil.Open("w", anvil.Options{FS: m})
		if err != nil {
			return
		}
		for _, d := range w.Dimensions() {
			if rel, err := filepath.Rel("w", d.Root); err != nil || !filepath.IsLocal(rel) && rel != "." {
				t.Fatalf("dimension %q lies in %s", d.ID, d.Root)
			}
			if h, err := w.Height(d.ID); err == nil && !h.Valid() || err != nil && !errors.Is(err, anvil.ErrDimensionType) {
				t.Fatalf("%s: %+v, %v", d.ID, h, err)
			}
			if _, err := w.DataFile("raids", d.ID); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Info(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, version := range []int32{w.DataVersion(), anvil.NativeVersion} {
			if err := anvil.CheckChunk(w.DataVersion(), version); err != nil && !errors.Is(err, anvil.ErrVersion) {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"w", "w/data/minecraft"} {
			was, err := before.ReadDir(name)
			is, err2 := m.ReadDir(name)
			if err != nil || err2 != nil || len(was) != len(is) {
				t.Fatalf("opening for reading changed %s: %d entries became %d (%v, %v)", name, len(was), len(is), err, err2)
			}
		}
	})
}
