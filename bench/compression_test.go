package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/anvil"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/codec"
)

// plainSample is documents of words, from 2 to 30 KB.
func plainSample(t *testing.T, n int) *Sample {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	var chunks []corpus.Chunk
	for range n {
		var b bytes.Buffer
		for range 200 + random.IntN(2000) {
			fmt.Fprintf(&b, "minecraft:block_%d ", random.IntN(300))
		}
		chunks = append(chunks, corpus.Chunk{NBT: b.Bytes(), StoredBytes: b.Len() / 4})
	}
	s, err := SampleCorpus(chunks, SampleOptions{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCompressionMeasuresEveryRow(t *testing.T) {
	s := plainSample(t, 12)
	passes := 0
	r, err := Compression(t.Context(), s, CompressionOptions{
		Levels: []codec.Level{1, 6, codec.Sector}, Schemes: []codec.Scheme{codec.Zlib, codec.Gzip, codec.LZ4, codec.None},
		Samples: 4, WarmUps: 2, OursAlone: true, Progress: func(done, total int) {
			if passes++; done != passes || total < done {
				t.Errorf("pass %d is %d of %d", passes, done, total)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 + 3 + 1 + 1 + 2*2; len(r.Rows) != want || passes != want*6 {
		t.Fatalf("%d rows in %d passes, want %d rows and 6 passes each", len(r.Rows), passes, want)
	}
	for _, row := range r.Rows {
		if row.Samples != 4 || row.WarmUps != 2 || len(row.CompressSamples) != 4 || len(row.Sizes) != 12 || row.CompressNS <= 0 || row.DecompressP95NS < row.DecompressP50NS || row.MemoryBytes < 0 {
			t.Errorf("row %+v", row)
		}
	}
	// Sizes are those that the codec makes without us.
	e, err := codec.NewEncoder(codec.Zlib, 6)
	if err != nil {
		t.Fatal(err)
	}
	total, sectors := 0, 0
	for _, d := range s.Kinds[0].Documents {
		out, err := e.Append(nil, d.Data)
		if err != nil {
			t.Fatal(err)
		}
		total, sectors = total+len(out)+5, sectors+(len(out)+5+4095)/4096
	}
	six := r.Row(KindFull, "strata", "zlib", "6")
	if six.PayloadBytes != float64(total)/12 || six.SectorBytes != float64(sectors)*4096/12 || six.WorldSectors != (Estimate{int64(sectors) * 4096, 0}) {
		t.Errorf("payload %g, sectors %g, world %+v, want %d and %d sectors of all", six.PayloadBytes, six.SectorBytes, six.WorldSectors, total, sectors)
	}
	none := r.Row(KindFull, "strata", "none", "-")
	if y := r.Yardstick(KindFull); y.Name != "stdlib" || none.PayloadToYardstick < 2 || y.CompressToYardstick != 1 {
		t.Errorf("yardstick %s, scheme none is %g times as large", y.Name, none.PayloadToYardstick)
	}
	if len(r.Advice) != 3 || r.Interrupted || !strings.Contains(strings.Join(r.Warnings, "\n"), "only 12 full chunks") {
		t.Errorf("advice %v, warnings %q", r.Advice, r.Warnings)
	}
}

func TestCompressionKeepsFinishedSamplesWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Compression(ctx, plainSample(t, 5), CompressionOptions{
		Levels: []codec.Level{1, 6}, Samples: 10, WarmUps: 1, OursAlone: true,
		Progress: func(done, _ int) {
			if done == 6+6+3 { // the warm-ups, one round, and half of the second
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for _, row := range r.Rows {
		samples += row.Samples
	}
	if !r.Interrupted || len(r.Rows) != 6 || samples != 9 || r.Yardstick(KindFull) == nil {
		t.Errorf("interrupted %t, %d rows with %d samples, want 6 with 9", r.Interrupted, len(r.Rows), samples)
	}
	if !strings.Contains(r.Warnings[0], "interrupted") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestCompressionFailsWhenNothingIsFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compression(ctx, plainSample(t, 2), CompressionOptions{OursAlone: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSlowRowsHaveFewerSamples(t *testing.T) {
	r, err := Compression(t.Context(), plainSample(t, 5), CompressionOptions{
		Levels: []codec.Level{1}, Samples: 5, WarmUps: 2, RowBudget: 1, OursAlone: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Samples != 3 || row.WarmUps != 1 {
			t.Errorf("%s %s: %d warm-ups and %d samples, want 1 and 3", row.Name, row.Level, row.WarmUps, row.Samples)
		}
	}
}

// wrongCodec is a codec whose streams are read back as something else.
type wrongCodec struct{ zlibCodec }

func (s wrongCodec) decompress(dst, stream []byte) ([]byte, error) {
	out, err := s.zlibCodec.decompress(dst, stream)
	if err == nil && len(out) > 0 {
		out[len(out)-1]++
	}
	return out, err
}

func TestStreamsThatDecodeToOtherBytesAreRefused(t *testing.T) {
	s := plainSample(t, 2)
	inner, err := newStrataCodec(6)
	if err != nil {
		t.Fatal(err)
	}
	r := compressionRun{docs: s.Kinds[0].Documents}
	r.makeRoom()
	r.clock = startThreadClock()
	defer r.clock.stop()
	bad := goCodec{codec: wrongCodec{inner}}
	if err := bad.pass(t.Context(), &r, &r.scratch, true); err == nil || !strings.Contains(err.Error(), "chunk 0: decodes to other bytes") {
		t.Errorf("got %v", err)
	}
}

// outsideFor starts the program of a name or skips.
func outsideFor(t *testing.T, name string) *outsideProgram {
	t.Helper()
	k := outsideKinds[slices.IndexFunc(outsideKinds, func(k outsideKind) bool { return k.name == name })]
	if _, err := exec.LookPath(k.command[0]); err != nil {
		testbed.SkipOrFail(t, "no %s here", k.command[0])
	}
	wanted, err := startOutsideProgram(t.Context(), k)
	if err != nil {
		testbed.SkipOrFail(t, "%s does not run here: %v", name, err)
	}
	t.Cleanup(func() {
		if err := wanted.close(); err != nil {
			t.Error(err)
		}
	})
	return wanted
}

func TestOutsideProgramsMakeStreamsThatWeRead(t *testing.T) {
	for _, name := range []string{"zlib", "java"} {
		t.Run(name, func(t *testing.T) {
			p := outsideFor(t, name)
			s := plainSample(t, 6)
			r := compressionRun{docs: append(s.Kinds[0].Documents, Document{Data: []byte{}})}
			r.makeRoom()
			if err := p.load(t.Context(), r.docs); err != nil {
				t.Fatal(err)
			}
			var sizes [2]int
			for i, level := range []int{1, 9} {
				c := outsideCodec{p, level}
				if err := c.pass(t.Context(), &r, &r.scratch, true); err != nil {
					t.Fatal(err)
				}
				sizes[i] = len(r.scratch.streams.buf)
				if err := c.pass(t.Context(), &r, &r.scratch, false); err != nil {
					t.Fatal(err)
				}
				if sum(r.scratch.compress) <= 0 || sum(r.scratch.decompress) <= 0 || r.scratch.compressWall <= 0 {
					t.Errorf("level %d took no time: %+v", level, r.scratch.compress)
				}
			}
			if sizes[1] >= sizes[0] {
				t.Errorf("level 9 makes %d bytes, level 1 %d", sizes[1], sizes[0])
			}
			if p.version == "" {
				t.Error("no version")
			}
		})
	}
}

func TestAnOutsideProgramThatDiesLosesItsRowsAlone(t *testing.T) {
	p := outsideFor(t, "zlib")
	s := plainSample(t, 4)
	plan, err := CompressionOptions{Levels: []codec.Level{6}, Samples: 3, WarmUps: 1, Progress: func(done, _ int) {
		if done == 5 {
			if err := p.cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	run := compressionRun{opts: plan, report: &CompressionReport{}, programs: []*outsideProgram{p}, sample: s}
	if err := run.all(t.Context()); err != nil {
		t.Fatal(err)
	}
	rest := slices.DeleteFunc(slices.Clone(run.report.Rows), func(r CompressionRow) bool { return r.Name == "zlib" })
	if len(rest) != 3 || rest[0].Samples != 3 || len(run.report.LeftOut) != 1 || !strings.HasPrefix(run.report.LeftOut[0], "zlib: ") {
		t.Errorf("%d other rows, left out %q", len(rest), run.report.LeftOut)
	}
}

// sharedWorld unpacks a sample world.
func sharedWorld(t *testing.T, name string) *anvil.World {
	t.Helper()
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(filepath.Join(dir, "sample", name), anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func TestSampleWorldTellsKindsApart(t *testing.T) {
	w := sharedWorld(t, "layout-1.21.3")
	all, err := SampleWorld(t.Context(), w, SampleOptions{PerKind: 5000})
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	for _, k := range all.Kinds {
		counts[k.Kind] = len(k.Documents)
		if !k.Whole.Exact() || k.Whole.OfKind != len(k.Documents) {
			t.Errorf("%s: %+v", k.Kind, k.Whole)
		}
	}
	if counts[KindFull] != 547 || counts[KindProto] == 0 || counts[KindEntities] == 0 || counts[KindPOI] != 48 || all.Unreadable != 0 {
		t.Errorf("kinds %v, %d unreadable", counts, all.Unreadable)
	}
	// A draw of a part finds the whole within four times its error.
	for seed := range uint64(5) {
		part, err := SampleWorld(t.Context(), w, SampleOptions{PerKind: 60, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		again, err := SampleWorld(t.Context(), w, SampleOptions{PerKind: 60, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for i := range part.Kinds {
			k := &part.Kinds[i]
			if xxhash.Sum64(k.Documents[0].Data) != xxhash.Sum64(again.Kinds[i].Documents[0].Data) {
				t.Errorf("seed %d draws different %s chunks", seed, k.Kind)
			}
			at := slices.IndexFunc(all.Kinds, func(o SampleKind) bool { return o.Kind == k.Kind })
			want, got := storedPayload(&all.Kinds[at]), storedPayload(k)
			if off := math.Abs(float64(got.Bytes - want.Bytes)); off > 2*float64(got.ErrorBytes) && got.Bytes != want.Bytes {
				t.Errorf("seed %d: %s: estimate %+v, truth %d", seed, k.Kind, got, want.Bytes)
			}
		}
	}
}

func storedPayload(k *SampleKind) Estimate {
	var sizes []float64
	for _, d := range k.Documents {
		sizes = append(sizes, float64(d.StoredPayload))
	}
	return k.estimate(sizes)
}

func TestLevelSixOfCzlibIsWhatTheGameStores(t *testing.T) {
	p := outsideFor(t, "zlib")
	s, err := SampleWorld(t.Context(), sharedWorld(t, "layout-1.21.3"), SampleOptions{PerKind: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	k := &s.Kinds[0]
	r := compressionRun{docs: k.Documents}
	r.makeRoom()
	if err := p.load(t.Context(), r.docs); err != nil {
		t.Fatal(err)
	}
	row := compressionSeries{compressionContender: &outsideCodec{p, 6}}
	row.row.Scheme = "zlib"
	if err := row.pass(t.Context(), &r, &r.scratch, true); err != nil {
		t.Fatal(err)
	}
	row.measure(k, &r.scratch.streams)
	if row.row.Identical != 40 {
		t.Errorf("%d of 40 streams are those of the game", row.row.Identical)
	}
}

func TestMapRegionCompactsACopy(t *testing.T) {
	w := sharedWorld(t, "layout-1.21.3")
	m, err := MapRegion(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	again, err := MapRegion(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if m.Before.Free == 0 || m.After.Free != 0 || len(m.Before.Chunks) != len(m.After.Chunks) || m.After.Sectors > m.Before.Sectors-m.Before.Free {
		t.Errorf("before %d sectors, %d free, after %d, %d free", m.Before.Sectors, m.Before.Free, m.After.Sectors, m.After.Free)
	}
	if again.Before.Free != m.Before.Free {
		t.Error("the world has changed")
	}
}

// The interval must hold the truth as often as it says, about.
func TestRatioEstimateCoversTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const population, sample, draws = 2000, 100, 2000
	x, y := make([]float64, population), make([]float64, population)
	for i := range x {
		x[i] = float64(1 + random.IntN(5))
		y[i] = x[i] * (0.7 + 0.6*random.Float64())
	}
	truth, variance := ratioEstimate(y, x, population)
	if variance != 0 {
		t.Errorf("variance %g with everything measured", variance)
	}
	covered := 0
	for range draws {
		var sx, sy []float64
		for _, i := range random.Perm(population)[:sample] {
			sx, sy = append(sx, x[i]), append(sy, y[i])
		}
		r, v := ratioEstimate(sy, sx, population)
		if math.Abs(r/truth-1) <= 1.96*math.Sqrt(v) {
			covered++
		}
	}
	if share := float64(covered) / draws; share < 0.92 || share > 0.98 {
		t.Errorf("covers %.3f of the draws, want about 0.95", share)
	}
}

func TestAdviceKeepsToTheTimeOfItsUse(t *testing.T) {
	row := func(name, level string, compress, sectors int) CompressionRow {
		r := CompressionRow{Name: name, Scheme: "zlib", Level: LevelName(level), Kind: KindFull, Samples: 1}
		r.CompressNS, r.SectorBytes = time.Duration(compress)*time.Microsecond, float64(sectors)
		return r
	}
	r := &CompressionReport{Kinds: []CompressionKind{{Kind: KindFull, Chunks: 30}, {Kind: KindProto, Chunks: 900}}, Rows: []CompressionRow{
		row("stdlib", "6", 600, 8400), row("strata", "1", 100, 9700), row("strata", "6", 290, 8450),
		row("strata", "sector", 200, 8455), row("strata", "8", 590, 8300), row("strata", "12", 9000, 8000),
	}}
	var got []string
	for _, a := range r.advise() {
		got = append(got, a.Use+"="+string(a.Level))
	}
	if want := "live=sector pregeneration=8 archive=12"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAdviceRestsOnFullChunksIfThereAreSome(t *testing.T) {
	for _, tt := range []struct {
		full, proto int
		want        string
	}{{0, 0, ""}, {1, 0, KindFull}, {1, 30, KindProto}, {20, 300, KindFull}, {5, 3, KindFull}} {
		var r CompressionReport
		for _, k := range []CompressionKind{{Kind: KindFull, Chunks: tt.full}, {Kind: KindProto, Chunks: tt.proto}} {
			if k.Chunks > 0 {
				r.Kinds = append(r.Kinds, k)
			}
		}
		if got := r.MainKind().Kind; got != tt.want {
			t.Errorf("%d full and %d proto chunks: %q, want %q", tt.full, tt.proto, got, tt.want)
		}
	}
}
