package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/report"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
)

// Every bench writes the same files, which compare with themselves.
func TestBenchesReportAndCompare(t *testing.T) {
	for name, args := range map[string][]string{
		"codec":    {"--corpus", smallCorpus(t), "--levels", "1,6", "--passes", "2"},
		"nbt":      {"--peers", "", "--chunks", "3", "--passes", "2", "--png"},
		"storage":  {"--peers", "", "--dir", t.TempDir(), "--chunks", "4", "--rewrites", "8", "--passes", "2"},
		"worldgen": {"--seed", "7", "--dimension", "the_end", "--workers", "1", "--radius", "1", "--passes", "2", "--until", "biomes"},
	} {
		t.Run(name, func(t *testing.T) { benchReportsAndCompares(t, name, args...) })
	}
}

func benchReportsAndCompares(t *testing.T, name string, args ...string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	code, out, errText := runCommand(t, append([]string{"bench", name, "--report", dir}, args...)...)
	if code != ui.OK || out == "" || !strings.Contains(errText, "report: "+filepath.Join(dir, report.PageName)) {
		t.Fatalf("code %d, %q, %s", code, out, errText)
	}
	for _, file := range []string{report.PageName, report.MarkdownName, report.JSONName} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	pictures, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if wanted := slices.Contains(args, "--png"); err != nil || len(pictures) > 0 != wanted {
		t.Errorf("pictures %q, %v; wanted: %t", pictures, err, wanted)
	}
	file := filepath.Join(dir, report.JSONName)
	code, out, errText = runCommand(t, "bench", "compare", file, file)
	if code != ui.OK || !strings.HasPrefix(out, "no difference (") {
		t.Errorf("code %d, %q, %s", code, out, errText)
	}
	if code, _, errText := runCommand(t, append([]string{"bench", name, "--png"}, args...)...); code != ui.Usage || !strings.Contains(errText, "--png wants --report") {
		t.Errorf("--png alone: code %d, %s", code, errText)
	}
}

func TestBenchBackupReportsAndCompares(t *testing.T) {
	history := testbed.Shared(t, "worlds", "history-6-saves.tar.zst")
	benchReportsAndCompares(t, "backup", "--history", history, "--dir", t.TempDir(), "--saves", "1", "--contenders", "tree,repo")
}

func TestBenchBackupRefusesWrongUse(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code ui.Code
		want string
	}{
		{nil, ui.Usage, `"history" not set`},
		{[]string{"--history", "x", "--contenders", "tree,borg"}, ui.Usage, `"borg": want some of tree`},
		{[]string{"--history", "x", "--saves", "-1"}, ui.Usage, "below 0"},
		{[]string{"--history", filepath.Join(t.TempDir(), "none.tar.zst")}, ui.Missing, "none.tar.zst"},
		{[]string{"--history", "cmd_bench_backup.go"}, ui.Failed, "cmd_bench_backup.go"},
	} {
		code, out, errText := runCommand(t, append([]string{"bench", "backup"}, tt.args...)...)
		if code != tt.code || out != "" || !strings.Contains(errText, tt.want) {
			t.Errorf("%q: code %d, standard error %q, want %d and %q", tt.args, code, errText, tt.code, tt.want)
		}
	}
}

// What an interrupt has left is written and printed before its exit code.
func TestAnInterruptedBenchWritesWhatItHas(t *testing.T) {
	a, _ := newTestApp(t)
	a.streams.Out = io.Discard
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	dir, printed := t.TempDir(), false
	result := &bench.CodecReport{Course: bench.Course{Interrupted: true, Warnings: []string{"interrupted"}}}
	err := a.benchResult(cmd, benchReportFlags{dir: dir}, result,
		func(dir string, o report.Options) error { return report.WriteCodec(dir, "x", result, o) },
		func(io.Writer) error {
			printed = true
			return writeCodecReport(a.console, io.Discard, result)
		})
	if !errors.Is(err, context.Canceled) || !printed {
		t.Errorf("error %v, printed %t", err, printed)
	}
	if back, err := bench.LoadResult(filepath.Join(dir, report.JSONName)); !errors.Is(err, bench.ErrNoResult) {
		t.Errorf("%v, %v", back, err) // it has no rows
	}
}
