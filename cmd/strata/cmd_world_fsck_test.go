package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/anvil/fsck"
	"strata/cmd/internal/ui"
	"strata/region"
)

// damageWorld gives one chunk's slot to another chunk, breaks one's stream and
// leaves a body that belongs to nothing. It returns the region file.
func damageWorld(t *testing.T, world string) string {
	t.Helper()
	path := filepath.Join(world, "dimensions", "minecraft", "overworld", "region", "r.2.2.mca")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := (*region.Header)(data)
	var used []region.Slot
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			used = append(used, s)
		}
	}
	a, b := h.Entry(used[0]), h.Entry(used[1])
	h.Set(used[0], b)
	h.Set(used[1], a)
	at := int(h.Location(used[2]).Sector()) * region.SectorBytes
	for i := range 100 {
		data[at+100+i] ^= 0x5a
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "c.5.5.mcc"), []byte("body"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// fsckJSON is what scripts read.
type fsckJSON struct {
	Findings []struct {
		Class, Severity, File string
		X, Z                  *int32
	}
	Chunks, Files int
	Repair        *struct {
		Steps []struct {
			Kind string
			X, Z *int32
		}
		Done      int
		Remaining *int
	}
}

func runFsck(t *testing.T, args ...string) (ui.Code, fsckJSON, string) {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"world", "fsck", "--json"}, args...)...)
	var result fsckJSON
	if out != "" {
		if err := json.Unmarshal([]byte(out), &result); err != nil {
			t.Fatal(err)
		}
	}
	return code, result, errText
}

func TestWorldFsckFindsAndRepairs(t *testing.T) {
	world, donor := sampleWorld(t, "world-26.2"), sampleWorld(t, "world-26.2")
	if code, result, errText := runFsck(t, world); code != ui.OK || result.Chunks != 1118 || result.Files < 20 {
		t.Fatalf("a sound world: exit %d, %d chunks, %d files: %s", code, result.Chunks, result.Files, errText)
	}
	path := damageWorld(t, world)
	damaged, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := runFsck(t, world, "--ignore", "region", "--ignore", "info")
	if code != ui.Usage {
		t.Errorf("--ignore of something that is neither class nor path: exit %d", code)
	}
	code, result, _ := runFsck(t, world)
	if code != ui.Problems {
		t.Errorf("exit %d", code)
	}
	classes := map[string]int{}
	for _, f := range result.Findings {
		if f.Severity != "info" {
			classes[f.Class]++
		}
		if f.Class == "bad-stream" && (f.X == nil || f.Z == nil || !strings.HasSuffix(f.File, "overworld/region/r.2.2.mca")) {
			t.Errorf("%+v", f)
		}
	}
	if classes["wrong-position"] != 2 || classes["bad-stream"] != 1 || classes["orphan-external"] != 1 || len(classes) != 3 {
		t.Errorf("classes %v", classes)
	}
	for want, args := range map[ui.Code][]string{
		ui.OK:       {"--ignore", "dimensions/minecraft/overworld"},
		ui.Problems: {"--fail-on", "orphan-external"},
		ui.Usage:    {"--fail-on", "no-such-class"},
	} {
		if code, _, errText := runFsck(t, append([]string{world}, args...)...); code != want {
			t.Errorf("%v: exit %d, want %d: %s", args, code, want, errText)
		}
	}
	if code, _, _ := runFsck(t, world, "--fail-on", "fatal,newer-than-world"); code != ui.OK {
		t.Errorf("--fail-on of what is not there: exit %d", code)
	}
	if code, _, _ := runFsck(t, world, "--repair"); code != ui.Usage {
		t.Errorf("without a terminal and --yes: exit %d", code)
	}
	code, plan, _ := runFsck(t, world, "--repair", "--from", donor, "--dry-run")
	if now, err := os.ReadFile(path); err != nil || string(now) != string(damaged) || code != ui.Problems || len(plan.Repair.Steps) != 4 {
		t.Errorf("plan: exit %d, %+v, %v", code, plan.Repair, err)
	}
	code, done, errText := runFsck(t, world, "--repair", "--from", donor, "--yes")
	if code != ui.OK || done.Repair.Done != 4 || done.Repair.Remaining == nil || *done.Repair.Remaining != 0 {
		t.Errorf("repair: exit %d, %+v: %s", code, done.Repair, errText)
	}
	if code, again, _ := runFsck(t, world, "--repair", "--yes"); code != ui.OK || len(again.Repair.Steps) != 0 {
		t.Errorf("again: exit %d, %+v", code, again.Repair)
	}
	if code, out, errText := runPlain(t, "world", "undo", world, "--yes"); code != ui.Problems && code != ui.OK {
		t.Errorf("undo: exit %d: %s%s", code, out, errText)
	}
	if code, _, _ := runFsck(t, world); code != ui.Problems {
		t.Errorf("after undo: exit %d", code)
	}
}

func TestWorldFsckHelpNamesRealClasses(t *testing.T) {
	for _, class := range []fsck.Class{"no-chunk", region.ZeroByte, fsck.Unstable} {
		if !fsck.Known(class) {
			t.Errorf("%s is no class", class)
		}
	}
	code, _, _ := runPlain(t, "world", "fsck", t.TempDir(), "--dry-run")
	if code != ui.Usage {
		t.Errorf("--dry-run without --repair: exit %d", code)
	}
	if code, _, _ := runPlain(t, "world", "fsck", filepath.Join(t.TempDir(), "none")); code != ui.Missing {
		t.Errorf("no world: exit %d", code)
	}
}
