package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/testbed"
)

func TestInstalledPackagesAreComparedWithTheLockFile(t *testing.T) {
	const locked = `{"packages": {"": {}, "node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2.0.0", "optional": true}}}`
	for _, tc := range []struct{ name, lock, there, want string }{
		{"all there", locked, locked, ""},
		{"optional one absent", locked, `{"packages": {"node_modules/a": {"version": "1.0.0"}}}`, ""},
		{"one absent", locked, `{"packages": {"node_modules/b": {"version": "2.0.0"}}}`, "node_modules/a is not installed"},
		{"other version", locked, `{"packages": {"node_modules/a": {"version": "1.0.1"}}}`, "1.0.1, the lock file has 1.0.0"},
		{"nothing installed", locked, "", "node_modules"},
		{"no packages", locked, `{}`, "names no package"},
		{"damaged lock file", `{`, locked, "package-lock.json"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, filepath.Join(folder, "package-lock.json"), tc.lock)
			if tc.there != "" {
				write(t, filepath.Join(folder, "node_modules", ".package-lock.json"), tc.there)
			}
			err := checkPackages(folder)
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestProgramThatIsNotNodeIsRefused(t *testing.T) {
	if err := checkNode(testbed.Tool(t, "go")); err == nil {
		t.Error("the go command passed for Node")
	}
}

func TestLockFileNamesNoRegistry(t *testing.T) {
	data, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), `"resolved"`) {
		t.Error("package-lock.json says where packages were fetched from: run npm install with the .npmrc of this folder")
	}
}
