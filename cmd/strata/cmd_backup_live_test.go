package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

// TestSnapshotsWhilePregenWrites takes snapshots of a world in which another
// process finishes chunks: each is of one moment, and whole.
func TestSnapshotsWhilePregenWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("generates hundreds of chunks")
	}
	radius := 10
	if testbed.Runs(t, 1) > 1 {
		radius = 40
	}
	dir := t.TempDir()
	world, repo := filepath.Join(dir, "world"), filepath.Join(dir, "repo")
	mustRun(t, "backup", "init", repo)
	// Four regions meet at its centre, so files are installed on the way.
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "pregen", world, "--seed", "1", "--radius", strconv.Itoa(radius), "--no-template-structures", "--progress=none")
	cmd.Args[0] = "strata" // see TestMain
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	// A snapshot of a world that nobody has locks it, and pregen would not begin.
	for held := false; !held; time.Sleep(time.Millisecond) {
		held, _ = session.Held(vfs.OS(), world)
		if t.Context().Err() != nil {
			t.Fatal("pregen did not begin")
		}
	}
	var ids []string
	seen := map[int64]bool{}
	take := func(running bool) (ok bool) {
		code, out, errText := runPlain(t, "backup", "create", repo, world, "--json")
		if running && code == ui.Failed && strings.Contains(errText, "did not hold still") {
			return false // the pin ended with its process
		}
		var c createdJSON
		if err := json.Unmarshal([]byte(out), &c); code != ui.OK || err != nil || c.Chunks == nil {
			t.Fatalf("exit %d, %v: %s", code, err, errText)
		}
		if c.Consistency != "epoch" {
			t.Errorf("snapshot %s: consistency %q", c.ID, c.Consistency)
		}
		seen[*c.Chunks] = true
		ids = append(ids, c.ID)
		return true
	}
	for writes := true; writes; {
		if !take(true) {
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			break
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			writes = false
		case <-time.After(20 * time.Millisecond):
		}
	}
	take(false)
	if len(ids) < 5 || len(seen) < 2 {
		t.Fatalf("%d snapshots with %d numbers of chunks", len(ids), len(seen))
	}
	mustRun(t, "backup", "verify", repo)
	// Every snapshot restores to a sound world; some suffice here.
	step := max(1, len(ids)/6)
	for i := len(ids) - 1; i >= 0; i -= step {
		to := filepath.Join(dir, ids[i])
		mustRun(t, "backup", "restore", repo, ids[i], "--to", to)
		soundBetweenFiles(t, to)
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d snapshots while it wrote, with %d numbers of chunks", len(ids), len(seen))
}

// soundBetweenFiles has strata world fsck look at a world in which, under the
// snapshot before, entities were added one by one, just before their chunks.
func soundBetweenFiles(t *testing.T, world string) {
	t.Helper()
	code, out, errText := runPlain(t, "world", "fsck", world, "--json")
	var report struct {
		Findings []struct{ Class, Severity string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != ui.OK {
		t.Errorf("fsck: exit %d, %v: %s%.2000s", code, err, errText, out)
	}
	for _, f := range report.Findings {
		if f.Class != "no-chunk" || f.Severity != "info" {
			t.Errorf("fsck: %+v", f)
		}
	}
}
