package scan_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
)

// samples unpacks the sample worlds and opens them, by the names of their
// folders.
func samples(t *testing.T) map[string]*anvil.World {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	worlds := make(map[string]*anvil.World)
	levels, err := filepath.Glob(filepath.Join(dir, "*", "*", "level.dat"))
	if err != nil {
		t.Fatal(err)
	}
	nested, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "level.dat"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(levels, nested) {
		folder := filepath.Dir(name)
		w, err := anvil.Open(folder, anvil.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(dir, folder)
		if err != nil {
			t.Fatal(err)
		}
		worlds[rel] = w
	}
	if len(worlds) < 4 {
		t.Fatalf("found only %d worlds", len(worlds))
	}
	return worlds
}

func TestSummaryOfHeadersIsThatOfInfo(t *testing.T) {
	for name, w := range samples(t) {
		info, err := w.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := scan.Summarize(t.Context(), w, scan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Dimensions) != len(info.Dimensions) || len(got.Failed) > 0 {
			t.Fatalf("%s: %d dimensions, want %d; failed: %v", name, len(got.Dimensions), len(info.Dimensions), got.Failed)
		}
		for i, d := range info.Dimensions {
			for kind, want := range map[store.Kind]anvil.FolderInfo{store.Chunks: d.Region, store.Entities: d.Entities, store.POI: d.POI} {
				have := got.Dimensions[i].Of(kind)
				if have.Regions != want.Regions || have.Chunks != int64(want.Chunks) || have.External != want.External || have.Bytes != want.Bytes {
					t.Errorf("%s, %s, %v: %+v, want %+v", name, d.ID, kind, have, want)
				}
			}
		}
	}
}

func TestDeepSummaryAddsUp(t *testing.T) {
	statuses := make(map[string]int64)
	for name, w := range samples(t) {
		got, err := scan.Summarize(t.Context(), w, scan.Options{Depth: scan.Documents, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range got.Dimensions {
			for _, kind := range []store.Kind{store.Chunks, store.Entities, store.POI} {
				checkSums(t, name+" "+d.ID, kind, d.Of(kind))
			}
			for status, n := range d.Chunks.Statuses {
				statuses[status] += n
			}
		}
		if got.Took.Bytes == 0 || got.Took.Duration <= 0 {
			t.Errorf("%s: took %+v", name, got.Took)
		}
	}
	if statuses["minecraft:full"] == 0 || len(statuses) < 4 {
		t.Errorf("statuses %v", statuses)
	}
}

// checkSums compares counts of a folder that come from different places.
func checkSums(t *testing.T, name string, kind store.Kind, f *scan.Folder) {
	t.Helper()
	sum := func(counts map[string]int64) (n int64) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	versions := int64(0)
	for _, n := range f.DataVersions {
		versions += n
	}
	if readable := f.Chunks - f.Unreadable; sum(f.Schemes) != readable || versions != readable || kind == store.Chunks && sum(f.Statuses) != readable {
		t.Errorf("%s, %v: %d readable chunks, schemes %v, versions %v, statuses %v", name, kind, readable, f.Schemes, f.DataVersions, f.Statuses)
	}
	// Headers, payloads, padding and free sectors are the whole file, but for
	// padding that is not there at the end of an unpadded one.
	whole := int64(f.Regions-f.Empty)*region.HeaderBytes + f.PayloadBytes + f.PaddingBytes + f.FreeBytes
	if slack := whole - f.Bytes; f.External == 0 && (slack < 0 || slack > int64(f.Regions)*region.HeaderBytes) {
		t.Errorf("%s, %v: parts are %d bytes, files %d", name, kind, whole, f.Bytes)
	}
}

func TestRunDeliversInOrderAndStops(t *testing.T) {
	files := make([]scan.File, 200)
	for i := range files {
		files[i].Pos = region.Pos{X: int32(i)}
	}
	read := func(_ context.Context, _ *scan.Reader, f scan.File) (int32, error) {
		if f.Pos.X == 77 {
			return 0, os.ErrPermission
		}
		return f.Pos.X, nil
	}
	next := int32(0)
	err := scan.Run(t.Context(), files, 3, read, func(f scan.File, result int32, err error) error {
		if f.Pos.X != next || (err != nil) != (next == 77) || err == nil && result != next {
			t.Errorf("file %d: %d, %v as number %d", f.Pos.X, result, err, next)
		}
		next++
		return nil
	})
	if err != nil || next != 200 {
		t.Errorf("%d files, %v", next, err)
	}
	full := errors.New("full")
	err = scan.Run(t.Context(), files, 3, read, func(f scan.File, _ int32, _ error) error {
		if f.Pos.X == 50 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("a run that deliver ends: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = scan.Run(ctx, files, 3, read, func(f scan.File, _ int32, _ error) error {
		if f.Pos.X == 20 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is canceled: %v", err)
	}
}

func TestDamagedRecordsAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w, err := anvil.Create(path, anvil.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	d, err := w.Dimension(anvil.Overworld)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(d.Region, 0o777); err != nil {
		t.Fatal(err)
	}
	// Slot 3 names sector 2, which is not there; slot 9 one of zeros.
	file := make([]byte, 4*region.SectorBytes)
	file[3*4+2], file[3*4+3] = 9, 1
	file[9*4+2], file[9*4+3] = 2, 1
	if err := os.WriteFile(filepath.Join(d.Region, "r.0.0.mca"), file, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.Region, "r.1.0.mca"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := scan.Summarize(t.Context(), w, scan.Options{Depth: scan.Documents, Dimensions: []string{anvil.Overworld}})
	if err != nil {
		t.Fatal(err)
	}
	f := got.Dimensions[0].Chunks
	if f.Regions != 2 || f.Empty != 1 || f.Chunks != 2 || f.Unreadable != 2 || f.FreeBytes != region.SectorBytes {
		t.Errorf("%+v", f)
	}
}
