package bench

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/bench/corpus"
)

const (
	recordHeaderBytes = 5
	sectorBytes       = 4096
)

// codecRun is one call of Codec.
type codecRun struct {
	chunks []corpus.Chunk
	opts   CodecOptions
	rows   []*codecSeries

	clock   threadClock
	streams streamArena // of the row at hand, made anew in each pass
	payload []byte      // where a stream is decoded to

	reference streamArena // the standard library's, for the inflate rows
	inflate   []*inflateSeries

	done, total int // passes, for Progress
}

// streamArena holds the streams of one pass one behind the other.
type streamArena struct {
	buf  []byte
	ends []int
}

func (a *streamArena) reset() { a.buf, a.ends = a.buf[:0], a.ends[:0] }

func (a *streamArena) stream(i int) []byte {
	start := 0
	if i > 0 {
		start = a.ends[i-1]
	}
	return a.buf[start:a.ends[i]]
}

// codecSeries is a row and what it is made from.
type codecSeries struct {
	contender
	row                  CodecRow
	passes               int
	compress, decompress []time.Duration // a pass's time divided by its chunks
}

type inflateSeries struct {
	zlibCodec
	row    InflateRow
	passes []time.Duration
}

func newCodecRun(chunks []corpus.Chunk, opts CodecOptions) (*codecRun, error) {
	contenders, err := newContenders(opts)
	if err != nil {
		return nil, err
	}
	r := &codecRun{chunks: chunks, opts: opts}
	for _, c := range contenders {
		r.rows = append(r.rows, &codecSeries{contender: c, passes: opts.Passes})
	}
	largest, total := 0, 0
	for _, c := range chunks {
		largest, total = max(largest, len(c.NBT)), total+len(c.NBT)
	}
	// Room for every pass from the start, so that none pays for growing:
	// deflate needs at most a few bytes in a thousand more than it is given.
	r.payload = make([]byte, 0, largest+1024)
	r.streams.buf = make([]byte, 0, total+total/256+256*len(chunks))
	return r, nil
}

func (r *codecRun) run(ctx context.Context) (*CodecReport, error) {
	report := &CodecReport{
		Environment: ReadEnvironment(), Chunks: len(r.chunks), Passes: r.opts.Passes,
		Rows: []CodecRow{}, Inflate: []InflateRow{},
	}
	end := report.Begin()
	for _, c := range r.chunks {
		report.NBTBytes += float64(len(c.NBT)) / float64(len(r.chunks))
	}
	runtime.GC() // what loading the corpus left behind is not for a row to pay
	r.clock = startThreadClock()
	err := r.all(ctx)
	r.clock.stop()
	end()
	var spreads []float64
	for _, s := range r.rows {
		if len(s.decompress) > 0 {
			row := s.finish(r.opts.Kind)
			report.Rows = append(report.Rows, row)
			spreads = append(spreads, SpreadOf(row.CompressNS, row.CompressMinNS, row.CompressMaxNS))
		}
	}
	for _, s := range r.inflate {
		if len(s.passes) > 0 {
			report.Inflate = append(report.Inflate, s.finish())
		}
	}
	if err := report.Interrupt(ctx, err, len(report.Rows)); err != nil {
		return nil, err
	}
	report.Warn(report.Environment, spreads)
	return report, nil
}

// all makes all passes.
func (r *codecRun) all(ctx context.Context) error {
	if err := r.first(ctx); err != nil {
		return err
	}
	for pass := range r.opts.Passes {
		for _, s := range r.rows {
			if pass < s.passes {
				if err := r.pass(ctx, s); err != nil {
					return err
				}
			}
		}
		for _, s := range r.inflate {
			took, err := r.decodeAll(ctx, s.zlibCodec, &r.reference)
			if err != nil {
				return fmt.Errorf("%s: inflate: %w", s.row.Name, err)
			}
			s.passes = append(s.passes, took)
		}
	}
	return nil
}

// first goes over each row once: it checks every stream, takes sizes and the
// times of single chunks, warms up, and finds out how many passes a slow row
// has time for.
func (r *codecRun) first(ctx context.Context) error {
	r.total = len(r.rows) * (1 + r.opts.Passes)
	for _, s := range r.rows {
		compress, err := r.compressSingly(ctx, s)
		if err != nil {
			return err
		}
		decompress, err := r.decodeSingly(ctx, s.zlibCodec, &r.streams)
		if err != nil {
			return s.failed("decompress", err)
		}
		s.measure(&r.streams)
		s.row.CompressP50NS, s.row.CompressP95NS = middleAndTail(compress)
		s.row.DecompressP50NS, s.row.DecompressP95NS = middleAndTail(decompress)
		if s.name == "stdlib" && s.level == "6" {
			r.reference = streamArena{bytes.Clone(r.streams.buf), slices.Clone(r.streams.ends)}
		}
		if took := sum(compress); r.opts.RowBudget > 0 && took > 0 {
			s.passes = max(1, min(s.passes, int(r.opts.RowBudget/took)))
			r.total -= r.opts.Passes - s.passes
		}
		r.progress()
	}
	return r.firstInflate(ctx)
}

