package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"strata/bench/testbed"
)

// minNode is the oldest Node that the judges run on: they ask strings whether
// they are well-formed.
const minNode = 20

// Installed returns the program node and this folder. The test is skipped, or
// fails when testbed.MustRun, if node is missing or too old, or the packages
// are not those of the lock file.
func Installed(t testing.TB) (node, folder string) {
	t.Helper()
	node = testbed.Tool(t, "node")
	if err := nodeError(); err != nil {
		testbed.SkipOrFail(t, "this test needs Node %d: %v", minNode, err)
	}
	root, err := testbed.Root()
	if err != nil {
		testbed.SkipOrFail(t, "find bench/clients: %v", err)
	}
	folder = filepath.Join(root, "bench", "clients")
	if err := checkPackages(folder); err != nil {
		testbed.SkipOrFail(t, "run npm ci --prefix bench/clients: %v", err)
	}
	return node, folder
}

// nodeError is checkNode of the node in the path, asked once: starting it
// takes longer than most tests.
var nodeError = sync.OnceValue(func() error { return checkNode("node") })

func checkNode(node string) error {
	out, err := exec.Command(node, "--version").Output()
	if err != nil {
		return err
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < minNode {
		return fmt.Errorf("this is %q", version)
	}
	return nil
}

// checkPackages compares what npm installed with what the lock file asks for.
// npm keeps a lock file of its own inside node_modules, of what is there.
func checkPackages(folder string) error {
	want, err := lockedVersions(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return err
	}
	got, err := lockedVersions(filepath.Join(folder, "node_modules", ".package-lock.json"))
	if err != nil {
		return err
	}
	for name, locked := range want {
		there, ok := got[name]
		switch {
		case name == "", !ok && locked.Optional:
		case !ok:
			return fmt.Errorf("%s is not installed", name)
		case there.Version != locked.Version:
			return fmt.Errorf("%s is %s, the lock file has %s", name, there.Version, locked.Version)
		}
	}
	return nil
}

type lockedPackage struct {
	Version  string `json:"version"`
	Optional bool   `json:"optional"`
}

func lockedVersions(path string) (map[string]lockedPackage, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]lockedPackage `json:"packages"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if len(lock.Packages) == 0 {
		return nil, fmt.Errorf("%s names no package", filepath.Base(path))
	}
	return lock.Packages, nil
}
