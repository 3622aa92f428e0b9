//go:build linux

package region

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"strata/bench/testbed"
)

// powerImageBytes is the size of the file system that loses its power: room
// for two region files, their compacted copies and some external files.
const powerImageBytes = 48 << 20

// TestPowerCutOnLoopDevice lets a process save chunks on an ext4 file system
// in a file, stops it, and copies the file: what the file system had not yet
// written to its device is not in the copy, as after a power cut. The copy is
// mounted and checked. 100 cuts on a submission, 200 nightly.
func TestPowerCutOnLoopDevice(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		testbed.SkipOrFail(t, "mounting needs root")
	}
	mkfs := testbed.Tool(t, "mkfs.ext4")
	testbed.Tool(t, "mount")
	testbed.Tool(t, "umount")
	cuts, seed := testbed.Runs(t, 100), uint64(testbed.Seed(t))
	rng := rand.New(rand.NewPCG(seed, 4))
	dir := t.TempDir()
	live, cut := filepath.Join(dir, "live"), filepath.Join(dir, "cut")
	image := makeImage(t, mkfs, dir)
	guardMounts(t, live, cut)
	device := mount(t, image, live)
	y, l, start := &tally{}, newLedger(), time.Now()
	folder := filepath.Join(live, "region")
	next := uint32(1)
	for n := 0; n < cuts && len(y.problems) == 0; {
		s := startStorm(t, folder, l, seed+uint64(n), next)
		s.begun(t)
		for range 5 { // one process is cut off five times
			if n++; n > cuts || len(y.problems) > 0 {
				break
			}
			s.listen(t, time.Now().Add(time.Duration(rng.IntN(60_000))*time.Microsecond))
			s.stop(t)
			copied := copyImage(t, image, device)
			mount(t, copied, cut)
			s.ledgerOf(func() { y.afterKill(filepath.Join(cut, "region"), l, n) })
			y.kills++
			unmount(t, cut)
			s.resume(t)
		}
		s.kill(t)
		y.acknowledged += s.acks
		next = s.next
		y.afterKill(folder, l, n)
	}
	report(t, y, start, int64(seed))
}

func makeImage(t *testing.T, mkfs, dir string) string {
	t.Helper()
	image := filepath.Join(dir, "image")
	err := os.WriteFile(image, nil, 0o600)
	if err == nil {
		err = os.Truncate(image, powerImageBytes)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(mkfs, "-q", "-F", "-J", "size=4", image).CombinedOutput()
	if err != nil {
		t.Fatalf("mkfs.ext4: %v: %s", err, out)
	}
	return image
}

// guardMounts starts a process that unmounts the two folders, and so detaches
// their devices, when this one ends, in whatever way: it waits for the end of
// a pipe that nobody else writes to. Lazily, since a child of ours that is
// still alive must not keep them mounted.
func guardMounts(t *testing.T, live, cut string) {
	t.Helper()
	guard := exec.Command("sh", "-c", `cat; umount -l "$0"; umount -l "$1"`, cut, live)
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals to our group are not for it
	pipe, err := guard.StdinPipe()
	if err == nil {
		err = guard.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		pipe.Close()
		guard.Wait() // one of the two is not mounted
		mounts, err := os.ReadFile("/proc/self/mounts")
		if err != nil || strings.Contains(string(mounts), filepath.Dir(live)) {
			t.Errorf("still mounted (%v)", err)
		}
	})
}

// mount mounts an image and returns the name of its loop device's statistics.
func mount(t *testing.T, image, dir string) (device string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		testbed.SkipOrFail(t, "mount a loop device: %v: %s", err, out)
	}
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("/sys/dev/block/%d:%d/stat", unix.Major(st.Dev), unix.Minor(st.Dev))
}

// unmount waits while the file system is busy: a process that a parallel test
// is just starting holds our open files until it has become another program.
func unmount(t *testing.T, dir string) {
	t.Helper()
	end := time.Now().Add(stormLimit)
	for {
		err := unix.Unmount(dir, 0)
		if err == nil {
			return
		}
		if !errors.Is(err, unix.EBUSY) || time.Now().After(end) {
			t.Fatalf("unmount: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
}

// copyImage copies the file under a mounted file system as of one moment: if
// the device was written to meanwhile, by the kernel on its own account, the
// copy is made again.
func copyImage(t *testing.T, image, device string) string {
	t.Helper()
	copied := image + ".cut"
	for range 100 {
		before := deviceWrites(t, device)
		copyFile(t, copied, image)
		if deviceWrites(t, device) == before {
			return copied
		}
	}
	t.Fatal("the device is never at rest")
	return ""
}

// deviceWrites is what the kernel counts of the device's writes, and how many
// operations are under way.
func deviceWrites(t *testing.T, device string) [3]string {
	t.Helper()
	b, err := os.ReadFile(device)
	if err != nil {
		t.Fatal(err)
	}
	// Fields of Documentation/block/stat.rst: 5 writes done, 7 sectors
	// written, 9 in flight.
	f := strings.Fields(string(b))
	if len(f) < 9 {
		t.Fatalf("block device statistics: %q", b)
	}
	return [3]string{f[4], f[6], f[8]}
}

func copyFile(t *testing.T, dst, src string) {
	t.Helper()
	in, err := os.Open(src)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(dst)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := out.Truncate(powerImageBytes); err != nil {
		t.Fatal(err)
	}
	for at := int64(0); ; {
		from, err := unix.Seek(int(in.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			return // only a hole is left
		}
		if err != nil {
			t.Fatal(err)
		}
		to, err := unix.Seek(int(in.Fd()), from, unix.SEEK_HOLE)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.NewOffsetWriter(out, from), io.NewSectionReader(in, from, to-from)); err != nil {
			t.Fatal(err)
		}
		at = to
	}
}

// stop stops the child and waits until all its threads stand still, then
// hears what it has told before.
func (s *saveStorm) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(stormLimit); !s.stopped(t); {
		if time.Now().After(end) {
			s.abandon()
			t.Fatal("the child does not stop")
		}
		s.listen(t, time.Now().Add(time.Millisecond))
	}
	s.listen(t, time.Now().Add(2*time.Millisecond))
}

func (s *saveStorm) stopped(t *testing.T) bool {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", s.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("the child's threads: %v", err)
	}
	for _, task := range tasks {
		b, err := os.ReadFile(task)
		if err != nil {
			return false // a thread that has just ended
		}
		// The state follows the command's name, which is in parentheses.
		_, rest, _ := strings.Cut(string(b), ") ")
		if !strings.HasPrefix(rest, "T") {
			return false
		}
	}
	return true
}

func (s *saveStorm) resume(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

func (s *saveStorm) kill(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.end(t)
}

// ledgerOf runs a check of a copy of the folder, which leaves no trace in the
// ledger: the chunks it adds are in the copy alone.
func (s *saveStorm) ledgerOf(check func()) {
	var kept []history
	var at []ChunkPos
	for c, h := range s.ledger.chunks {
		if _, extra := h.(*listed); extra {
			kept, at = append(kept, h), append(at, c)
		}
	}
	check()
	for c, h := range s.ledger.chunks {
		if _, extra := h.(*listed); extra {
			delete(s.ledger.chunks, c)
		}
	}
	for i, c := range at {
		s.ledger.chunks[c] = kept[i]
	}
}
