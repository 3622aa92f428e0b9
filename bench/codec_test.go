package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/codec"
)

// codecSample are chunks large enough to take two sectors or so.
func codecSample(n int) (chunks []corpus.Chunk) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range n {
		var b []byte
		for len(b) < 30_000 {
			b = append(b, fmt.Sprintf("minecraft:block_%d", rng.IntN(50))...)
			for range rng.IntN(60) {
				b = append(b, byte(rng.IntN(9)))
			}
		}
		chunks = append(chunks, corpus.Chunk{NBT: b})
	}
	return chunks
}

func TestCodecMeasuresEveryRowAskedFor(t *testing.T) {
	chunks := codecSample(3)
	var calls [][2]int
	report, err := Codec(t.Context(), chunks, CodecOptions{
		Levels: []codec.Level{codec.Sector, 1, 6}, Passes: 2, RowBudget: -1,
		Progress: func(done, total int) { calls = append(calls, [2]int{done, total}) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range report.Rows {
		names = append(names, r.Name+" "+string(r.Level))
		if r.Kind != "full" || r.Passes != 2 || len(r.Digest) != 16 {
			t.Errorf("%s %s: kind %q, %d passes, digest %q", r.Name, r.Level, r.Kind, r.Passes, r.Digest)
		}
		if r.PayloadBytes < 100 || r.SectorBytes < r.PayloadBytes || r.SectorBytes >= r.PayloadBytes+sectorBytes {
			t.Errorf("%s %s: payload %v, sectors %v", r.Name, r.Level, r.PayloadBytes, r.SectorBytes)
		}
		for what, times := range map[string][5]time.Duration{
			"compress":   {r.CompressMinNS, r.CompressNS, r.CompressMaxNS, r.CompressP50NS, r.CompressP95NS},
			"decompress": {r.DecompressMinNS, r.DecompressNS, r.DecompressMaxNS, r.DecompressP50NS, r.DecompressP95NS},
		} {
			if times[0] <= 0 || times[1] < times[0] || times[2] < times[1] || times[3] <= 0 || times[4] < times[3] {
				t.Errorf("%s %s: %s times out of order: %v", r.Name, r.Level, what, times)
			}
		}
	}
	want := []string{"strata sector", "strata 1", "strata 6", "stdlib 1", "stdlib 6", "klauspost 1", "klauspost 6"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if last := calls[len(calls)-1]; len(calls) != 7*3 || last != [2]int{21, 21} {
		t.Errorf("%d progress calls, the last %v", len(calls), last)
	}
	var inflaters []string
	for _, r := range report.Inflate {
		inflaters = append(inflaters, r.Name)
		if r.MinNS <= 0 || r.NS < r.MinNS || r.MaxNS < r.NS || r.P95NS < r.P50NS || r.Passes != 2 || r.Streams != "stdlib 6" {
			t.Errorf("inflate row %+v", r)
		}
	}
	if diff := cmp.Diff([]string{"strata", "stdlib", "klauspost"}, inflaters); diff != "" {
		t.Errorf("inflate rows (-want +got):\n%s", diff)
	}
	if report.Reference() == nil || report.Row("strata", "7") != nil || report.Chunks != 3 {
		t.Error("Reference, Row or Chunks")
	}
}

// What a row measures must be what region writers call, bit for bit.
func TestCodecRunsTheEncoderOfRegionWriters(t *testing.T) {
	chunks := codecSample(4)
	levels := []codec.Level{1, 4, 5, 9, codec.Sector}
	report, err := Codec(t.Context(), chunks, CodecOptions{Levels: levels, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range levels {
		e, err := codec.NewEncoder(codec.Zlib, l)
		if err != nil {
			t.Fatal(err)
		}
		var streams []byte
		for _, c := range chunks {
			if streams, err = e.Append(streams, c.NBT); err != nil {
				t.Fatal(err)
			}
		}
		row := report.Row("strata", LevelName(l.String()))
		if want := fmt.Sprintf("%016x", xxhash.Sum64(streams)); row.Digest != want {
			t.Errorf("level %v: digest of the streams is %s, codec.Encoder's %s", l, row.Digest, want)
		}
		if want := float64(len(streams))/float64(len(chunks)) + 5; row.PayloadBytes != want {
			t.Errorf("level %v: payload %v, want %v", l, row.PayloadBytes, want)
		}
	}
	// The contender holds these two and passes everything on: a decoder that
	// were anything else would not know codec's errors.
	c, err := newStrataCodec(6)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.decompress(nil, []byte{0x78}); !errors.Is(err, codec.ErrTruncated) {
		t.Errorf("decompress: got %v, want codec.ErrTruncated", err)
	}
	if _, err := c.compress(nil, nil); err != nil || c.encoder.Level() != 6 || c.encoder.Scheme() != codec.Zlib {
		t.Errorf("encoder of scheme %v, level %v: %v", c.encoder.Scheme(), c.encoder.Level(), err)
	}
}

// brokenCodec writes sound streams and reads something else.
type brokenCodec struct{ zlibCodec }

func (c brokenCodec) decompress(dst, stream []byte) ([]byte, error) {
	out, err := c.zlibCodec.decompress(dst, stream)
	out[len(out)/2]++
	return out, err
}

func TestCodecRefusesToTimeWrongResults(t *testing.T) {
	opts, err := CodecOptions{Levels: []codec.Level{1}, Passes: 1}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	run, err := newCodecRun(codecSample(2), opts)
	if err != nil {
		t.Fatal(err)
	}
	run.rows[1].zlibCodec = brokenCodec{run.rows[1].zlibCodec}
	if _, err := run.run(t.Context()); err == nil || !strings.Contains(err.Error(), "decodes to other bytes") {
		t.Errorf("got %v", err)
	}
}

func TestCodecGivesSlowRowsFewerPasses(t *testing.T) {
	report, err := Codec(t.Context(), codecSample(3), CodecOptions{
		Levels: []codec.Level{1}, Passes: 50, RowBudget: time.Nanosecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Rows {
		if r.Passes != 1 {
			t.Errorf("%s %s made %d passes on a budget of 1 ns", r.Name, r.Level, r.Passes)
		}
	}
}

func TestCodecStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := Codec(ctx, codecSample(2), CodecOptions{Passes: 100, Progress: func(int, int) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || calls > 3 {
		t.Errorf("got %v after %d passes", err, calls)
	}
}

func TestCodecKeepsFinishedPassesWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	report, err := Codec(ctx, codecSample(2), CodecOptions{Levels: []codec.Level{1, 6}, Passes: 100, Progress: func(int, int) {
		if calls++; calls == 6+6+3 { // the first of each row, a round, and half of the second
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for _, row := range report.Rows {
		if samples += len(row.CompressSamples); row.Passes != len(row.DecompressSamples) || row.CompressNS <= 0 || row.DecompressNS <= 0 {
			t.Errorf("row %+v", row)
		}
	}
	if !report.Interrupted || len(report.Rows) != 6 || samples != 9 || len(report.Inflate) != 3 || len(report.Inflate[0].Samples) != 1 {
		t.Errorf("interrupted %t, %d samples in %d rows, want 9 in 6; decoders %+v", report.Interrupted, samples, len(report.Rows), report.Inflate)
	}
	if !strings.Contains(report.Warnings[0], "interrupted") {
		t.Errorf("warnings %q", report.Warnings)
	}
}

func TestCodecRefusesBadOptions(t *testing.T) {
	for name, opts := range map[string]CodecOptions{
		"negative passes": {Passes: -1},
		"too many passes": {Passes: MaxPasses + 1},
		"unknown level":   {Levels: []codec.Level{13}},
		"stdlib level 0":  {Stdlib: []int{0}},
		"klauspost level": {Klauspost: []int{10}},
	} {
		if _, err := Codec(t.Context(), codecSample(1), opts); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Codec(t.Context(), nil, CodecOptions{}); err == nil {
		t.Error("no chunks: no error")
	}
}

func TestCodecDefaults(t *testing.T) {
	all, err := CodecOptions{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Levels) != 13 || !slices.Equal(all.Stdlib, []int{1, 3, 6, 9}) || len(all.Klauspost) != 9 || all.Passes != 10 {
		t.Errorf("all levels: %+v", all)
	}
	some, err := CodecOptions{Levels: []codec.Level{codec.Sector, 12, 2}, Klauspost: []int{}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(some.Stdlib, []int{2, 6}) || len(some.Klauspost) != 0 {
		t.Errorf("some levels: %+v", some)
	}
}

func TestCodecReportKeepsItsJSONNames(t *testing.T) {
	report, err := Codec(t.Context(), codecSample(1), CodecOptions{Levels: []codec.Level{codec.Sector, 6}, Passes: 1, Kind: "proto"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var raw struct {
		Rows []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	if raw.Rows[0]["level"] != "sector" || raw.Rows[1]["level"] != 6.0 || raw.Rows[0]["kind"] != "proto" || raw.Rows[0]["name"] != "strata" {
		t.Errorf("level, kind or name: %v", raw.Rows[:2])
	}
	for _, name := range []string{
		"payload_bytes", "sector_bytes", "compress_ns", "decompress_ns",
		"compress_p50_ns", "compress_p95_ns", "decompress_p50_ns", "decompress_p95_ns",
	} {
		if v, ok := raw.Rows[0][name].(float64); !ok || v <= 0 {
			t.Errorf("%s is %v", name, raw.Rows[0][name])
		}
	}
	var back CodecReport
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*report, back); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

func TestRanksOfTimes(t *testing.T) {
	times := func(n int) (list []time.Duration) {
		for i := n; i > 0; i-- {
			list = append(list, time.Duration(i))
		}
		return list
	}
	for n, want := range map[int][5]time.Duration{ // median, least, most, p50, p95
		1: {1, 1, 1, 1, 1}, 2: {1, 1, 2, 1, 2}, 3: {2, 1, 3, 2, 3}, 10: {5, 1, 10, 5, 10}, 100: {50, 1, 100, 50, 95},
	} {
		mid, least, most := medianAndRange(times(n))
		p50, p95 := middleAndTail(times(n))
		if got := [5]time.Duration{mid, least, most, p50, p95}; got != want {
			t.Errorf("of 1 to %d: got %v, want %v", n, got, want)
		}
	}
}

func TestEnvironmentSaysWhatRan(t *testing.T) {
	e := ReadEnvironment()
	if e.CPU == "" || e.Cores < 1 || e.GOMAXPROCS < 1 || e.Go == "" || time.Since(e.Time) > time.Minute ||
		(e.CPUClock != "thread_cpu" && e.CPUClock != "wall") {
		t.Errorf("%+v", e)
	}
}

func TestThreadClockCountsWork(t *testing.T) {
	clock := startThreadClock()
	defer clock.stop()
	last := clock.elapsed()
	x := uint64(1)
	for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); {
		x = x*6364136223846793005 + 1
		if now := clock.elapsed(); now < last {
			t.Fatal("the clock went back")
		} else {
			last = now
		}
	}
	if last <= 0 || x == 0 {
		t.Errorf("20 ms of work took %v", last)
	}
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// The bars of mode sector and of inflate, with room for a noisy machine.
func TestCodecMeetsItsBarsOnTheSharedCorpus(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a measurement")
	}
	all, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	var sample []corpus.Chunk
	for i := 0; i < len(all); i += 5 {
		sample = append(sample, all[i])
	}
	report, err := Codec(t.Context(), sample, CodecOptions{Levels: []codec.Level{6, codec.Sector}, Klauspost: []int{}, Passes: 5})
	if err != nil {
		t.Fatal(err)
	}
	ref, sector := report.Reference(), report.Row("strata", "sector")
	if r := ratio(sector.CompressMinNS, ref.CompressMinNS); r > 0.45 {
		t.Errorf("mode sector takes %.3f times the standard library's level 6, want 0.40", r)
	}
	if six := report.Row("strata", "6"); six.PayloadBytes > 0.99*ref.PayloadBytes {
		t.Errorf("level 6: %.0f bytes, the standard library's %.0f", six.PayloadBytes, ref.PayloadBytes)
	}
	if r := ratio(report.Inflate[0].MinNS, report.Inflate[1].MinNS); r > 0.5 {
		t.Errorf("inflate takes %.3f times the standard library's", r)
	}
}
