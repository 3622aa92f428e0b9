package main

import (
	"encoding/json"
	"errors"
	"testing"

	"strata/anvil"
	"strata/anvil/level"
	"strata/cmd/internal/ui"
)

func TestWorldRecompressSavesAndIsTakenBack(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	changed := copyOf(t, world)
	type result struct {
		Records, Replaced            int64
		Before                       int64 `json:"payload_bytes_before"`
		After                        int64 `json:"payload_bytes_after"`
		BytesBefore                  int64 `json:"bytes_before"`
		BytesAfter                   int64 `json:"bytes_after"`
		SectorsBefore                int64 `json:"sector_bytes_before"`
		SectorsAfter                 int64 `json:"sector_bytes_after"`
		Undo                         struct{ ID string }
		Files, Rewritten, Resumed    int
		Unchanged, Damaged, External int64
	}
	recompress := func(want ui.Code, args ...string) (r result) {
		t.Helper()
		code, out, errText := runPlain(t, append([]string{"world", "recompress", changed, "--json"}, args...)...)
		if code != want {
			t.Fatalf("%v: exit %d, want %d: %s", args, code, want, errText)
		}
		if code == ui.OK {
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	recompress(ui.Usage, "--level", "9") // there is no terminal to ask on
	planned := recompress(ui.OK, "--level", "9", "--dry-run")
	if d := diffWorlds(t, ui.OK, world, changed, "--exit-code"); d.Moved+d.Reencoded > 0 {
		t.Errorf("after a dry run: %+v", d)
	}
	done := recompress(ui.OK, "--level", "9", "--yes")
	if done.Undo.ID == "" || done.After >= done.Before || done.BytesAfter >= done.BytesBefore || done.SectorsAfter > done.SectorsBefore || done.Replaced == 0 {
		t.Errorf("%+v", done)
	}
	done.Undo.ID = ""
	if planned != done {
		t.Errorf("planned %+v, done %+v", planned, done)
	}
	if d := diffWorlds(t, ui.OK, world, changed, "--exit-code"); d.Reencoded != done.Replaced || d.Modified+d.Touched+d.Deleted > 0 {
		t.Errorf("after recompressing: %+v", d)
	}
	if code, _, errText := runPlain(t, "world", "undo", changed, "--yes"); code != ui.OK {
		t.Fatalf("undo: exit %d: %s", code, errText)
	}
	if d := diffWorlds(t, ui.OK, world, changed, "--exit-code", "--ignore-timestamps"); d.Reencoded != 0 {
		t.Errorf("after undo: %+v", d)
	}
	some := recompress(ui.OK, "--scheme", "lz4", "--where", "x < 0", "--dimension", "overworld", "--yes", "--no-undo")
	if some.Replaced == 0 || some.Records >= done.Records || some.Undo.ID != "" {
		t.Errorf("with an expression: %+v", some)
	}
	recompress(ui.Usage, "--level", "13", "--yes")
	recompress(ui.Usage, "--scheme", "zstd", "--yes")
	recompress(ui.Usage, "--where", "x <", "--yes")
}

func TestWorldCompactTakesFreeSectorsOut(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	changed := copyOf(t, world)
	type result struct {
		Files, Rewritten int
		Before           int64 `json:"bytes_before"`
		After            int64 `json:"bytes_after"`
	}
	compact := func(args ...string) (r result) {
		t.Helper()
		code, out, errText := runPlain(t, append([]string{"world", "compact", changed, "--json"}, args...)...)
		if code != ui.OK {
			t.Fatalf("%v: exit %d: %s", args, code, errText)
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	planned := compact("--dry-run")
	done := compact("--yes", "--workers", "2")
	if planned != done || done.Rewritten == 0 || done.After >= done.Before {
		t.Errorf("planned %+v, done %+v", planned, done)
	}
	if d := diffWorlds(t, ui.OK, world, changed, "--exit-code"); d.Reencoded > 0 || d.Moved == 0 {
		t.Errorf("after compacting: %+v", d)
	}
	if again := compact("--dry-run"); again.Rewritten != 0 || again.Before != done.After {
		t.Errorf("again: %+v", again)
	}
}

func TestAWorldKeepsSchemesThatItsGameReads(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	for scheme, want := range map[string]ui.Code{"lz4": ui.OK, "none": ui.OK} {
		if code, _, errText := runPlain(t, "world", "recompress", world, "--scheme", scheme, "--dry-run"); code != want {
			t.Errorf("%s: exit %d: %s", scheme, code, errText)
		}
	}
	w, err := anvil.Open(world, anvil.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	edit := w.Level().Edit()
	edit.SetVersion(level.Version{ID: 2225, Name: "1.15", Series: "main"})
	old, err := edit.Level()
	if err == nil {
		err = errors.Join(w.WriteLevel(old), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for scheme, want := range map[string]ui.Code{"lz4": ui.Usage, "none": ui.Usage, "gzip": ui.OK} {
		if code, _, errText := runPlain(t, "world", "recompress", world, "--scheme", scheme, "--dry-run", "--dimension", "the_nether"); code != want {
			t.Errorf("%s in a world of 1.15: exit %d: %s", scheme, code, errText)
		}
	}
}

func TestAHeldWorldIsNotChanged(t *testing.T) {
	world := copyOf(t, sampleWorld(t, "world-26.2"))
	w, err := anvil.Open(world, anvil.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, command := range []string{"recompress", "compact"} {
		if code, _, errText := runPlain(t, "world", command, world, "--yes"); code != ui.Locked {
			t.Errorf("%s: exit %d: %s", command, code, errText)
		}
		if code, _, errText := runPlain(t, "world", command, world, "--dry-run"); code != ui.OK {
			t.Errorf("%s --dry-run: exit %d: %s", command, code, errText)
		}
		if code, _, _ := runPlain(t, "world", command, world+"-none", "--yes"); code != ui.Missing {
			t.Errorf("%s of no world: exit %d", command, code)
		}
	}
}
