package bench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/region/vfs"
)

// smallStorage are options for a run of a second or so in a folder of its own.
func smallStorage(t *testing.T) StorageOptions {
	return StorageOptions{Dir: t.TempDir(), Passes: 2, Chunks: 36, Rewrites: 108, Reads: 50}
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind in the folder: %v, %v", left, err)
	}
}

func TestStorageMeasuresEveryRow(t *testing.T) {
	opts := smallStorage(t)
	disk := vfs.NewFault(vfs.OS())
	opts.fs = disk
	var dir string
	var calls [][2]int
	opts.Began = func(d string) { dir = d }
	opts.Progress = func(done, total int) { calls = append(calls, [2]int{done, total}) }
	report, err := Storage(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, opts.Dir)
	if dir == "" || len(calls) != 11*2+3 || calls[len(calls)-1] != [2]int{25, 25} {
		t.Errorf("began in %q, %d calls of Progress: %v", dir, len(calls), calls)
	}

	var names []string
	for _, r := range report.Rows {
		names = append(names, r.Op+" "+r.Name)
		wantOrdered(t, r)
		passes, chunks := 2, 36
		switch r.Op {
		case "random_rewrite":
			passes = 3
		case "read_under_flush":
			chunks = 25
		}
		if len(r.Samples) != passes || r.Passes != passes || r.Chunks != chunks || r.Bytes <= 0 || r.BytesPerS <= 0 {
			t.Errorf("%s %s: %d passes of %d chunks, %d bytes, %d a second", r.Op, r.Name, r.Passes, r.Chunks, r.Bytes, r.BytesPerS)
		}
	}
	if diff := cmp.Diff([]string{
		"durable_write strata", "durable_write osync", "durable_write strata-each", "durable_write strata-create",
		"durable_rewrite strata", "durable_rewrite osync", "durable_rewrite strata-each",
		"open strata", "open strata-write", "open pread",
		"read strata", "read pread", "inflate strata", "inflate stdlib", "load strata",
		"scan strata", "save strata", "durable_save strata", "random_rewrite strata", "random_rewrite strata-punch", "read_under_flush strata",
	}, names); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantFlushes(t, report, disk)
	wantRatios(t, report)
	// Two passes of four contenders and of both saves, one of save that does
	// not count, the sample, and the three files of the last two ops.
	if want := 36 * (2*4 + 2*2 + 1 + 4); report.Verified != want {
		t.Errorf("%d chunks verified, want %d", report.Verified, want)
	}
	if s := report.Sample; s.Source != "synthetic" || s.Chunks != 36 || s.RawBytes <= s.PayloadBytes || s.SectorBytes < s.PayloadBytes {
		t.Errorf("sample %+v", s)
	}
}

func wantOrdered(t *testing.T, r StorageRow) {
	t.Helper()
	if r.MinNS <= 0 || r.NS < r.MinNS || r.MaxNS < r.NS {
		t.Errorf("%s %s: passes out of order: %v, %v, %v", r.Op, r.Name, r.MinNS, r.NS, r.MaxNS)
	}
	if r.P50NS <= 0 || r.P95NS < r.P50NS || r.P99NS < r.P95NS || r.SlowestNS < r.P99NS {
		t.Errorf("%s %s: single chunks out of order: %v, %v, %v, %v", r.Op, r.Name, r.P50NS, r.P95NS, r.P99NS, r.SlowestNS)
	}
}

func row(t *testing.T, report *StorageReport, op, name string) StorageRow {
	t.Helper()
	i := slices.IndexFunc(report.Rows, func(r StorageRow) bool { return r.Op == op && r.Name == name })
	if i < 0 {
		t.Fatalf("no row %s %s", op, name)
	}
	return report.Rows[i]
}

// wantFlushes checks that the contenders waited for the disk as often as what
// they stand for does: the game twice a chunk, we twice a chunk or a group.
func wantFlushes(t *testing.T, report *StorageReport, disk *vfs.Fault) {
	t.Helper()
	var ours int64
	for _, op := range []string{"durable_write", "durable_rewrite"} {
		for _, name := range []string{"osync", "strata-each"} {
			want := int64(2 * 36)
			if name == "strata-each" && op == "durable_write" {
				want++ // room for the header of a new file
			}
			if got := row(t, report, op, name).Flushes; got != want {
				t.Errorf("%s %s: %d flushes for 36 chunks, want %d", op, name, got, want)
			}
		}
		// The first group begins with the first chunk alone, and on a busy
		// machine chunks are handed over slowly enough for a few more.
		grouped := row(t, report, op, "strata").Flushes
		if grouped < 2*1 || grouped > 2*36/4 {
			t.Errorf("%s strata: %d flushes for 36 chunks that fit one group", op, grouped)
		}
		ours += grouped + 2*36
	}
	// Those of the last pass, all of which went through the file system.
	if seen := int64(disk.Count(vfs.OpSync)); seen < ours {
		t.Errorf("the file system saw %d flushes, the rows of one pass have %d", seen, ours)
	}
	if r := row(t, report, "read_under_flush", "strata"); r.Flushes < 25/readsPerFlush {
		t.Errorf("25 reads began under %d flushes", r.Flushes)
	}
}

