package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"strata/bench/clients"
	"strata/bench/testbed"
)

// swarmOf runs a swarm on a server and reports how the server fared. All must join
// and stay, be moved by nobody, and have their chunks; the process may take so many
// bytes of memory, 0 for any.
func swarmOf(t *testing.T, dir string, bots int, length time.Duration, fly bool, limit int64) {
	t.Helper()
	s := startServer(t, dir)
	got, err := clients.RunSwarm(t, s.port, botVersion, bots, length, fly)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.text())
	}
	s.console("tps")
	t.Logf("%d bots for %v: %d moves, %d chunks; %s", bots, length, got.Moves, got.Chunks,
		s.await(`INFO\]: (TPS from last .*)`))
	if got.Joined != bots || got.Corrections != 0 || got.Moves == 0 {
		t.Errorf("%d of %d joined, moved %d times by the server in %d moves", got.Joined, bots, got.Corrections, got.Moves)
	}
	for _, why := range got.Ended {
		t.Error(why)
	}
	if n := len(got.Holes); n > 0 {
		t.Errorf("%d chunks have not come, such as %s", n, got.Holes[0])
	}
	if limit > 0 {
		most := peakMemory(t, s.cmd.Process.Pid)
		t.Logf("at most %d MiB of memory", most>>20)
		if most > limit {
			t.Errorf("%d bytes of memory, above the limit of %d", most, limit)
		}
	}
	s.stop()
}

// peakMemory is the most memory that a process has had, in bytes; 0 where the system
// does not tell.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// TestManyBotsWalk: as many clients as a server is for walk about one place.
func TestManyBotsWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and many clients")
	}
	t.Parallel()
	bots := testbed.Runs(t, 16)
	length := 6 * time.Second
	if bots > 16 {
		length = time.Minute
	}
	dir := botFolder(t, []string{"--preset", "flat", "--no-structures", "--radius", "6"}, "max-players=1000")
	swarmOf(t, dir, bots, length, false, 0)
}

// TestExplorersSeeNoHoles: clients fly apart over terrain that is made for them.
func TestExplorersSeeNoHoles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and many clients")
	}
	t.Parallel()
	bots := testbed.Runs(t, 3)
	length := 5 * time.Second
	if bots > 3 {
		length = time.Minute
	}
	dir := serverFolder(t, "gamemode=spectator", "level-seed=42", "max-players=1000", "view-distance=4")
	const limit = 512 << 20 // of the profile low
	swarmOf(t, dir, bots, length, true, limit)
}
