package report

import (
	"encoding/json"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/bench"
	"strata/bench/backup"
	"strata/bench/worldgen"
)

// hostile is a name that would be markup.
const hostile = `<script src="https://example.com/x.js">|*x*`

var (
	course  = bench.Course{Warnings: []string{"interrupted: " + hostile}, Interrupted: true}
	samples = []time.Duration{90, 100, 130}
)

func codecReport() *bench.CodecReport {
	r := &bench.CodecReport{Course: course, Chunks: 2, NBTBytes: 40000, Passes: 3}
	for i, name := range []string{"strata", "stdlib", "klauspost"} {
		for k, level := range []bench.LevelName{"1", "6"} {
			ns := time.Duration(100_000 * (i + 1) * (k + 1))
			r.Rows = append(r.Rows, bench.CodecRow{
				Name: name, Level: level, Kind: "full", Passes: 3, PayloadBytes: 7000 - float64(1000*k), SectorBytes: 8192 - float64(100*k),
				CompressNS: ns, CompressMinNS: ns - 5, CompressMaxNS: ns + 5, CompressSamples: samples, DecompressNS: ns / 4, DecompressSamples: samples,
			})
		}
		r.Inflate = append(r.Inflate, bench.InflateRow{Name: name, Streams: "stdlib 6", Passes: 3, NS: 50_000, MinNS: 40_000, MaxNS: 60_000, Samples: samples})
	}
	return r
}

func nbtReport() *bench.NBTReport {
	r := &bench.NBTReport{
		Course: course, Sample: bench.NBTSample{Source: hostile, Chunks: 3, Bytes: 40000, Tags: 700}, Passes: 3,
		Peer: &bench.PeerInfo{Name: hostile, Version: "v1", LeftOut: []string{"nbt/marshal: too much work"}},
	}
	for _, op := range []string{"walk", "unmarshal", "edit"} {
		r.Rows = append(r.Rows,
			bench.NBTRow{Name: "strata", Op: op, NS: 5000, MinNS: 4000, MaxNS: 9000, Samples: samples, Reference: hostile, Ratio: 0.25, Goal: 0.3},
			bench.NBTRow{Name: hostile, Op: op, NS: 20000, MinNS: 18000, MaxNS: 900000, Samples: samples})
	}
	return r
}

func storageReport() *bench.StorageReport {
	r := &bench.StorageReport{
		Course: course, FileSystem: "tmpfs", Sample: bench.StorageSample{Source: hostile, Chunks: 3, RawBytes: 40000, PayloadBytes: 6000, SectorBytes: 8192},
		LeftOut: []string{"load: " + hostile},
	}
	for _, op := range []string{"durable_write", "open", "read", "load", "save", "random_rewrite"} {
		r.Rows = append(r.Rows, bench.StorageRow{Name: "strata", Op: op, NS: 5000, MinNS: 4000, MaxNS: 9000, Samples: samples, Reference: hostile, Ratio: 0.25})
	}
	space := &bench.StorageSpace{
		Rewrites: 20, FileBytes: 120, LiveBytes: 100, AllocatedBytes: 110,
		Curve: []bench.SpacePoint{{LiveBytes: 100, FileBytes: 100, AllocatedBytes: 100}, {Rewrites: 20, LiveBytes: 100, FileBytes: 120, AllocatedBytes: 110}},
		Map: &bench.RegionMap{
			Name:   "r.0.0.mca",
			Before: bench.SectorMap{Sectors: 20, Free: 8, Chunks: []bench.SectorRun{{First: 2, Count: 10}}},
			After:  bench.SectorMap{Sectors: 12, Chunks: []bench.SectorRun{{First: 2, Count: 10}}},
		},
	}
	r.Rows[5].Space = space
	punched := *space
	punched.Map = nil
	r.Rows = append(r.Rows, bench.StorageRow{Name: "strata-punch", Op: "random_rewrite", NS: 5000, Samples: samples, Space: &punched})
	return r
}

func backupReport() *backup.Report {
	r := &backup.Report{Course: course, History: hostile, Missing: []string{"restic"}}
	r.Saves = []backup.Save{{Name: "save-1", Bytes: 4e6, Budget: 1e6}, {Name: hostile, Bytes: 4e6, Budget: 1e6}}
	for i, name := range []string{"tree", "repo", "rsync"} {
		r.Rows = append(r.Rows, backup.Row{
			Name: name, Version: hostile, Bytes: int64(3e6 * (i + 1)), CreateNS: 3e9, RepeatNS: 5e7, RepeatSamples: []int64{4e7, 5e7, 9e7}, RestoreNS: 1e8,
			Equal: "bytes", Creates: []int64{2e9, 1e9}, Added: []int64{2e6, 1e6},
		})
	}
	return r
}

