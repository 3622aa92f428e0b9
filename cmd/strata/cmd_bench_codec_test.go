package main

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"strata/bench"
	"strata/cmd/internal/ui"
)

func runCommand(t *testing.T, args ...string) (code ui.Code, out, err string) {
	t.Helper()
	return runWith(t.Context(), &cobra.Command{Use: "unused"}, args...)
}

// smallCorpus writes a chunk corpus of two chunks.
func smallCorpus(t *testing.T) string {
	t.Helper()
	var raw []byte
	for _, word := range []string{"minecraft:stone", "minecraft:deepslate"} {
		nbt := strings.Repeat(word+" and some more ", 500)
		raw = binary.LittleEndian.AppendUint32(raw, uint32(len(nbt)))
		raw = binary.LittleEndian.AppendUint32(raw, 0)
		raw = append(raw, nbt...)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	path := filepath.Join(t.TempDir(), "chunks.bin.zst")
	if err := os.WriteFile(path, w.EncodeAll(raw, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBenchCodecPrintsATable(t *testing.T) {
	code, out, errText := runCommand(t, "bench", "codec", "--corpus", smallCorpus(t), "--levels", "2, sector,2", "--passes", "1")
	if code != ui.OK {
		t.Fatalf("code %d, %s", code, errText)
	}
	for _, want := range []string{
		`(?m)^2 chunks, .*NBT each`, `(?m)^codec +level +payload +sectors +compress`,
		`(?m)^strata +2 `, `(?m)^strata +sector +\S+ +4,096 `, `(?m)^stdlib +6 .* 1\.000 `, `(?m)^klauspost +6 `,
		`(?m)^strata +stdlib 6 `, `(?m)^stdlib +stdlib 6 .*1\.000`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no line like %s in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "\nstrata  "); n != 3 {
		t.Errorf("%d rows of ours, want two levels and one decoder:\n%s", n, out)
	}
	for line := range strings.Lines(out) {
		if utf8.RuneCountInString(line) > 120 {
			t.Errorf("line of %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

func TestBenchCodecPrintsJSON(t *testing.T) {
	code, out, errText := runCommand(t, "bench", "codec", "--corpus", smallCorpus(t), "--levels", "sector", "--passes", "1", "--json")
	if code != ui.OK {
		t.Fatalf("code %d, %s", code, errText)
	}
	var report bench.CodecReport
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if row := report.Row("strata", "sector"); report.Chunks != 2 || row == nil || row.SectorBytes != 4096 {
		t.Errorf("report %+v", report)
	}
}

func TestBenchCodecRefusesWrongUse(t *testing.T) {
	corpus := smallCorpus(t)
	for _, tt := range []struct {
		args []string
		code ui.Code
		want string
	}{
		{nil, ui.Usage, `"corpus" not set`},
		{[]string{"--corpus", corpus, "--levels", "13"}, ui.Usage, `"13": want 1 to 12 or sector`},
		{[]string{"--corpus", corpus, "--levels", "6,,7"}, ui.Usage, `want 1 to 12 or sector`},
		{[]string{"--corpus", corpus, "--passes", "0"}, ui.Usage, "want 1 to 1000"},
		{[]string{"--corpus", corpus, "extra"}, ui.Usage, "unexpected argument"},
		{[]string{"--corpus", filepath.Join(t.TempDir(), "none")}, ui.Missing, "none"},
		{[]string{"--corpus", "cmd_bench_codec_test.go"}, ui.Failed, "malformed corpus"},
	} {
		code, out, errText := runCommand(t, append([]string{"bench", "codec"}, tt.args...)...)
		if code != tt.code || out != "" || !strings.Contains(errText, tt.want) {
			t.Errorf("%q: code %d, standard error %q, want %d and %q", tt.args, code, errText, tt.code, tt.want)
		}
	}
}
