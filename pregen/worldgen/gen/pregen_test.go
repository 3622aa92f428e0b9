package gen_test

import (
	"os"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/gen"
)

// pregenerate makes the chunks of a new world around the origin, and returns
// the files below its dimensions.
func pregenerate(t *testing.T, radius int32, ids []string, options pregen.Options) (files map[string]string, report *pregen.Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world")
	w, err := anvil.Create(path, anvil.CreateOptions{Seed: 1234, NoStructures: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, err = anvil.Open(path, anvil.Options{}); err != nil {
		t.Fatal(err)
	}
	generators, _, err := gen.Open(w, gen.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer generators.Close()
	opened, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(opened, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	area, err := plan.NewArea(plan.Square, plan.Block{}, plan.Radius{X: radius, Z: radius})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		g, err := generators.NewGenerator(id, chunk.StatusCarvers, chunk.NewTables())
		if err != nil {
			t.Fatal(err)
		}
		options.Targets = append(options.Targets, pregen.Target{Dimension: id, Area: area, Generator: g})
	}
	options.Until, options.Seed = chunk.StatusCarvers, 1234
	if report, err = pregen.Run(t.Context(), st, options); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	files = make(map[string]string)
	root := filepath.Join(path, "dimensions")
	err = filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
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
	return files, report
}

func TestRegionsDoNotDependOnWorkersAndOrder(t *testing.T) {
	ids := []string{anvil.Overworld, anvil.Nether, anvil.End}
	want, report := pregenerate(t, 5, ids, pregen.Options{Workers: 1})
	if report.New != 3*11*11 || report.Failed != 0 || len(want) < 3*4 {
		t.Fatalf("%+v, %d files", report, len(want))
	}
	t.Logf("%d chunks, %v CPU a chunk, %d bytes", report.New, report.CPUPerChunk(), report.Bytes)
	for _, o := range []pregen.Options{{Workers: 3}, {Workers: 2, Order: plan.Spiral}} {
		got, _ := pregenerate(t, 5, ids, o)
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
