package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/cmd/internal/ui"
	"strata/pregen"
	"strata/region"
)

// pregenResult is what a command line came to.
type pregenResult struct {
	code        ui.Code
	out, stderr string
}

// runPregen runs strata pregen with the generators of a factory.
func runPregen(ctx context.Context, open pregenFactory, args ...string) pregenResult {
	var out, errs bytes.Buffer
	a := &app{args: append([]string{"pregen"}, args...), streams: ui.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" },
	}}
	root := newRootCmd(a)
	for _, cmd := range root.Commands() {
		if cmd.Name() == "pregen" {
			root.RemoveCommand(cmd)
		}
	}
	cmd := newPregenCmd(a, open)
	root.AddCommand(cmd)
	a.markStarted(cmd)
	root.SetArgs(a.args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(&errs, err, ui.HintOf(err))
	}
	return pregenResult{ui.CodeOf(err), out.String(), errs.String()}
}

// pregenJSON runs it with --json, and reads the result.
func pregenJSON(t *testing.T, want ui.Code, open pregenFactory, args ...string) pregenReport {
	t.Helper()
	r := runPregen(t.Context(), open, append(args, "--json")...)
	if r.code != want {
		t.Fatalf("pregen %v: code %d\n%s%s", args, r.code, r.out, r.stderr)
	}
	var report pregenReport
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("pregen %v: %v\n%s", args, err, r.out)
	}
	return report
}

// fakeGenerators make chunks of air; make may fail them.
type fakeGenerators struct {
	make func(region.ChunkPos) error
}

func (f *fakeGenerators) open(*anvil.World, pregenSource) (pregenGenerators, []string, error) {
	return f, nil, nil
}

func (f *fakeGenerators) Generator(_ string, until chunk.Status, tables *chunk.Tables) (pregen.Generator, error) {
	return &fakeGenerator{f, until, tables}, nil
}

func (f *fakeGenerators) HasDimension(string) bool { return false }

func (f *fakeGenerators) Spawn() (x, z int32, err error) { return 1000, -2000, nil }

func (f *fakeGenerators) Close() error { return nil }

type fakeGenerator struct {
	f      *fakeGenerators
	until  chunk.Status
	tables *chunk.Tables
}

func (g *fakeGenerator) Facts() pregen.Facts               { return pregen.Facts{Revision: "fake", Tile: 4} }
func (g *fakeGenerator) NewWorker() (pregen.Worker, error) { return g, nil }
func (g *fakeGenerator) Release()                          {}

func (g *fakeGenerator) Generate(ctx context.Context, b *pregen.Batch, done func(pregen.Made) error) error {
	for _, w := range b.Chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		made := pregen.Made{Pos: w.Pos}
		if g.f.make != nil {
			made.Err = g.f.make(w.Pos)
		}
		if made.Err == nil {
			made.Chunk, made.Err = chunk.New(g.tables, w.Pos, chunk.Options{
				DataVersion: anvil.NativeVersion, MinSection: -4, Sections: 24, Status: g.until,
			})
		}
		if err := done(made); err != nil {
			return err
		}
	}
	return nil
}