func wantRatios(t *testing.T, report *StorageReport) {
	t.Helper()
	for _, r := range report.Rows {
		reference := map[string]string{"durable_write": "osync", "durable_rewrite": "osync", "open": "pread", "read": "pread", "inflate": "stdlib"}[r.Op]
		if reference == r.Name {
			reference = ""
		}
		if r.Reference != reference {
			t.Errorf("%s %s: reference %q, want %q", r.Op, r.Name, r.Reference, reference)
			continue
		}
		if reference == "" {
			continue
		}
		ref := row(t, report, r.Op, reference)
		if want := float64(r.NS) / float64(ref.NS); r.Ratio != want {
			t.Errorf("%s %s: ratio %v, want %v", r.Op, r.Name, r.Ratio, want)
		}
		if want := float64(r.MinNS) / float64(ref.MinNS); r.MinRatio != want {
			t.Errorf("%s %s: ratio of the best passes %v, want %v", r.Op, r.Name, r.MinRatio, want)
		}
	}
	if r := row(t, report, "durable_write", "strata"); r.Goal != DurableGoal {
		t.Errorf("goal %v", r.Goal)
	}
	if r := row(t, report, "scan", "strata"); r.GoalBytesPerS != ScanGoal || r.Bytes != row(t, report, "load", "strata").Bytes {
		t.Errorf("scan %+v", r)
	}
	for _, op := range []string{"load", "save"} {
		if r := row(t, report, op, "strata"); r.Goal != 0 {
			t.Errorf("%s has the goal %v of nothing", op, r.Goal)
		}
	}
	wantSpace(t, report)
	space := row(t, report, "random_rewrite", "strata").Space
	if space == nil || space.Rewrites != 108 || space.FilePerLive < 1 || space.CompactedPerLive != 1 ||
		space.CompactedBytes > space.FileBytes || space.CompactNS <= 0 {
		t.Errorf("space %+v", space)
	}
}

// wantSpace checks the curves of both contenders, who wrote the same, and the map.
func wantSpace(t *testing.T, report *StorageReport) {
	t.Helper()
	kept, punched := row(t, report, "random_rewrite", "strata").Space, row(t, report, "random_rewrite", "strata-punch").Space
	for i, p := range kept.Curve {
		if q := punched.Curve[i]; p.Rewrites != i*36 || q.Rewrites != p.Rewrites || p.LiveBytes != q.LiveBytes || p.FileBytes < p.LiveBytes {
			t.Errorf("point %d: %+v, punched %+v", i, p, q)
		}
	}
	if len(kept.Curve) != 4 || len(punched.Curve) != 4 {
		t.Errorf("%d and %d points for 3 waves", len(kept.Curve), len(punched.Curve))
	}
	if kept.AllocatedBytes > 0 && punched.AllocatedBytes > kept.AllocatedBytes {
		t.Errorf("with holes the file takes %d bytes of the disk, without %d", punched.AllocatedBytes, kept.AllocatedBytes)
	}
	m := kept.Map
	if m == nil || punched.Map != nil || len(m.Before.Chunks) != 36 || len(m.After.Chunks) != 36 || m.After.Free != 0 ||
		int64(m.Before.Sectors)*4096 != kept.FileBytes || int64(m.After.Sectors)*4096 != kept.CompactedBytes {
		t.Errorf("map %+v", m)
	}
}

