package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/oracle"
)

// dumpOf writes a dump of an End chunk full of air, which the outer End is
// near the main island, but for one block.
func dumpOf(t *testing.T, dir, name, state string) {
	t.Helper()
	text := "[" + state + strings.Repeat(",0", 256*128-1) + "]"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func diffJSON(t *testing.T, want ui.Code, args ...string) oracle.Report {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"worldgen", "diff", "--json"}, args...)...)
	if code != want {
		t.Fatalf("exit %d, want %d: %s", code, want, errText)
	}
	var report oracle.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in %.500s", err, out)
	}
	return report
}

func TestWorldgenDiffCountsDumps(t *testing.T) {
	dir := t.TempDir()
	dumpOf(t, dir, "noise_end_no_blend_no_beard_7_4.chunk", "0")
	dumpOf(t, dir, "end_surface_no_blend_no_beard_7_4.chunk", "1")
	report := diffJSON(t, ui.OK, "--oracle", dir)
	if len(report.Rows) != 2 || report.Rows[0].Exact != 1 || report.Rows[1].Exact != 0 || report.Rows[1].WrongBlocks != 1 ||
		report.Rows[0].Stage != oracle.Noise || report.Rows[0].Dimension != "minecraft:the_end" || report.Rows[0].Blocks != 65536 ||
		len(report.Rows[1].Top) != 1 || report.Rows[1].Top[0] != (oracle.Pair{Expected: "minecraft:stone", Got: "minecraft:air", Count: 1}) {
		t.Errorf("rows %+v", report.Rows)
	}
	if report := diffJSON(t, ui.OK, "--oracle", dir, "--stage", "surface", "--top", "0"); len(report.Rows) != 1 || len(report.Rows[0].Top) != 0 {
		t.Errorf("rows of surface %+v", report.Rows)
	}
	code, out, errText := runPlain(t, "worldgen", "diff", "--oracle", dir)
	if code != ui.OK || !strings.Contains(out, "expected stone, got air") || !strings.Contains(out, "the_end    surface") {
		t.Errorf("exit %d: %s%s", code, out, errText)
	}
}

func TestWorldgenDiffNamesWhatItCannotCompare(t *testing.T) {
	dir := t.TempDir()
	dumpOf(t, dir, "noise_end_7_4.chunk", "0")
	dumpOf(t, dir, "noise_end_7_5.chunk", "\"x\"")
	report := diffJSON(t, ui.Problems, "--oracle", dir)
	if len(report.Failed) != 1 || !strings.Contains(report.Failed[0].Error, "noise_end_7_5.chunk") || report.Total().Chunks != 1 {
		t.Errorf("report %+v", report)
	}
	for _, c := range []struct {
		code ui.Code
		text string
		args []string
	}{
		{ui.Problems, "no chunks of 26.1 to 26.2", []string{"--oracle", dir, "--dimension", "the_nether"}},
		{ui.Missing, "neither a world nor", []string{"--oracle", t.TempDir()}},
		{ui.Missing, "no such", []string{"--oracle", filepath.Join(dir, "no")}},
		{ui.Usage, "--stage light: no such stage", []string{"--oracle", dir, "--stage", "light"}},
		{ui.Usage, "--workers -1", []string{"--oracle", dir, "--workers", "-1"}},
		{ui.Usage, "oracle", nil},
	} {
		code, out, errText := runPlain(t, append([]string{"worldgen", "diff"}, c.args...)...)
		if code != c.code || !strings.Contains(errText, c.text) || out != "" {
			t.Errorf("%q: exit %d, %q, %q; want %d with %q", c.args, code, out, errText, c.code, c.text)
		}
	}
}

// A world is compared with its own seed, and its chunks' carving masks and
// biomes are those of the game.
func TestWorldgenDiffOfRealWorld(t *testing.T) {
	total := diffJSONTotal(t, sampleWorld(t, "vanilla-26.1.2-fresh"), "biomes", "carvers")
	if total.Chunks != 40 || total.BiomeWrong != total.BiomeTies || total.Masks != 16 || total.MasksEqual != 16 || total.MarksEqual != 16 {
		t.Errorf("counts %+v", total)
	}
}

func TestWorldgenDiffOfRealChunksIsExactAtNoise(t *testing.T) {
	total := diffJSONTotal(t, testbed.Shared(t, "oracle"), "noise")
	if total.Chunks != 4 || total.Exact != 4 || total.MarksEqual != 4 {
		t.Errorf("counts %+v", total)
	}
}

func diffJSONTotal(t *testing.T, dir string, stages ...string) oracle.Counts {
	t.Helper()
	report := diffJSON(t, ui.OK, "--oracle", dir, "--stage", strings.Join(stages, ","))
	return report.Total()
}