// chunkFiles reads all region files of a world.
func chunkFiles(t *testing.T, world string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	names, err := filepath.Glob(filepath.Join(world, "dimensions", "*", "*", "*", "*.mc?"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(world, name)
		all[rel] = string(data)
	}
	return all
}

func TestPregenMakesAWorldWithTheRealGenerator(t *testing.T) {
	world := filepath.Join(t.TempDir(), "new", "world")
	args := []string{world, "--seed", "1234", "--radius", "1", "--until", "carvers"}
	r := pregenJSON(t, ui.OK, openWorldGenerators, args...)
	if r.New != 9 || r.Existing+r.Failed+r.Rim+r.LeftToGame+r.StructuresLeftOut != 0 || r.Planned != 9 ||
		r.ChunksPerS <= 0 || r.CPUPerChunk <= 0 || r.Bytes <= 0 || r.Seed != "1234" || r.Until != "carvers" {
		t.Errorf("result %+v", r)
	}
	if files := chunkFiles(t, world); len(files) != 4 {
		t.Errorf("%d files", len(files))
	}
	if _, err := os.Stat(filepath.Join(world, "strata", "pregen")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("strata/pregen is left: %v", err)
	}
	w, err := anvil.Open(world, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := w.Settings(); !ok || !s.Structures || s.Seed != 1234 || w.Level().Name() != "world" {
		t.Errorf("settings %+v, name %q", s, w.Level().Name())
	}
	// Everything is there: that is no failure, and is said.
	again := runPregen(t.Context(), openWorldGenerators, args...)
	if again.code != ui.OK || !strings.Contains(again.out, "0 new, 9 existing, 0 failed") {
		t.Errorf("again: %+v", again)
	}
	wrong := runPregen(t.Context(), openWorldGenerators, world, "--seed", "5", "--radius", "1", "--until", "carvers")
	if wrong.code != ui.Usage || !strings.Contains(wrong.stderr, "has seed 1234, not 5") {
		t.Errorf("another seed: %+v", wrong)
	}
}

func TestPregenRefusesBeforeAnythingIsChanged(t *testing.T) {
	folder := t.TempDir()
	fake := new(fakeGenerators)
	path := func(name string) string { return filepath.Join(folder, name) }
	for _, dir := range []string{"empty", "photos/2024"} {
		if err := os.MkdirAll(path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, o := range map[string]anvil.CreateOptions{
		"plain": {NoStructures: true},
		"brand": {NoStructures: true, Fresh: level.Fresh{Brands: []string{"fabric"}}},
	} {
		w, err := anvil.Create(path(name), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, folder)
	for _, c := range []struct {
		args string
		open pregenFactory
		code ui.Code
		text string
	}{
		{"missing --radius 1", fake.open, ui.Missing, "Give --seed to create it"},
		{"empty --radius 1", fake.open, ui.Missing, "Give --seed"},
		{"photos --radius 1 --seed 1", fake.open, ui.Missing, "not a world"},
		{"brand --radius 1", fake.open, ui.Usage, "fabric"},
		{"missing --seed 1 --radius 1 --preset flat", openWorldGenerators, ui.Usage, "structures of flat worlds"},
		{"missing --seed 1 --radius 1 --data nowhere", fake.open, ui.Missing, "nowhere"},
		{"plain --no-structures --radius 1", fake.open, ui.Usage, "are for new worlds"},
		{"missing --seed 1 --radius 1 --until carvers --dimension my:own", openWorldGenerators, ui.Usage, "my:own"},
		{"missing --seed 1 --radius 1 --preset lunar", fake.open, ui.Usage, "lunar"},
		{"missing --seed 1 --radius 1 --memory-limit 1M", fake.open, ui.Usage, "memory limit"},
		{"missing --seed 1 --radius 1 --map no/such/folder/m.png", fake.open, ui.Usage, "--map"},
		{"plain --preset flat --radius 1", fake.open, ui.Usage, "are for new worlds"},
		{"plain", fake.open, ui.Usage, "how much?"},
		{"plain --radius x", fake.open, ui.Usage, "invalid radius"},
		{"plain --radius 3,4 --shape circle", fake.open, ui.Usage, "a circle has one"},
		{"plain --radius 9999999", fake.open, ui.Usage, "out of range"},
		{"plain --radius 1 --shape blob", fake.open, ui.Usage, "square, rectangle"},
		{"plain --radius 1 --order zigzag", fake.open, ui.Usage, "concentric"},
		{"plain --radius 1 --until soon", fake.open, ui.Usage, "no status"},
		{"plain --radius 1 --level 13", fake.open, ui.Usage, "1 to 12 or sector"},
		{"plain --radius 1 --center here", fake.open, ui.Usage, "not X,Z"},
		{"plain --radius 1 --memory-profile huge", fake.open, ui.Usage, "low or throughput"},
		{"plain --radius 1 --memory-limit lots", fake.open, ui.Usage, "no size"},
		{"plain --radius 1 --memory-limit 1M", fake.open, ui.Usage, "memory limit"},
		{"plain --radius 1 --rate -1", fake.open, ui.Usage, "--rate"},
		{"plain --radius 1 --max-load 101", fake.open, ui.Usage, "--max-load"},
		{"plain --radius 1 --workers 1000", fake.open, ui.Usage, "1000 workers"},
		{"plain --radius 1 --upgrade", fake.open, ui.Usage, "existing chunks"},
		{"plain --shape polygon", fake.open, ui.Usage, "--polygon"},
		{"plain --polygon missing.csv", fake.open, ui.Usage, "missing.csv"},
		{"plain --radius worldborder --shape star", fake.open, ui.Usage, "is a square"},
		{"plain --radius 1 --map no/such/folder/m.png", fake.open, ui.Usage, "--map"},
	} {
		args := strings.Fields(c.args)
		args[0] = path(args[0])
		r := runPregen(t.Context(), c.open, args...)
		if r.code != c.code || !strings.Contains(r.stderr, c.text) || r.out != "" {
			t.Errorf("pregen %s: %+v, want code %d and %q", c.args, r, c.code, c.text)
		}
	}
	if after := tree(t, folder); after != before {
		t.Errorf("something was changed:\n%s\nwas\n%s", after, before)
	}
}

// tree lists the files of a folder with their sizes, those of the store's own
// left out, which opening a world for writing makes.
func tree(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == "strata" {
			return filepath.SkipDir
		}
		info, err := e.Info()
		if err == nil && !e.IsDir() {
			fmt.Fprintln(&b, name, info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPregenGoesOnWithoutBeingToldAgain(t *testing.T) {
	folder := t.TempDir()
	whole, world := filepath.Join(folder, "whole"), filepath.Join(folder, "a world")
	fake := new(fakeGenerators)
	args := []string{"--seed", "hello", "--radius", "9", "--center", "spawn", "--until", "noise", "--level", "1", "--order", "spiral"}
	pregenJSON(t, ui.OK, fake.open, append([]string{whole}, args...)...)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var n atomic.Int64
	fake.make = func(region.ChunkPos) error {
		if n.Add(1) == 100 {
			cancel()
		}
		return nil
	}
	r := runPregen(ctx, fake.open, append([]string{world}, args...)...)
	if r.code != ui.Interrupted || !strings.Contains(r.stderr, fmt.Sprintf("Go on with 'strata pregen '%s''", world)) {
		t.Fatalf("interrupted: %+v", r)
	}
	for _, other := range [][]string{{"--radius", "10"}, {"--until", "full"}, {"--level", "2"}} {
		r := runPregen(t.Context(), fake.open, append([]string{world}, other...)...)
		if r.code != ui.Usage || !strings.Contains(r.stderr, "other settings") || !strings.Contains(r.stderr, "--restart") {
			t.Errorf("%v: %+v", other, r)
		}
	}
	again := pregenJSON(t, ui.OK, fake.open, world)
	if again.Resumed < 100 || again.New+again.Resumed != 361 || again.Until != "noise" {
		t.Errorf("result %+v", again)
	}
	want, got := chunkFiles(t, whole), chunkFiles(t, world)
	if len(want) != len(got) || len(want) == 0 {
		t.Fatalf("%d files, want %d", len(got), len(want))
	}
	for name := range want {
		if want[name] != got[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func TestPregenRestartBeginsAnew(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world")
	fake := new(fakeGenerators)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fake.make = func(region.ChunkPos) error { cancel(); return nil }
	if r := runPregen(ctx, fake.open, world, "--seed", "1", "--radius", "9"); r.code != ui.Interrupted {
		t.Fatalf("%+v", r)
	}
	fake.make = nil
	if r := pregenJSON(t, ui.OK, fake.open, world, "--radius", "1", "--restart"); r.Planned != 9 || r.Resumed != 0 {
		t.Errorf("result %+v", r)
	}
}

func TestPregenListsWhatFailed(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world")
	fake := &fakeGenerators{make: func(c region.ChunkPos) error {
		if c.X == 1 {
			return errors.New("out of cheese\nat line 5")
		}
		return nil
	}}
	r := runPregen(t.Context(), fake.open, world, "--seed", "1", "--radius", "12")
	if r.code != ui.Problems || strings.Count(r.out, "of minecraft:overworld: out of cheese\n") != 20 ||
		!strings.Contains(r.out, "failed: 5 more\n") || !strings.Contains(r.out, "600 new, 0 existing, 25 failed; ") ||
		!strings.Contains(r.stderr, "25 chunks failed") {
		t.Errorf("%+v", r)
	}
	report := pregenJSON(t, ui.Problems, fake.open, world)
	if report.Failed != 25 || len(report.Failures) != 25 || report.Failures[0].X != 1 || report.Resumed != 600 {
		t.Errorf("result %+v", report)
	}
	fake.make = nil
	if report := pregenJSON(t, ui.OK, fake.open, world); report.New != 25 || report.Failed != 0 {
		t.Errorf("result %+v", report)
	}
}

func TestPregenShapesAndDimensions(t *testing.T) {
	folder := t.TempDir()
	world := filepath.Join(folder, "world")
	corners := filepath.Join(folder, "corners.csv")
	if err := os.WriteFile(corners, []byte("x,z\n0,0\n160,0\n0,160\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(folder, "done.png")
	fake := new(fakeGenerators)
	for _, c := range []struct {
		args    string
		planned int64
	}{
		{"--seed 1 --radius 2 --dimension overworld,minecraft:the_nether,the_end --map " + picture, 75},
		{"--radius 40b --center spawn --shape square", 36},
		{"--radius 3,1", 21},
		{"--radius 3 --shape diamond --workers 1 --memory-profile throughput --memory-limit 1.5GiB --nice --rate 100000 --max-load 100", 25},
		{"--polygon " + corners, 55},
		{"--shape existing --dimension the_end", 25},
		{"--upgrade --dimension the_end", 25},
	} {
		r := pregenJSON(t, ui.OK, fake.open, append([]string{world}, strings.Fields(c.args)...)...)
		if r.Planned != c.planned || r.New+r.Existing != c.planned {
			t.Errorf("pregen %s: %+v, want %d", c.args, r, c.planned)
		}
	}
	for _, name := range []string{picture, filepath.Join(folder, "done.the_nether.png"), filepath.Join(folder, "done.the_end.png")} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// A border as the game writes it.
	w, err := anvil.Open(world, anvil.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := w.ReadData("world_border", anvil.Overworld)
	if err == nil {
		doc, err = doc.With(level.WorldBorder{CenterX: 8.5, CenterZ: -100, Size: 90})
	}
	if err == nil {
		err = w.WriteData("world_border", anvil.Overworld, doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// Blocks -37 to 53 and -145 to -56: chunks -3 to 3 and -10 to -4.
	if r := pregenJSON(t, ui.OK, fake.open, world, "--radius", "worldborder"); r.Planned != 49 {
		t.Errorf("worldborder: %+v", r)
	}
	if r := runPregen(t.Context(), fake.open, world, "--radius", "worldborder", "--dimension", "the_end"); r.code != ui.Usage {
		t.Errorf("the border of the end is the game's default: %+v", r)
	}
}

func TestPregenNeedsTheWorldForItself(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world")
	fake := new(fakeGenerators)
	pregenJSON(t, ui.OK, fake.open, world, "--seed", "1", "--radius", "0")
	// Locks of one process do not keep it out itself, so another file handle
	// does: the lock that the game takes.
	w, err := anvil.Open(world, anvil.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if r := runPregen(t.Context(), fake.open, world, "--radius", "1"); r.code != ui.Locked {
		t.Errorf("%+v", r)
	}
}

func TestPregenProgressIsInLinesOfJSON(t *testing.T) {
	world := filepath.Join(t.TempDir(), "world")
	fake := new(fakeGenerators)
	r := runPregen(t.Context(), fake.open, world, "--seed", "1", "--radius", "12", "--rate", "400", "--progress", "json")
	if r.code != ui.OK {
		t.Fatalf("%+v", r)
	}
	numbers := 0
	for line := range strings.Lines(r.stderr) {
		var v struct {
			Label string `json:"label"`
			New   *int64 `json:"new"`
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if v.Label == "pregen" && v.New != nil {
			numbers++
		}
	}
	if numbers == 0 {
		t.Errorf("no numbers:\n%s", r.stderr)
	}
}

func TestPregenAsksWhetherToBeginOnASmallDisk(t *testing.T) {
	for answer, want := range map[string]ui.Code{"y\n": ui.OK, "n\n": ui.Failed, "": ui.Failed} {
		var errs bytes.Buffer
		streams := ui.Streams{
			In: strings.NewReader(answer), Out: io.Discard, Err: &errs, Getenv: func(string) string { return "" },
			InTerminal: true, ErrTerminal: true,
		}
		a := &app{streams: streams}
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		a.flags.Register(set)
		var err error
		if a.console, err = a.flags.Open(streams); err != nil {
			t.Fatal(err)
		}
		err = a.confirmSpace(t.Context(), pregen.Estimate{Needed: 3 << 30, Free: 1 << 30})
		if ui.CodeOf(err) != want || !strings.Contains(errs.String(), "About 3.00 GiB are needed, 1.00 GiB are free.") {
			t.Errorf("answer %q: %v\n%s", answer, err, errs.String())
		}
	}
}
