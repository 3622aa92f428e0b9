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
		if err != nil || e.IsDir() || filepath.Ext(path) != ".mca" {
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

// TestKilledRunsOfFinishedChunksEndTheSame kills strata pregen anywhere between its
// start and its end, in each dimension, once to three times in a row; the run that
// is left alone then ends with the very bytes of one that never was killed.
func TestKilledRunsOfFinishedChunksEndTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes that generate")
	}
	const radius = 2
	jar := gameJar(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 5))
	type unbroken struct {
		files map[string][]byte
		took  time.Duration
	}
	wants := map[string]unbroken{}
	begin := func(a finishedArea, world string) (*exec.Cmd, <-chan error) {
		cmd := exec.CommandContext(t.Context(), exe, "pregen", world, "--seed", finishedSeed, "--dimension", a.dimension,
			"--center", fmt.Sprintf("%d,%d", a.x, a.z), "--radius", strconv.Itoa(radius), "--data", jar, "--progress=none")
		cmd.Args[0] = "strata" // see TestMain
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		return cmd, ended
	}
	kills, late := testbed.Runs(t, 10), 0
	for killed, round := 0, 0; killed < kills; round++ {
		a := finishedAreas[round%len(finishedAreas)]
		want, known := wants[a.folder]
		if !known {
			world, began := filepath.Join(t.TempDir(), "world"), time.Now()
			if _, ended := begin(a, world); <-ended != nil {
				t.Fatal("an unbroken run failed")
			}
			want = unbroken{generatedFiles(t, world), time.Since(began)}
			if len(want.files) == 0 {
				t.Fatal("an unbroken run made nothing")
			}
			wants[a.folder] = want
		}
		world := filepath.Join(t.TempDir(), "world")
		for range 1 + round%3 {
			cmd, ended := begin(a, world)
			select {
			case <-time.After(time.Duration(rnd.Int64N(int64(want.took)))):
				if cmd.Process.Kill() != nil {
					late++
				}
				<-ended
				killed++
			case err := <-ended:
				if err != nil {
					t.Fatalf("a run failed: %v", err)
				}
				late++
			}
		}
		a.finish(t, world, jar, radius)
		got := generatedFiles(t, world)
		for name, data := range want.files {
			if !bytes.Equal(got[name], data) {
				t.Errorf("round %d: %s differs", round, name)
			}
		}
		if len(got) != len(want.files) {
			t.Errorf("round %d: %d files, not %d", round, len(got), len(want.files))
		}
		sound(t, world)
		if t.Failed() {
			t.FailNow()
		}
		if round > 3*kills {
			t.Fatalf("%d kills in %d rounds", killed, round)
		}
	}
	t.Logf("%d kills, and %d that came too late", kills, late)
}