func worldgenReport() *worldgen.Report {
	r := &worldgen.Report{Course: course, Seeds: []int64{5}, Radius: 1, Until: "full", Passes: 3}
	for _, dimension := range []string{"minecraft:overworld", hostile} {
		for _, stage := range []string{"biomes", "noise", worldgen.Total} {
			r.Rows = append(r.Rows, worldgen.Row{Stage: stage, Dimension: dimension, Workers: 2, Chunks: 9, CPU: 5e6, Samples: samples, ChunksPerS: 8})
		}
	}
	return r
}

// documents are a report of each sort, and what its charts are called.
var documents = []struct {
	name   string
	result any
	write  func(dir string, o Options) error
	charts []string
	units  []string // that the charts say
}{
	{
		"codec", codecReport(), func(dir string, o Options) error { return WriteCodec(dir, hostile, codecReport(), o) },
		[]string{"compress", "inflate", "size-time"},
		[]string{"time a chunk, CPU, µs", "0.25 × stdlib 6", "KiB (mean)"},
	},
	{
		"nbt", nbtReport(), func(dir string, o Options) error { return WriteNBT(dir, nbtReport(), o) },
		[]string{"tape", "values"},
		[]string{"time a chunk, CPU, µs", "slowest pass 900 µs"},
	},
	{
		"storage", storageReport(), func(dir string, o Options) error { return WriteStorage(dir, storageReport(), o) },
		[]string{"durable", "fragmentation", "open", "reads", "save", "sectors-after", "sectors-before"},
		[]string{"time a chunk, wall clock, µs", "size, to the sectors in use", "r.0.0.mca now: 20 sectors, 8 free", "offset of the row, MiB"},
	},
	{
		"backup", backupReport(), func(dir string, o Options) error { return WriteBackup(dir, backupReport(), o) },
		[]string{"added", "create", "repeat", "restore", "store"},
		[]string{"size of the store, MB", "time by the wall clock, ms", "1.00 × rsync"},
	},
	{
		"worldgen", worldgenReport(), func(dir string, o Options) error { return WriteWorldgen(dir, worldgenReport(), o) },
		[]string{"rate", "stages"},
		[]string{"CPU time a chunk, ms", "8.00 chunks/s"},
	},
}

func TestEveryReportIsWhole(t *testing.T) {
	for _, tt := range documents {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := tt.write(dir, Options{PNG: true}); err != nil {
				t.Fatal(err)
			}
			page := readFile(t, dir, PageName)
			wantWholePage(t, page, len(tt.charts))
			for _, text := range append(tt.units, "&lt;script src=", "<b>Warning:</b> interrupted: ") {
				if !strings.Contains(page, text) {
					t.Errorf("the page does not say %q", text)
				}
			}
			wantTables(t, readFile(t, dir, MarkdownName))
			var pictures []string
			files, err := filepath.Glob(filepath.Join(dir, "*.png"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				name := filepath.Base(file)
				if _, err := png.Decode(strings.NewReader(readFile(t, dir, name))); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				pictures = append(pictures, strings.TrimSuffix(name, ".png"))
			}
			slices.Sort(pictures)
			if diff := cmp.Diff(tt.charts, pictures); diff != "" {
				t.Errorf("pictures (-want +got):\n%s", diff)
			}
			text, err := json.Marshal(tt.result)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(readFile(t, dir, JSONName)), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			if _, err := bench.LoadResult(filepath.Join(dir, JSONName)); err != nil {
				t.Errorf("it cannot be compared: %v", err)
			}
		})
	}
}

// wantTables checks that the rows of each table have as many cells as its head.
func wantTables(t *testing.T, text string) {
	t.Helper()
	cells, rows := 0, 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells == 0 {
			cells = n
		}
		if rows++; n != cells {
			t.Errorf("a row of %d cells below %d: %s", n-1, cells-1, line)
		}
		if strings.Contains(line, "<script") {
			t.Errorf("markup in %s", line)
		}
	}
	if rows < 4 || !strings.Contains(text, "> **Warning:** interrupted") {
		t.Errorf("%d rows of tables in\n%s", rows, text)
	}
}

// A run may be interrupted when there is hardly anything.
func TestReportsOfNearlyNothingAreWritten(t *testing.T) {
	for name, write := range map[string]func(dir string) error{
		"codec":    func(dir string) error { return WriteCodec(dir, "x", &bench.CodecReport{}, Options{PNG: true}) },
		"nbt":      func(dir string) error { return WriteNBT(dir, &bench.NBTReport{}, Options{PNG: true}) },
		"storage":  func(dir string) error { return WriteStorage(dir, &bench.StorageReport{}, Options{PNG: true}) },
		"backup":   func(dir string) error { return WriteBackup(dir, &backup.Report{}, Options{PNG: true}) },
		"worldgen": func(dir string) error { return WriteWorldgen(dir, &worldgen.Report{}, Options{PNG: true}) },
	} {
		if err := write(filepath.Join(t.TempDir(), name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
