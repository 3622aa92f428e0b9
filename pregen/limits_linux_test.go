package pregen

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/vfs"
)

// TestTheLoadIsKept: a process takes as much CPU time as it may, within a
// tenth, however many workers there are. A run is short, and others who are busy
// on the machine show in it, so one of four has to do.
func TestTheLoadIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the time that it takes: not under -short")
	}
	for _, load := range []float64{0.15, 0.4} {
		kept := false
		for range 4 {
			out := measured(t, envLoad+"="+strconv.FormatFloat(load, 'g', -1, 64))
			got, err := strconv.ParseFloat(out, 64)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("load %.3f, asked for %.3f", got, load)
			if kept = got > load*0.9 && got < load*1.1; kept {
				break
			}
		}
		if !kept {
			t.Errorf("a load of %.3f was not kept", load)
		}
	}
}

// measured runs a process of this test binary in a new world, and returns what
// it prints.
func measured(t *testing.T, env string) string {
	t.Helper()
	world := createWorld(t, vfs.OS(), t.TempDir())
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envWorld+"="+world, env)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

// TestMemoryDoesNotGrowWithTheArea bounds the memory of a run in profile low;
// long runs compare radius 50 with 200.
func TestMemoryDoesNotGrowWithTheArea(t *testing.T) {
	if testing.Short() {
		t.Skip("not under -short")
	}
	measure := func(radius int) int64 {
		kib, err := strconv.ParseInt(measured(t, envRadius+"="+strconv.Itoa(radius)), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("radius %d: VmHWM %d MiB", radius, kib>>10)
		if kib > 400<<10 {
			t.Errorf("radius %d: VmHWM %d KiB", radius, kib)
		}
		return kib
	}
	if testbed.Runs(t, 1) == 1 {
		measure(40)
		return
	}
	if small, large := measure(50), measure(200); large > small*3/2 {
		t.Errorf("%d KiB, %d in the small run", large, small)
	}
}

// TestWorkersWaitWhileMemoryIsShort holds all workers but one back while the
// process is above the limit.
func TestWorkersWaitWhileMemoryIsShort(t *testing.T) {
	used := make(chan int64, 1)
	used <- 100
	g := &memoryGate{limit: 100, used: func() int64 {
		v := <-used
		used <- v
		return v
	}}
	if err := g.enter(t.Context(), func() { t.Error("the only worker waits") }); err != nil {
		t.Fatal(err)
	}
	released, entered := make(chan bool), make(chan bool)
	go func() {
		if err := g.enter(t.Context(), func() { close(released) }); err != nil {
			t.Error(err)
		}
		close(entered)
	}()
	<-released
	select {
	case <-entered:
		t.Fatal("the second worker did not wait")
	default:
	}
	<-used
	used <- 50
	<-entered
	g.leave()
	g.leave()
	<-used
	used <- 100
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.enter(ctx, func() {}); err == nil {
		t.Error("it entered though the run has ended")
	}
}

// TestReleasedWorkersMakeTheSameChunks runs with a limit below what the process
// has.
func TestReleasedWorkersMakeTheSameChunks(t *testing.T) {
	ballast := make([][]byte, 100)
	for i := range ballast {
		ballast[i] = make([]byte, 1<<20)
		for k := range ballast[i] {
			ballast[i][k] = byte(k)
		}
	}
	mem := vfs.NewMem(vfs.MemOptions{})
	world := createWorld(t, mem, "w")
	f := newFake()
	// The first chunk takes until another worker has given its memory back.
	var first sync.Once
	f.before = func(context.Context, Wanted, int) error {
		first.Do(func() {
			for began := time.Now(); f.releases.Load() == 0 && time.Since(began) < 10*time.Second; {
				time.Sleep(time.Millisecond)
			}
		})
		return nil
	}
	o := options(square(t, 0, 0, 5), f)
	o.Profile, o.MemoryLimit, o.Workers = Low, minMemory, 3
	if r := mustRun(t, mem, world, o); r.New != 121 {
		t.Errorf("report %+v", r)
	}
	if f.releases.Load() <= f.workers.Load() {
		t.Errorf("%d workers gave memory back %d times", f.workers.Load(), f.releases.Load())
	}
	if len(ballast) != 100 || ballast[99][5] != 5 {
		t.Error("the ballast is gone")
	}
}
