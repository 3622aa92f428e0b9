package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/store/journal"
	"strata/region/vfs"
)

// leave leaves a file.
func leave(t *testing.T, fsys vfs.FS, path string) {
	t.Helper()
	if err := errors.Join(vfs.MkdirAll(fsys, filepath.Dir(path), 0o755), vfs.WriteFileSync(fsys, path, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func exists(t *testing.T, fsys vfs.FS, path string) bool {
	t.Helper()
	_, err := fsys.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

func TestTemporariesOfTheKilledAreSweptOnOpening(t *testing.T) {
	m := mem()
	w := makeWorld(t, m, "w")
	w.Roots = append(w.Roots, journal.Root{Name: "nether", Dir: "w_nether"})
	w.Dimensions[1].Region = "elsewhere/region"
	var swept, kept []string
	for _, dir := range []string{
		"w", "w/players/data", "w/dimensions/minecraft/overworld/region", "w/dimensions/minecraft/overworld/data/minecraft",
		"w/strata", "w/strata/rescue", "w/strata/pins", "w_nether", "w_nether/DIM-1/poi", "elsewhere/region",
	} {
		swept = append(swept, filepath.Join(dir, vfs.TempPrefix+"0123"), filepath.Join(dir, vfs.TempPrefix+"r.0.0.mca"))
		kept = append(kept, filepath.Join(dir, "tmp1.tmp"), filepath.Join(dir, "x"+vfs.TempPrefix), filepath.Join(dir, ".strata"))
	}
	kept = append(kept, "other/"+vfs.TempPrefix+"1", "elsewhere/"+vfs.TempPrefix+"1", "w/"+vfs.TempPrefix+"folder/f")
	for _, path := range append(kept, swept...) {
		leave(t, m, path)
	}
	r, err := OpenRead(w, small())
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, r)
	for _, path := range swept {
		if !exists(t, m, path) {
			t.Errorf("%s was removed by a reader", path)
		}
	}
	// Nor by one who does not get the world.
	first, err := vfs.ReadFile(m, "w/level.dat", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Remove("w/level.dat"); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(w, small()); err == nil {
		closeStore(t, s)
		t.Fatal("a world without level.dat was opened")
	}
	for _, path := range swept {
		if !exists(t, m, path) {
			t.Errorf("%s was removed by one who did not get in", path)
		}
	}
	if err := vfs.WriteFileSync(m, "w/level.dat", first, 0o644); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, w, small())
	defer closeStore(t, s)
	for _, path := range swept {
		if exists(t, m, path) {
			t.Errorf("%s is still there", path)
		}
	}
	for _, path := range kept {
		if !exists(t, m, path) {
			t.Errorf("%s was removed", path)
		}
	}
}

// The sweep ends in worlds that are deeper or wider than any.
func TestSweepIsBounded(t *testing.T) {
	m := mem()
	deep := "w"
	for range sweepDepth {
		deep = filepath.Join(deep, "d")
	}
	in, below := filepath.Join(deep, vfs.TempPrefix+"1"), filepath.Join(deep, "d", vfs.TempPrefix+"1")
	leave(t, m, in)
	leave(t, m, below)
	w := sweeper{fs: m, left: sweepFolders}
	w.folder("w", 0)
	if exists(t, m, in) || !exists(t, m, below) {
		t.Errorf("at the limit: %v, below it: %v", exists(t, m, in), exists(t, m, below))
	}
	leave(t, m, in)
	w = sweeper{fs: m, left: sweepDepth}
	w.folder("w", 0)
	if !exists(t, m, in) {
		t.Error("more folders were looked into than allowed")
	}
}

func TestSweepFollowsTheWorldsLinksAlone(t *testing.T) {
	w, dir, outside := linkWorld(t)
	for _, name := range []string{"mine", "theirs"} {
		if err := os.Mkdir(filepath.Join(outside, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		leave(t, vfs.OS(), filepath.Join(outside, name, vfs.TempPrefix+"1"))
	}
	// A temporary that is a link goes, and what it leads to stays.
	leave(t, vfs.OS(), filepath.Join(outside, "f"))
	link := filepath.Join(dir, vfs.TempPrefix+"link")
	if err := os.Symlink(filepath.Join(outside, "f"), link); err != nil {
		t.Fatal(err)
	}
	w.Links = []journal.Root{{Name: "/mine", Dir: filepath.Join(dir, "mine")}}
	s := openStore(t, w, linkOptions())
	defer closeStore(t, s)
	for path, want := range map[string]bool{"mine/" + vfs.TempPrefix + "1": false, "theirs/" + vfs.TempPrefix + "1": true, "f": true} {
		if got := exists(t, vfs.OS(), filepath.Join(outside, path)); got != want {
			t.Errorf("%s: there is one: %v", path, got)
		}
	}
	if exists(t, vfs.OS(), link) {
		t.Error("a link of a temporary's name is still there")
	}
}
