package testbed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder stands in for a test and keeps how it ended.
type recorder struct {
	testing.TB
	outcome string // "fatal" or "skip", "" while it runs
	text    string // what was logged, or the reason of the outcome
}

func (r *recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) { r.text = fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.outcome, r.text = "fatal", fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) {
	r.outcome, r.text = "skip", fmt.Sprint(args...)
	runtime.Goexit()
}

// watch runs f as a test of its own and returns how it ended.
func watch(f func(t testing.TB)) *recorder {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r
}

func (r *recorder) want(t *testing.T, outcome string, texts ...string) {
	t.Helper()
	if r.outcome != outcome {
		t.Errorf("outcome %q (%s), want %q", r.outcome, r.text, outcome)
	}
	for _, text := range texts {
		if !strings.Contains(r.text, text) {
			t.Errorf("%q does not say %q", r.text, text)
		}
	}
}

// project lays out a root with a shared folder beside it and moves into dir,
// a folder inside the root.
func project(t *testing.T, dir string) (root string) {
	t.Helper()
	top := t.TempDir()
	root = filepath.Join(top, "checkout")
	for name, text := range map[string]string{
		"checkout/go.mod":              "// a comment first\nmodule strata\n\ngo 1.26.0\n",
		"checkout/bench/peers/go.mod":  "module strata/bench/peers\n",
		"checkout/region/codec/doc.go": "package codec\n",
		"shared/worlds/here.bin":       "x",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, dir))
	return root
}

func TestSharedFindsTheFolderBesideTheRoot(t *testing.T) {
	for _, dir := range []string{".", "region/codec", "bench/peers"} {
		t.Run(strings.ReplaceAll(dir, "/", "_"), func(t *testing.T) {
			root := project(t, dir)
			var got string
			watch(func(t testing.TB) { got = Shared(t, "worlds", "here.bin") }).want(t, "")
			if data, err := os.ReadFile(got); err != nil || string(data) != "x" {
				t.Errorf("Shared returned %q from %s: %q, %v", got, root, data, err)
			}
		})
	}
}

func TestAbsentMaterialSkipsOrFails(t *testing.T) {
	absent := func(t testing.TB) { Shared(t, "worlds", "absent.bin") }
	for _, tc := range []struct{ mustRun, outcome string }{{"", "skip"}, {"0", "skip"}, {"1", "fatal"}} {
		t.Run("must_run="+tc.mustRun, func(t *testing.T) {
			project(t, ".")
			t.Setenv(envMustRun, tc.mustRun)
			watch(absent).want(t, tc.outcome, "shared/worlds/absent.bin")
		})
	}
	t.Run("outside a checkout", func(t *testing.T) {
		t.Chdir(t.TempDir())
		t.Setenv(envMustRun, "")
		watch(absent).want(t, "skip", "go.mod of module strata")
	})
}

func TestRootErrorIsNotExistOutsideACheckout(t *testing.T) {
	if root, err := rootAbove(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("root %q, error %v; want fs.ErrNotExist", root, err)
	}
}

func TestToolSkipsOrFailsWhenMissing(t *testing.T) {
	t.Setenv(envMustRun, "")
	var path string
	watch(func(t testing.TB) { path = Tool(t, "go") }).want(t, "")
	if path == "" {
		t.Error("the go command has no path")
	}
	missing := func(t testing.TB) { Tool(t, "strata-no-such-program") }
	watch(missing).want(t, "skip", "strata-no-such-program")
	t.Setenv(envMustRun, "1")
	watch(missing).want(t, "fatal", "strata-no-such-program")
}

func TestRunsFollowsTheEnvironmentAndShort(t *testing.T) {
	for _, tc := range []struct {
		name    string
		long    string
		ci      int
		short   bool
		want    int
		outcome string
	}{
		{name: "count of a submission", ci: 500, want: 500},
		{name: "a tenth under short", ci: 500, short: true, want: 50},
		{name: "short keeps one run", ci: 3, short: true, want: 1},
		{name: "long count wins", long: "9000", ci: 500, want: 9000},
		{name: "long count wins under short", long: "9000", ci: 500, short: true, want: 9000},
		{name: "long count of words", long: "many", ci: 500, outcome: "fatal"},
		{name: "long count of zero", long: "0", ci: 500, outcome: "fatal"},
		{name: "no runs at all", ci: 0, outcome: "fatal"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(envLongRuns, tc.long)
			got := 0
			watch(func(t testing.TB) { got = runs(t, tc.ci, tc.short) }).want(t, tc.outcome)
			if got != tc.want {
				t.Errorf("%d runs, want %d", got, tc.want)
			}
		})
	}
	t.Setenv(envLongRuns, "7")
	if got := Runs(t, 500); got != 7 {
		t.Errorf("Runs returned %d, want 7", got)
	}
}

func TestSeedIsLoggedAndRepeatable(t *testing.T) {
	t.Setenv(envSeed, "")
	var first, second int64
	watch(func(t testing.TB) { first = Seed(t) }).want(t, "", fmt.Sprintf("STRATA_SEED=%d", first))
	watch(func(t testing.TB) { second = Seed(t) })
	if first == second {
		t.Errorf("two runs had the same seed %d", first)
	}
	t.Setenv(envSeed, "-42")
	watch(func(t testing.TB) { first = Seed(t) }).want(t, "", "seed -42")
	if first != -42 {
		t.Errorf("seed %d, want -42", first)
	}
	t.Setenv(envSeed, "red")
	watch(func(t testing.TB) { Seed(t) }).want(t, "fatal", `"red"`)
}
