package journal

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestPlacesOfPaths(t *testing.T) {
	rs, err := newRoots(nil, []Root{{"", "srv/w"}, {"nether", "srv/w_nether"}, {"region", "srv/w/region"}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]place{
		"srv/w/level.dat":                 {"", "level.dat"},
		"srv/w/region/r.0.0.mca":          {"region", "r.0.0.mca"}, // the innermost root
		"srv/w/regions/r.0.0.mca":         {"", "regions/r.0.0.mca"},
		"srv/w_nether/DIM-1/region/x.mca": {"nether", "DIM-1/region/x.mca"},
		"srv/w/a/../b":                    {"", "b"},
	} {
		p, err := rs.place(filepath.FromSlash(path))
		if err != nil || p != want {
			t.Errorf("%s is %v, %v; want %v", path, p, err, want)
		}
		if back, ok := rs.path(p); !ok || back != filepath.Clean(filepath.FromSlash(path)) {
			t.Errorf("%s comes back as %s", path, back)
		}
	}
	for _, path := range []string{"srv/other/level.dat", "srv/w", "srv/w/../x", "srv/w/strata/journal", "srv/w/session.lock",
		"srv/w_nether/session.lock", "/etc/passwd", "", "srv/w/" + strings.Repeat("a", 2000)} {
		if p, err := rs.place(filepath.FromSlash(path)); !errors.Is(err, ErrPath) {
			t.Errorf("%.40s is %v, %v", path, p, err)
		}
	}
}

func TestRootsAreChecked(t *testing.T) {
	for name, list := range map[string][]Root{
		"none":      nil,
		"no folder": {{"", ""}},
		"one name":  {{"a", "x"}, {"a", "y"}},
		"long name": {{strings.Repeat("a", 256), "x"}},
		"too many":  make([]Root, 65),
	} {
		if _, err := Open(Options{FS: vfs.NewMem(vfs.MemOptions{}), Roots: list}); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if _, err := Inspect(Options{FS: vfs.NewMem(vfs.MemOptions{}), Roots: list}); err == nil {
			t.Errorf("%s: inspected", name)
		}
	}
}

func TestEpochRefusesPathsThatAreNotItsOwn(t *testing.T) {
	r := interrupted.start(vfs.MemOptions{})
	j := r.use()
	e, err := j.Begin()
	if err != nil {
		t.Fatal(err)
	}
	write(t, r.mem, "w/playerdata/.strata-x", "x")
	f, err := region.Open("r.0.0.mca", region.Options{FS: r.mem})
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Stage(region.Write{Slot: 1, Scheme: codec.None, Data: []byte{1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"write outside":            e.Write("elsewhere/a", nil, 0o644),
		"remove outside":           e.Remove("w/../a"),
		"write our own":            e.Write("w/strata/journal", nil, 0o644),
		"region outside":           e.Add(g),
		"temporary in other place": e.Replace("w/a.dat", "w/playerdata/.strata-x"),
		"temporary of other name":  e.Replace(player, level),
	} {
		if !errors.Is(err, ErrPath) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := errors.Join(e.Write(player, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"write": e.Write(player, nil, 0o644), "remove": e.Remove(player), "replace": e.Replace(player, "w/playerdata/.strata-x"),
	} {
		if !errors.Is(err, ErrTwice) {
			t.Errorf("%s again: %v", name, err)
		}
	}
	if err := e.Write("w/region", nil, 0o644); !errors.Is(err, errIrregular) {
		t.Errorf("a folder: %v", err)
	}
	e.Abort()
	g.Abort()
	f.Close()
	r.close()
}

// osWorld is a world on the machine's own file system.
func osWorld(t *testing.T) (dir string, roots []Root) {
	t.Helper()
	dir = t.TempDir()
	for _, sub := range []string{"w/region", "w/data"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []Root{{"", filepath.Join(dir, "w")}}
}

// Links below a root are refused when an epoch is made, so that no epoch is
// acknowledged that could not be replayed, and when one is replayed; a root
// may be one.
func TestLinksBelowARootAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that tests do not have")
	}
	dir, roots := osWorld(t)
	outside := filepath.Join(dir, "outside")
	world := roots[0].Dir
	for _, err := range []error{os.Mkdir(outside, 0o755), os.Symlink(outside, filepath.Join(world, "link")),
		os.WriteFile(filepath.Join(outside, "a"), []byte("a"), 0o644), os.Symlink(filepath.Join(outside, "a"), filepath.Join(world, "data/a"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	j, err := Open(Options{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	e, err := j.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"link/a", "link/new", "data/a"} {
		for name, err := range map[string]error{
			"write":  e.Write(filepath.Join(world, path), nil, 0o644),
			"remove": e.Remove(filepath.Join(world, path)),
		} {
			if !errors.Is(err, ErrSymlink) {
				t.Errorf("%s %s: %v", name, path, err)
			}
		}
	}
	e.Abort()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}

	// A record that names them was not written by us for this world.
	s := stateOf([]byte("a"))
	rec := &record{files: []fileChange{{at: place{"", "link/a"}, old: s}}}
	path := filepath.Join(world, "strata/journal")
	if err := os.WriteFile(path, encoded(rec, 1), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err = Open(Options{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	if rep := j.Report(); rep.Outcome != SetAside || !strings.Contains(rep.Reason.Error(), ErrSymlink.Error()) {
		t.Errorf("%s, %v", rep.Outcome, rep.Reason)
	}
	j.Close()
	if _, err := os.Stat(filepath.Join(outside, "a")); err != nil {
		t.Errorf("a file outside the world: %v", err)
	}

	j, err = Open(Options{Roots: append(roots, Root{"link", filepath.Join(world, "link")})})
	if err != nil {
		t.Fatal(err)
	}
	e, err = j.Begin()
	if err == nil {
		err = errors.Join(e.Write(filepath.Join(world, "link/b"), []byte("b"), 0o644), e.Commit(context.Background()), j.Close())
	}
	if data, rerr := os.ReadFile(filepath.Join(outside, "b")); err != nil || rerr != nil || string(data) != "b" {
		t.Errorf("a link that is a root: %q, %v, %v", data, err, rerr)
	}
}

// The same on the machine's own file system: an epoch is written, the process
// is killed, and the next one completes it.
func TestEpochOnTheRealFileSystem(t *testing.T) {
	dir, roots := osWorld(t)
	mca, dat := filepath.Join(dir, "w/region/r.0.0.mca"), filepath.Join(dir, "w/data/a.dat")
	commit := func(fsys vfs.FS, version byte) error {
		j, err := Open(Options{FS: fsys, Roots: roots})
		if err != nil {
			return err
		}
		defer j.Close()
		f, err := region.Open(mca, region.Options{FS: fsys})
		if err != nil {
			return err
		}
		defer f.Close()
		e, err := j.Begin()
		if err != nil {
			return err
		}
		g, err := f.Stage(region.Write{Slot: 5, Scheme: codec.None, Data: []byte{version}, Journaled: true})
		if err != nil {
			return err
		}
		return errors.Join(e.Add(g), e.KeepOld(dat), e.Write(dat, []byte{version}, 0o600), e.Commit(context.Background()))
	}
	if err := commit(vfs.OS(), 1); err != nil {
		t.Fatal(err)
	}
	killed := vfs.NewFault(vfs.OS())
	killed.Add(vfs.Rule{Ops: vfs.OpRename, Name: "a.dat", Crash: true})
	if err := commit(killed, 2); !errors.Is(err, ErrIncomplete) {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(dat); err != nil || data[0] != 1 {
		t.Fatalf("%v, %v", data, err)
	}
	j, err := Open(Options{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	if rep := j.Report(); rep.Outcome != Replayed || rep.Chunks != 1 || rep.Files != 2 {
		t.Errorf("%+v", rep)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	got := map[string]byte{}
	for _, path := range []string{dat, dat + "_old"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.Base(path)] = data[0]
	}
	f, err := region.Open(mca, region.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := f.Read(5, nil)
	if err != nil {
		t.Fatal(err)
	}
	got["chunk"] = rec.Data[0]
	if want := map[string]byte{"a.dat": 2, "a.dat_old": 1, "chunk": 2}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if info, err := os.Stat(dat); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
