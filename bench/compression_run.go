package bench

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/region/codec"
)

// codecPass is one pass over the documents: CPU time for each, wall time for
// all, and the streams if they were asked for.
type codecPass struct {
	compress, decompress         []time.Duration
	compressWall, decompressWall time.Duration
	streams                      streamArena
}

// fewSamples is how many the slowest row has, if so many are wanted at all.
const fewSamples = 3

// compressionContender is a codec at a level. With check it must prove that
// the streams decode to the documents, and leave them in the pass.
type compressionContender interface {
	pass(ctx context.Context, r *compressionRun, into *codecPass, check bool) error
}

// compressionRun is one call of Compression.
type compressionRun struct {
	opts     CompressionOptions
	report   *CompressionReport
	programs []*outsideProgram
	sample   *Sample

	clock threadClock

	// Of the kind at hand.
	kind    *SampleKind
	docs    []Document
	rows    []*compressionSeries
	scratch codecPass // of passes that are not kept
	payload []byte    // where a stream is decoded to
	decoder codec.Decoder

	done, total int // passes, for Progress
}

// compressionSeries is a row in the making.
type compressionSeries struct {
	compressionContender
	row     CompressionRow
	samples int  // wanted
	slow    bool // one warm-up has to do
	dropped bool
	// One slice of times for each document, a time for each sample.
	compress, decompress         [][]time.Duration
	compressWall, decompressWall []time.Duration
}

