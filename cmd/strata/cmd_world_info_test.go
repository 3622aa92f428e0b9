package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
)

// runPlain runs a command line.
func runPlain(t *testing.T, args ...string) (code ui.Code, out, err string) {
	t.Helper()
	var outText, errText strings.Builder
	code = run(t.Context(), args, ui.Streams{
		In: strings.NewReader(""), Out: &outText, Err: &errText,
		Getenv: func(string) string { return "" },
	})
	return code, outText.String(), errText.String()
}

// sampleWorld unpacks the sample worlds and returns the folder of one.
func sampleWorld(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "sample", name)
}

func TestWorldInfoOfRealWorlds(t *testing.T) {
	world := sampleWorld(t, "world-26.2")
	code, out, errText := runPlain(t, "world", "info", world, "--deep", "--json")
	if code != ui.OK {
		t.Fatalf("exit %d: %s", code, errText)
	}
	var info struct {
		Version     string
		DataVersion int32 `json:"data_version"`
		Seed        string
		Dimensions  []struct {
			Name     string
			Regions  int
			Chunks   int64
			Bytes    int64
			Payload  int64 `json:"payload_bytes"`
			Statuses map[string]int64
		}
		NS int64 `json:"scan_ns_per_chunk"`
	}
	if err := json.Unmarshal([]byte(out), &info); err != nil {
		t.Fatal(err)
	}
	overworld := info.Dimensions[0]
	if info.Version != "26.2" || info.DataVersion != 4903 || info.Seed != "3270447568912029277" || info.NS == 0 ||
		overworld.Name != "minecraft:overworld" || overworld.Regions != 3 || overworld.Chunks != 1111 ||
		overworld.Bytes < overworld.Payload || overworld.Statuses["minecraft:full"] != 9 {
		t.Errorf("%+v", info)
	}
	code, out, _ = runPlain(t, "world", "info", world, "--quick", "--dimension", "the_nether")
	if code != ui.OK || !strings.Contains(out, "minecraft:the_nether") || strings.Contains(out, "zlib") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestWorldInfoSaysWhatIsMissing(t *testing.T) {
	for want, args := range map[ui.Code][]string{
		ui.Missing: {filepath.Join(t.TempDir(), "none")},
		ui.Usage:   {t.TempDir(), "--quick", "--deep"},
	} {
		if code, out, errText := runPlain(t, append([]string{"world", "info"}, args...)...); code != want || out != "" || errText == "" {
			t.Errorf("%v: exit %d, want %d: %s%s", args, code, want, out, errText)
		}
	}
}
