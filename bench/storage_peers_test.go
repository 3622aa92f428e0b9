package bench

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/vfs"
)

// storageBesideFake measures two chunks, as many as the fake peer has.
func storageBesideFake(t *testing.T, mode string) (*StorageReport, error) {
	t.Helper()
	p, err := startFakePeer(t, t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	opts := smallStorage(t)
	opts.Chunks, opts.Rewrites, opts.Reads, opts.Peers = 2, 4, 4, []*Peers{p}
	report, err := Storage(t.Context(), opts)
	wantEmpty(t, opts.Dir)
	return report, err
}

func TestStorageMeasuresThePeerBesideUs(t *testing.T) {
	report, err := storageBesideFake(t, "able")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range report.Rows {
		switch r.Op {
		case "open", "load", "scan", "save":
			names = append(names, r.Op+" "+r.Name)
		}
		if !strings.HasPrefix(r.Name, "fake") {
			continue
		}
		// 5 ns a pass of 2 chunks.
		if r.NS != 2 || r.Clock != clockWall || r.Passes != 2 || r.Chunks != 2 || r.Bytes != row(t, report, r.Op, "strata").Bytes || r.SlowestNS != 0 {
			t.Errorf("row %+v", r)
		}
		if wants := map[string]string{"scan fake-fresh": "fake", "open fake": "pread"}[r.Op+" "+r.Name]; r.Reference != wants {
			t.Errorf("%s %s refers to %q", r.Op, r.Name, r.Reference)
		}
	}
	if diff := cmp.Diff([]string{
		"open strata", "open strata-write", "open pread", "open fake", "load strata", "load fake", "scan strata", "scan fake", "scan fake-fresh", "save strata", "save fake",
	}, names); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for op, goal := range map[string]float64{"load": LoadGoal, "scan": 0, "save": SaveGoal} {
		if r := row(t, report, op, "strata"); r.Reference != "fake" || r.Ratio != float64(r.NS)/2 || r.Goal != goal {
			t.Errorf("row %+v", r)
		}
	}
	// The fake knows no time of its process, so neither side of save counts in it.
	if r := row(t, report, "save", "strata"); r.Clock != clockWall {
		t.Errorf("save by clock %s", r.Clock)
	}
	if r := row(t, report, "durable_save", "strata"); r.Reference != "" {
		t.Errorf("durable_save is compared with one that does not wait: %+v", r)
	}
	if diff := cmp.Diff([]*PeerInfo{{Name: "fake", Version: "v7", Go: "go9"}}, report.Peers); diff != "" {
		t.Errorf("peer (-want +got):\n%s", diff)
	}
}

func TestStorageLeavesOutWhatThePeerRefuses(t *testing.T) {
	report, err := storageBesideFake(t, "picky")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"storage/save: too much work"}, report.Peers[0].LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	for _, r := range report.Rows {
		if r.Op == "save" && r.Name != "strata" {
			t.Errorf("row %+v", r)
		}
	}
	if r := row(t, report, "scan", "fake"); r.Passes != 2 {
		t.Errorf("row %+v", r)
	}
}

func TestStorageEndsWithALostPeer(t *testing.T) {
	if _, err := storageBesideFake(t, "quitter"); err == nil || !strings.Contains(err.Error(), "peer fake: ") {
		t.Errorf("error %v", err)
	}
}

// An interrupt from the terminal reaches the peer too, and its end may be seen
// first.
func TestPeersThatEndWithAnInterruptAreNoFailure(t *testing.T) {
	p, err := startFakePeer(t, t.Context(), "quitter")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts := NBTOptions{Peers: p, Progress: func(done, _ int) {
		if done == 3 { // the peer's turn is next
			time.AfterFunc(peerInterrupt/3, cancel)
		}
	}}
	if _, err := NBT(ctx, nbtSample(2), opts); !errors.Is(err, context.Canceled) || p.broken == nil {
		t.Errorf("error %v", err)
	}
}

func TestSlowPeersMakeFewerPasses(t *testing.T) {
	for _, tt := range []struct {
		passes int
		took   time.Duration
		want   int
	}{
		{10, 0, 10}, {10, 100 * time.Millisecond, 10}, {10, 500 * time.Millisecond, 6}, {10, 5 * time.Second, 3}, {2, 5 * time.Second, 2},
	} {
		if got := peerPassesOf(tt.passes, tt.took); got != tt.want {
			t.Errorf("%d passes of %v: %d are made, want %d", tt.passes, tt.took, got, tt.want)
		}
	}
}

func TestScansNoticeOtherContent(t *testing.T) {
	opts, err := (StorageOptions{Chunks: 3}).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r := &storageRun{StorageOptions: opts, dir: t.TempDir(), report: new(StorageReport)}
	if err := r.makeSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &worldScan{fs: vfs.OS(), path: r.sample.path}
	want, err := r.checkScan(t.Context(), w)
	if err != nil || want.chunks != 3 || want.tags < 300 {
		t.Fatalf("found %+v, %v", want, err)
	}
	s := newSeries("strata", "scan", threadClockKind, 3, r.sample.rawBytes)
	if err := scanPass(s, w, want); err != nil || len(s.single) != 3 {
		t.Errorf("a pass over %d chunks: %v", len(s.single), err)
	}
	for _, other := range []scanned{{2, want.tags}, {3, want.tags + 1}} {
		if err := scanPass(s, w, other); !errors.Is(err, errWrong) {
			t.Errorf("found %+v, wanted %+v: error %v", want, other, err)
		}
	}
	raw := r.sample.raw
	r.sample.raw = [][]byte{raw[0], raw[2], raw[1]}
	if _, err := r.checkScan(t.Context(), w); !errors.Is(err, errWrong) {
		t.Errorf("chunks in the wrong order: error %v", err)
	}
	r.sample.raw = append(raw[:3:3], raw[0])
	if _, err := r.checkScan(t.Context(), w); !errors.Is(err, errWrong) {
		t.Errorf("a chunk too few: error %v", err)
	}
}

