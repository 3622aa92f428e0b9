package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"strata/bench/corpus"
	"strata/region/codec"
)

// The limits and defaults of CodecOptions.
const (
	DefaultPasses    = 10
	MaxPasses        = 1000
	DefaultRowBudget = 12 * time.Second
)

// CodecOptions says what [Codec] measures. The zero value measures all our
// levels beside the standard library's 1, 3, 6 and 9 and klauspost's 1 to 9.
type CodecOptions struct {
	// Levels are our levels; none means 1 to 12 and sector.
	Levels []codec.Level
	// Stdlib and Klauspost are levels 1 to 9 of compress/zlib and of
	// klauspost/compress. Nil means those named above if Levels is empty, else
	// 6 and the numbers up to 9 that Levels names. The standard library's 6 is
	// always measured: all ratios refer to it.
	Stdlib, Klauspost []int
	// Passes over the sample, of which the median counts: 1 to MaxPasses, 0
	// means DefaultPasses.
	Passes int
	// RowBudget bounds the CPU time of a row's passes: a slow level makes
	// fewer, but at least one. 0 means DefaultRowBudget, less means no bound.
	RowBudget time.Duration
	// Kind is copied to the rows: what sort of chunks these are. "" means
	// full.
	Kind string
	// Progress, if set, is called after each pass of each row with the number
	// of passes done and to do, on the goroutine that called Codec. The total
	// falls when slow rows turn out to be slow.
	Progress func(done, total int)
}

// CodecReport is the result of [Codec].
type CodecReport struct {
	Environment Environment `json:"environment"`
	Chunks      int         `json:"chunks"`
	NBTBytes    float64     `json:"nbt_bytes"` // mean a chunk
	Passes      int         `json:"passes"`    // asked for
	Course
	// Rows are one codec and level each, ours first.
	Rows []CodecRow `json:"rows"`
	// Inflate are all decoders on the same streams, those of the standard
	// library's level 6.
	Inflate []InflateRow `json:"inflate"`
}

// CodecRow is one codec at one level. Sizes are means a chunk. Times are CPU
// time of the thread, checksums included: compress_ns and decompress_ns are
// the median over the passes of a pass's time divided by its chunks, min and
// max the fastest and slowest pass, p50 and p95 ranks over single chunks in a
// pass of their own.
type CodecRow struct {
	Name   string    `json:"name"` // strata, stdlib or klauspost
	Level  LevelName `json:"level"`
	Kind   string    `json:"kind"`
	Passes int       `json:"passes"`

	PayloadBytes float64 `json:"payload_bytes"` // stream and five-byte record header
	SectorBytes  float64 `json:"sector_bytes"`  // the same in whole sectors
	// Digest is the XXH64 of all streams in order: two builds that agree in it
	// write the same region files.
	Digest string `json:"digest"`

	CompressNS    time.Duration `json:"compress_ns"`
	CompressMinNS time.Duration `json:"compress_min_ns"`
	CompressMaxNS time.Duration `json:"compress_max_ns"`
	CompressP50NS time.Duration `json:"compress_p50_ns"`
	CompressP95NS time.Duration `json:"compress_p95_ns"`
	// CompressSamples and DecompressSamples are the passes, in their order.
	CompressSamples []time.Duration `json:"compress_samples_ns"`

	DecompressNS    time.Duration `json:"decompress_ns"`
	DecompressMinNS time.Duration `json:"decompress_min_ns"`
	DecompressMaxNS time.Duration `json:"decompress_max_ns"`
	DecompressP50NS time.Duration `json:"decompress_p50_ns"`
	DecompressP95NS time.Duration `json:"decompress_p95_ns"`

	DecompressSamples []time.Duration `json:"decompress_samples_ns"`
}

