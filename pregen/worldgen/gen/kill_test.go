package gen_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"strata/anvil"
	"strata/bench/testbed"
	"strata/pregen"
)

// envWorld is the world of a process that is a run, to be killed.
const envWorld = "STRATA_GEN_TEST_WORLD"

// TestMain makes this test binary a run that can be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv(envWorld); path != "" {
		run := killedRun
		run.options.Rate = 150 // so that it lasts
		if _, err := run.run(context.Background(), path); err != nil {
			println(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// killedRun goes on from what the world has.
var killedRun = pregenRun{radius: 6, ids: []string{anvil.Nether, anvil.End}, options: pregen.Options{Workers: 2}}

// TestAKilledRunComesToTheSameChunks kills the process of a run that extends an
// area again and again, each time goes on, and compares the files with those of
// an unbroken run.
func TestAKilledRunComesToTheSameChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: not under -short")
	}
	kills := testbed.Runs(t, 3)
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	small := newWorldFolder(t)
	first := killedRun
	first.radius = 1
	if _, err := first.in(t, t.Context(), small); err != nil {
		t.Fatal(err)
	}
	whole, broken := begun(t, small), begun(t, small)
	if _, err := killedRun.in(t, t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for killed < kills && !killAfter(t, broken, time.Duration(random.Int64N(int64(400*time.Millisecond)))) {
		killed++
	}
	report, err := killedRun.in(t, t.Context(), broken)
	if err != nil || report.Failed != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	// On a busy machine nothing may have been kept yet.
	t.Logf("%d kills, the last run made %d of %d, %d were kept", killed, report.New, report.Planned, report.Resumed)
	want, got := worldFiles(t, whole), worldFiles(t, broken)
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) || killed == 0 {
		t.Errorf("%d files, want %d, %d kills", len(got), len(want), killed)
	}
}

// saved is the sizes of files, which grow.
func saved(files []string) (bytes int64) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// killAfter starts a run and kills it some time after it has saved something;
// true if it was done by itself.
func killAfter(t *testing.T, world string, after time.Duration) (done bool) {
	t.Helper()
	spools, err := filepath.Glob(filepath.Join(world, "strata/pregen/*/*/*.spool"))
	if err != nil {
		t.Fatal(err)
	}
	before := saved(spools)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envWorld+"="+world)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	var timer <-chan time.Time
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("the run failed: %v", err)
			}
			return true
		case <-look.C:
			if timer != nil {
				continue
			}
			if spools, err := filepath.Glob(filepath.Join(world, "strata/pregen/*/*/*.spool")); err == nil && saved(spools) != before {
				timer = time.After(after)
			}
		case <-timer:
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			return <-ended == nil
		}
	}
}
