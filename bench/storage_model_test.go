package bench

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/nbt"
	"strata/region"
	"strata/region/vfs"
)

// modelRun is a run of three chunks whose model is checked.
func modelRun(t *testing.T) *storageRun {
	t.Helper()
	opts, err := (StorageOptions{Chunks: 3}).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r := &storageRun{StorageOptions: opts, dir: t.TempDir(), report: new(StorageReport)}
	if err := r.makeSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.checkModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLoadsNoticeOtherContent(t *testing.T) {
	r := modelRun(t)
	if r.model.sections != 3*synSections {
		t.Errorf("%d sections", r.model.sections)
	}
	l, err := r.openLoader(r.model.tables)
	if err != nil {
		t.Fatal(err)
	}
	defer l.file.Close()
	s := newSeries("strata", "load", threadClockKind, 3, r.sample.rawBytes)
	if err := r.loadPass(s, l); err != nil || len(s.single) != 3 || len(s.process) != 1 {
		t.Errorf("a pass over %d chunks: %v", len(s.single), err)
	}
	r.model.sections++
	if err := r.loadPass(s, l); !errors.Is(err, errWrong) {
		t.Errorf("a section too few: error %v", err)
	}
	r.sample.raw[0], r.sample.raw[1] = r.sample.raw[1], r.sample.raw[0]
	if err := r.checkModel(t.Context()); !errors.Is(err, errWrong) {
		t.Errorf("chunks in the wrong order: error %v", err)
	}
}

func TestSavesNoticeOtherContent(t *testing.T) {
	r := modelRun(t)
	saver, err := newModelSaver()
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := r.decodeSample()
	if err != nil {
		t.Fatal(err)
	}
	s := newSeries("strata", "save", clockProcess, 3, r.sample.rawBytes)
	now := chooseSaveClock(s, nil)
	if err := r.savePass(s, saver, chunks, now); err != nil {
		t.Fatal(err)
	}
	var payload int64
	for _, rec := range r.model.records {
		payload += int64(region.RecordHeaderBytes + len(rec.Data))
	}
	row := s.finish()
	if len(s.single) != 3 || row.PayloadBytes != payload/3 || row.SectorBytes < row.PayloadBytes || row.SectorBytes > row.PayloadBytes+region.SectorBytes {
		t.Errorf("%d chunks, payload %d of %d, sectors %d", len(s.single), row.PayloadBytes, payload/3, row.SectorBytes)
	}
	left, err := os.ReadDir(r.dir)
	if err != nil || len(left) != 1 {
		t.Errorf("beside the sample: %v, %v", left, err)
	}
	slices.Reverse(chunks)
	if err := r.savePass(s, saver, chunks, now); err == nil {
		t.Error("chunks in the wrong order were not seen")
	}
}

// A save must do all but wait for the disk.
func TestSavesWriteWithoutFlushes(t *testing.T) {
	r := modelRun(t)
	saver, err := newModelSaver()
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := r.decodeSample()
	if err != nil {
		t.Fatal(err)
	}
	disk := vfs.NewFault(vfs.OS())
	path := filepath.Join(r.dir, region.Pos{}.Name())
	told := 0
	if err := saver.save(unflushed{disk}, path, chunks, func() { told++ }); err != nil {
		t.Fatal(err)
	}
	if n := disk.Count(vfs.OpSync | vfs.OpSyncDir); n != 0 || told != 3 {
		t.Errorf("%d flushes, told of %d chunks", n, told)
	}
	if disk.Count(vfs.OpWrite) == 0 || disk.Count(vfs.OpRename) != 1 {
		t.Errorf("%d writes, %d renames", disk.Count(vfs.OpWrite), disk.Count(vfs.OpRename))
	}
	if err := r.verify(path, r.model.records); err != nil {
		t.Error(err)
	}
	disk.Add(vfs.Rule{Ops: vfs.OpWrite, Nth: 1, Err: vfs.ErrNoSpace})
	if err := saver.save(unflushed{disk}, path, chunks, func() {}); !errors.Is(err, vfs.ErrNoSpace) {
		t.Errorf("on a full disk: error %v", err)
	}
	disk.Verify(t)
}

func TestBothSidesOfASaveHaveOneClock(t *testing.T) {
	known := processTime() > 0
	for _, tt := range []struct {
		peer  *peerTurns
		clock string
	}{
		{nil, clockProcess},
		{&peerTurns{series: newSeries("p", "save", clockWall, 1, 1), first: PeerPass{ProcessNS: 1}}, clockProcess},
		{&peerTurns{series: newSeries("p", "save", clockWall, 1, 1)}, clockWall},
	} {
		want := tt.clock
		if !known {
			want = clockWall
		}
		ours := newSeries("strata", "save", clockProcess, 1, 1)
		var peers peerRows
		if tt.peer != nil {
			peers = peerRows{tt.peer}
		}
		now := chooseSaveClock(ours, peers)
		if ours.row.Clock != want || tt.peer != nil && tt.peer.row.Clock != want {
			t.Errorf("clocks %s and %+v, want %s", ours.row.Clock, tt.peer, want)
		}
		if at := now(); now() < at {
			t.Errorf("%s goes back", want)
		}
	}
	pass := PeerPass{Clock: clockWall, NS: 1, WallNS: 2, ProcessNS: 3}
	for clock, want := range map[string]time.Duration{clockWall: 1, clockProcess: 3, "thread_cpu": 2} {
		turns := &peerTurns{series: newSeries("p", "save", clock, 1, 1)}
		if got := turns.took(pass); got != want {
			t.Errorf("by clock %s it took %d, want %d", clock, got, want)
		}
	}
}

func TestWhatAPeerHasSavedIsChecked(t *testing.T) {
	r := modelRun(t)
	path := filepath.Join(t.TempDir(), region.Pos{}.Name())
	writeRegion(t, path, r.sample.raw)
	weighed := func(chunks int) (*peerTurns, []string) {
		t.Helper()
		of := &besidePeer{info: &PeerInfo{Name: "p"}}
		peer := &peerTurns{series: newSeries("p", "save", clockWall, chunks, 1), of: of, op: "storage/save"}
		if err := peer.weigh([]string{path}); err != nil {
			t.Fatal(err)
		}
		return peer, of.info.LeftOut
	}
	peer, left := weighed(3)
	if peer.refused || len(left) > 0 || peer.row.PayloadBytes != r.report.Sample.PayloadBytes || peer.row.SectorBytes != r.report.Sample.SectorBytes {
		t.Errorf("row %+v, left out %v", peer.row, left)
	}
	if peer, left := weighed(4); !peer.refused || len(left) != 1 || !strings.Contains(left[0], "3 chunks were saved, not 4") {
		t.Errorf("left out %v", left)
	}
	if err := os.Truncate(path, region.HeaderBytes+100); err != nil {
		t.Fatal(err)
	}
	if peer, left := weighed(3); !peer.refused || len(left) != 1 || !strings.HasPrefix(left[0], "storage/save: the file it saved is unsound: ") {
		t.Errorf("left out %v", left)
	}
}

func TestStorageLeavesOutWhatTheModelDoesNotRead(t *testing.T) {
	opts := smallStorage(t)
	opts.Chunks, opts.Rewrites, opts.Reads, opts.CorpusName = 2, 4, 4, "old"
	old, err := nbt.Marshal(nbt.Compound{{Name: "DataVersion", Value: int32(1343)}, {Name: "Level", Value: nbt.Compound{}}})
	if err != nil {
		t.Fatal(err)
	}
	opts.Corpus = []corpus.Chunk{{NBT: SyntheticChunks(1)[0]}, {NBT: old}}
	last := [2]int{}
	opts.Progress = func(done, total int) { last = [2]int{done, total} }
	report, err := Storage(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.LeftOut) != 1 || !strings.HasPrefix(report.LeftOut[0], "load, save: chunk 1: decode chunk: ") {
		t.Errorf("left out %v", report.LeftOut)
	}
	var ops []string
	for _, r := range report.Rows {
		if r.Name == "strata" {
			ops = append(ops, r.Op)
		}
	}
	if diff := cmp.Diff([]string{"durable_write", "durable_rewrite", "open", "read", "inflate", "scan", "durable_save", "random_rewrite", "read_under_flush"}, ops); diff != "" {
		t.Errorf("ops (-want +got):\n%s", diff)
	}
	if last != [2]int{9*2 + 2, 9*2 + 2} {
		t.Errorf("ended at pass %v", last)
	}
}
