package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func names(t *testing.T, fsys FS, dir string) []string {
	t.Helper()
	es, err := fsys.ReadDir(dir)
	must(t, err)
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

func wantNames(t *testing.T, fsys FS, dir string, want ...string) {
	t.Helper()
	if got := names(t, fsys, dir); !slices.Equal(got, want) {
		t.Fatalf("ReadDir(%s) = %q, want %q", dir, got, want)
	}
}

func TestReadDirIsSorted(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		for _, n := range []string{"b", "a.mca", "c", "B"} {
			writeFile(t, fsys, filepath.Join(dir, n), []byte(n))
		}
		must(t, fsys.Mkdir(filepath.Join(dir, "aa"), 0o755))
		wantNames(t, fsys, dir, "B", "a.mca", "aa", "b", "c")
		es, err := fsys.ReadDir(dir)
		must(t, err)
		if !es[2].IsDir() || es[3].IsDir() {
			t.Fatal("folders and files are mixed up")
		}
		fi, err := es[1].Info()
		must(t, err)
		if fi.Size() != int64(len("a.mca")) {
			t.Fatalf("entry's size is %d", fi.Size())
		}
	})
}

func TestRenameReplaces(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		wantErr(t, fsys.Rename(a, b), fs.ErrNotExist)
		writeFile(t, fsys, a, []byte("new"))
		writeFile(t, fsys, b, []byte("old"))
		must(t, fsys.Rename(a, b))
		must(t, fsys.SyncDir(dir))
		wantNames(t, fsys, dir, "b")
		wantFile(t, fsys, b, []byte("new"))
		sub := filepath.Join(dir, "sub")
		must(t, fsys.Mkdir(sub, 0o755))
		must(t, fsys.Rename(b, filepath.Join(sub, "c")))
		wantNames(t, fsys, dir, "sub")
		wantFile(t, fsys, filepath.Join(sub, "c"), []byte("new"))
		must(t, fsys.Rename(sub, filepath.Join(dir, "moved")))
		wantFile(t, fsys, filepath.Join(dir, "moved", "c"), []byte("new"))
		if fsys.Rename(filepath.Join(dir, "moved"), filepath.Join(dir, "moved", "in")) == nil {
			t.Fatal("a folder was moved into itself")
		}
		writeFile(t, fsys, a, nil)
		if fsys.Rename(a, filepath.Join(dir, "moved")) == nil {
			t.Fatal("a file replaced a folder")
		}
	})
}

func TestOpenFilesAndTheirNames(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		writeFile(t, fsys, a, []byte("one"))
		writeFile(t, fsys, b, []byte("two"))
		f := create(t, fsys, a)
		if windowsRules(fsys) {
			wantErr(t, fsys.Remove(a), ErrInUse)
			wantErr(t, fsys.Rename(a, filepath.Join(dir, "c")), ErrInUse)
			wantErr(t, fsys.Rename(b, a), ErrInUse)
			must(t, f.Close())
			must(t, fsys.Rename(b, a))
			wantFile(t, fsys, a, []byte("two"))
			return
		}
		must(t, fsys.Rename(b, a))
		p := make([]byte, 3)
		if _, err := f.ReadAt(p, 0); err != nil || string(p) != "one" {
			t.Fatalf("a replaced file reads %q, %v through its handle", p, err)
		}
		fi, err := f.Stat()
		must(t, err)
		if fi.Links != 0 && countsBlocks(fsys) {
			t.Fatalf("a replaced file has %d links", fi.Links)
		}
		wantFile(t, fsys, a, []byte("two"))
		must(t, f.Close())
	})
}

func TestRemove(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		sub := filepath.Join(dir, "sub")
		must(t, fsys.Mkdir(sub, 0o755))
		wantErr(t, fsys.Mkdir(sub, 0o755), fs.ErrExist)
		writeFile(t, fsys, filepath.Join(sub, "f"), nil)
		wantErr(t, fsys.Remove(sub), fs.ErrExist)
		must(t, fsys.Remove(filepath.Join(sub, "f")))
		wantErr(t, fsys.Remove(filepath.Join(sub, "f")), fs.ErrNotExist)
		must(t, fsys.Remove(sub))
		_, err := fsys.Stat(sub)
		wantErr(t, err, fs.ErrNotExist)
		wantErr(t, fsys.SyncDir(sub), fs.ErrNotExist)
		_, err = fsys.OpenFile(filepath.Join(sub, "f"), os.O_RDWR|os.O_CREATE, 0o644)
		wantErr(t, err, fs.ErrNotExist)
	})
}

func TestLinkSharesTheFile(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		writeFile(t, fsys, a, []byte("one"))
		orUnsupported(t, fsys, fsys.Link(a, b))
		wantErr(t, fsys.Link(a, b), fs.ErrExist)
		wantErr(t, fsys.Link(filepath.Join(dir, "x"), filepath.Join(dir, "y")), fs.ErrNotExist)
		writeFile(t, fsys, b, []byte("two"))
		wantFile(t, fsys, a, []byte("two"))
		fa, err := fsys.Stat(a)
		must(t, err)
		fb, err := fsys.Lstat(b)
		must(t, err)
		if fa.Links != 2 || !SameFile(fa, fb) {
			t.Fatalf("links = %d, same = %v, want 2, true", fa.Links, SameFile(fa, fb))
		}
		must(t, fsys.Rename(a, b)) // two names of one file: nothing happens
		wantNames(t, fsys, dir, "a", "b")
		must(t, fsys.Remove(a))
		if fb, err = fsys.Stat(b); err != nil || fb.Links != 1 {
			t.Fatalf("links = %d, %v after one was removed", fb.Links, err)
		}
	})
}

