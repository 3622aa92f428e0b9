package region

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/region/codec"
	"strata/region/vfs"
)

// linkTo makes link lead to path.
func linkTo(t *testing.T, path, link string) {
	t.Helper()
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// wantOutside checks that a folder has nothing but some files.
func wantOutside(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		t.Errorf("outside there is %v, %v", entries, err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has changed: %v", name, err)
		}
	}
}

func TestLinkedRegionFileIsReadOnly(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	f, err := Open(filepath.Join(outside, "r.0.0.mca"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, 3, payload(3, 1, 5000))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(outside, "r.0.0.mca"))
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "r.0.0.mca")
	linkTo(t, filepath.Join(outside, "r.0.0.mca"), link)
	linkTo(t, filepath.Join(outside, "r.1.0.mca"), filepath.Join(dir, "r.1.0.mca"))
	for _, path := range []string{link, filepath.Join(dir, "r.1.0.mca")} {
		f, err := Open(path, Options{})
		if err == nil {
			err = f.Close()
		}
		if !errors.Is(err, vfs.ErrSymlink) {
			t.Errorf("%s was opened for writing: %v", path, err)
		}
	}
	if f, err = Open(link, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	wantRecord(t, f, 3, payload(3, 1, 5000))
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	wantOutside(t, outside, map[string][]byte{"r.0.0.mca": before})

	// A file in a folder that is a link is as good as any.
	folder := filepath.Join(dir, "folder")
	linkTo(t, outside, folder)
	if f, err = Open(filepath.Join(folder, "r.0.0.mca"), Options{}); err != nil {
		t.Fatal(err)
	}
	write(t, f, 4, payload(4, 1, 50))
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A file that becomes a link while it is open is not written through either.
func TestFileThatBecomesALinkIsNotOpenedAgain(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "r.0.0.mca")
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, 3, payload(3, 1, 5000))
	victim := bytes.Repeat([]byte("victim"), 4096)
	if err := errors.Join(os.WriteFile(filepath.Join(outside, "v"), victim, 0o644), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	linkTo(t, filepath.Join(outside, "v"), path)
	if err := f.Compact(); !errors.Is(err, vfs.ErrSymlink) {
		t.Errorf("compact: %v", err)
	}
	f.Close()
	wantOutside(t, outside, map[string][]byte{"v": victim})
}

// An external body that is a link is read, and what replaces it is a file.
func TestLinkedExternalBodyIsReplacedNotFollowed(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	path, body := filepath.Join(dir, "r.0.0.mca"), filepath.Join(dir, "c.3.0.mcc")
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(t, f, 3, payload(3, 1, 2_000_000))
	data, err := os.ReadFile(body)
	if err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(outside, "b")
	if err := os.Rename(body, away); err != nil {
		t.Fatal(err)
	}
	linkTo(t, away, body)
	wantRecord(t, f, 3, payload(3, 1, 2_000_000))
	write(t, f, 3, payload(3, 2, 1_500_000))
	wantRecord(t, f, 3, payload(3, 2, 1_500_000))
	wantOutside(t, outside, map[string][]byte{"b": data})
	if err := os.Remove(body); err != nil {
		t.Fatal(err)
	}
	linkTo(t, away, body)
	if err := f.Write(t.Context(), Write{Slot: 3, Scheme: codec.None, Data: payload(3, 3, 100), Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	wantRecord(t, f, 3, payload(3, 3, 100))
	wantOutside(t, outside, map[string][]byte{"b": data})
}
