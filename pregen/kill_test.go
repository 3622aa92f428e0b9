package pregen

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/vfs"
)

// What the process of a run gets: its world, and how long each chunk takes.
const (
	envWorld = "STRATA_PREGEN_TEST_WORLD"
	envPause = "STRATA_PREGEN_TEST_PAUSE"
	// Instead of the pause, a run of this radius that reports its memory.
	envRadius = "STRATA_PREGEN_TEST_RADIUS"
	// Or one of this load, for some seconds, that reports what it was.
	envLoad = "STRATA_PREGEN_TEST_LOAD"
)

// TestMain makes this test binary a run that can be killed.
func TestMain(m *testing.M) {
	if world := os.Getenv(envWorld); world != "" {
		if radius := os.Getenv(envRadius); radius != "" {
			os.Exit(measuredRun(world, radius))
		}
		if load := os.Getenv(envLoad); load != "" {
			os.Exit(loadedRun(world, load))
		}
		os.Exit(killedRun(world))
	}
	os.Exit(m.Run())
}

// killedOptions are those of the run that is killed: 1,089 chunks in four
// regions, some of them with entities and points of interest.
func killedOptions(t testing.TB) Options {
	f := newFake()
	f.size = 2000
	return options(square(t, 4, -3, 16), f)
}

func killedRun(world string) int {
	// The area is one that can be made: there is nothing to report.
	o := killedOptions(&testing.T{})
	pause, err := time.ParseDuration(os.Getenv(envPause))
	if err == nil {
		o.Targets[0].Generator.(*fake).before = func(ctx context.Context, _ Wanted, _ int) error { return sleep(ctx, pause) }
		_, err = runIn(context.Background(), vfs.OS(), world, o)
	}
	if err != nil {
		println(err.Error())
		return 1
	}
	return 0
}

// measuredRun runs in profile low, and prints the largest size that the process
// has had in memory, in KiB.
func measuredRun(world, radius string) int {
	n, err := strconv.ParseInt(radius, 10, 32)
	if err == nil {
		f := newFake()
		f.size = 2 << 10
		o := options(square(&testing.T{}, 0, 0, int32(n)), f)
		o.Profile, o.Workers = Low, 0
		_, err = runIn(context.Background(), vfs.OS(), world, o)
	}
	if err != nil {
		println(err.Error())
		return 1
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 1
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Println(strings.Fields(rest)[0])
	return 0
}

// loadedRun runs for some seconds, and prints how many processors it has kept
// busy.
func loadedRun(world, load string) int {
	limit, err := strconv.ParseFloat(load, 64)
	if err != nil {
		println(err.Error())
		return 1
	}
	f := newFake()
	f.cost = 2 * time.Millisecond
	o := options(square(&testing.T{}, 0, 0, 40), f)
	o.MaxLoad, o.Workers = limit, 3
	ctx, cancel := context.WithTimeout(context.Background(), 2500*time.Millisecond)
	defer cancel()
	r, err := runIn(ctx, vfs.OS(), world, o)
	if !errors.Is(err, context.DeadlineExceeded) {
		println("it was done early")
		return 1
	}
	fmt.Println(r.CPU.Seconds() / r.Elapsed.Seconds())
	return 0
}

// TestAKilledRunComesToTheSameFiles kills the process of a run again and again,
// each time goes on, and compares the files with those of an unbroken run. What
// was made more than two seconds before a kill must be there after it.
func TestAKilledRunComesToTheSameFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: not under -short")
	}
	kills := testbed.Runs(t, 5)
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	whole := createWorld(t, vfs.OS(), t.TempDir())
	o := killedOptions(t)
	began := time.Now()
	mustRun(t, vfs.OS(), whole, o)
	want := files(t, vfs.OS(), whole)
	t.Logf("an unbroken run took %v", time.Since(began))

	world := createWorld(t, vfs.OS(), t.TempDir())
	// The work takes about as long as all runs together.
	const share = 300 * time.Millisecond
	pause := share * time.Duration(kills) * 2 / 1089
	killed := 0
	for killed < kills && !killAfter(t, world, pause, share/4+time.Duration(random.Int64N(int64(3*share/2)))) {
		killed++
	}
	r := mustRun(t, vfs.OS(), world, killedOptions(t))
	t.Logf("%d kills, the last run made %d of %d", killed, r.New, r.Planned)
	if killed < kills/2 {
		t.Errorf("the run was done after %d kills", killed)
	}
	if r.New+r.Resumed+r.Existing != 1089 || r.Failed != 0 {
		t.Errorf("report %+v", r)
	}
	sameFiles(t, "after kills", want, files(t, vfs.OS(), world))
	noTraces(t, vfs.OS(), world)
}

// killAfter starts a run, waits for its first sign in the world, and kills it
// after some time; true if it was done by itself.
func killAfter(t *testing.T, world string, pause, after time.Duration) (done bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envWorld+"="+world, envPause+"="+pause.String())
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timer := time.NewTimer(after)
	defer timer.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	begun := false
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("the run failed: %v", err)
			}
			return true
		case <-look.C:
			if _, err := os.Stat(filepath.Join(world, runFolder, runName)); !begun && err == nil {
				begun = true
				timer.Reset(after)
			}
		case <-timer.C:
			if !begun {
				timer.Reset(after)
				continue
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err == nil {
				return true
			}
			return false
		}
	}
}
