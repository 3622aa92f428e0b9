package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/cmd/internal/ui"
)

// pruned is what scripts read of strata world prune.
type pruned struct {
	Looked    int64 `json:"looked_at"`
	Picked    int64
	Protected int64
	Margin    int64
	Remove    int64
	Chunks    int64
	Before    int64 `json:"bytes_before"`
	After     int64 `json:"bytes_after"`
	Decided   []struct {
		Name      string
		Inhabited struct {
			Chunks   int64
			Dominant *struct{ Ticks int64 }
		}
	}
	Undo struct{ ID string }
}

func runPrune(t *testing.T, args ...string) (p pruned) {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"world", "prune", "--json"}, args...)...)
	if code != ui.OK {
		t.Fatalf("%v: exit %d: %s", args, code, errText)
	}
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// regionFiles are the region files of a world by their path.
func regionFiles(t *testing.T, world string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(world, func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".mca") {
			data, err := os.ReadFile(path)
			all[strings.TrimPrefix(path, world)] = string(data)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWorldPrunePlansPrunesAndIsUndone(t *testing.T) {
	world, file := sampleWorld(t, "layout-1.21.3"), filepath.Join(t.TempDir(), "gone.csv")
	before := regionFiles(t, world)
	plan := runPrune(t, world, "--where", "inhabited == 0", "--dry-run", "--write-selection", file)
	if plan.Looked != 2092 || plan.Picked != plan.Margin+plan.Remove || plan.Margin == 0 || plan.Remove != plan.Chunks || plan.After >= plan.Before {
		t.Errorf("plan: %+v", plan)
	}
	if diff := cmp.Diff(before, regionFiles(t, world)); diff != "" {
		t.Fatal("a plan changes files")
	}
	if code, _, _ := runPlain(t, "world", "prune", world, "--where", "inhabited == 0"); code != ui.Usage {
		t.Errorf("without --yes: exit %d", code)
	}
	done := runPrune(t, world, "--where", "inhabited == 0", "--yes")
	if done.Chunks != plan.Chunks || done.After != plan.After || done.Undo.ID == "" {
		t.Errorf("planned %+v, did %+v", plan, done)
	}
	// What is gone is what the selection said: it picks nothing any more.
	if left := runPrune(t, world, "--selection", file, "--dry-run"); left.Picked != 0 || left.Looked != plan.Looked-plan.Remove {
		t.Errorf("left: %+v", left)
	}
	if nothing := runPrune(t, world, "--where", "false", "--yes"); nothing.Undo.ID != "" || nothing.After != nothing.Before {
		t.Errorf("nothing: %+v", nothing)
	}
	if code, _, errText := runPlain(t, "world", "undo", world, "--yes"); code != ui.OK {
		t.Fatalf("undo: exit %d: %s", code, errText)
	}
	again := runPrune(t, world, "--selection", file, "--margin", "0", "--dry-run")
	if again.Picked != plan.Remove || again.Remove != plan.Remove || again.Looked != plan.Looked {
		t.Errorf("by the selection: %+v", again)
	}
}

func TestWorldPruneWarnsOfAnInhabitedTimeThatSaysNothing(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	if p := runPrune(t, world, "--where", "inhabited == 0", "--dry-run"); p.Decided[0].Inhabited.Dominant != nil || p.Decided[0].Inhabited.Chunks == 0 {
		t.Errorf("%+v", p.Decided)
	}
	if code, _, errText := runPlain(t, "world", "change", world, "--where", "true", "--set", "inhabited=1000", "--yes", "--no-undo"); code != ui.OK {
		t.Fatalf("change: exit %d: %s", code, errText)
	}
	if p := runPrune(t, world, "--where", "inhabited < 2000", "--dry-run"); p.Decided[0].Inhabited.Dominant == nil || p.Decided[0].Inhabited.Dominant.Ticks != 1000 {
		t.Errorf("%+v", p.Decided)
	}
	if _, out, _ := runPlain(t, "world", "prune", world, "--where", "true", "--dry-run"); !strings.Contains(out, "Warning:") || !strings.Contains(out, "1,000 ticks") {
		t.Error(out)
	}
}

func TestWorldPruneRefuses(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	csv := filepath.Join(t.TempDir(), "no.csv")
	if err := os.WriteFile(csv, []byte("no selection"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{}, {"--where", "x +"}, {"--where", "true", "--protect", "spwn"}, {"--where", "true", "--protect", "none,spawn"},
		{"--where", "true", "--protect-circle", "1,2"}, {"--where", "true", "--protect-selection", csv}, {"--where", "true", "--margin", "-1"},
	} {
		if code, out, _ := runPlain(t, append([]string{"world", "prune", world, "--dry-run"}, args...)...); code != ui.Usage || out != "" {
			t.Errorf("%v: exit %d, %q", args, code, out)
		}
	}
	if code, _, _ := runPlain(t, "world", "prune", world, "--where", "true", "--protect-selection", csv+"x"); code != ui.Missing {
		t.Errorf("a selection that is not there: exit %d", code)
	}
}
