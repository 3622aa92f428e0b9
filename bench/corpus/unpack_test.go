package corpus

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"strata/bench/testbed"
)

var mtime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func archive(t testing.TB, entries ...tar.Header) []byte {
	t.Helper()
	var raw bytes.Buffer
	w := tar.NewWriter(&raw)
	for _, h := range entries {
		h.ModTime, h.Mode = mtime, 0o600
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte{'x'}, int(h.Size))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return compress(t, raw.Bytes())
}

func TestUnpackKeepsFilesFoldersAndTimes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "world")
	in := archive(t,
		tar.Header{Name: "./", Typeflag: tar.TypeDir},
		tar.Header{Name: "w/", Typeflag: tar.TypeDir},
		tar.Header{Name: "w/region/", Typeflag: tar.TypeDir},
		tar.Header{Name: "w/region/r.0.0.mca", Typeflag: tar.TypeReg, Size: 8192},
		tar.Header{Name: "w/region/empty.mca", Typeflag: tar.TypeReg},
		tar.Header{Name: "unlisted/folder/f", Typeflag: tar.TypeReg, Size: 1},
	)
	path := filepath.Join(t.TempDir(), "a.tar.zst")
	if err := os.WriteFile(path, in, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Unpack(path, dir); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"w": -1, "w/region": -1, "w/region/r.0.0.mca": 8192, "w/region/empty.mca": 0, "unlisted/folder/f": 1} {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if size >= 0 && info.Size() != size || size < 0 && !info.IsDir() {
			t.Errorf("%s: size %d, mode %v", name, info.Size(), info.Mode())
		}
		if !info.ModTime().Equal(mtime) {
			t.Errorf("%s: modified %v, want %v", name, info.ModTime(), mtime)
		}
	}
	if err := Unpack(path, dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second time: got %v, want fs.ErrExist", err)
	}
}

func TestUnpackRefusesWhatLeavesTheFolder(t *testing.T) {
	for _, name := range []string{"../evil", "a/../../evil", "/evil", `..\evil`, "a/../..", ".."} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "in")
			in := archive(t, tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 1})
			if err := UnpackFrom(bytes.NewReader(in), dir); !errors.Is(err, ErrFormat) {
				t.Errorf("got %v, want ErrFormat", err)
			}
			if left, _ := os.ReadDir(parent); len(left) != 1 {
				t.Errorf("the folder's parent holds %v", left)
			}
		})
	}
}

func TestUnpackRefusesOtherKindsOfEntry(t *testing.T) {
	for _, kind := range []byte{tar.TypeSymlink, tar.TypeLink, tar.TypeFifo, tar.TypeChar} {
		in := archive(t, tar.Header{Name: "x", Linkname: "y", Typeflag: kind})
		if err := UnpackFrom(bytes.NewReader(in), t.TempDir()); !errors.Is(err, ErrFormat) {
			t.Errorf("type %q: got %v, want ErrFormat", kind, err)
		}
	}
}

func TestUnpackDoesNotFollowALinkThatIsThere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "w")); err != nil {
		t.Fatal(err)
	}
	in := archive(t, tar.Header{Name: "w/f", Typeflag: tar.TypeReg, Size: 1})
	if err := UnpackFrom(bytes.NewReader(in), dir); err == nil {
		t.Error("wrote through a symbolic link")
	}
	if left, _ := os.ReadDir(outside); len(left) != 0 {
		t.Errorf("the folder outside holds %v", left)
	}
}

func TestUnpackRefusesSizesOverTheLimit(t *testing.T) {
	var raw bytes.Buffer
	w := tar.NewWriter(&raw)
	if err := w.WriteHeader(&tar.Header{Name: "big", Typeflag: tar.TypeReg, Size: MaxFile + 1}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := UnpackFrom(bytes.NewReader(compress(t, raw.Bytes())), dir); !errors.Is(err, ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}

func TestUnpackReportsACutArchive(t *testing.T) {
	whole := archive(t, tar.Header{Name: "f", Typeflag: tar.TypeReg, Size: 100_000})
	for _, n := range []int{3, len(whole) / 2, len(whole) - 1} {
		if err := UnpackFrom(bytes.NewReader(whole[:n]), t.TempDir()); !errors.Is(err, ErrFormat) {
			t.Errorf("cut at %d of %d: got %v, want ErrFormat", n, len(whole), err)
		}
	}
}

func TestUnpackWritesTheSharedSampleWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 50 MB")
	}
	dir := t.TempDir()
	if err := Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "sample", "world*", "level.dat")); len(found) == 0 {
		t.Error("no world with a level.dat")
	}
}
