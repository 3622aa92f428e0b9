package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// walkedWorld, when it is set, makes a process of this test binary walk as the
// walk in it says.
const walkedWorld = "STRATA_STORE_WALKED"

// walk is what a child does: load each chunk once, then go from neighbour to
// neighbour.
type walk struct {
	Dir           string
	Chunks, Steps int
	Seed          uint64
	Limit         int64 // of the memory of the process
}

// walked is what a child has seen.
type walked struct {
	Memory int64 // what the store made of the limit
	First  Metrics
	Last   Metrics
	Kept   int64 // bytes in the cache
	Peak   int64 // the most that was resident of the process, VmHWM
}

const walkers = 4

// TestWalkStaysWithinTheLimit walks a world many times as large as the memory,
// in a process of its own whose store has the memory that the defaults give it
// in a container of 256 and of 512 MiB: 10,000 chunks on a submission, 100,000
// in long runs. What was ever resident of the whole process stays below the
// container's limit, with Go's collector as it is by default.
func TestWalkStaysWithinTheLimit(t *testing.T) {
	if how := os.Getenv(walkedWorld); how != "" {
		walkInChild(t, how)
		return
	}
	seed := testbed.Seed(t)
	count := testbed.Runs(t, 10_000)
	dir := filepath.Join(t.TempDir(), "w")
	wideWorld(t, dir, count)
	for _, limit := range []int64{256 << 20, 512 << 20} {
		w := walk{Dir: dir, Chunks: count, Steps: count / 5, Seed: uint64(seed), Limit: limit}
		got := w.run(t)
		steps := got.Last.Hits - got.First.Hits
		t.Logf("limit %d MiB, store %d MiB: %d chunks of %d MiB loaded, then %d of %d from the cache (%d KiB kept, %d not taken); VmHWM %.1f MiB",
			limit>>20, got.Memory>>20, got.First.Loads, got.First.BytesLoaded>>20, steps, w.Steps,
			got.Kept>>10, got.Last.CacheDrops, float64(got.Peak)/(1<<20))
		w.judge(t, got)
	}
}

func (w walk) judge(t *testing.T, got walked) {
	t.Helper()
	if got.Memory != w.Limit/4 {
		t.Errorf("a limit of %d gives the store %d", w.Limit, got.Memory)
	}
	if got.First.Loads != int64(w.Chunks) || got.First.Hits != 0 {
		t.Errorf("%d chunks were loaded and %d found, of %d that are there once", got.First.Loads, got.First.Hits, w.Chunks)
	}
	last := got.Last
	if last.Hits+last.Loads != int64(w.Chunks+w.Steps) || last.Hits == 0 {
		t.Errorf("%d loads and %d hits of %d steps", last.Loads, last.Hits, w.Chunks+w.Steps)
	}
	if last.Stale != 0 || last.LoadErrors != 0 || last.Objects != 0 || last.ObjectBytes != 0 {
		t.Errorf("not all is well: %+v", last)
	}
	if got.Kept > got.Memory {
		t.Errorf("the cache has %d bytes of %d", got.Kept, got.Memory)
	}
	if raced() {
		return // its shadow of the memory is several times the memory
	}
	if got.Peak > w.Limit {
		t.Errorf("%d bytes were resident, the limit is %d", got.Peak, w.Limit)
	}
}

// raced says whether the race detector is in this binary.
func raced() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}

// run walks in a process of its own.
func (w walk) run(t *testing.T) (got walked) {
	t.Helper()
	how, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWalkStaysWithinTheLimit$", "-test.timeout=0")
	for _, v := range os.Environ() {
		// The collector has to be that of a program nobody has tuned.
		if name, _, _ := strings.Cut(v, "="); name != "GOGC" && name != "GOMEMLIMIT" && name != "GODEBUG" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, walkedWorld+"="+string(how), "GOMAXPROCS=2")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range bytes.Lines(out) {
		if data, ok := bytes.CutPrefix(line, []byte("walked ")); ok {
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	t.Fatalf("the child says nothing: %s", out)
	return got
}

// walkInChild does the walk and prints what it has seen.
func walkInChild(t *testing.T, how string) {
	t.Helper()
	var w walk
	if err := json.Unmarshal([]byte(how), &w); err != nil {
		t.Fatal(err)
	}
	systemMemory = func() int64 { return defaultMemory(container(w.Limit)) }
	s := openStore(t, worldAt(vfs.OS(), w.Dir), Options{})
	defer closeStore(t, s)
	got := walked{Memory: s.opts.Memory}
	var all sync.WaitGroup
	for first := range walkers {
		all.Go(func() {
			for i := first; i < w.Chunks; i += walkers {
				visit(t, s, walkPos(i))
			}
		})
	}
	all.Wait()
	got.First = s.Metrics()
	w.wander(t, s)
	s.cache.cache.Wait()
	got.Last, got.Kept = s.Metrics(), s.cache.cache.MaxCost()-s.cache.cache.RemainingCost()
	got.Peak = peakMemory(t)
	line, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("walked %s\n", line)
}

// wander goes from chunk to neighbouring chunk.
func (w walk) wander(t *testing.T, s *Store) {
	t.Helper()
	rng := rand.New(rand.NewPCG(w.Seed, 7))
	at := walkPos(rng.IntN(w.Chunks))
	for n := 0; n < w.Steps; {
		next := region.ChunkPos{X: at.X + rng.Int32N(3) - 1, Z: at.Z + rng.Int32N(3) - 1}
		if i := walkIndex(next); next == at || i < 0 || i >= w.Chunks {
			continue
		}
		at = next
		visit(t, s, at)
		n++
	}
}

// container is how the system of a container with this limit reads.
func container(limit int64) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		switch name {
		case "/proc/self/cgroup":
			return []byte("0::/\n"), nil
		case "/sys/fs/cgroup/memory.max":
			return strconv.AppendInt(nil, limit, 10), nil
		}
		return os.ReadFile(name)
	}
}

// peakMemory is the most that was ever resident of this process.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == "VmHWM:" && words[2] == "kB" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("no VmHWM in /proc/self/status")
	return 0
}
