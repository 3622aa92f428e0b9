package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"strata/bench/testbed"
)

// generatedFiles are the files of a world's dimensions by their names.
func generatedFiles(t *testing.T, world string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	root := filepath.Join(world, "dimensions")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		all[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// killedRadius makes areas of 441 chunks over a border of regions, so that a run
// has finished chunks in spools, and region files, for most of its time.
const killedRadius = 10

// killedPregen is a process that generates one of the areas.
type killedPregen struct {
	cmd   *exec.Cmd
	world string
	ended chan error
}

// begin starts strata pregen over an area, with game files.
func (a finishedArea) begin(t *testing.T, world, jar string) *killedPregen {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &killedPregen{world: world, ended: make(chan error, 1)}
	p.cmd = exec.CommandContext(t.Context(), exe, "pregen", world, "--seed", finishedSeed, "--dimension", a.dimension,
		"--center", fmt.Sprintf("%d,%d", a.x, a.z), "--radius", strconv.Itoa(killedRadius), "--data", jar, "--progress=none")
	p.cmd.Args[0] = "strata" // see TestMain
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p
}

// spooled reports whether the run's folder holds finished chunks: a spool of
// more than its head and notes about chunks that have nothing to save.
func (p *killedPregen) spooled() bool {
	const little = 4 << 10
	names, _ := filepath.Glob(filepath.Join(p.world, "strata", "pregen", "*", "*", "*.spool"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Size() > little {
			return true
		}
	}
	return false
}

// awaitSpool waits until finished chunks are in a spool; false, with the error of
// the process, if it has ended before.
func (p *killedPregen) awaitSpool() (bool, error) {
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for !p.spooled() {
		select {
		case err := <-p.ended:
			return false, err
		case <-look.C:
		}
	}
	return true, nil
}

// kill kills the process some time after finished chunks are in a spool, and
// reports whether that was its end, and not that it was done or has failed.
func (p *killedPregen) kill(t *testing.T, after time.Duration) bool {
	t.Helper()
	going, err := p.awaitSpool()
	if going {
		timer := time.NewTimer(after)
		defer timer.Stop()
		select {
		case err = <-p.ended:
		case <-timer.C:
			p.cmd.Process.Kill() // it may just have ended: its status tells
			err = <-p.ended
		}
	}
	killed := p.cmd.ProcessState.ExitCode() == -1 // by a signal
	if !killed && err != nil {
		t.Fatalf("a run failed: %v", err)
	}
	return killed
}

// unbrokenPregen is what a run that is not killed comes to.
type unbrokenPregen struct {
	files map[string][]byte
	rest  time.Duration // that it took since chunks were in a spool
}

// unbroken has an area made without a kill.
func (a finishedArea) unbroken(t *testing.T, jar string) unbrokenPregen {
	t.Helper()
	world := filepath.Join(t.TempDir(), "world")
	p := a.begin(t, world, jar)
	going, err := p.awaitSpool()
	if !going {
		t.Fatalf("no chunks were seen in spools: %v", err)
	}
	began := time.Now()
	if err := <-p.ended; err != nil {
		t.Fatalf("an unbroken run failed: %v", err)
	}
	u := unbrokenPregen{rest: time.Since(began), files: generatedFiles(t, world)}
	if len(u.files) == 0 {
		t.Fatal("an unbroken run made nothing")
	}
	return u
}

// compare compares the files of a world whose runs were killed.
func (u unbrokenPregen) compare(t *testing.T, world string) {
	t.Helper()
	got := generatedFiles(t, world)
	for name, data := range u.files {
		if !bytes.Equal(got[name], data) {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(u.files) {
		t.Errorf("%d files, not %d", len(got), len(u.files))
	}
	sound(t, world)
}

// TestKilledRunsOfFinishedChunksEndTheSame kills strata pregen, in each dimension,
// once to three times in a row, anywhere between its first finished chunks and
// its end. The run that is left alone goes on from what was finished, and then
// ends with the very bytes of one that never was killed.
func TestKilledRunsOfFinishedChunksEndTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes that generate")
	}
	jar := gameJar(t)
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	wants := make([]*unbrokenPregen, len(finishedAreas))
	kills := testbed.Runs(t, 6)
	killed, late, resumed, rounds := 0, 0, int64(0), 0
	for ; killed < kills && rounds <= 3*kills && !t.Failed(); rounds++ {
		a, want := finishedAreas[rounds%len(finishedAreas)], &wants[rounds%len(finishedAreas)]
		if *want == nil {
			u := a.unbroken(t, jar)
			*want = &u
		}
		t.Run(fmt.Sprintf("%d-%s", rounds, a.folder), func(t *testing.T) {
			world, before := filepath.Join(t.TempDir(), "world"), killed
			left := (*want).rest
			for range min(1+(rounds+rounds/3)%3, kills-killed) {
				after := time.Duration(rnd.Int64N(int64(left)))
				left -= after
				if !a.begin(t, world, jar).kill(t, after) {
					late++
					break
				}
				killed++
			}
			report := a.finish(t, world, jar, killedRadius)
			if killed > before {
				resumed += report.Resumed
				t.Logf("%d kills, %d of %d chunks were finished", killed-before, report.Resumed, report.Planned)
			}
			(*want).compare(t, world)
		})
	}
	t.Logf("%d kills in %d rounds, %d came too late; %d chunks were finished before a kill and gone on from", killed, rounds, late, resumed)
	if killed < kills || resumed == 0 {
		t.Errorf("of %d kills %d came while the run had work left, and %d chunks were gone on from", kills, killed, resumed)
	}
}
