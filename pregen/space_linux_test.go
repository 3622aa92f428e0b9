package pregen

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// mountLoop mounts a new ext4 file system of so many MiB, and unmounts it at
// the end.
func mountLoop(t *testing.T, mib int) string {
	t.Helper()
	if os.Geteuid() != 0 {
		testbed.SkipOrFail(t, "only root mounts file systems")
	}
	folder := t.TempDir()
	image, dir := filepath.Join(folder, "image"), filepath.Join(folder, "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, int64(mib)<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-m", "0", image).CombinedOutput(); err != nil {
		testbed.SkipOrFail(t, "make a file system: %v: %s", err, out)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		testbed.SkipOrFail(t, "mount a loop device: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("unmount: %v: %s", err, out)
		}
	})
	return dir
}

// TestASmallDiskEndsTheRunWithNothingLost fills a file system of 64 MB: the run
// stops before it is full, everything that was made is there, and when there is
// room again it comes to the files of an unbroken run.
func TestASmallDiskEndsTheRunWithNothingLost(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of chunks: not under -short")
	}
	for name, confirm := range map[string]func(Estimate) error{
		"learned": nil, // the estimate before the start is that it fits
		"to the brim": func(Estimate) error {
			return nil
		},
	} {
		disk := mountLoop(t, 64)
		world := createWorld(t, vfs.OS(), disk)
		options := func() Options {
			f := newFake()
			f.size = 11 << 10
			o := options(square(t, 0, 0, 32), f)
			if confirm != nil {
				f.size = 30 << 10
			}
			o.Confirm = confirm
			return o
		}
		if confirm != nil {
			// Something that is in the way, so that it is asked.
			if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 30<<20), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		made := int64(0)
		r, err := runIn(t.Context(), vfs.OS(), world, options())
		if !errors.Is(err, vfs.ErrNoSpace) {
			t.Fatalf("%s: %v, %+v", name, err, r)
		}
		made += r.New
		free, ferr := vfs.OS().FreeBytes(disk)
		if ferr != nil || free < freeKept/2 {
			t.Errorf("%s: %d bytes are free: %v", name, free, ferr)
		}
		t.Logf("%s: stopped after %d chunks with %d bytes free: %v", name, r.New, free, err)
		if confirm == nil && r.New < learnAfter {
			t.Errorf("%s: only %d chunks", name, r.New)
		}
		checkWorld(t, vfs.OS(), world)

		// The world moves to a larger disk, as people do.
		large := filepath.Join(t.TempDir(), "world")
		if out, err := exec.Command("cp", "-a", world, large).CombinedOutput(); err != nil {
			t.Fatal(fmt.Errorf("copy: %w: %s", err, out))
		}
		r = mustRun(t, vfs.OS(), large, options())
		if r.Resumed != made || r.New+made != 65*65 || r.Existing+r.Failed != 0 {
			t.Errorf("%s: made %d, then %+v", name, made, r)
		}
		noTraces(t, vfs.OS(), large)
		if checked := checkWorld(t, vfs.OS(), large); len(checked) != 65*65 {
			t.Errorf("%s: %d chunks", name, len(checked))
		}
	}
}

func TestARunThatWillNotFitIsNotBegun(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{Capacity: 16 << 20})
	world := createWorld(t, mem, "w")
	if err := writeRequest(mem, world, Request{"radius": "40"}); err != nil {
		t.Fatal(err)
	}
	_, err := runIn(t.Context(), mem, world, options(square(t, 0, 0, 40), newFake()))
	if !errors.Is(err, vfs.ErrNoSpace) {
		t.Errorf("not asked: %v", err)
	}
	if request, _, err := ReadRequest(mem, world); request != nil || err != nil {
		t.Errorf("the request is still there: %v, %v", request, err)
	}
	no := errors.New("no, thanks")
	o := options(square(t, 0, 0, 20), newFake())
	o.Confirm = func(e Estimate) error {
		if e.Fits() || e.Learned || e.Needed < 1681*firstGuess(chunk.StatusFull) {
			t.Errorf("estimate %+v", e)
		}
		return no
	}
	if _, err := runIn(t.Context(), mem, world, o); !errors.Is(err, no) {
		t.Errorf("asked: %v", err)
	}
	noTraces(t, mem, world)
	if _, err := runIn(t.Context(), mem, world, options(square(t, 0, 0, 5), newFake())); err != nil {
		t.Errorf("one that fits: %v", err)
	}
}
