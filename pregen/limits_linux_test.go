package pregen

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"strata/bench/testbed"
	"strata/region/vfs"
)

// TestTheLoadIsKept: the process takes as much CPU time as it may, within a
// tenth, however many workers there are.
func TestTheLoadIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the time that it takes: not under -short")
	}
	for _, load := range []float64{0.1, 0.4} {
		mem := vfs.NewMem(vfs.MemOptions{})
		world := createWorld(t, mem, "w")
		f := newFake()
		f.cost = 2 * time.Millisecond
		o := options(square(t, 0, 0, 30), f)
		o.MaxLoad, o.Workers = load, 3
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		r, err := runIn(ctx, mem, world, o)
		cancel()
		if r == nil || r.New == 3721 {
			t.Fatalf("it was done early: %v", err)
		}
		got := r.CPU.Seconds() / r.Elapsed.Seconds()
		t.Logf("load %.3f, asked for %.3f", got, load)
		if got < load*0.9 || got > load*1.1 {
			t.Errorf("a load of %.3f, want %.3f", got, load)
		}
	}
}

// TestMemoryDoesNotGrowWithTheArea compares small and large runs in profile
// low; long runs have radius 50 and 200.
func TestMemoryDoesNotGrowWithTheArea(t *testing.T) {
	if testing.Short() {
		t.Skip("not under -short")
	}
	factor := min(testbed.Runs(t, 1), 5)
	measure := func(radius int) int64 {
		world := createWorld(t, vfs.OS(), t.TempDir())
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envWorld+"="+world, envRadius+"="+strconv.Itoa(radius))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		kib, err := strconv.ParseInt(string(bytes.TrimSpace(out)), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("radius %d: VmHWM %d MiB", radius, kib>>10)
		return kib << 10
	}
	small, large := measure(10+8*factor), measure(40*factor)
	if most := int64(400 << 20); large > most || large > small+small/4+24<<20 {
		t.Errorf("%d bytes, %d in the small run", large, small)
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
