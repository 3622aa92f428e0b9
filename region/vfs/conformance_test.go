package vfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// eachFS runs fn over every implementation; dir is a fresh folder in fsys.
func eachFS(t *testing.T, fn func(t *testing.T, fsys FS, dir string)) {
	t.Helper()
	t.Run("os", func(t *testing.T) { fn(t, OS(), t.TempDir()) })
	t.Run("mem", func(t *testing.T) { fn(t, NewMem(MemOptions{}), "/") })
	t.Run("mem-windows", func(t *testing.T) { fn(t, NewMem(MemOptions{Windows: true}), "/") })
	t.Run("fault-os", func(t *testing.T) { fn(t, NewFault(OS()), t.TempDir()) })
	t.Run("fault-mem", func(t *testing.T) { fn(t, NewFault(NewMem(MemOptions{})), "/") })
}

// windowsRules reports whether open files cannot be renamed or removed.
func windowsRules(fsys FS) bool {
	m, ok := fsys.(*Mem)
	return ok && m.opts.Windows
}

// isOS reports whether the machine's file system is at the bottom, which may
// lack what Mem has.
func isOS(fsys FS) bool {
	if f, ok := fsys.(*Fault); ok {
		fsys = f.Unwrap()
	}
	return fsys == OS()
}

// countsBlocks reports whether Allocated follows writes, holes and truncation
// closely; elsewhere it depends on the system and the volume.
func countsBlocks(fsys FS) bool { return !isOS(fsys) || runtime.GOOS == "linux" }

// orUnsupported skips the test where the machine's file system cannot.
func orUnsupported(t *testing.T, fsys FS, err error) {
	t.Helper()
	if isOS(fsys) && errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	must(t, err)
}

func create(t *testing.T, fsys FS, name string) File {
	t.Helper()
	f, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want one that is %v", err, want)
	}
}

func writeFile(t *testing.T, fsys FS, name string, data []byte) {
	t.Helper()
	f := create(t, fsys, name)
	if n, err := f.WriteAt(data, 0); n != len(data) || err != nil {
		t.Fatalf("WriteAt = %d, %v", n, err)
	}
	must(t, f.Close())
}

func wantFile(t *testing.T, fsys FS, name string, want []byte) {
	t.Helper()
	got, err := ReadFile(fsys, name, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s holds %d bytes %.40q, want %d bytes %.40q", name, len(got), got, len(want), want)
	}
}

// fill returns n bytes none of which is zero, different for each seed.
func fill(n int, seed byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7+i/251)*2 + seed | 1
	}
	return p
}

func TestReadAtAndWriteAtKeepPositions(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		f := create(t, fsys, filepath.Join(dir, "f"))
		defer f.Close()
		want := make([]byte, 10_000)
		for _, r := range [][2]int{{0, 10}, {5, 5000}, {9000, 1000}, {4090, 12}, {4096, 4096}} {
			p := fill(r[1], byte(r[0]))
			copy(want[r[0]:], p)
			n, err := f.WriteAt(p, int64(r[0]))
			if n != len(p) || err != nil {
				t.Fatalf("WriteAt(%d) = %d, %v", r[0], n, err)
			}
		}
		got := make([]byte, 10_000)
		if n, err := f.ReadAt(got, 0); n != len(got) || err != nil {
			t.Fatalf("ReadAt = %d, %v", n, err)
		}
		if !bytes.Equal(got, want) {
			t.Fatal("content differs")
		}
		if n, err := f.ReadAt(got, 9_999); n != 1 || err != io.EOF {
			t.Fatalf("ReadAt across the end = %d, %v, want 1, EOF", n, err)
		}
		if n, err := f.ReadAt(got, 20_000); n != 0 || err != io.EOF {
			t.Fatalf("ReadAt past the end = %d, %v, want 0, EOF", n, err)
		}
	})
}

func TestTruncateGrowsWithZeros(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		f := create(t, fsys, name)
		defer f.Close()
		data := fill(9000, 1)
		_, err := f.WriteAt(data, 0)
		must(t, err)
		must(t, f.Truncate(5000))
		must(t, f.Truncate(12_000))
		wantFile(t, fsys, name, append(slices.Clone(data[:5000]), make([]byte, 7000)...))
		must(t, f.Truncate(0))
		wantFile(t, fsys, name, []byte{})
	})
}

func TestOpenFlags(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		_, err := fsys.OpenFile(name, os.O_RDWR, 0)
		wantErr(t, err, fs.ErrNotExist)
		writeFile(t, fsys, name, []byte("abc"))
		_, err = fsys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		wantErr(t, err, fs.ErrExist)
		r, err := fsys.OpenFile(name, os.O_RDONLY, 0)
		must(t, err)
		if _, err := r.WriteAt([]byte("x"), 0); err == nil {
			t.Fatal("a handle opened for reading takes a write")
		}
		must(t, r.Close())
		if _, err := r.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
			t.Fatalf("ReadAt on a closed file: %v", err)
		}
		wantErr(t, r.Close(), fs.ErrClosed)
		wantErr(t, r.Sync(), fs.ErrClosed)
		f, err := fsys.OpenFile(name, os.O_RDWR|os.O_TRUNC, 0)
		must(t, err)
		must(t, f.Close())
		wantFile(t, fsys, name, []byte{})
	})
}
