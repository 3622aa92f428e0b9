package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil/store/journal"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// linkWorld is a saved world on the disk and a folder outside of it.
func linkWorld(t *testing.T) (w World, dir, outside string) {
	t.Helper()
	dir, outside = filepath.Join(t.TempDir(), "w"), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(outside, "try")); err != nil {
		testbed.SkipOrFail(t, "no symbolic links here: %v", err)
	}
	if err := os.Remove(filepath.Join(outside, "try")); err != nil {
		t.Fatal(err)
	}
	w = makeWorld(t, vfs.OS(), dir)
	s := openStore(t, w, linkOptions())
	put(t, s, at(0, 0), 1)
	put(t, s, at(40, 0), 1)
	closeStore(t, s)
	return w, dir, outside
}

func linkOptions() Options {
	o := small()
	o.NoControl = true
	return o
}

// moveAway moves a file or folder of the world outside and leaves a link.
func moveAway(t *testing.T, from, to string) {
	t.Helper()
	if err := errors.Join(os.Rename(from, to), os.Symlink(to, from)); err != nil {
		t.Fatal(err)
	}
}

func TestALinkedRegionFileIsReadAndNeverWritten(t *testing.T) {
	w, _, outside := linkWorld(t)
	away := filepath.Join(outside, "secret")
	moveAway(t, filepath.Join(w.Dimensions[0].Region, "r.0.0.mca"), away)
	before, err := os.ReadFile(away)
	if err != nil {
		t.Fatal(err)
	}

	r, err := OpenRead(w, linkOptions())
	if err != nil {
		t.Fatal(err)
	}
	if n := get(t, r, at(0, 0)); n != 1 {
		t.Errorf("read through the link: %d", n)
	}
	closeStore(t, r)

	s := openStore(t, w, linkOptions())
	if _, err := s.Load(ctx, 0, at(0, 0).Pos, Normal); !errors.Is(err, ErrUnreadable) || !errors.Is(err, vfs.ErrSymlink) {
		t.Errorf("load: %v", err)
	}
	if err := s.Put(ctx, 0, numbered(t, s.Tables(), at(1, 0).Pos, 2)); !errors.Is(err, vfs.ErrSymlink) {
		t.Errorf("put: %v", err)
	}
	put(t, s, at(40, 0), 2) // other files go on
	closeStore(t, s)
	if after, err := os.ReadFile(away); err != nil || string(after) != string(before) {
		t.Errorf("what the link leads to has changed: %v", err)
	}
	if info, err := os.Lstat(filepath.Join(w.Dimensions[0].Region, "r.0.0.mca")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link has gone: %v", err)
	}
}

// A link that leads nowhere must not make us make what it leads to.
func TestADanglingLinkIsNotFilled(t *testing.T) {
	w, _, outside := linkWorld(t)
	link := filepath.Join(w.Dimensions[0].Region, "r.5.5.mca")
	if err := os.Symlink(filepath.Join(outside, "made"), link); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, w, linkOptions())
	put(t, s, at(5*32, 5*32), 1)
	if err := s.Barrier(ctx); !errors.Is(err, vfs.ErrSymlink) {
		t.Errorf("barrier: %v", err)
	}
	closeStore(t, s) // which rescues it
	if all, err := ListRescued(vfs.OS(), w.Roots[0].Dir); err != nil || len(all) != 1 {
		t.Errorf("rescued %v, %v", all, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
}

func TestOurOwnFolderMustNotBeALink(t *testing.T) {
	for _, name := range []string{"strata", "strata/journal"} {
		t.Run(name, func(t *testing.T) {
			w, dir, outside := linkWorld(t)
			moveAway(t, filepath.Join(dir, name), filepath.Join(outside, "x"))
			if s, err := Open(w, linkOptions()); !errors.Is(err, journal.ErrSymlink) || s != nil {
				t.Errorf("open: %v", err)
			}
			r, err := OpenRead(w, linkOptions())
			if err != nil {
				t.Fatal(err)
			}
			if n := get(t, r, at(0, 0)); n != 1 {
				t.Errorf("reading: %d", n)
			}
			closeStore(t, r)
		})
	}
}

func TestNothingIsRescuedNorKeptOutside(t *testing.T) {
	w, dir, outside := linkWorld(t)
	for _, name := range []string{"rescue", "pins"} {
		link := filepath.Join(dir, "strata", name)
		if err := errors.Join(os.RemoveAll(link), os.Symlink(outside, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, vfs.TempPrefix+"theirs"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "made"), filepath.Join(w.Dimensions[0].Region, "r.5.5.mca")); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, w, linkOptions())
	sn, err := s.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.StageFile(filepath.Join(dir, "level.dat"), levelDat(t, 7), FileOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Barrier(ctx); !errors.Is(err, vfs.ErrSymlink) {
		t.Errorf("a file was kept for a snapshot: %v", err)
	}
	if err := sn.Release(); err != nil {
		t.Error(err)
	}
	put(t, s, at(5*32, 5*32), 1)
	if err := s.Close(); !errors.Is(err, ErrUnsaved) {
		t.Errorf("close: %v", err)
	}
	if err := s.Abandon(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 || entries[0].Name() != vfs.TempPrefix+"theirs" {
		t.Errorf("outside there is %v, %v", entries, err)
	}
}

// What administrators do: region files, a dimension and the whole world on
// other disks.
func TestFoldersMayBeLinks(t *testing.T) {
	w, dir, outside := linkWorld(t)
	moveAway(t, w.Dimensions[0].Region, filepath.Join(outside, "region"))
	if err := os.MkdirAll(filepath.Dir(w.Dimensions[1].Region), 0o755); err != nil {
		t.Fatal(err)
	}
	moveAway(t, filepath.Dir(w.Dimensions[1].Region), filepath.Join(outside, "nether"))
	moveAway(t, dir, filepath.Join(outside, "world"))
	w.Links = []journal.Root{
		{Name: "region", Dir: w.Dimensions[0].Region}, {Name: "nether", Dir: filepath.Dir(w.Dimensions[1].Region)},
	}
	s := openStore(t, w, linkOptions())
	nether := Ref{1, Chunks, at(0, 0).Pos}
	for _, ref := range []Ref{at(0, 0), at(0, 0).as(Entities), nether, nether.as(POI)} {
		put(t, s, ref, 5)
	}
	closeStore(t, s)
	s = openStore(t, w, linkOptions())
	for _, ref := range []Ref{at(0, 0), at(0, 0).as(Entities), nether, nether.as(POI)} {
		if n := get(t, s, ref); n != 5 {
			t.Errorf("%v: %d", ref, n)
		}
	}
	closeStore(t, s)
	for _, name := range []string{"region/r.0.0.mca", "nether/region/r.0.0.mca", "world/strata/journal"} {
		if _, err := os.Stat(filepath.Join(outside, name)); err != nil {
			t.Error(err)
		}
	}
	check(t, w)
}
