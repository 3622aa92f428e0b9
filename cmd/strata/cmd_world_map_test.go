package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/cmd/internal/ui"
)

// worldMapJSON draws a map and returns what --json says of it.
func worldMapJSON(t *testing.T, want ui.Code, args ...string) (result map[string]any, errText string) {
	t.Helper()
	code, out, errText := runPlain(t, append([]string{"world", "map", "--json"}, args...)...)
	if code != want {
		t.Fatalf("%v: exit %d: %s", args, code, errText)
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatalf("%v: %v in %q", args, err, out)
	}
	return result, errText
}

func TestWorldMapDrawsPictures(t *testing.T) {
	world, dir := sampleWorld(t, "layout-1.21.3"), t.TempDir()
	file := filepath.Join(dir, "map.png")
	result, _ := worldMapJSON(t, ui.OK, world, "-o", file, "--overlay", "status")
	if result["chunks"] != 2092.0 || result["half_generated"] != 1545.0 || result["width"] != 944.0 || result["height"] != 1888.0 || result["scale"] != 1.0 {
		t.Errorf("result: %v", result)
	}
	legend, _ := result["legend"].([]any)
	counts := make(map[string]any)
	for _, entry := range legend {
		if e, ok := entry.(map[string]any); ok {
			label, _ := e["label"].(string)
			counts[label] = e["chunks"]
		}
	}
	// The counts are those that TestEveryFieldPicksChunks of query has.
	if counts["full"] != 547.0 || counts["carvers"] != 108.0 || counts["biomes"] != 101.0 {
		t.Errorf("legend: %v", legend)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(in)
	if err != nil || config.Width != 944 || config.Height != 1888 {
		t.Errorf("picture of %d by %d: %v", config.Width, config.Height, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	result, _ = worldMapJSON(t, ui.OK, world, "-o", file, "--where", `status == "full" && z < 0`, "--scale", "1:16")
	picked, _ := result["chunks"].(float64)
	width, _ := result["width"].(float64)
	if picked == 0 || picked >= 547 || width >= 59 || result["half_generated"] != 0.0 {
		t.Errorf("of full chunks in the north: %v", result)
	}
	result, _ = worldMapJSON(t, ui.OK, world, "-o", file, "--area", "-1,-1,0,20")
	if result["width"] != 32.0 || result["height"] != 48.0 || result["chunks"] != 3.0 {
		t.Errorf("of an area: %v", result)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("files beside the picture: %v, %v", left, err)
	}
}

func TestWorldMapWritesTiles(t *testing.T) {
	world, dir := sampleWorld(t, "layout-1.21.3"), filepath.Join(t.TempDir(), "map")
	result, _ := worldMapJSON(t, ui.OK, world, "-o", dir)
	levels, _ := result["levels"].([]any)
	if len(levels) != 3 || result["bytes"] == 0.0 {
		t.Errorf("result: %v", result)
	}
	for _, name := range []string{"index.html", "map.json", "1/r.-1.0.png", "4/r.0.0.png"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
	code, out, errText := runPlain(t, "world", "map", world, "-o", dir, "--scale", "1:8")
	if code != ui.OK || !strings.Contains(out, "index.html") || !strings.Contains(out, "2,092 chunks") {
		t.Errorf("exit %d: %s%s", code, out, errText)
	}
	if code, _, errText := runPlain(t, "world", "map", world, "-o", world); code != ui.Usage || !strings.Contains(errText, "Nothing was changed") {
		t.Errorf("into the world itself: exit %d: %s", code, errText)
	}
}

func TestWorldMapShowsWhatDiffers(t *testing.T) {
	world, dir := sampleWorld(t, "layout-1.21.3"), t.TempDir()
	older := filepath.Join(dir, "older")
	if err := os.CopyFS(older, os.DirFS(world)); err != nil {
		t.Fatal(err)
	}
	// The older world lacks a region, and one chunk of another.
	if err := os.Remove(filepath.Join(older, "region", "r.1.1.mca")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(older, "region", "r.-1.0.mca")
	header, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	slot := 31 * 4 // chunk -1, 0
	if _, err := header.WriteAt(make([]byte, 4), int64(slot)); err != nil {
		t.Fatal(err)
	}
	if err := header.Close(); err != nil {
		t.Fatal(err)
	}
	only, _ := worldMapJSON(t, ui.OK, world, "-o", filepath.Join(dir, "of.png"), "--where", "region_x == 1 && region_z == 1 || x == -1 && z == 0")
	result, _ := worldMapJSON(t, ui.OK, world, "-o", filepath.Join(dir, "map.png"), "--diff", older)
	legend, _ := result["legend"].([]any)
	if len(legend) != 1 || result["overlay"] != "diff" {
		t.Fatalf("result: %v", result)
	}
	if created, _ := legend[0].(map[string]any); created["label"] != "created" || created["chunks"] != only["chunks"] {
		t.Errorf("legend: %v, want %v created", legend, only["chunks"])
	}
}

func TestWorldMapRefusesWhatItCannotDo(t *testing.T) {
	world, file := sampleWorld(t, "vanilla-26.1.2-fresh"), filepath.Join(t.TempDir(), "map.png")
	for _, test := range []struct {
		code ui.Code
		args []string
	}{
		{ui.Usage, []string{world}},
		{ui.Usage, []string{world, "-o", file, "--scale", "2"}},
		{ui.Usage, []string{world, "-o", file, "--scale", "1:3"}},
		{ui.Usage, []string{world, "-o", file, "--overlay", "mood"}},
		{ui.Usage, []string{world, "-o", file, "--area", "1,2,3"}},
		{ui.Usage, []string{world, "-o", file, "--area", "1,2,3,x"}},
		{ui.Usage, []string{world, "-o", file, "--area=-40000000,0,0,0"}},
		{ui.Usage, []string{world, "-o", file, "--area=-4000000,0,0,0", "--scale", "1:1"}},
		{ui.Usage, []string{world, "-o", file, "--dimension", "Bad Name"}},
		{ui.Usage, []string{world, "-o", file, "--dimension", "overworld,the_end"}},
		{ui.Usage, []string{world, "-o", file, "--where", "x +"}},
		{ui.Usage, []string{world, "-o", file, "--overlay", "status", "--diff", world}},
		{ui.Missing, []string{world, "-o", file, "--diff", filepath.Join(world, "nothing")}},
		{ui.Failed, []string{world, "-o", file, "--dimension", "the_end"}},
		{ui.Missing, []string{filepath.Join(world, "nothing"), "-o", file}},
		{ui.Missing, []string{world, "-o", file, "--selection", file + ".csv"}},
	} {
		if code, out, errText := runPlain(t, append([]string{"world", "map"}, test.args...)...); code != test.code || out != "" {
			t.Errorf("%v: exit %d, want %d: %s%s", test.args[1:], code, test.code, out, errText)
		}
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a refused map left a picture: %v", err)
	}
}