// all measures kind by kind.
func (r *compressionRun) all(ctx context.Context) error {
	runtime.GC() // what drawing the sample left behind is not for a row to pay
	r.clock = startThreadClock()
	defer r.clock.stop()
	for i := range r.sample.Kinds {
		r.kind = &r.sample.Kinds[i]
		r.docs = r.kind.Documents
		err := r.oneKind(ctx, len(r.sample.Kinds)-1-i)
		r.keep()
		if ctx.Err() != nil {
			r.report.Interrupted = true
			for _, k := range r.sample.Kinds[i+1:] {
				r.report.LeftOut = append(r.report.LeftOut, k.Kind+": interrupted before its turn")
			}
			if !slices.ContainsFunc(r.report.Rows, func(row CompressionRow) bool { return row.Samples > 0 }) {
				return ctx.Err()
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// oneKind measures one kind; later is how many kinds are still to come. Its
// error is ours alone: an outside program that fails loses its rows.
func (r *compressionRun) oneKind(ctx context.Context, later int) error {
	r.makeRoom()
	if err := r.enter(ctx); err != nil {
		return err
	}
	passes := r.opts.WarmUps + r.opts.Samples
	r.total = r.done + len(r.rows)*passes*(1+later)
	for _, s := range r.rows {
		if err := r.turn(ctx, s, r.first); err != nil {
			return err
		}
	}
	for round := range passes - 1 {
		for i := range r.rows {
			s := r.rows[(i+round)%len(r.rows)]
			sampling := round >= r.opts.WarmUps-1
			switch {
			case sampling && len(s.compressWall) >= s.samples:
				continue
			case !sampling && s.slow:
				continue // it has had its warm-up
			}
			step := r.warmUp
			if sampling {
				step = r.take
			}
			if err := r.turn(ctx, s, step); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn gives a row its turn. A failure of an outside program drops its rows.
func (r *compressionRun) turn(ctx context.Context, s *compressionSeries, step func(context.Context, *compressionSeries) error) error {
	if s.dropped {
		return nil
	}
	err := step(ctx, s)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, outside := s.compressionContender.(*outsideCodec); err != nil && outside {
		r.drop(s.row.Name, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %s %s: %w", s.row.Name, s.row.Scheme, s.row.Level, err)
	}
	r.done++
	if r.opts.Progress != nil {
		r.opts.Progress(r.done, r.total)
	}
	return nil
}

// drop ends the part that an outside program takes in the run.
func (r *compressionRun) drop(name string, err error) {
	r.report.LeftOut = append(r.report.LeftOut, fmt.Sprintf("%s: %v", name, err))
	for _, s := range r.rows {
		s.dropped = s.dropped || s.row.Name == name
	}
	r.programs = slices.DeleteFunc(slices.Clone(r.programs), func(p *outsideProgram) bool { return p.name == name })
}

// makeRoom has room for every pass from the start, so that no row pays for
// growing.
func (r *compressionRun) makeRoom() {
	largest, total := 0, 0
	for _, d := range r.docs {
		largest, total = max(largest, len(d.Data)), total+len(d.Data)
	}
	r.payload = make([]byte, 0, largest+1024)
	r.scratch = codecPass{
		compress: make([]time.Duration, len(r.docs)), decompress: make([]time.Duration, len(r.docs)),
		streams: streamArena{buf: make([]byte, 0, total+total/256+256*len(r.docs))},
	}
}

// first is the first warm-up: it checks the streams, takes sizes, and finds
// out how many samples a slow row has time for.
func (r *compressionRun) first(ctx context.Context, s *compressionSeries) error {
	if err := s.pass(ctx, r, &r.scratch, true); err != nil {
		return err
	}
	s.row.WarmUps, s.samples = 1, r.opts.Samples
	s.measure(r.kind, &r.scratch.streams)
	took := sum(r.scratch.compress) + sum(r.scratch.decompress)
	if passes := r.opts.Samples + r.opts.WarmUps; r.opts.RowBudget > 0 && took*time.Duration(passes) > r.opts.RowBudget {
		s.samples = min(r.opts.Samples, max(fewSamples, int(r.opts.RowBudget/took)-1))
		s.slow = true
		r.total -= passes - 1 - s.samples
	}
	return nil
}

func (r *compressionRun) warmUp(ctx context.Context, s *compressionSeries) error {
	err := s.pass(ctx, r, &r.scratch, false)
	if err == nil {
		s.row.WarmUps++
	}
	return err
}

// take makes a sample.
func (r *compressionRun) take(ctx context.Context, s *compressionSeries) error {
	if err := s.pass(ctx, r, &r.scratch, false); err != nil {
		return err
	}
	s.compress = append(s.compress, slices.Clone(r.scratch.compress))
	s.decompress = append(s.decompress, slices.Clone(r.scratch.decompress))
	s.compressWall = append(s.compressWall, r.scratch.compressWall/time.Duration(len(r.docs)))
	s.decompressWall = append(s.decompressWall, r.scratch.decompressWall/time.Duration(len(r.docs)))
	return nil
}

// decodeWithOurs checks zlib streams with our decoder.
func (r *compressionRun) decodeWithOurs(a *streamArena) (err error) {
	for i, d := range r.docs {
		if r.payload, err = r.decoder.Append(r.payload[:0], codec.Zlib, a.stream(i), 0); err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		if !bytes.Equal(r.payload, d.Data) {
			return fmt.Errorf("chunk %d: decodes to other bytes", i)
		}
	}
	return nil
}

// measure takes sizes and digest from a pass's streams.
func (s *compressionSeries) measure(k *SampleKind, a *streamArena) {
	n := len(a.ends)
	payloads, sectors := make([]float64, n), make([]float64, n)
	s.row.Chunks, s.row.Sizes, s.row.Identical = n, make([]int, n), 0
	for i := range n {
		stream := a.stream(i)
		s.row.Sizes[i] = recordHeaderBytes + len(stream)
		payloads[i] = float64(s.row.Sizes[i])
		sectors[i] = float64(recordSectors(len(stream)) * sectorBytes)
		d := k.Documents[i]
		if d.StoredDigest != 0 && d.StoredScheme.String() == s.row.Scheme && d.StoredDigest == xxhash.Sum64(stream) {
			s.row.Identical++
		}
	}
	s.row.PayloadBytes, s.row.SectorBytes = mean(payloads), mean(sectors)
	s.row.WorldPayload, s.row.WorldSectors = k.estimate(payloads), k.estimate(sectors)
	s.row.Digest = fmt.Sprintf("%016x", xxhash.Sum64(a.buf))
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(max(1, len(values)))
}

// keep moves the rows of a kind to the report, with as many samples as they
// have. A row whose streams were never checked is left out.
func (r *compressionRun) keep() {
	for _, s := range r.rows {
		if s.row.WarmUps == 0 {
			if !s.dropped {
				r.report.LeftOut = append(r.report.LeftOut, fmt.Sprintf("%s %s %s on %s chunks: interrupted", s.row.Name, s.row.Scheme, s.row.Level, r.kind.Kind))
			}
			continue
		}
		r.report.Rows = append(r.report.Rows, s.finish(r.kind))
	}
	r.rows = nil
}

func (s *compressionSeries) finish(k *SampleKind) CompressionRow {
	row := s.row
	nbt := 0
	for _, d := range k.Documents {
		nbt += len(d.Data)
	}
	row.Samples = len(s.compressWall)
	row.CompressSamples, row.DecompressSamples = []time.Duration{}, []time.Duration{}
	if row.Samples == 0 {
		return row
	}
	n := time.Duration(len(k.Documents))
	for i := range row.Samples {
		row.CompressSamples = append(row.CompressSamples, sum(s.compress[i])/n)
		row.DecompressSamples = append(row.DecompressSamples, sum(s.decompress[i])/n)
	}
	row.CompressNS, row.CompressMinNS, row.CompressMaxNS = medianAndRange(row.CompressSamples)
	row.DecompressNS, row.DecompressMinNS, row.DecompressMaxNS = medianAndRange(row.DecompressSamples)
	row.CompressP50NS, row.CompressP95NS = middleAndTail(byDocument(s.compress))
	row.DecompressP50NS, row.DecompressP95NS = middleAndTail(byDocument(s.decompress))
	row.CompressWallNS, _, _ = medianAndRange(s.compressWall)
	row.DecompressWallNS, _, _ = medianAndRange(s.decompressWall)
	row.CompressPerS = perSecond(float64(nbt)/float64(n), row.CompressNS)
	row.DecompressPerS = perSecond(float64(nbt)/float64(n), row.DecompressNS)
	return row
}

// byDocument is the median time of each document over the samples.
func byDocument(samples [][]time.Duration) []time.Duration {
	times := make([]time.Duration, len(samples[0]))
	column := make([]time.Duration, len(samples))
	for i := range times {
		for s := range samples {
			column[s] = samples[s][i]
		}
		times[i], _, _ = medianAndRange(column)
	}
	return times
}

func perSecond(bytes float64, d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64(bytes / d.Seconds())
}
