package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/cmd/internal/ui"
)

func TestWorldChunksListsWhatIsPicked(t *testing.T) {
	world := sampleWorld(t, "layout-1.21.3")
	const where = `status == "carvers" && near(x, z, 0)`
	code, out, errText := runPlain(t, "world", "chunks", world, "--where", where, "--columns", "x,z,status,saved", "--json")
	if code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	var list struct {
		Chunks []map[string]any
		Looked int `json:"looked_at"`
		Picked int
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	if list.Picked != 108 || len(list.Chunks) != 108 || list.Looked != 2092 || list.Chunks[0]["status"] != "carvers" {
		t.Errorf("%d of %d, %d listed, first %v", list.Picked, list.Looked, len(list.Chunks), list.Chunks[0])
	}
	_, table, _ := runPlain(t, "world", "chunks", world, "--where", where)
	_, csv, _ := runPlain(t, "world", "chunks", world, "--where", where, "--format", "csv")
	_, lines, _ := runPlain(t, "world", "chunks", world, "--where", where, "--format", "jsonl", "--limit", "5")
	if a, b, c := strings.Count(table, "\n"), strings.Count(csv, "\n"), strings.Count(lines, "\n"); a != 108+3 || b != 108+1 || c != 5 {
		t.Errorf("lines: table %d, csv %d, jsonl %d", a, b, c)
	}
}

func TestWorldChunksReadsAndWritesSelections(t *testing.T) {
	world, file := sampleWorld(t, "layout-1.21.3"), filepath.Join(t.TempDir(), "picked.csv")
	code, _, errText := runPlain(t, "world", "chunks", world, "--where", `status == "carvers"`, "--write-selection", file)
	if code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	code, out, errText := runPlain(t, "world", "chunks", world, "--selection", file, "--where", "true || false", "--format", "csv", "--columns", "status")
	if code != ui.OK || strings.Count(out, "carvers\n") != 108 || strings.Count(out, "\n") != 109 {
		t.Errorf("exit %d, %d lines: %s", code, strings.Count(out, "\n"), errText)
	}
	if err := os.WriteFile(file, []byte("no selection"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--selection", file}, {"--where", "x +"}, {"--columns", "nothing"}, {"--format", "xml"}, {"--dimension", "Bad Name"}, {"--dimension", "the_nehter"},
	} {
		if code, out, _ := runPlain(t, append([]string{"world", "chunks", world}, args...)...); code != ui.Usage || out != "" {
			t.Errorf("%v: exit %d, %q", args, code, out)
		}
	}
	if code, out, _ := runPlain(t, "world", "chunks", "--fields"); code != ui.OK || !strings.Contains(out, "inhabited") {
		t.Errorf("fields: exit %d, %q", code, out)
	}
}
