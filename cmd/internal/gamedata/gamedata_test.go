package gamedata

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/testbed"
)

func TestOpenOutsideTheModuleIsAbsent(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
}

func TestOpenWithoutSharedFolderIsAbsent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkout")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module strata\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
}

func TestArchiveReturnsWantedFilesAndNotesTheInput(t *testing.T) {
	testbed.Shared(t, "reference", "vanilla-reports-26.2.tar.zst")
	s, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := s.Archive("vanilla-reports-26.2.tar.zst", func(p string) bool { return p == "reports/packets.json" })
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || len(files["reports/packets.json"]) == 0 {
		t.Fatalf("got %d files", len(files))
	}
	in := s.Inputs()
	if len(in) != 1 || in[0].Name != "vanilla-reports-26.2.tar.zst" || len(in[0].SHA256) != 64 {
		t.Fatalf("inputs %v", in)
	}
	if _, err := s.File("no such file"); !errors.Is(err, ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
}

func TestPackageIsCheckedBeforeItIsRead(t *testing.T) {
	s := &Sources{tarball: filepath.Join(t.TempDir(), packageFile)}
	if _, err := s.Package("x"); !errors.Is(err, ErrAbsent) {
		t.Fatalf("got %v, want ErrAbsent", err)
	}
	if err := os.WriteFile(s.tarball, []byte("another file"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Package("x"); err == nil || errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), "checksum") {
		t.Fatalf("got %v, want a checksum error", err)
	}
}

func TestReportForgivesAbsenceAlone(t *testing.T) {
	absent := fmt.Errorf("x: %w", ErrAbsent)
	for _, test := range []struct {
		err     error
		mustRun string
		want    int
	}{
		{nil, "1", 0}, {absent, "", 0}, {absent, "1", 1}, {errors.New("x"), "", 1},
	} {
		t.Setenv(envMustRun, test.mustRun)
		if got := report("gen", test.err); got != test.want {
			t.Errorf("report(%v) with %q = %d, want %d", test.err, test.mustRun, got, test.want)
		}
	}
}

func TestWriteKeepsAnEqualFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	if err := Write(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	if err := Write(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); !after.ModTime().Equal(before.ModTime()) {
		t.Error("an equal file was written again")
	}
}
