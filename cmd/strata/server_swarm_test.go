package main

import (
	"testing"
	"time"

	"strata/bench/clients"
	"strata/bench/testbed"
)

// swarmOf runs a swarm on a server and reports how the server fared. All must join
// and stay, be moved by nobody, and have their chunks.
func swarmOf(t *testing.T, dir string, bots int, length time.Duration, fly bool) {
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
	s.stop()
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
	swarmOf(t, dir, bots, length, false)
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
	swarmOf(t, dir, bots, length, true)
}
