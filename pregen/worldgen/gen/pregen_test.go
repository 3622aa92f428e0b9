package gen_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure/all"
)

// pregenerate makes the chunks of a new world around the origin, and returns
// the files below its dimensions.
func pregenerate(t *testing.T, radius int32, ids []string, options pregen.Options) (files map[string]string, report *pregen.Report) {
	t.Helper()
	path := newWorldFolder(t)
	report, err := runPregen(t, t.Context(), path, radius, ids, options)
	if err != nil {
		t.Fatal(err)
	}
	return worldFiles(t, path), report
}

// newWorldFolder makes a world without chunks.
func newWorldFolder(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world")
	w, err := anvil.Create(path, anvil.CreateOptions{Seed: 1234, NoStructures: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// pregenRun is a run over squares around the origin.
type pregenRun struct {
	radius  int32
	ids     []string
	options pregen.Options
	open    gen.OpenOptions
	alter   func(*gen.Generator) // nil for none
	// structures has open.Structures asked for in a world without.
	structures bool
}

// runPregen makes the chunks of squares.
func runPregen(t *testing.T, ctx context.Context, path string, radius int32, ids []string, options pregen.Options) (*pregen.Report, error) {
	t.Helper()
	run := pregenRun{radius: radius, ids: ids, options: options}
	return run.in(t, ctx, path)
}

// in runs in a world. What is wrong with that fails the test, the error is the
// run's.
func (r pregenRun) in(t *testing.T, ctx context.Context, path string) (*pregen.Report, error) {
	t.Helper()
	report, err := r.run(ctx, path)
	if report == nil {
		t.Fatal(err)
	}
	return report, err
}

// run runs in a world.
func (r pregenRun) run(ctx context.Context, path string) (report *pregen.Report, err error) {
	w, err := anvil.Open(path, anvil.Options{})
	if err != nil {
		return nil, err
	}
	generators, _, err := gen.Open(w, r.open)
	if err != nil {
		return nil, err
	}
	defer generators.Close()
	if r.structures {
		generators.Preset().Structures = true
	}
	opened, err := store.WorldOf(w)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(opened, store.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	area, err := plan.NewArea(plan.Square, plan.Block{}, plan.Radius{X: r.radius, Z: r.radius})
	if err != nil {
		return nil, err
	}
	options := r.options
	if options.Until == chunk.StatusUnknown {
		options.Until = chunk.StatusFull
	}
	options.Tables = chunk.NewTables()
	for _, id := range r.ids {
		g, err := generators.NewGenerator(id, options.Until, options.Tables)
		if err != nil {
			return nil, err
		}
		if r.alter != nil {
			r.alter(g)
		}
		options.Targets = append(options.Targets, pregen.Target{Dimension: id, Area: area, Generator: g})
	}
	options.Seed = 1234
	return pregen.Run(ctx, st, options)
}

// worldFiles are the files below a world's dimensions, by name.
func worldFiles(t *testing.T, path string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	root := filepath.Join(path, "dimensions")
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[name[len(root):]] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// long reports whether tests have minutes.
func long() bool { return os.Getenv("STRATA_LONG_RUNS") != "" }

func TestRegionsDoNotDependOnWorkersAndOrder(t *testing.T) {
	ids := []string{anvil.Overworld, anvil.Nether, anvil.End}
	radius := int32(1)
	if long() {
		radius = 12
	}
	want, report := pregenerate(t, radius, ids, pregen.Options{Workers: 1})
	side := int64(2*radius + 1)
	if report.New != 3*side*side || report.Failed != 0 || report.Rim < 3*(4*side+4) || len(want) < 3*4 {
		t.Fatalf("%+v, %d files", report, len(want))
	}
	t.Logf("%d chunks, %v CPU a chunk, %d bytes", report.New, report.CPUPerChunk(), report.Bytes)
	for _, o := range []pregen.Options{{Workers: 3}, {Workers: 2, Order: plan.Spiral}} {
		got, _ := pregenerate(t, radius, ids, o)
		for name, data := range want {
			if got[name] != data {
				t.Errorf("%d workers, order %s: %s differs", o.Workers, o.Order, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d files, want %d", len(got), len(want))
		}
	}
}

// Pieces of structures reach over many chunks, and some settle their height when
// they are first placed.
func TestStructuresDoNotDependOnWorkersAndOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs: not under -short")
	}
	run := pregenRun{
		radius: 2, ids: []string{anvil.Overworld}, structures: true,
		open: gen.OpenOptions{Structures: all.New, WithoutTemplates: true},
	}
	if long() {
		run.radius = 16
	}
	var want map[string]string
	for _, o := range []pregen.Options{{Workers: 1}, {Workers: 3, Order: plan.Spiral}} {
		path := newWorldFolder(t)
		run.options = o
		if _, err := run.in(t, t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = worldFiles(t, path)
			references := 0
			for _, c := range chunks(t, path, "overworld") {
				list, err := c.StructureReferences()
				if err != nil {
					t.Fatal(err)
				}
				references += len(list)
			}
			if references == 0 {
				t.Error("no structure is near")
			}
			continue
		}
		got := worldFiles(t, path)
		for name, data := range want {
			if got[name] != data {
				t.Errorf("%d workers: %s differs", o.Workers, name)
			}
		}
	}
}

// What workers keep between tiles may be little: then it is made again.
func TestRegionsDoNotDependOnMemory(t *testing.T) {
	radius := int32(5)
	if long() {
		radius = 12
	}
	ids := []string{anvil.End}
	want, _ := pregenerate(t, radius, ids, pregen.Options{Workers: 1})
	gen.SetKeep(t, 4<<20)
	got, report := pregenerate(t, radius, ids, pregen.Options{Workers: 2, Profile: pregen.Throughput})
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s differs", name)
		}
	}
	t.Logf("%v CPU a chunk", report.CPUPerChunk())
}
