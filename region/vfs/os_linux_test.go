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
