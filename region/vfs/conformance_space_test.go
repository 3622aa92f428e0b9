package vfs

import (
	"bytes"
	"math"
	"path/filepath"
	"runtime"
	"testing"
)

func TestPunchHoleZeroesAndFrees(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		f := create(t, fsys, name)
		defer f.Close()
		data := fill(100_000, 1)
		_, err := f.WriteAt(data, 0)
		must(t, err)
		must(t, f.Sync())
		orUnsupported(t, fsys, f.PunchHole(5000, 60_000))
		must(t, f.PunchHole(99_000, 10_000)) // reaches beyond the end
		clear(data[5000:65_000])
		clear(data[99_000:])
		wantFile(t, fsys, name, data)
		fi, err := f.Stat()
		must(t, err)
		if countsBlocks(fsys) && fi.Allocated > 60<<10 {
			t.Fatalf("%d bytes allocated after a punch", fi.Allocated)
		}
		for _, r := range [][2]int64{{-1, 5}, {0, 0}, {0, -1}, {math.MaxInt64, 1}} {
			if f.PunchHole(r[0], r[1]) == nil || f.Preallocate(r[0], r[1]) == nil {
				t.Fatalf("range %v was taken", r)
			}
		}
	})
}

func TestPreallocateExtendsWithZeros(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		f := create(t, fsys, name)
		defer f.Close()
		_, err := f.WriteAt([]byte("head"), 0)
		must(t, err)
		orUnsupported(t, fsys, f.Preallocate(0, 1<<20))
		want := make([]byte, 1<<20)
		copy(want, "head")
		wantFile(t, fsys, name, want)
		fi, err := f.Stat()
		must(t, err)
		if countsBlocks(fsys) && fi.Allocated < 1<<20 {
			t.Fatalf("%d bytes allocated of 1 MiB", fi.Allocated)
		}
	})
}

func TestFileTooLargeIsNoSpace(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		if isOS(fsys) && runtime.GOOS == "windows" {
			t.Skip("such an offset is an invalid parameter there")
		}
		f := create(t, fsys, filepath.Join(dir, "f"))
		defer f.Close()
		n, err := f.WriteAt([]byte("x"), math.MaxInt64-8192)
		if err == nil {
			t.Skip("this file system has no limit") // tmpfs
		}
		wantErr(t, err, ErrNoSpace)
		if n != 0 {
			t.Fatalf("%d bytes written", n)
		}
	})
}

func TestFullDiskWritesWhatFits(t *testing.T) {
	for _, wrap := range []bool{false, true} {
		var fsys FS = NewMem(MemOptions{Capacity: 10 * pageSize})
		if wrap {
			fsys = NewFault(fsys)
		}
		f := create(t, fsys, "a")
		data := fill(12*pageSize, 1)
		n, err := f.WriteAt(data, 0)
		wantErr(t, err, ErrNoSpace)
		if n != 10*pageSize {
			t.Fatalf("%d bytes written of 10 blocks", n)
		}
		wantFile(t, fsys, "a", data[:n])
		if free, err := fsys.FreeBytes("a"); err != nil || free != 0 {
			t.Fatalf("FreeBytes = %d, %v", free, err)
		}
		// Overwriting takes no space, nor does a hole.
		_, err = f.WriteAt(data[:pageSize], 3)
		must(t, err)
		must(t, f.Truncate(1<<30))
		wantErr(t, f.Preallocate(0, 11*pageSize), ErrNoSpace)
		wantErr(t, fsys.Clone("a", "b"), ErrNoSpace)
		wantErr(t, WriteFileSync(fsys, "c", []byte("x"), 0o644), ErrNoSpace)
		wantNames(t, fsys, "/", "a")
		must(t, f.PunchHole(0, 4*pageSize))
		must(t, WriteFileSync(fsys, "c", []byte("x"), 0o644))
		// A removed file gives its space back when its last handle is closed.
		must(t, fsys.Remove("a"))
		if free, _ := fsys.FreeBytes("/"); free != 3*pageSize {
			t.Fatalf("%d bytes free while the handle is open", free)
		}
		must(t, f.Close())
		if free, _ := fsys.FreeBytes("/"); free != 9*pageSize {
			t.Fatalf("%d bytes free after the close", free)
		}
	}
}

func TestSparseFilesBeyondTwoGiB(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		if !countsBlocks(fsys) {
			t.Skip("the file may not be sparse there")
		}
		f := create(t, fsys, filepath.Join(dir, "f"))
		defer f.Close()
		const off = 3<<30 + 123
		_, err := f.WriteAt([]byte("far"), off)
		must(t, err)
		p := make([]byte, 3)
		if _, err := f.ReadAt(p, off); err != nil || !bytes.Equal(p, []byte("far")) {
			t.Fatalf("read %q, %v", p, err)
		}
		if _, err := f.ReadAt(p, 1<<30); err != nil || !bytes.Equal(p, make([]byte, 3)) {
			t.Fatalf("the hole reads %q, %v", p, err)
		}
	})
}
