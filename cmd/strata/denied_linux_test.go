package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"strata/bench/testbed"
	"strata/cmd/internal/ui"
)

// nobody is a user without rights.
const nobody = 65534

// regionsWithoutAccess runs the commands as a user who must not read one
// region file, and then as one who must not write it: that file is named as
// failed, the others are worked on, and the exit code is 3.
func regionsWithoutAccess(t *testing.T, binary, world string) {
	if os.Geteuid() != 0 {
		testbed.SkipOrFail(t, "running as another user takes root")
	}
	for _, path := range []string{binary, world} {
		openParents(t, path)
	}
	giveTo(t, world, nobody)
	region := filepath.Join(world, "dimensions", "minecraft", "overworld", "region", "r.2.2.mca")
	before, err := os.ReadFile(region)
	if err != nil {
		t.Fatal(err)
	}
	as := func(mode fs.FileMode, args ...string) (int, string) {
		t.Helper()
		if err := os.Chmod(region, mode); err != nil {
			t.Fatal(err)
		}
		run := exec.CommandContext(t.Context(), binary, args...)
		run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		run.Dir = "/"
		out, err := run.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		return run.ProcessState.ExitCode(), string(out)
	}
	for _, args := range [][]string{
		{"world", "info", world, "--deep"},
		{"world", "chunks", world, "--where", "inhabited >= 0"},
		{"world", "fsck", world},
		{"world", "recompress", world, "--level", "6", "--yes"},
		{"world", "compact", world, "--yes"},
		{"world", "change", world, "--set", "inhabited=7", "--yes"},
	} {
		code, out := as(0, args...)
		if ui.Code(code) != ui.Problems || !strings.Contains(out, "r.2.2.mca") {
			t.Errorf("%v without reading: exit %d: %s", args[:2], code, out)
		}
	}
	code, out := as(0o444, "world", "change", world, "--set", "inhabited=9", "--yes")
	if ui.Code(code) != ui.Problems || !strings.Contains(out, "permission denied") {
		t.Errorf("change without writing: exit %d: %s", code, out)
	}
	after, err := os.ReadFile(region)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}
	if code, out := as(0o644, "world", "chunks", world, "--dimension", "overworld", "--where", "inhabited == 9", "--json"); ui.Code(code) != ui.OK ||
		!strings.Contains(out, `"r.-1.-2.mca"`) && !strings.Contains(out, `"x":`) {
		t.Errorf("the other files were not changed: exit %d: %.300s", code, out)
	}
}

// openParents lets everybody pass through the folders above a path.
func openParents(t *testing.T, path string) {
	t.Helper()
	for dir := filepath.Dir(path); len(dir) > len(filepath.Clean(os.TempDir())); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func giveTo(t *testing.T, folder string, uid int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, uid, uid)
	})
	if err != nil {
		t.Fatal(err)
	}
}
