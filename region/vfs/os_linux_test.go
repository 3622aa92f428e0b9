package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFullDeviceIsNoSpaceAndKeepsTheSystemsError(t *testing.T) {
	f, err := OS().OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	_, err = f.WriteAt([]byte("x"), 0)
	wantErr(t, err, ErrNoSpace)
	wantErr(t, err, syscall.ENOSPC)
	var pe *fs.PathError
	if !errors.As(err, &pe) || pe.Path != "/dev/full" || err.Error() != pe.Error() {
		t.Fatalf("the error reads %q", err)
	}
}

func TestLstatAndStatOfSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, OS(), filepath.Join(dir, "f"), []byte("abc"))
	link := filepath.Join(dir, "l")
	must(t, os.Symlink("f", link))
	fi, err := OS().Lstat(link)
	must(t, err)
	if fi.Mode&fs.ModeSymlink == 0 {
		t.Fatalf("Lstat mode %v", fi.Mode)
	}
	if fi, err = OS().Stat(link); err != nil || !fi.Mode.IsRegular() || fi.Size != 3 {
		t.Fatalf("Stat = %+v, %v", fi, err)
	}
}

// A file is never written through a link, be it there or not, and is read
// through one; folders that are links are as good as others.
func TestLinksAreNotWrittenThrough(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	target := filepath.Join(outside, "f")
	writeFile(t, OS(), target, []byte("abc"))
	link, dangling, folder := filepath.Join(dir, "l"), filepath.Join(dir, "d"), filepath.Join(dir, "folder")
	must(t, os.Symlink(target, link))
	must(t, os.Symlink(filepath.Join(outside, "new"), dangling))
	must(t, os.Symlink(outside, folder))
	for _, name := range []string{link, dangling} {
		for _, flag := range []int{
			os.O_RDWR, os.O_WRONLY, os.O_RDWR | os.O_CREATE, os.O_RDWR | os.O_CREATE | os.O_TRUNC, os.O_RDWR | os.O_TRUNC,
			os.O_RDONLY | os.O_CREATE, os.O_RDONLY | os.O_TRUNC,
		} {
			f, err := OS().OpenFile(name, flag, 0o644)
			if err == nil {
				must(t, f.Close())
			}
			if !errors.Is(err, ErrSymlink) {
				t.Errorf("%s with flags %x: %v", filepath.Base(name), flag, err)
			}
		}
	}
	if _, err := OS().OpenFile(link, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL: %v", err)
	}
	wantFile(t, OS(), target, []byte("abc"))
	wantFile(t, OS(), link, []byte("abc"))
	wantNames(t, OS(), outside, "f")
	writeFile(t, OS(), filepath.Join(folder, "f"), []byte("through the folder"))
	wantFile(t, OS(), target, []byte("through the folder"))
	// Links that go round are an error of their own.
	must(t, os.Symlink("round", filepath.Join(dir, "round")))
	if _, err := OS().OpenFile(filepath.Join(dir, "round", "f"), os.O_RDWR, 0); err == nil || errors.Is(err, ErrSymlink) {
		t.Errorf("in a folder that is its own link: %v", err)
	}
}

// TestFileModeAgreesWithPackageOS over what every machine has.
func TestFileModeAgreesWithPackageOS(t *testing.T) {
	for _, name := range []string{"/", "/tmp", "/dev/null", "/etc/passwd", "/proc/self/exe", "/usr/bin/passwd"} {
		want, err := os.Lstat(name)
		if err != nil {
			continue
		}
		got, err := OS().Lstat(name)
		must(t, err)
		if got.Mode != want.Mode() || !got.ModTime.Equal(want.ModTime()) || got.Size != want.Size() && want.Mode().IsRegular() {
			t.Fatalf("%s: %+v, package os says %v %v", name, got, want.Mode(), want.ModTime())
		}
	}
}

func TestFailedCloneLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	writeFile(t, OS(), a, fill(5000, 1))
	err := OS().Clone(a, b)
	if err == nil {
		wantFile(t, OS(), b, fill(5000, 1))
		t.Skip("this file system has reflinks")
	}
	wantErr(t, err, ErrUnsupported)
	wantNames(t, OS(), dir, "a")
}
