package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/cmd/internal/ui"

	"strata/bench/testbed"
)

// copied is what scripts read of strata world copy.
type copied struct {
	Picked, Created, Replaced, Existing, Chunks, POI, Failed int64

	Entities int64 `json:"entity_chunks"`
	NewUUIDs bool  `json:"new_uuids"`
	Undo     struct{ ID string }
}

func runCopy(t *testing.T, want ui.Code, args ...string) (c copied) {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"world", "copy", "--json"}, args...)...)
	if code != want {
		t.Fatalf("%v: exit %d: %s", args, code, errText)
	}
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// checkClean fails unless fsck finds nothing wrong.
func checkClean(t *testing.T, world string) {
	t.Helper()
	if code, out, errText := runPlain(t, "world", "fsck", world); code != ui.OK {
		t.Errorf("fsck: exit %d: %s%s", code, out, errText)
	}
}

func TestWorldCopyWithinAWorldPassesFsckAndIsUndone(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	before := runPrune(t, world, "--where", "true", "--dry-run", "--protect", "none")
	plan := runCopy(t, ui.OK, world, world, "--offset", "100,-40", "--dry-run")
	done := runCopy(t, ui.OK, world, world, "--offset", "100,-40", "--yes")
	if plan.Created != 2092 || done.Created != plan.Created || done.Entities == 0 || done.POI == 0 || done.Failed != 0 || !done.NewUUIDs || done.Undo.ID == "" {
		t.Errorf("planned %+v, did %+v", plan, done)
	}
	checkClean(t, world)
	// Again, now that they are there.
	again := runCopy(t, ui.OK, world, world, "--offset", "100,-40", "--where", "x < 50", "--dry-run")
	if again.Existing != 2092 || again.Created != 0 {
		t.Errorf("again: %+v", again)
	}
	if code, _, errText := runPlain(t, "world", "undo", world, "--yes"); code != ui.OK {
		t.Fatalf("undo: exit %d: %s", code, errText)
	}
	if after := runPrune(t, world, "--where", "true", "--dry-run", "--protect", "none"); after.Looked != before.Looked || after.Remove != before.Remove {
		t.Errorf("after undo %+v, before %+v", after, before)
	}
}

func TestWorldCopyBetweenWorlds(t *testing.T) {
	src := sampleWorld(t, "layout-1.21.3")
	dst := filepath.Join(filepath.Dir(src), "world-26.2")
	file := filepath.Join(t.TempDir(), "picked.csv")
	if code, _, errText := runPlain(t, "world", "chunks", src, "--where", `status == "full" && x < 0`, "--write-selection", file); code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	c := runCopy(t, ui.OK, src, dst, "--selection", file, "--offset", "-3000,2000", "--yes")
	if c.Created == 0 || c.Created != c.Picked || c.NewUUIDs {
		t.Errorf("%+v", c)
	}
	checkClean(t, dst)
	checkClean(t, src)
	// And back onto what is still there.
	back := runCopy(t, ui.OK, dst, src, "--where", "x < -2000", "--offset", "3000,-2000", "--overwrite", "--dry-run")
	if back.Replaced != c.Created || back.Created != 0 {
		t.Errorf("back: %+v", back)
	}
	// The other way chunks are newer than the world.
	newer := runCopy(t, ui.Problems, dst, src, "--where", "data_version > 4082", "--offset", "0,5000", "--dry-run")
	if newer.Created != 0 || newer.Failed == 0 || newer.Failed != newer.Picked {
		t.Errorf("newer: %+v", newer)
	}
}

func TestWorldCopyRefuses(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	for _, args := range [][]string{
		{world, "--offset", "1"}, {world, "--offset", "1,x"}, {world, "--offset", "1,99999999"}, {world}, {world, "--uuids", "some"},
		{world, "--to-dimension", "the_nether"}, {world, "--to-dimension", "other:place"}, {world, "--where", "x +", "--offset", "1,1"},
	} {
		if code, out, errText := runPlain(t, append([]string{"world", "copy", world, "--dry-run"}, args...)...); code != ui.Usage || out != "" {
			t.Errorf("%v: exit %d, %q: %s", args[1:], code, out, errText)
		}
	}
	if code, _, _ := runPlain(t, "world", "copy", world, world+"x", "--dry-run"); code != ui.Missing {
		t.Errorf("into nothing: exit %d", code)
	}
	if code, _, _ := runPlain(t, "world", "copy", world, world, "--offset", "1,1"); code != ui.Usage {
		t.Errorf("without --yes: exit %d", code)
	}
	// A symbolic link to a world is that world.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(world, link); err != nil {
		testbed.SkipOrFail(t, "no symbolic links here: %v", err)
	}
	if code, _, errText := runPlain(t, "world", "copy", world, link, "--dry-run"); code != ui.Usage || !strings.Contains(errText, "themselves") {
		t.Errorf("by a link: exit %d: %s", code, errText)
	}
}
