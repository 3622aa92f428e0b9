package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/vfs"
)

func eachPlace(t *testing.T, f func(t *testing.T, p place)) {
	for name, start := range places {
		t.Run(name, func(t *testing.T) { f(t, start(t)) })
	}
}

func TestCopiesAreEqualAndGoOn(t *testing.T) {
	eachPlace(t, func(t *testing.T, p place) {
		r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
		s := repository(t, r, 12, 200_000)
		grow(t, &s, r, "snapshots/large", 17<<20) // two parts in S3
		grow(t, &s, r, "snapshots/empty", 0)
		to := p.open(t)
		if plan, err := Copy(t.Context(), s, to, Options{DryRun: true}); err != nil || plan.Copied != 14 || len(content(t, to)) != 0 {
			t.Fatalf("a dry run: %+v, %v", plan, err)
		}
		var told int64
		report, err := Copy(t.Context(), s, to, Options{Progress: func(done, total int64) {
			if done < told || total < 17<<20 {
				t.Errorf("progress of %d, %d after %d", done, total, told)
			}
			told = done
		}})
		if err != nil || report.Copied != 14 || report.Files != 14 || report.Bytes != told {
			t.Fatalf("report %+v, told of %d bytes, %v", report, told, err)
		}
		if differ, err := Check(t.Context(), s, to, nil); err != nil || len(differ) > 0 {
			t.Fatalf("differences %v, %v", differ, err)
		}
		if again, err := Copy(t.Context(), s, to, Options{}); err != nil || again.Copied != 0 {
			t.Errorf("a second copy: %+v, %v", again, err)
		}
		mirror(t, s, to)
		fetchAgain(t, s, to)
		differences(t, s, to)
	})
}

// mirror removes one file of the repository and has one that the copy lacks.
func mirror(t *testing.T, s Source, to Store) {
	if err := to.Put(t.Context(), "other/file", 3, strings.NewReader("abc")); err != nil {
		t.Fatal(err)
	}
	less := s
	less.Files = s.Files[1:]
	if report, err := Copy(t.Context(), less, to, Options{}); err != nil || report.Removed != 0 || report.Extra != 2 {
		t.Errorf("without mirroring: %+v, %v", report, err)
	}
	if report, err := Copy(t.Context(), less, to, Options{Mirror: true}); err != nil || report.Removed != 2 {
		t.Errorf("mirrored: %+v, %v", report, err)
	}
	if has := content(t, to); len(has) != len(less.Files) {
		t.Errorf("the copy has %d files", len(has))
	}
	if report, err := Copy(t.Context(), s, to, Options{}); err != nil || report.Copied != 1 {
		t.Errorf("the file again: %+v, %v", report, err)
	}
}