func (r *codecRun) firstInflate(ctx context.Context) error {
	ours, err := newStrataCodec(6) // a decoder has no level; any will do
	if err != nil {
		return err
	}
	stdlib, err := newStdlibCodec(6)
	if err != nil {
		return err
	}
	klauspost, err := newKlauspostCodec(6)
	if err != nil {
		return err
	}
	for _, c := range []contender{{ours, "strata", ""}, {stdlib, "stdlib", ""}, {klauspost, "klauspost", ""}} {
		single, err := r.decodeSingly(ctx, c.zlibCodec, &r.reference)
		if err != nil {
			return fmt.Errorf("%s: inflate: %w", c.name, err)
		}
		s := &inflateSeries{zlibCodec: c.zlibCodec, row: InflateRow{Name: c.name, Streams: "stdlib 6"}}
		s.row.P50NS, s.row.P95NS = middleAndTail(single)
		r.inflate = append(r.inflate, s)
	}
	return nil
}

// pass compresses the sample and decompresses what came out.
func (r *codecRun) pass(ctx context.Context, s *codecSeries) error {
	r.streams.reset()
	start := r.clock.elapsed()
	for i := range r.chunks {
		if err := r.compressOne(ctx, s, i); err != nil {
			return err
		}
	}
	compress := (r.clock.elapsed() - start) / time.Duration(len(r.chunks))
	took, err := r.decodeAll(ctx, s.zlibCodec, &r.streams)
	if err != nil {
		return s.failed("decompress", err)
	}
	s.compress, s.decompress = append(s.compress, compress), append(s.decompress, took)
	r.progress()
	return nil
}

func (r *codecRun) compressOne(ctx context.Context, s *codecSeries, i int) error {
	var err error
	r.streams.buf, err = s.zlibCodec.compress(r.streams.buf, r.chunks[i].NBT)
	if err == nil {
		err = ctx.Err()
	}
	r.streams.ends = append(r.streams.ends, len(r.streams.buf))
	return s.failed("compress", err)
}

// decodeAll decodes all streams of a and returns the time a chunk.
func (r *codecRun) decodeAll(ctx context.Context, c zlibCodec, a *streamArena) (time.Duration, error) {
	var err error
	start := r.clock.elapsed()
	for i := range r.chunks {
		if r.payload, err = c.decompress(r.payload[:0], a.stream(i)); err != nil {
			return 0, fmt.Errorf("chunk %d: %w", i, err)
		}
	}
	return (r.clock.elapsed() - start) / time.Duration(len(r.chunks)), ctx.Err()
}

// compressSingly is the compressing half of pass with a time for each chunk.
func (r *codecRun) compressSingly(ctx context.Context, s *codecSeries) ([]time.Duration, error) {
	times := make([]time.Duration, len(r.chunks))
	r.streams.reset()
	for i := range r.chunks {
		start := r.clock.elapsed()
		if err := r.compressOne(ctx, s, i); err != nil {
			return nil, err
		}
		times[i] = r.clock.elapsed() - start
	}
	return times, nil
}

// decodeSingly is decodeAll with a time for each chunk, and compares what
// comes out with the chunks.
func (r *codecRun) decodeSingly(ctx context.Context, c zlibCodec, a *streamArena) ([]time.Duration, error) {
	times := make([]time.Duration, len(r.chunks))
	for i := range r.chunks {
		start := r.clock.elapsed()
		out, err := c.decompress(r.payload[:0], a.stream(i))
		times[i] = r.clock.elapsed() - start
		if err != nil {
			return nil, fmt.Errorf("chunk %d: %w", i, err)
		}
		if !bytes.Equal(out, r.chunks[i].NBT) {
			return nil, fmt.Errorf("chunk %d: decodes to other bytes", i)
		}
	}
	return times, ctx.Err()
}

func (r *codecRun) progress() {
	r.done++
	if r.opts.Progress != nil {
		r.opts.Progress(r.done, r.total)
	}
}

// failed wraps err, if there is one.
func (s *codecSeries) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %s: %w", s.name, s.level, what, err)
}

// measure takes sizes and digest from a pass's streams.
func (s *codecSeries) measure(a *streamArena) {
	payload, sectors := 0, 0
	for i := range a.ends {
		record := recordHeaderBytes + len(a.stream(i))
		payload += record
		sectors += (record + sectorBytes - 1) / sectorBytes
	}
	n := float64(len(a.ends))
	s.row.PayloadBytes = float64(payload) / n
	s.row.SectorBytes = float64(sectors*sectorBytes) / n
	s.row.Digest = fmt.Sprintf("%016x", xxhash.Sum64(a.buf))
}

func (s *codecSeries) finish(kind string) CodecRow {
	r := s.row
	r.Name, r.Level, r.Kind, r.Passes = s.name, s.level, kind, len(s.compress)
	r.CompressSamples, r.DecompressSamples = s.compress, s.decompress
	r.CompressNS, r.CompressMinNS, r.CompressMaxNS = medianAndRange(s.compress)
	r.DecompressNS, r.DecompressMinNS, r.DecompressMaxNS = medianAndRange(s.decompress)
	return r
}

func (s *inflateSeries) finish() InflateRow {
	r := s.row
	r.Passes, r.Samples = len(s.passes), s.passes
	r.NS, r.MinNS, r.MaxNS = medianAndRange(s.passes)
	return r
}

// medianAndRange takes, of an even number, the mean of the two middle ones.
func medianAndRange(passes []time.Duration) (mid, least, most time.Duration) {
	sorted := slices.Sorted(slices.Values(passes))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]
}

// middleAndTail are the smallest times that half, and 95 of 100, of the
// chunks do not exceed.
func middleAndTail(single []time.Duration) (p50, p95 time.Duration) {
	sorted := slices.Sorted(slices.Values(single))
	n := len(sorted)
	return sorted[(n*50+99)/100-1], sorted[(n*95+99)/100-1]
}

func sum(times []time.Duration) (total time.Duration) {
	for _, t := range times {
		total += t
	}
	return total
}