func TestStatTellsTimesAndBlocks(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		f := create(t, fsys, name)
		defer f.Close()
		must(t, f.Truncate(1<<20))
		_, err := f.WriteAt(fill(8192, 0), 4096)
		must(t, err)
		must(t, f.Sync()) // delayed allocation: only now are the blocks counted
		fi, err := f.Stat()
		must(t, err)
		if fi.Name != "f" || fi.Size != 1<<20 || fi.IsDir() || !fi.Mode.IsRegular() {
			t.Fatalf("Stat = %+v", fi)
		}
		if countsBlocks(fsys) && (fi.Allocated < 8192 || fi.Allocated >= 1<<20) {
			t.Fatalf("allocated %d bytes of a file with 8192 written", fi.Allocated)
		}
		if fi.ModTime.IsZero() || fi.ChangeTime.IsZero() {
			t.Fatal("no times")
		}
		di, err := fsys.Stat(dir)
		must(t, err)
		if !di.IsDir() || SameFile(di, fi) {
			t.Fatalf("Stat of the folder = %+v", di)
		}
		free, err := fsys.FreeBytes(name)
		if err != nil || free <= 0 {
			t.Fatalf("FreeBytes = %d, %v", free, err)
		}
	})
}

func TestCloneIsIndependent(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
		data := fill(10_000, 3)
		writeFile(t, fsys, a, data)
		if windowsRules(fsys) {
			wantErr(t, fsys.Clone(a, b), ErrUnsupported)
		}
		cloned, err := CopyFile(fsys, b, a)
		must(t, err)
		if cloned && windowsRules(fsys) || !cloned && !windowsRules(fsys) && !isOS(fsys) {
			t.Fatalf("cloned = %v", cloned)
		}
		writeFile(t, fsys, b, []byte("changed"))
		wantFile(t, fsys, a, data)
		if _, err := CopyFile(fsys, b, a); !errors.Is(err, fs.ErrExist) {
			t.Fatalf("copy over an existing file: %v", err)
		}
		if _, err := CopyFile(fsys, c, filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("copy of an absent file: %v", err)
		}
		wantNames(t, fsys, dir, "a", "b") // nothing left behind by the failures
	})
}

func TestCopyKeepsHoles(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		f := create(t, fsys, a)
		_, err := f.WriteAt(fill(5000, 1), 300_000)
		must(t, err)
		must(t, f.Truncate(1<<20+1))
		must(t, f.Close())
		_, err = CopyFile(fsys, b, a)
		must(t, err)
		want, err := ReadFile(fsys, a, 1<<21)
		must(t, err)
		wantFile(t, fsys, b, want)
		fi, err := fsys.Stat(b)
		must(t, err)
		if countsBlocks(fsys) && fi.Allocated > 64<<10 {
			t.Fatalf("the copy takes %d bytes", fi.Allocated)
		}
	})
}

func TestMkdirAll(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		deep := filepath.Join(dir, "x", "y", "z")
		must(t, MkdirAll(fsys, deep, 0o755))
		must(t, MkdirAllSync(fsys, filepath.Join(deep, "w"), 0o755))
		must(t, MkdirAll(fsys, deep, 0o755))
		wantNames(t, fsys, deep, "w")
		writeFile(t, fsys, filepath.Join(deep, "f"), nil)
		if MkdirAll(fsys, filepath.Join(deep, "f"), 0o755) == nil || MkdirAll(fsys, filepath.Join(deep, "f", "g"), 0o755) == nil {
			t.Fatal("a file passed for a folder")
		}
	})
}

func TestWriteFileSyncReplacesAndCleansUp(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "level.dat")
		must(t, WriteFileSync(fsys, name, []byte("one"), 0o644))
		must(t, WriteFileSync(fsys, name, []byte("two"), 0o644))
		wantFile(t, fsys, name, []byte("two"))
		wantNames(t, fsys, dir, "level.dat")
		must(t, fsys.Mkdir(filepath.Join(dir, "sub"), 0o755))
		if WriteFileSync(fsys, filepath.Join(dir, "sub"), nil, 0o644) == nil {
			t.Fatal("a file replaced a folder")
		}
		wantNames(t, fsys, dir, "level.dat", "sub")
	})
}

func TestReadFileLimit(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		writeFile(t, fsys, name, fill(1000, 0))
		if got, err := ReadFile(fsys, name, 1000); err != nil || len(got) != 1000 {
			t.Fatalf("ReadFile = %d bytes, %v", len(got), err)
		}
		_, err := ReadFile(fsys, name, 999)
		wantErr(t, err, ErrTooLarge)
	})
}