func TestStorageMeasuresOnACorpus(t *testing.T) {
	opts := smallStorage(t)
	opts.Chunks, opts.CorpusName = 10, "mine.bin.zst"
	for _, nbt := range SyntheticChunks(25) {
		opts.Corpus = append(opts.Corpus, corpus.Chunk{NBT: nbt})
	}
	report, err := Storage(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if s := report.Sample; s.Source != "mine.bin.zst" || s.Chunks != 10 {
		t.Errorf("sample %+v", s)
	}
	if r := row(t, report, "load", "strata"); r.Chunks != 10 || r.Bytes/10 != report.Sample.RawBytes {
		t.Errorf("row of load %+v, sample %+v", r, report.Sample)
	}
	opts.Corpus = nil
	if _, err := Storage(t.Context(), opts); err == nil {
		t.Error("an empty corpus was measured")
	}
}

func TestStorageReportsTheDisksErrors(t *testing.T) {
	for _, rule := range []vfs.Rule{
		{Ops: vfs.OpSync, Nth: 3, Forever: true, Err: syscall.EIO},
		{Ops: vfs.OpWrite, Nth: 40, Forever: true, Err: vfs.ErrNoSpace},
	} {
		opts := smallStorage(t)
		opts.Chunks = 12
		disk := vfs.NewFault(vfs.OS())
		disk.Add(rule)
		opts.fs = disk
		if _, err := Storage(t.Context(), opts); !errors.Is(err, rule.Err) {
			t.Errorf("%v failing: error %v", rule.Ops, err)
		}
		disk.Verify(t)
		wantEmpty(t, opts.Dir)
	}
}

func TestStorageStopsAndCleansUpWhenInterrupted(t *testing.T) {
	for _, stop := range []int{1, 9, 11, 13, 15, 17, 19, 22, 24} { // one in each op
		opts := smallStorage(t)
		opts.Chunks, opts.Rewrites = 4, 12
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		opts.Progress = func(done, _ int) {
			if calls = done; done == stop {
				cancel()
			}
		}
		report, err := Storage(ctx, opts)
		if err != nil {
			t.Fatalf("stopped after pass %d: error %v", stop, err)
		}
		wantFinished(t, report, stop)
		if calls > stop {
			t.Errorf("stopped after pass %d, went on to %d", stop, calls)
		}
		wantEmpty(t, opts.Dir)
		cancel()
	}
}

// wantFinished checks that a report has the passes that were finished when stop of
// them were.
func wantFinished(t *testing.T, report *StorageReport, stop int) {
	t.Helper()
	ops, passes := map[string]int{}, 0
	for _, r := range report.Rows {
		if r.NS <= 0 || r.Passes != len(r.Samples) {
			t.Errorf("stopped after pass %d: row %+v", stop, r)
		}
		switch {
		case r.Op == "durable_write", r.Name == "strata" && r.Op != "inflate" && r.Op != "durable_rewrite":
			ops[r.Op] = r.Passes
			passes += r.Passes
		}
	}
	if !report.Interrupted || passes != stop || !strings.Contains(report.Warnings[0], "interrupted") {
		t.Errorf("stopped after pass %d: interrupted %t, %d passes, warnings %q; passes of ops %v", stop, report.Interrupted, passes, report.Warnings, ops)
	}
	for _, r := range report.Rows {
		if r.Op == "random_rewrite" && (r.Space == nil || len(r.Space.Curve) != r.Passes+1) {
			t.Errorf("stopped after pass %d: space %+v", stop, r.Space)
		}
	}
}

func TestStorageFailsWhenNothingIsFinished(t *testing.T) {
	opts := smallStorage(t)
	opts.Chunks = 4
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts.Began = func(string) { cancel() }
	if _, err := Storage(ctx, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wantEmpty(t, opts.Dir)
}

func TestStorageRefusesOptionsOutOfRange(t *testing.T) {
	for _, tc := range []struct {
		opts StorageOptions
		want RangeError
	}{
		{StorageOptions{Passes: MaxPasses + 1}, RangeError{"passes", MaxPasses + 1, MaxPasses}},
		{StorageOptions{Chunks: 1025}, RangeError{"chunks", 1025, 1024}},
		{StorageOptions{Rewrites: -1}, RangeError{"rewrites", -1, 10_000_000}},
		{StorageOptions{MaxGroup: 1025}, RangeError{"max-group", 1025, 1024}},
		{StorageOptions{Reads: -5}, RangeError{"reads", -5, 1_000_000}},
	} {
		tc.opts.Dir = t.TempDir()
		_, err := Storage(t.Context(), tc.opts)
		got, ok := errors.AsType[*RangeError](err)
		if !ok || *got != tc.want {
			t.Errorf("error %v, want %v", err, &tc.want)
		}
		wantEmpty(t, tc.opts.Dir)
	}
}

func TestStorageFolderIsWhereTheWorkingDirectoryIs(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := makeStorageDir("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil || dir[0] == os.PathSeparator {
		t.Errorf("folder %s: %v", dir, err)
	}
	if _, err := makeStorageDir("absent"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestStorageReportKeepsItsJSONNames lists what scripts may rely on.
func TestStorageReportKeepsItsJSONNames(t *testing.T) {
	text, err := json.Marshal(StorageReport{Rows: []StorageRow{{Reference: "osync", Ratio: 1, MinRatio: 1, Goal: 1, GoalBytesPerS: 1, ProcessNS: 1, PayloadBytes: 1, SectorBytes: 1, Space: &StorageSpace{Map: &RegionMap{}}}},
		Peers: []*PeerInfo{{}}, LeftOut: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	first := report["rows"].([]any)[0].(map[string]any)
	for _, tc := range []struct {
		of   map[string]any
		want []string
	}{
		{report, []string{"environment", "file_system", "interrupted", "left_out", "load", "peers", "rows", "sample", "verified", "warnings"}},
		{report["sample"].(map[string]any), []string{"chunks", "payload_bytes", "raw_bytes", "sector_bytes", "source"}},
		{first, []string{"bytes", "bytes_per_s", "chunks", "clock", "flushes", "goal", "goal_bytes_per_s", "max_ns", "min_ns", "min_ratio",
			"name", "ns", "op", "p50_ns", "p95_ns", "p99_ns", "passes", "payload_bytes", "process_ns", "ratio", "reference", "samples_ns", "sector_bytes", "slowest_ns", "space"}},
		{first["space"].(map[string]any), []string{
			"allocated_bytes", "compact_ns", "compacted_allocated_bytes", "compacted_bytes", "compacted_per_live", "curve",
			"file_bytes", "file_per_live", "live_bytes", "map", "rewrites",
		}},
	} {
		var got []string
		for name := range tc.of {
			got = append(got, name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	}
}
