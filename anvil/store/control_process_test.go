package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// pinnerFolder, when it is set, makes TestPinnerProcess a process of its own
// that pins the world in that folder and waits.
const pinnerFolder = "STRATA_STORE_PINNER"

func TestPinnerProcess(t *testing.T) {
	dir := os.Getenv(pinnerFolder)
	if dir == "" {
		t.Skip("is run by TestKilledClientsPinEnds as another process")
	}
	r := connect(t, worldAt(vfs.OS(), dir))
	if _, err := r.Pin(ctx); err != nil {
		t.Fatal(err)
	}
	fmt.Println("pinned")
	io.Copy(io.Discard, os.Stdin) // until it is killed
}

func connect(t testing.TB, w World) *RemoteStore {
	t.Helper()
	r, err := Remote(ctx, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func pinOf(t testing.TB, r *RemoteStore) *RemotePin {
	t.Helper()
	p, err := r.Pin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eventually waits for what ought to be so soon.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("not so: %s", what)
		}
	}
}

// heldBy starts the process that changes the sets of four writers without end.
// acked are the numbers it has acknowledged.
func heldBy(t *testing.T, dir string) (cmd *exec.Cmd, acked func() [writers]int32) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedFolder+"="+dir, "GOMAXPROCS=2")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all [writers]int32
	var reading sync.WaitGroup
	reading.Go(func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var what string
			var i int
			var n int32
			if _, err := fmt.Sscan(lines.Text(), &what, &i, &n); err != nil || i >= writers {
				t.Error(lines.Text())
				return
			}
			mu.Lock()
			all[i] = n
			mu.Unlock()
		}
	})
	t.Cleanup(func() {
		cmd.Process.Kill() // no error matters: it may have been killed before
		reading.Wait()
		cmd.Wait()
		// The next to open the world takes the socket away.
		closeStore(t, openStore(t, worldAt(vfs.OS(), dir), small()))
		check(t, worldAt(vfs.OS(), dir))
	})
	return cmd, func() [writers]int32 {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// pinnedNumbers is what the sets say in a pin, read as a world.
func pinnedNumbers(t *testing.T, p *RemotePin, dir string) (numbers [writers]int32) {
	t.Helper()
	s, err := OpenRead(p.World(), small())
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	for i := range writers {
		if numbers[i], err = setNumberOf(t, s, dir, i); err != nil {
			t.Error(err)
		}
	}
	return numbers
}

// pinnedRecords reads all records of a pin.
func pinnedRecords(t *testing.T, p *RemotePin) map[Ref][]byte {
	t.Helper()
	all := map[Ref][]byte{}
	p.Regions(func(g PinnedRegion) bool {
		d, err := p.Folder(g.Dim, g.Kind)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for slot := range region.Slot(region.Slots) {
			pos := g.Pos.Chunk(slot)
			rec, err := d.Read(pos, nil)
			if errors.Is(err, region.ErrAbsent) && g.Header.Entry(slot).Empty() {
				continue
			}
			if err != nil {
				t.Errorf("%v: %v", pos, err)
				continue
			}
			all[Ref{g.Dim, g.Kind, pos}] = rec.Data
		}
		return true
	})
	return all
}

// A pin that is read while its holder, another process, writes the same chunks
// again and again: every set is of one number, not older than what had been
// acknowledged, and every record stays what it was, byte for byte.
func TestPinOfAnotherProcessStaysAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	w := makeWorld(t, vfs.OS(), dir)
	_, acked := heldBy(t, dir)
	eventually(t, "all writers are at it", func() bool {
		a := acked()
		return min(a[0], a[1], a[2], a[3]) > 0
	})
	r := connect(t, w)
	for range testbed.Runs(t, 3) {
		before := acked()
		p := pinOf(t, r)
		first, records := pinnedNumbers(t, p, dir), pinnedRecords(t, p)
		for i, n := range first {
			if n < before[i] {
				t.Errorf("set %d is at %d in the pin, and %d was acknowledged before", i, n, before[i])
			}
		}
		if len(records) < writers*5 {
			t.Errorf("only %d records in the pin", len(records))
		}
		rounds := 0
		eventually(t, "the writers went on", func() bool {
			if again := pinnedRecords(t, p); !sameRecords(t, records, again) {
				return true
			}
			rounds++
			for i, n := range acked() {
				if n < first[i]+10 {
					return false
				}
			}
			return true
		})
		if again := pinnedNumbers(t, p, dir); again != first {
			t.Errorf("the pin says %v, then %v", first, again)
		}
		if err := p.Check(ctx); err != nil {
			t.Error(err)
		}
		if err := p.Release(ctx); err != nil {
			t.Error(err)
		}
		if err := p.Check(ctx); !errors.Is(err, ErrNoPin) {
			t.Errorf("released: %v", err)
		}
		t.Logf("pinned %v, read %d times until %v", first, rounds, acked())
		if t.Failed() {
			return
		}
	}
}

func sameRecords(t *testing.T, a, b map[Ref][]byte) bool {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d records, then %d", len(a), len(b))
	}
	for ref, data := range a {
		if !bytes.Equal(data, b[ref]) {
			t.Errorf("%v has changed", ref)
		}
	}
	return !t.Failed()
}

func TestKilledClientsPinEnds(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the other process has other paths
	s := openStore(t, makeWorld(t, vfs.OS(), "w"), small())
	defer closeStore(t, s)
	putEverything(t, s, 1)
	for range testbed.Runs(t, 3) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPinnerProcess$")
		cmd.Env = append(os.Environ(), pinnerFolder+"="+filepath.Join(dir, "w"))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || line != "pinned\n" {
			t.Errorf("the other process says %q, %v", line, err)
		}
		if n := snapshots(s); n != 1 {
			t.Errorf("%d snapshots", n)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		cmd.Wait() // its error is that it was killed
		eventually(t, "the pin ends", func() bool { return snapshots(s) == 0 })
	}
	put(t, s, at(0, 0), 2)
	barrier(t, s)
	if err := raw(t, s, Chunks).Compact(at(0, 0).Pos.Region()); err != nil { // not while there are pins
		t.Error(err)
	}
}

func snapshots(s *Store) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.snapshots)
}

func TestKilledHolderIsNoticed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	w := makeWorld(t, vfs.OS(), dir)
	if _, err := Remote(ctx, w); !errors.Is(err, ErrNotHeld) {
		t.Errorf("nobody ever had the world: %v", err)
	}
	cmd, acked := heldBy(t, dir)
	eventually(t, "the first acknowledgement", func() bool { return acked() != [writers]int32{} })
	r := connect(t, w)
	p := pinOf(t, r)
	if err := p.Check(ctx); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := p.Check(ctx); err == nil { // it may have answered in its last moment
		eventually(t, "the holder is dead", func() bool { return p.Check(ctx) != nil })
	}
	if err := p.Check(ctx); !errors.Is(err, control.ErrClosed) {
		t.Errorf("the holder is dead: %v", err)
	}
	cmd.Wait()
	if _, err := os.Stat(filepath.Join(dir, control.Folder, control.FileName)); err != nil {
		t.Errorf("a killed holder leaves its endpoint's file: %v", err)
	}
	if _, err := Remote(ctx, w); !errors.Is(err, ErrNotHeld) || !errors.Is(err, control.ErrStale) {
		t.Errorf("beside a stale endpoint: %v", err)
	}
	l, err := session.Acquire(vfs.OS(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Remote(ctx, w); !errors.Is(err, ErrForeign) || !errors.Is(err, control.ErrStale) {
		t.Errorf("somebody else beside a stale endpoint: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}
