package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"strata/bench"
	"strata/bench/testbed"
	"strata/cmd/internal/ui"
)

// newTestApp is an app with a console, and what it writes to standard error.
func newTestApp(t *testing.T) (*app, *strings.Builder) {
	t.Helper()
	text := new(strings.Builder)
	a := &app{streams: ui.Streams{Err: text, Getenv: func(string) string { return "" }}}
	a.flags.Register(pflag.NewFlagSet("test", pflag.ContinueOnError))
	var err error
	if a.console, err = a.flags.Open(a.streams); err != nil {
		t.Fatal(err)
	}
	return a, text
}

// slowPeers is a folder of peers that take a minute to build.
func slowPeers(t *testing.T) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the go command is a script here")
	}
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module slow\n", "go": "#!/bin/sh\nexec sleep 60\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

func TestPeersThatTakeTooLongAreLeftOut(t *testing.T) {
	a, errText := newTestApp(t)
	dir := slowPeers(t)
	start := time.Now()
	peers, err := a.startPeersWithin(t.Context(), dir, 100*time.Millisecond, "; wait longer")
	if peers != nil || err != nil || time.Since(start) > 30*time.Second {
		t.Errorf("peers %v, error %v after %v", peers, err, time.Since(start))
	}
	if want := "rows of other libraries left out: building them takes too long; wait longer\n"; errText.String() != want {
		t.Errorf("standard error %q", errText)
	}
}

func TestBuildingPeersEndsWithAnInterrupt(t *testing.T) {
	a, errText := newTestApp(t)
	dir := slowPeers(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if peers, err := a.startPeersWithin(ctx, dir, time.Minute, ""); peers != nil || !errors.Is(err, context.Canceled) || errText.Len() > 0 {
		t.Errorf("peers %v, error %v, standard error %q", peers, err, errText)
	}
}

func TestBenchNBTPrintsThePeerBesideUs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	testbed.Tool(t, "go")
	root, err := testbed.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "bench", "peers")
	code, out, errText := runCommand(t, "bench", "nbt", "--passes", "1", "--chunks", "8", "--peers", dir, "--json")
	if code != ui.OK {
		t.Fatalf("code %d, %s", code, errText)
	}
	var report bench.NBTReport
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if report.Peer == nil {
		testbed.SkipOrFail(t, "bench/peers, which may need a network to build: %s", errText)
	}
	if r := report.Row("go-mc", "unmarshal", "typed"); report.Peer.Name != "go-mc" || r == nil || r.Allocs < 100 {
		t.Errorf("peer %+v, row %+v", report.Peer, r)
	}
	if !strings.Contains(errText, "beside us: go-mc v1.") {
		t.Errorf("standard error %q", errText)
	}
}

// A table of every width that a report may have stays within 80 columns.
func TestBenchNBTFitsEightyColumns(t *testing.T) {
	report := &bench.NBTReport{
		Sample: bench.NBTSample{Source: "chunks.bin.zst", Chunks: 10_000, Bytes: 999_000, Tags: 99_999},
		Peer:   &bench.PeerInfo{Name: "go-mc", Version: "v1.20.2", Go: "go1.26.8"},
	}
	report.Environment.CPU, report.Environment.Go = "AMD EPYC 9554 64-Core Processor", "go1.26.8"
	for _, op := range []string{"unmarshal", "walk"} {
		report.Rows = append(report.Rows, bench.NBTRow{
			Name: "strata", Op: op, Form: "typed", NS: 123_456, MinNS: 1, MaxNS: 999_999, Allocs: 12_345, AllocBytes: 999_000,
			BytesPerS: 999 << 20, Reference: "go-mc", ReferenceForm: "typed", Ratio: 1.234, MinRatio: 1.234, Goal: 0.333, GoalNS: 10_000,
		})
	}
	a, _ := newTestApp(t)
	var out strings.Builder
	if err := writeNBTReport(a.console, &out, report); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("line of %d columns: %s", n, line)
		}
	}
	for _, want := range []string{
		"unmarshal typed: 1.234 of go-mc's typed (best passes 1.234), goal 0.333: missed.\n",
		"go-mc is v1.20.2, built with go1.26.8.\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
