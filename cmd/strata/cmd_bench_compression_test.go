package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"strata/bench"
	"strata/cmd/internal/ui"
)

func TestBenchCompressionReportsAndCompares(t *testing.T) {
	dir := t.TempDir()
	args := []string{"bench", "compression", "--corpus", smallCorpus(t), "--levels", "1, 6-7,sector,6", "--samples", "2", "--schemes", "zlib,lz4", "--no-outside", "--seed", "4", "--report", dir, "--png"}
	code, out, errText := runCommand(t, args...)
	if code != ui.OK {
		t.Fatalf("code %d, %s", code, errText)
	}
	for _, want := range []string{
		`(?m)^chunks\.bin\.zst, seed 4; `, `(?m)^full: 2 of 2 chunks, .*; x = stdlib 6$`,
		`(?m)^codec +level +payload +sectors +of now +world MB +compress +x +p95`, `(?m)^strata +7 `, `(?m)^strata +sector `,
		`(?m)^strata lz4 +- `, `(?m)^stdlib +6 .* 1\.000 `, `(?m)^live: level \S+ \(full chunks\)\. Why: `, `(?m)^archive: level `, `(?m)^Warning: only 2 full chunks`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no line like %s in\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if !strings.Contains(line, ". Why: ") && utf8.RuneCountInString(line) > 140 {
			t.Errorf("line of %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	file := filepath.Join(dir, "report.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report bench.CompressionReport
	if err := json.Unmarshal(data, &report); err != nil || len(report.Rows) != 5+3*2 {
		t.Errorf("%d rows, %v", len(report.Rows), err)
	}
	code, out, errText = runCommand(t, "bench", "compare", file, file)
	if code != ui.OK || !strings.HasPrefix(out, "no difference (") {
		t.Errorf("code %d, %q, %s", code, out, errText)
	}
	code, out, errText = runCommand(t, "bench", "compare", file, file, "--json",
		"--rows-a", "level=1", "--rows-a", "name=strata", "--rows-b", "level=7,name=strata")
	var c bench.Comparison
	if err := json.Unmarshal([]byte(out), &c); code != ui.OK || err != nil {
		t.Fatalf("code %d, %v, %s", code, err, errText)
	}
	one, seven := report.Row("full", "strata", "zlib", "1"), report.Row("full", "strata", "zlib", "7")
	for _, row := range c.Rows {
		if row.Metric == "payload_bytes" && row.Ratio != seven.PayloadBytes/one.PayloadBytes {
			t.Errorf("%+v, want %g", row, seven.PayloadBytes/one.PayloadBytes)
		}
	}
	if len(c.Rows) != 4 {
		t.Errorf("%d figures: %+v", len(c.Rows), c.Rows)
	}
}

func TestBenchCompressionRefusesWrongUse(t *testing.T) {
	corpus := smallCorpus(t)
	for _, tt := range []struct {
		args []string
		code ui.Code
		want string
	}{
		{nil, ui.Usage, "want a WORLD or --corpus FILE"},
		{[]string{"world", "--corpus", corpus}, ui.Usage, "one of the two"},
		{[]string{"--corpus", corpus, "--levels", "5-2"}, ui.Usage, `"5-2" is no range`},
		{[]string{"--corpus", corpus, "--levels", "sector-3"}, ui.Usage, "is no range"},
		{[]string{"--corpus", corpus, "--levels", "1-13"}, ui.Usage, "want 1 to 12 or sector"},
		{[]string{"--corpus", corpus, "--schemes", "zstd"}, ui.Usage, "want zlib, gzip, lz4 or none"},
		{[]string{"--corpus", corpus, "--sample", "0"}, ui.Usage, "want 1 to 100000"},
		{[]string{"--corpus", corpus, "--samples", "2000"}, ui.Usage, "want 1 to 1000"},
		{[]string{"--corpus", corpus, "--png"}, ui.Usage, "--png wants --report"},
		{[]string{"--corpus", corpus, "--dimension", "the_end"}, ui.Usage, "do not go together"},
		{[]string{"--corpus", filepath.Join(t.TempDir(), "none")}, ui.Missing, "none"},
		{[]string{t.TempDir()}, ui.Missing, "not a world"},
	} {
		code, out, errText := runCommand(t, append([]string{"bench", "compression"}, tt.args...)...)
		if code != tt.code || out != "" || !strings.Contains(errText, tt.want) {
			t.Errorf("%q: code %d, standard error %q, want %d and %q", tt.args, code, errText, tt.code, tt.want)
		}
	}
}

func TestBenchCompareRefusesWrongUse(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(`{"some": "thing"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code ui.Code
		want string
	}{
		{[]string{other}, ui.Usage, ""},
		{[]string{other, other}, ui.Failed, "no benchmark result"},
		{[]string{other, filepath.Join(t.TempDir(), "none")}, ui.Failed, "no benchmark result"},
		{[]string{filepath.Join(t.TempDir(), "none"), other}, ui.Missing, "none"},
		{[]string{other, other, "--noise", "100"}, ui.Usage, "less than 100 percent"},
	} {
		code, out, errText := runCommand(t, append([]string{"bench", "compare"}, tt.args...)...)
		if code != tt.code || out != "" || !strings.Contains(errText, tt.want) {
			t.Errorf("%q: code %d, standard error %q, want %d and %q", tt.args, code, errText, tt.code, tt.want)
		}
	}
}
