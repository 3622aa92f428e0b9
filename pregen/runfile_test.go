package pregen

import (
	"maps"
	"path/filepath"
	"testing"

	"strata/anvil"
	"strata/pregen/plan"
	"strata/region"
	"strata/region/vfs"
)

func TestWhatExistedComesBackFromTheRunFile(t *testing.T) {
	var m plan.Mask
	for _, s := range []region.Slot{0, 31, 32, 500, 1023} {
		m.Set(s)
	}
	want := map[region.Pos]plan.Mask{{X: -5, Z: 7}: m, {X: 0, Z: 0}: {3: 9}}
	mem := vfs.NewMem(vfs.MemOptions{})
	r := newRunFile([]setting{{"seed", "1"}})
	r.record(anvil.Nether, want)
	if err := r.write(mem, "run"); err != nil {
		t.Fatal(err)
	}
	again, err := readRunFile(mem.CrashClone(vfs.CrashOptions{}), "run")
	if err != nil || again.ID != r.ID {
		t.Fatalf("run %v: %v", again, err)
	}
	got, err := again.existed(anvil.Nether)
	if err != nil || !maps.Equal(want, got) {
		t.Errorf("existed %v: %v", got, err)
	}
	if none, err := again.existed(anvil.End); err != nil || len(none) != 0 {
		t.Errorf("existed %v: %v", none, err)
	}
}

// FuzzRunFile: any bytes are a run file or an error.
func FuzzRunFile(f *testing.F) {
	f.Add([]byte(`{"format": 1, "id": "77", "settings": [{"name": "seed", "value": "1"}], "existed": {"a:b": {"1,-2": "AAAA"}}}`))
	f.Add([]byte(`{"format": 1, "existed": {"minecraft:overworld": {"x": ""}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		mem := vfs.NewMem(vfs.MemOptions{})
		if err := vfs.MkdirAll(mem, "run", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileSync(mem, filepath.Join("run", runName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := readRunFile(mem, "run")
		if err != nil {
			return
		}
		for dimension := range r.Existed {
			if _, err := r.existed(dimension); err != nil {
				return
			}
		}
		r.compare([]setting{{"seed", "2"}})
		r.adopt([]setting{{"seed", "2"}})
		if err := r.write(mem, "run"); err != nil {
			t.Fatal(err)
		}
	})
}
