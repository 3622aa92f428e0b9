package bench

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
)

func nbtSample(n int) (chunks []corpus.Chunk) {
	for _, raw := range SyntheticChunks(n) {
		chunks = append(chunks, corpus.Chunk{NBT: raw})
	}
	return chunks
}

// nbtRows are the names of our rows, and of all with a peer.
var (
	ourNBTRows = []string{
		"walk  strata", "skip  strata", "unmarshal typed strata", "unmarshal any strata",
		"marshal typed strata", "marshal any strata", "edit  strata",
	}
	allNBTRows = []string{
		"walk  strata", "skip  strata", "unmarshal typed strata", "unmarshal typed fake",
		"unmarshal any strata", "unmarshal any fake",
		"marshal typed strata", "marshal any strata", "marshal any fake", "edit  strata",
	}
)

func nbtRowNames(report *NBTReport) (names []string) {
	for _, r := range report.Rows {
		names = append(names, r.Op+" "+r.Form+" "+r.Name)
	}
	return names
}

func TestNBTMeasuresEveryRow(t *testing.T) {
	var calls [][2]int
	report, err := NBT(t.Context(), nbtSample(4), NBTOptions{
		Passes: 3, Source: "mine", Progress: func(done, total int) { calls = append(calls, [2]int{done, total}) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ourNBTRows, nbtRowNames(report)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, r := range report.Rows {
		if r.MinNS <= 0 || r.NS < r.MinNS || r.MaxNS < r.NS || r.Passes != 3 || r.Chunks != 4 || r.Clock != threadClockKind {
			t.Errorf("row %+v", r)
		}
		if r.Bytes <= 0 || r.BytesPerS <= 0 || r.Reference != "" || r.Ratio != 0 || r.Goal != 0 {
			t.Errorf("without a peer: row %+v", r)
		}
		if (r.Op == "walk" || r.Op == "skip") != (r.GoalNS > 0) {
			t.Errorf("%s: goal %v", r.Op, r.GoalNS)
		}
	}
	if s := report.Sample; s.Source != "mine" || s.Chunks != 4 || s.Full != 4 || s.Tags < 100 || s.Bytes < 10_000 {
		t.Errorf("sample %+v", s)
	}
	if last := calls[len(calls)-1]; len(calls) != 7*4 || last != [2]int{28, 28} || report.Peer != nil || report.Passes != 3 {
		t.Errorf("%d progress calls, the last %v; peer %v", len(calls), last, report.Peer)
	}
}

func TestNBTReadsAndEditsWithoutAllocating(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	report, err := NBT(t.Context(), nbtSample(20), NBTOptions{Passes: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"walk", "skip", "edit"} {
		if r := report.Row("strata", op, ""); r.Allocs != 0 || r.AllocBytes != 0 {
			t.Errorf("%s: %v allocations of %v bytes", op, r.Allocs, r.AllocBytes)
		}
	}
	// A new struct with 24 sections cannot come from nowhere.
	if r := report.Row("strata", "unmarshal", "typed"); r.Allocs < 10 || r.AllocBytes < 10_000 {
		t.Errorf("unmarshal: %v allocations of %v bytes", r.Allocs, r.AllocBytes)
	}
}

func TestNBTComparesWithThePeer(t *testing.T) {
	p, err := startFakePeer(t, t.Context(), "able")
	if err != nil {
		t.Fatal(err)
	}
	report, err := NBT(t.Context(), nbtSample(2), NBTOptions{Passes: 2, Peers: p})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allNBTRows, nbtRowNames(report)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&PeerInfo{Name: "fake", Version: "v7", Go: "go9"}, report.Peer); diff != "" {
		t.Errorf("peer (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		op, form, reference string
		goal                float64
	}{
		{"unmarshal", "typed", "typed", NBTUnmarshalGoal},
		{"unmarshal", "any", "any", 0},
		{"marshal", "typed", "any", NBTMarshalGoal},
		{"marshal", "any", "any", NBTMarshalGoal},
	} {
		ours, theirs := report.Row("strata", tt.op, tt.form), report.Row("fake", tt.op, tt.reference)
		if theirs.NS != 2 || theirs.Clock != clockWall || theirs.Passes != 2 || theirs.Reference != "" { // 5 ns a pass of 2
			t.Errorf("row %+v", theirs)
		}
		if ours.Reference != "fake" || ours.ReferenceForm != tt.reference || ours.Goal != tt.goal ||
			ours.Ratio != float64(ours.NS)/2 || ours.MinRatio != float64(ours.MinNS)/2 {
			t.Errorf("row %+v", ours)
		}
	}
}

func TestNBTLeavesOutWhatThePeerRefuses(t *testing.T) {
	p, err := startFakePeer(t, t.Context(), "picky")
	if err != nil {
		t.Fatal(err)
	}
	var last [2]int
	report, err := NBT(t.Context(), nbtSample(2), NBTOptions{
		Passes: 1, Peers: p, Progress: func(done, total int) { last = [2]int{done, total} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"nbt/marshal: too much work"}, report.Peer.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	want := slices.DeleteFunc(slices.Clone(allNBTRows), func(name string) bool { return name == "marshal any fake" })
	if diff := cmp.Diff(want, nbtRowNames(report)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if r := report.Row("strata", "marshal", "any"); r.Reference != "" || r.Goal != 0 {
		t.Errorf("row %+v", r)
	}
	if last != [2]int{18, 18} {
		t.Errorf("progress ended at %v", last)
	}
}

func TestNBTEndsWithALostPeer(t *testing.T) {
	p, err := startFakePeer(t, t.Context(), "quitter")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NBT(t.Context(), nbtSample(2), NBTOptions{Passes: 1, Peers: p}); err == nil || !strings.Contains(err.Error(), "peer fake: ") {
		t.Errorf("error %v", err)
	}
}

// spoiled does what its task does, and spoils what came out.
type spoiled struct {
	nbtTask
	spoil func(i int)
}

func (s spoiled) do(i int) (int, error) {
	n, err := s.nbtTask.do(i)
	s.spoil(i)
	return n, err
}

// idle does nothing in passes that nobody checks.
type idle struct {
	nbtTask
	checked bool
}

func (t *idle) verify(i int) error {
	t.checked = t.checked || i == 1
	return t.nbtTask.verify(i)
}

func (t *idle) do(i int) (int, error) {
	if t.checked {
		return 0, nil
	}
	return t.nbtTask.do(i)
}

func newTestNBTRun(t *testing.T) *nbtRun {
	t.Helper()
	r, err := newNBTRun(SyntheticChunks(2), NBTOptions{Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// spoilers spoil what the task of each of our rows makes.
var spoilers = map[string][]func(task nbtTask, i int){
	"walk": {func(task nbtTask, _ int) {
		w := task.(*walkTask)
		_ = w.tape.Parse([]byte{10, 0, 0, 0}) // an empty one
	}},
	"skip": {
		func(task nbtTask, _ int) { task.(*skipTask).got.z++ },
		func(task nbtTask, _ int) { task.(*skipTask).got.status = []byte("minecraft:noise") },
	},
	"unmarshal typed": {
		func(task nbtTask, _ int) { task.(*typedTask).last.LastUpdate++ },
		func(task nbtTask, _ int) { task.(*typedTask).last.Structures = nbt.Raw{} },
		func(task nbtTask, _ int) { task.(*typedTask).last.Heightmaps["WORLD_SURFACE"][3]++ },
		func(task nbtTask, _ int) { task.(*typedTask).last.BlockEntities = make([]nbt.Raw, 1) },
		func(task nbtTask, _ int) { task.(*typedTask).last.Sections[3].Biomes.Palette[0] += "_hills" },
		func(task nbtTask, _ int) { task.(*typedTask).last.Sections[3].BlockStates.Palette[0].Name = "stone" },
		func(task nbtTask, _ int) { task.(*typedTask).last.Sections[3].BlockStates.Data[200] ^= 1 },
		func(task nbtTask, _ int) { task.(*typedTask).last.Sections[20].SkyLight = []byte{1} },
	},
	"unmarshal any": {
		func(task nbtTask, _ int) {
			root := task.(*anyTask).last.(nbt.Compound)
			root.Delete("Status")
			task.(*anyTask).last = root
		},
		func(task nbtTask, _ int) {
			v, _ := task.(*anyTask).last.(nbt.Compound).Get("sections")
			v.(nbt.List).Items[2] = nbt.Compound{}
		},
	},
	"marshal typed": {spoilOutput},
	"marshal any":   {spoilOutput, func(task nbtTask, _ int) { m := task.(*marshalTask); m.buf = m.buf[:len(m.buf)-1] }},
	"edit": {
		func(task nbtTask, _ int) { e := task.(*editTask); e.buf[len(e.buf)/2] ^= 0x10 },
		func(task nbtTask, i int) { e := task.(*editTask); e.buf = append(e.buf[:0], e.chunks[i]...) },
	},
}

// spoilOutput changes something in the data of a section.
func spoilOutput(task nbtTask, _ int) {
	m := task.(*marshalTask)
	m.buf[len(m.buf)/2] ^= 0x10
}

func TestNBTRefusesToTimeWrongResults(t *testing.T) {
	for _, row := range newTestNBTRun(t).rows {
		name := strings.TrimSpace(row.row.Op + " " + row.row.Form)
		if len(spoilers[name]) == 0 {
			t.Errorf("nothing spoils %s", name)
		}
		for k, spoil := range spoilers[name] {
			r := newTestNBTRun(t)
			i := slices.IndexFunc(r.rows, func(s *nbtSeries) bool { return s.row.Op == row.row.Op && s.row.Form == row.row.Form })
			task := r.rows[i].task
			r.rows[i].task = spoiled{task, func(i int) { spoil(task, i) }}
			if _, err := r.run(t.Context()); !errors.Is(err, errWrong) {
				t.Errorf("%s, spoiled in way %d: error %v", name, k, err)
			}
		}
	}
}

func TestNBTRefusesToTimeLessWork(t *testing.T) {
	for i := range newTestNBTRun(t).rows {
		r := newTestNBTRun(t)
		r.rows[i].task = &idle{nbtTask: r.rows[i].task}
		if _, err := r.run(t.Context()); !errors.Is(err, errWrong) {
			t.Errorf("%s %s that does nothing: error %v", r.rows[i].row.Op, r.rows[i].row.Form, err)
		}
	}
}

func TestNBTStopsWithItsContext(t *testing.T) {
	for _, stop := range []int{1, 7, 9, 17} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		report, err := NBT(ctx, nbtSample(2), NBTOptions{Passes: 100, Progress: func(int, int) {
			if calls++; calls == stop {
				cancel()
			}
		}})
		finished := stop - 7 // the first pass of each row does not count
		if calls > stop || finished <= 0 && !errors.Is(err, context.Canceled) || finished > 0 && err != nil {
			t.Errorf("got %v after %d passes, not %d", err, calls, stop)
		}
		if finished > 0 && err == nil {
			samples := 0
			for _, row := range report.Rows {
				if samples += len(row.Samples); row.NS <= 0 || row.Passes != len(row.Samples) {
					t.Errorf("row %+v", row)
				}
			}
			if !report.Interrupted || samples != finished || len(report.Rows) != min(7, finished) || !strings.Contains(report.Warnings[0], "interrupted") {
				t.Errorf("interrupted %t, %d samples in %d rows, want %d; warnings %q", report.Interrupted, samples, len(report.Rows), finished, report.Warnings)
			}
		}
		cancel()
	}
}

func TestNBTRefusesWhatItCannotMeasure(t *testing.T) {
	for _, tt := range []struct {
		opts NBTOptions
		want RangeError
	}{
		{NBTOptions{Passes: -1}, RangeError{"passes", -1, MaxPasses}},
		{NBTOptions{Passes: MaxPasses + 1}, RangeError{"passes", MaxPasses + 1, MaxPasses}},
		{NBTOptions{Chunks: -1}, RangeError{"chunks", -1, MaxNBTChunks}},
		{NBTOptions{Chunks: MaxNBTChunks + 1}, RangeError{"chunks", MaxNBTChunks + 1, MaxNBTChunks}},
	} {
		_, err := NBT(t.Context(), nbtSample(1), tt.opts)
		if wrong, ok := errors.AsType[*RangeError](err); !ok || *wrong != tt.want {
			t.Errorf("%+v: error %v", tt.want, err)
		}
	}
	if _, err := NBT(t.Context(), nil, NBTOptions{}); err == nil {
		t.Error("no chunks: no error")
	}
	list := corpus.Chunk{NBT: []byte{9, 0, 0, 0, 0, 0, 0, 0}}
	for name, bad := range map[string]corpus.Chunk{"damaged": {NBT: []byte{10, 0, 0, 1}}, "empty": {}, "a list": list} {
		_, err := NBT(t.Context(), append(nbtSample(1), bad), NBTOptions{Passes: 1})
		if err == nil || !strings.Contains(err.Error(), "chunk 1: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Documents that are no full chunks, such as those of entities, are measured
// too, but the goals are not theirs.
func TestNBTMeasuresOtherDocuments(t *testing.T) {
	entities, err := nbt.Marshal(nbt.Compound{
		{Name: "Position", Value: []int32{3, -4}},
		{Name: "Entities", Value: nbt.List{Elem: nbt.TypeCompound, Items: []any{
			nbt.Compound{{Name: "id", Value: "minecraft:cow"}, {Name: "Pos", Value: nbt.List{Elem: nbt.TypeDouble, Items: []any{1.5, 2.5, -3.25}}}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := NBT(t.Context(), []corpus.Chunk{{NBT: entities}}, NBTOptions{Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Rows) != len(ourNBTRows) || report.Sample.Full != 0 {
		t.Errorf("%d rows, sample %+v", len(report.Rows), report.Sample)
	}
	for _, r := range report.Rows {
		if r.GoalNS != 0 {
			t.Errorf("%s has goal %v", r.Op, r.GoalNS)
		}
	}
}

func TestTagsAreCountedAsTheyStand(t *testing.T) {
	type v = nbt.Compound
	list := func(kind nbt.Type, items ...any) nbt.List { return nbt.List{Elem: kind, Items: items} }
	for _, tt := range []struct {
		value any
		tags  int
	}{
		{v{}, 1},
		{v{{Name: "a", Value: int8(1)}, {Name: "b", Value: int16(1)}, {Name: "c", Value: int32(1)}, {Name: "d", Value: int64(1)}}, 5},
		{v{{Name: "e", Value: float32(1)}, {Name: "f", Value: 2.5}, {Name: "g", Value: "text"}}, 4},
		{v{{Name: "a", Value: []byte{1, 2}}, {Name: "b", Value: []int32{1, 2, 3}}, {Name: "c", Value: []int64{1}}}, 4},
		{v{{Name: "numbers", Value: list(nbt.TypeShort, int16(1), int16(2))}, {Name: "none", Value: list(nbt.TypeEnd)}}, 3},
		{v{{Name: "texts", Value: list(nbt.TypeString, "a", "b", "c")}}, 5},
		{v{{Name: "lists", Value: list(nbt.TypeList, list(nbt.TypeInt, int32(1)), list(nbt.TypeCompound, v{}, v{{Name: "x", Value: v{}}}))}}, 7},
		{"root", 1},
	} {
		doc, err := nbt.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		tags, size, err := countTags(append(doc, "behind it"...))
		if tags != tt.tags || size != len(doc) || err != nil {
			t.Errorf("%v: %d tags in %d bytes, %v; want %d in %d", tt.value, tags, size, err, tt.tags, len(doc))
		}
		for n := range doc {
			if _, _, err := countTags(doc[:n]); !errors.Is(err, errNotWhole) {
				t.Errorf("the first %d bytes of %v: error %v", n, tt.value, err)
			}
		}
	}
	for _, doc := range [][]byte{{13, 0, 0}, {9, 0, 0, 99, 0, 0, 0, 1}, {7, 0, 0, 0xff, 0xff, 0xff, 0xff}} {
		if _, _, err := countTags(doc); !errors.Is(err, errNotWhole) {
			t.Errorf("% x: error %v", doc, err)
		}
	}
}

// TestNBTReportKeepsItsJSONNames lists what scripts may rely on.
func TestNBTReportKeepsItsJSONNames(t *testing.T) {
	text, err := json.Marshal(NBTReport{
		Peer: &PeerInfo{LeftOut: []string{"x"}},
		Rows: []NBTRow{{Reference: "go-mc", ReferenceForm: "any", Ratio: 1, MinRatio: 1, Goal: 1, GoalNS: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		of   any
		want []string
	}{
		{report, []string{"environment", "interrupted", "load", "passes", "peer", "rows", "sample", "warnings"}},
		{report["peer"], []string{"go", "left_out", "name", "version"}},
		{report["sample"], []string{"bytes", "chunks", "full", "source", "tags"}},
		{report["rows"].([]any)[0], []string{
			"alloc_bytes", "allocs", "bytes", "bytes_per_s", "chunks", "clock", "form", "goal", "goal_ns", "max_ns", "min_ns", "min_ratio",
			"name", "ns", "op", "passes", "process_ns", "ratio", "reference", "reference_form", "samples_ns",
		}},
	} {
		var got []string
		for name := range tc.of.(map[string]any) {
			got = append(got, name)
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	}
}

// The ratios to go-mc on real chunks, with room for a noisy machine and for a
// sample smaller than that of the goals.
func TestNBTMeetsItsBarsOnTheSharedCorpus(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a measurement, and builds a program")
	}
	testbed.Tool(t, "go")
	all, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := StartPeers(t.Context(), "peers")
	if err != nil {
		testbed.SkipOrFail(t, "bench/peers, which may need a network to build: %v", err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	report, err := NBT(t.Context(), all, NBTOptions{Passes: 3, Chunks: 500, Peers: p})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Rows) != len(allNBTRows) || report.Sample.Chunks != 500 || len(report.Peer.LeftOut) > 0 {
		t.Errorf("%d rows, left out: %q", len(report.Rows), report.Peer.LeftOut)
	}
	for _, r := range report.Rows {
		t.Logf("%s %s %s: %v, process %v, %.1f allocations of %.0f bytes, ratio %.3f (best %.3f)",
			r.Op, r.Form, r.Name, r.NS, r.ProcessNS, r.Allocs, r.AllocBytes, r.Ratio, r.MinRatio)
		if r.Goal > 0 && r.MinRatio > 1.2*r.Goal {
			t.Errorf("%s %s: %.3f of %s, goal %.3f", r.Op, r.Form, r.MinRatio, r.Reference, r.Goal)
		}
	}
	if r := report.Row("strata", "marshal", "any"); r.Goal == 0 {
		t.Error("marshal was not compared")
	}
}