// InflateRow is one decoder on streams it did not write; times as in
// [CodecRow].
type InflateRow struct {
	Name    string        `json:"name"`
	Streams string        `json:"streams"` // whose
	Passes  int           `json:"passes"`
	NS      time.Duration `json:"ns"`
	MinNS   time.Duration `json:"min_ns"`
	MaxNS   time.Duration `json:"max_ns"`
	P50NS   time.Duration `json:"p50_ns"`
	P95NS   time.Duration `json:"p95_ns"`

	Samples []time.Duration `json:"samples_ns"`
}

// Reference returns the row that ratios refer to, the standard library's
// level 6.
func (r *CodecReport) Reference() *CodecRow { return r.Row("stdlib", "6") }

// Row returns a row by name and level, nil if there is none.
func (r *CodecReport) Row(name string, level LevelName) *CodecRow {
	for i := range r.Rows {
		if r.Rows[i].Name == name && r.Rows[i].Level == level {
			return &r.Rows[i]
		}
	}
	return nil
}

// LevelName is a level of any codec: a number, or "sector". In JSON numbers
// are numbers.
type LevelName string

// MarshalJSON implements json.Marshaler.
func (l LevelName) MarshalJSON() ([]byte, error) {
	if n, err := strconv.Atoi(string(l)); err == nil {
		return strconv.AppendInt(nil, int64(n), 10), nil
	}
	return json.Marshal(string(l))
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *LevelName) UnmarshalJSON(b []byte) error {
	var n int
	if err := json.Unmarshal(b, &n); err == nil {
		*l = LevelName(strconv.Itoa(n))
		return nil
	}
	return json.Unmarshal(b, (*string)(l))
}

// Codec measures sizes and times of compressing and decompressing chunks with
// our levels and with the two Go libraries, interleaved: each pass goes over
// all rows, so that a noisy minute of the machine hits all alike. Every stream
// is decoded and compared once before its time counts. It runs on the calling
// goroutine, which it locks to its thread, and stops within one chunk of ctx's
// end: with what is finished, or with ctx's error if no pass is.
func Codec(ctx context.Context, chunks []corpus.Chunk, opts CodecOptions) (*CodecReport, error) {
	plan, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("bench codec: %w", err)
	}
	if len(chunks) == 0 {
		return nil, fmt.Errorf("bench codec: no chunks")
	}
	run, err := newCodecRun(chunks, plan)
	if err != nil {
		return nil, fmt.Errorf("bench codec: %w", err)
	}
	report, err := run.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("bench codec: %w", err)
	}
	return report, nil
}

// withDefaults returns the options with every default filled in, or says what
// is wrong with them.
func (o CodecOptions) withDefaults() (CodecOptions, error) {
	if o.Passes == 0 {
		o.Passes = DefaultPasses
	}
	if o.Passes < 1 || o.Passes > MaxPasses {
		return o, fmt.Errorf("%d passes: want 1 to %d", o.Passes, MaxPasses)
	}
	if o.RowBudget == 0 {
		o.RowBudget = DefaultRowBudget
	}
	if o.Kind == "" {
		o.Kind = "full"
	}
	stdlib, klauspost := []int{1, 3, 6, 9}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if len(o.Levels) > 0 {
		stdlib = nil
		for l := 1; l <= 9; l++ {
			if l == 6 || slices.Contains(o.Levels, codec.Level(l)) {
				stdlib = append(stdlib, l)
			}
		}
		klauspost = stdlib
	} else {
		for l := codec.MinLevel; l <= codec.MaxLevel; l++ {
			o.Levels = append(o.Levels, l)
		}
		o.Levels = append(o.Levels, codec.Sector)
	}
	if o.Stdlib == nil {
		o.Stdlib = stdlib
	}
	if o.Klauspost == nil {
		o.Klauspost = klauspost
	}
	if !slices.Contains(o.Stdlib, 6) {
		o.Stdlib = append(o.Stdlib[:len(o.Stdlib):len(o.Stdlib)], 6)
	}
	for _, l := range append(o.Stdlib[:len(o.Stdlib):len(o.Stdlib)], o.Klauspost...) {
		if l < 1 || l > 9 {
			return o, fmt.Errorf("level %d of a reference: want 1 to 9", l)
		}
	}
	return o, nil
}