func fetchAgain(t *testing.T, s Source, to Store) {
	dir := filepath.Join(t.TempDir(), "back")
	last := func(name string) bool { return strings.HasPrefix(name, "snapshots/") }
	var order []string
	back := &noted{Store: to, got: func(name string) { order = append(order, name) }}
	report, err := Fetch(t.Context(), back, vfs.OS(), dir, last, Options{})
	if err != nil || report.Copied != int64(len(s.Files)) {
		t.Fatalf("fetched %+v, %v", report, err)
	}
	if first := slices.IndexFunc(order, last); slices.ContainsFunc(order[first:], func(name string) bool { return !last(name) }) {
		t.Errorf("fetched in the order %q", order)
	}
	local, err := Open(t.Context(), vfs.OS(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if differ, err := Check(t.Context(), s, local, nil); err != nil || len(differ) > 0 {
		t.Errorf("differences %v, %v", differ, err)
	}
	if report, err := Fetch(t.Context(), to, vfs.OS(), dir, last, Options{}); err != nil || report.Copied != 0 {
		t.Errorf("a second fetch: %+v, %v", report, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Fetch(t.Context(), to, vfs.OS(), dir, last, Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("into a folder with another file: %v", err)
	}
}

// noted tells what is read of a store.
type noted struct {
	Store
	got func(string)
}

func (n *noted) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	n.got(name)
	return n.Store.Get(ctx, name)
}

func differences(t *testing.T, s Source, to Store) {
	ctx := t.Context()
	size := func(i int) string { return strings.Repeat("x", int(s.Files[i].Bytes)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(to.Put(ctx, s.Files[3].Path, s.Files[3].Bytes, strings.NewReader(size(3))))
	must(to.Put(ctx, s.Files[4].Path, 5, strings.NewReader("short")))
	must(to.Remove(ctx, s.Files[5].Path))
	must(to.Remove(ctx, s.Files[5].Path))
	want := []Difference{{s.Files[3].Path, "other bytes"}, {s.Files[4].Path, "another size"}, {s.Files[5].Path, "missing"}}
	if got, err := Check(ctx, s, to, nil); err != nil || !slices.Equal(got, want) {
		t.Errorf("differences %v, %v, want %v", got, err, want)
	}
	if _, err := to.Get(ctx, s.Files[5].Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, promised := range []int64{2, 4} { // three bytes come
		if err := to.Put(ctx, "packs/torn", promised, strings.NewReader("abc")); !errors.Is(err, errShort) {
			t.Errorf("three bytes for %d: %v", promised, err)
		}
	}
	if _, ok := content(t, to)["packs/torn"]; ok {
		t.Error("a file that changed while it was read is in the copy")
	}
	for _, name := range []string{"", "..", "../x", "/x", "a/../../x", "a//b", "a/", `a\b`, "a/" + vfs.TempPrefix + "x"} {
		if err := to.Put(ctx, name, 0, strings.NewReader("")); !errors.Is(err, ErrName) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
}

// TestKilledCopies kills copies at random moments. No file is there without
// those before it, none is torn, and the next copy ends well.
func TestKilledCopies(t *testing.T) {
	eachPlace(t, func(t *testing.T, p place) {
		kills := testbed.Runs(t, 10)
		r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
		s := repository(t, r, 15, 100_000)
		want := map[string]string{}
		for _, f := range s.Files {
			data, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(f.Path)))
			if err != nil {
				t.Fatal(err)
			}
			want[f.Path] = string(data)
		}
		to := p.open(t)
		var whole time.Duration // how long a copy takes, at least
		for range 3 {
			empty(t, to)
			began := time.Now()
			if _, err := Copy(t.Context(), s, to, Options{}); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); whole == 0 || took < whole {
				whole = took
			}
		}
		broken := 0
		for number := range kills {
			empty(t, to)
			killOne(t, s, &p, time.Duration(r.Int64N(int64(whole)+1)))
			has := content(t, to)
			for name, data := range has {
				// A size that is not right is noticed by the next copy.
				if data == want[name] {
					continue
				}
				if !p.torn || len(data) == len(want[name]) {
					t.Fatalf("kill %d: %s is torn: %d bytes of %d", number, name, len(data), len(want[name]))
				}
				delete(has, name)
			}
			if at, ok := orderly(has); !ok {
				t.Fatalf("kill %d: %s is there without what it needs", number, at)
			}
			if len(has) < len(want) {
				broken++
			}
			// What was under way may have arrived meanwhile.
			if report, err := Copy(t.Context(), s, to, Options{}); err != nil || report.Copied > int64(len(want)-len(has)) {
				t.Fatalf("kill %d: the next copy: %+v, %v", number, report, err)
			}
		}
		if differ, err := Check(t.Context(), s, to, nil); err != nil || len(differ) > 0 {
			t.Errorf("differences %v, %v", differ, err)
		}
		t.Logf("%d of %d copies were broken off", broken, kills)
		if broken == 0 && kills >= 10 {
			t.Error("no copy was broken off")
		}
	})
}

func empty(t *testing.T, s Store) {
	t.Helper()
	for name := range content(t, s) {
		if err := s.Remove(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
}

// orderly reports whether index files came after all packs, and snapshots after
// all that: five of each are in the repository.
func orderly(has map[string]string) (string, bool) {
	count := map[string]int{}
	for name := range has {
		count[topOf(name)]++
	}
	if count["index"] > 0 && count["packs"] < 5 {
		return "an index", false
	}
	return "a snapshot", count["snapshots"] == 0 || count["packs"]+count["index"] == 10
}

func killOne(t *testing.T, s Source, p *place, after time.Duration) {
	t.Helper()
	run := child(t.Context(), s.Dir, p)
	out, err := run.StdoutPipe()
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the copying process has not begun: %v", err)
	}
	time.Sleep(after)
	run.Process.Kill()
	run.Wait()
}

func TestInterruptedCopiesEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	s := repository(t, r, 5, 100_000)
	p := places["folder"](t)
	to := p.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Copy(ctx, s, to, Options{Progress: func(int64, int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	s.Files[2].Bytes++
	if _, err := Copy(t.Context(), s, to, Options{}); !errors.Is(err, errShort) || !strings.Contains(err.Error(), s.Files[2].Path) {
		t.Errorf("a file of another size: %v", err)
	}
}

// Every fault of the file system leaves a copy that the next run completes.
func TestFaultsOfAFolder(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 4))
	s := repository(t, r, 6, 3000)
	failed := 0
	for n := 0; ; n++ {
		mem := vfs.NewMem(vfs.MemOptions{})
		fault := vfs.NewFault(mem)
		rule := fault.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: n, Err: vfs.ErrNoSpace})
		to, err := Open(t.Context(), fault, "copy", true)
		if err == nil {
			_, err = Copy(t.Context(), s, to, Options{})
		}
		if rule.Fired() == 0 {
			if err != nil {
				t.Errorf("without a fault: %v", err)
			}
			break
		}
		if failed++; err == nil {
			t.Errorf("operation %d: the fault is not reported", n)
		}
		to, err = Open(t.Context(), mem, "copy", true)
		if err == nil {
			_, err = Copy(t.Context(), s, to, Options{})
		}
		if err != nil {
			t.Fatalf("operation %d: the next copy: %v", n, err)
		}
		if differ, err := Check(t.Context(), s, to, nil); err != nil || len(differ) > 0 {
			t.Fatalf("operation %d: differences %v, %v", n, differ, err)
		}
	}
	if failed < 20 {
		t.Errorf("%d operations", failed)
	}
}

func TestBadAddresses(t *testing.T) {
	for _, address := range []string{
		"", "s3://", "s3://bucket?nonsense=1", "s3://key:secret@bucket", "ftp://host/x", "sftp://host/x", "sftp://user:password@host/x", "sftp://user@/x", "s3://%zz",
	} {
		_, err := Open(t.Context(), vfs.OS(), address, true)
		if !errors.Is(err, ErrAddress) || strings.Contains(fmt.Sprint(err), "secret") || strings.Contains(fmt.Sprint(err), "user:password") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := Open(t.Context(), vfs.OS(), filepath.Join(t.TempDir(), "none"), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestLoginsThatAreRefused(t *testing.T) {
	p := startOpenSSH(t)
	p.open(t)
	t.Setenv(envKey, filepath.Join(t.TempDir(), "key"))
	if _, err := Open(t.Context(), vfs.OS(), p.address, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key that is not there: %v", err)
	}
	newKey(t, os.Getenv(envKey))
	if _, err := Open(t.Context(), vfs.OS(), p.address, true); !errors.Is(err, ErrLogin) {
		t.Errorf("another key: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "known_hosts")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(envKnownHosts, empty)
	if _, err := Open(t.Context(), vfs.OS(), p.address, true); err == nil || !strings.Contains(err.Error(), "key is unknown") {
		t.Errorf("an unknown host: %v", err)
	}
}