func TestScansReportChunksThatAreNoNBT(t *testing.T) {
	path := t.TempDir() + "/" + region.Pos{}.Name()
	writeRegion(t, path, [][]byte{SyntheticChunks(1)[0], []byte("minecraft:stone")})
	w := &worldScan{fs: vfs.OS(), path: path}
	found, err := w.all(nil)
	if err == nil || !strings.Contains(err.Error(), "slot 1: ") || found.chunks != 1 {
		t.Errorf("found %+v, error %v", found, err)
	}
}

// TestStorageBesideGoMC builds bench/peers.
func TestStorageBesideGoMC(t *testing.T) {
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
	opts := smallStorage(t)
	opts.Corpus, opts.CorpusName, opts.Chunks, opts.Peers = all, "chunks-998", 100, []*Peers{p}
	report, err := Storage(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, opts.Dir)
	if report.Peers[0].Name != "go-mc" || len(report.Peers[0].LeftOut) > 0 {
		t.Errorf("peer %+v", report.Peers[0])
	}
	for _, op := range []string{"load", "scan", "save"} {
		r, ours := row(t, report, op, "go-mc"), row(t, report, op, "strata")
		t.Logf("%s: %v of %v by clock %s, %.3f, best %.3f; process %v of %v; payload %d and %d, sectors %d and %d", op, ours.NS, r.NS, r.Clock,
			ours.Ratio, ours.MinRatio, ours.ProcessNS, r.ProcessNS, ours.PayloadBytes, r.PayloadBytes, ours.SectorBytes, r.SectorBytes)
		if r.Clock != ours.Clock || ours.Reference != "go-mc" {
			t.Errorf("%s: clocks %s and %s, reference %q", op, ours.Clock, r.Clock, ours.Reference)
		}
	}
	// Level 6 makes streams much like those of mode sector.
	ours, theirs := row(t, report, "save", "strata"), row(t, report, "save", "go-mc")
	if theirs.PayloadBytes < ours.PayloadBytes*9/10 || theirs.PayloadBytes > ours.PayloadBytes*11/10 || theirs.SectorBytes < ours.SectorBytes {
		t.Errorf("payloads %d and %d, sectors %d and %d", ours.PayloadBytes, theirs.PayloadBytes, ours.SectorBytes, theirs.SectorBytes)
	}
	// A test on a machine with other work must not judge goals, some of which
	// are rates; it sees what has gone wrong.
	for op, limit := range map[string]float64{"load": 0.4, "scan": 0.4, "save": 0.6} {
		if r := row(t, report, op, "strata"); r.MinRatio > limit {
			t.Errorf("%s takes %.3f of %q", op, r.MinRatio, r.Reference)
		}
	}
}

// TestStorageBesideNode runs prismarine-provider-anvil, which has no say in the
// other library's rows.
func TestStorageBesideNode(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a measurement, and runs Node")
	}
	testbed.Tool(t, "node")
	all, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := StartNodePeer(t.Context(), "clients")
	if err != nil {
		testbed.SkipOrFail(t, "run npm ci --prefix bench/clients: %v", err)
	}
	fake, err := startFakePeer(t, t.Context(), "able")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	opts := smallStorage(t)
	opts.Corpus, opts.CorpusName, opts.Chunks = all, "chunks-998", 20
	opts.Peers = []*Peers{p}
	report, err := Storage(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, opts.Dir)
	if i := report.Peers[0]; i.Name != "prismarine" || len(i.LeftOut) > 0 || !strings.Contains(i.String(), "on Node v") {
		t.Errorf("peer %v, left out %v", i, i.LeftOut)
	}
	for _, op := range []string{"load", "scan", "save"} {
		r := row(t, report, op, "prismarine")
		if r.Passes < 1 || r.NS < 10*time.Microsecond || r.ProcessNS <= 0 {
			t.Errorf("row %+v", r)
		}
	}
	theirs := row(t, report, "save", "prismarine")
	ours := row(t, report, "save", "strata")
	if theirs.PayloadBytes < ours.PayloadBytes*9/10 || theirs.PayloadBytes > ours.PayloadBytes*11/10 {
		t.Errorf("payloads of %d and %d bytes", ours.PayloadBytes, theirs.PayloadBytes)
	}
	// Two peers: each has its rows.
	opts.Chunks, opts.Dir, opts.Peers = 2, t.TempDir(), []*Peers{fake, p}
	if report, err = Storage(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fake", "prismarine"} {
		row(t, report, "load", name)
	}
	if r := row(t, report, "load", "strata"); r.Reference != "fake" {
		t.Errorf("ratio to %q", r.Reference)
	}
}

func TestNodePeersThatAreNotThereAreNone(t *testing.T) {
	if _, err := StartNodePeer(t.Context(), t.TempDir()); !errors.Is(err, ErrNoPeers) {
		t.Errorf("error %v", err)
	}
}
