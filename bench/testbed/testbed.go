package testbed

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	modulePath = "strata"
	sharedName = "shared"

	envMustRun = "STRATA_MUST_RUN"
)

// MustRun reports whether STRATA_MUST_RUN=1 is set: a test that lacks its
// material or a tool must then fail instead of being skipped.
func MustRun() bool { return os.Getenv(envMustRun) == "1" }

// SkipOrFail ends the test: it is skipped for the reason given, or fails for
// it when MustRun.
func SkipOrFail(t testing.TB, format string, args ...any) {
	t.Helper()
	reason := fmt.Sprintf(format, args...)
	if MustRun() {
		t.Fatalf("%s, and %s=1 allows no skip", reason, envMustRun)
	}
	t.Skip(reason)
}

// Shared returns the path of elem inside the shared folder beside the root.
// The test is skipped, or fails when MustRun, if the file or folder is not
// there. The folder is read-only: tests copy what they change.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		SkipOrFail(t, "find the shared folder: %v", err)
	}
	rel := filepath.Join(append([]string{sharedName}, elem...)...)
	path := filepath.Join(filepath.Dir(root), rel)
	if _, err := os.Stat(path); err != nil {
		SkipOrFail(t, "test material %s is not beside the checkout (%v)", filepath.ToSlash(rel), errors.Unwrap(err))
	}
	return path
}

// Tool returns the path of the program of that name. The test is skipped, or
// fails when MustRun, if the program is not installed.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		SkipOrFail(t, "this test needs the program %s: %v", name, err)
	}
	return path
}

// Root returns the root: the nearest folder, from the working directory
// upwards, whose go.mod names the module strata. Nested modules are passed
// over. The error wraps fs.ErrNotExist when there is none.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return rootAbove(dir)
}

func rootAbove(dir string) (string, error) {
	for at := dir; ; {
		if moduleOf(filepath.Join(at, "go.mod")) == modulePath {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("no go.mod of module %s at or above %s: %w", modulePath, dir, fs.ErrNotExist)
		}
		at = up
	}
}

// moduleOf returns the module path that a go.mod names, or "" when there is
// none to read.
func moduleOf(gomod string) string {
	f, err := os.Open(gomod)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) >= 2 && words[0] == "module" {
			return strings.Trim(words[1], `"`)
		}
	}
	return ""
}
