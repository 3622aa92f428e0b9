package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"strata/region/codec"
)

// The defaults of CompressionOptions.
const (
	DefaultSamples = 10
	DefaultWarmUps = 3
	// WideSpread is the half range of the yardstick's samples, of their
	// median, above which a report warns that the machine was too busy.
	WideSpread = 0.10
)

// CompressionOptions say what [Compression] measures. The zero value measures
// zlib at all our levels beside the standard library and klauspost/compress at
// those of their levels, with what else there is on the machine.
type CompressionOptions struct {
	// Levels are our levels; none means 1 to 12 and sector. The references are
	// measured at the same numbers up to 9, and at 6, the yardstick, always.
	Levels []codec.Level
	// Schemes are those our levels are measured with, by default zlib. Schemes
	// none and lz4 make one row each.
	Schemes []codec.Scheme
	// Samples of each row, of which the median counts: 1 to MaxPasses, 0 means
	// DefaultSamples. WarmUps go before them, 1 to MaxPasses, 0 means
	// DefaultWarmUps; every stream is checked in the first.
	Samples, WarmUps int
	// RowBudget bounds the CPU time of a row: a slow one has one warm-up and
	// fewer samples, though at least three. 0 means DefaultRowBudget, less
	// means no bound.
	RowBudget time.Duration
	// OursAlone leaves out C zlib and Java, which are other programs.
	OursAlone bool
	// Progress, if set, is called after each pass of each row with the number
	// of passes done and to do, on the goroutine that called Compression. The
	// total falls when slow rows turn out to be slow.
	Progress func(done, total int)
}

// CompressionReport is the result of [Compression].
type CompressionReport struct {
	Environment Environment `json:"environment"`
	Source      string      `json:"source"` // name of the world or corpus
	Seed        uint64      `json:"seed"`   // of the draw
	Load        Load        `json:"load"`
	// Interrupted says that the run did not come to its end: rows have the
	// samples they had by then.
	Interrupted bool `json:"interrupted"`
	// Warnings are what a reader should know before using the figures, and
	// LeftOut what was not measured, with the reason.
	Warnings []string `json:"warnings"`
	LeftOut  []string `json:"left_out"`

	Kinds  []CompressionKind `json:"kinds"`
	Rows   []CompressionRow  `json:"rows"`
	Advice []Advice          `json:"advice"`
	// Region is the map of a region file, nil if there is none to show.
	Region *RegionMap `json:"region,omitempty"`
}

// CompressionKind is what is known of the documents of one kind as they are.
type CompressionKind struct {
	Kind   string `json:"kind"`
	Chunks int    `json:"chunks"` // measured
	// WorldChunks is how many the world has, exactly or by estimate.
	WorldChunks int64   `json:"world_chunks"`
	Exact       bool    `json:"exact"`
	NBTBytes    float64 `json:"nbt_bytes"` // mean a chunk, uncompressed
	// What is stored now, means a chunk and for the world, 0 if not known.
	StoredPayloadBytes float64  `json:"stored_payload_bytes"`
	StoredSectorBytes  float64  `json:"stored_sector_bytes"`
	StoredWorld        Estimate `json:"stored_world_sectors"`
	StoredWorldPayload Estimate `json:"stored_world_payload"`
	StoredSizes        []int    `json:"stored_sizes,omitempty"` // payloads, one each
	// Yardstick is the row that ratios of this kind refer to: level 6 of the
	// game's own codec, or of the best stand-in on this machine.
	Yardstick string `json:"yardstick"`
}

// CompressionRow is one codec at one level on documents of one kind. Sizes are
// means a chunk. Times are CPU time of the measuring thread, checksums
// included; a sample is a pass over all chunks divided by their number.
type CompressionRow struct {
	Name    string    `json:"name"` // strata, stdlib, klauspost, zlib (C) or java
	Scheme  string    `json:"scheme"`
	Level   LevelName `json:"level"` // "-" where the scheme has none
	Kind    string    `json:"kind"`
	Version string    `json:"version,omitempty"` // of an outside program
	Chunks  int       `json:"chunks"`
	WarmUps int       `json:"warm_ups"`
	Samples int       `json:"samples"`

	PayloadBytes float64  `json:"payload_bytes"` // stream and five-byte record header
	SectorBytes  float64  `json:"sector_bytes"`  // the same in whole sectors
	WorldPayload Estimate `json:"world_payload"`
	WorldSectors Estimate `json:"world_sectors"`
	Sizes        []int    `json:"sizes"` // payloads, one each
	// Digest is the XXH64 of all streams in order. Identical is how many of
	// them are byte for byte what is stored now.
	Digest    string `json:"digest"`
	Identical int    `json:"identical"`

	// Ratios to what is stored now and to the yardstick; 0 if not known.
	PayloadToStored     float64 `json:"payload_to_stored"`
	SectorsToStored     float64 `json:"sectors_to_stored"`
	PayloadToYardstick  float64 `json:"payload_to_yardstick"`
	SectorsToYardstick  float64 `json:"sectors_to_yardstick"`
	CompressToYardstick float64 `json:"compress_to_yardstick"`

	CompressNS        time.Duration   `json:"compress_ns"`
	CompressMinNS     time.Duration   `json:"compress_min_ns"`
	CompressMaxNS     time.Duration   `json:"compress_max_ns"`
	CompressP50NS     time.Duration   `json:"compress_p50_ns"`
	CompressP95NS     time.Duration   `json:"compress_p95_ns"`
	CompressWallNS    time.Duration   `json:"compress_wall_ns"`
	CompressPerS      int64           `json:"compress_bytes_per_s"` // of NBT
	CompressSamples   []time.Duration `json:"compress_samples_ns"`
	DecompressNS      time.Duration   `json:"decompress_ns"`
	DecompressMinNS   time.Duration   `json:"decompress_min_ns"`
	DecompressMaxNS   time.Duration   `json:"decompress_max_ns"`
	DecompressP50NS   time.Duration   `json:"decompress_p50_ns"`
	DecompressP95NS   time.Duration   `json:"decompress_p95_ns"`
	DecompressWallNS  time.Duration   `json:"decompress_wall_ns"`
	DecompressPerS    int64           `json:"decompress_bytes_per_s"`
	DecompressSamples []time.Duration `json:"decompress_samples_ns"`

	// MemoryBytes is what one compressor and decompressor keep between
	// chunks, AllocBytes what they allocate for a chunk beside. Both are -1
	// for outside programs.
	MemoryBytes int64 `json:"memory_bytes"`
	AllocBytes  int64 `json:"alloc_bytes"`
	// Pareto says that no row of the kind is both smaller, in sectors, and
	// faster to compress.
	Pareto bool `json:"pareto"`
}

// Row returns a row, nil if there is none.
func (r *CompressionReport) Row(kind, name, scheme string, level LevelName) *CompressionRow {
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Kind == kind && row.Name == name && row.Scheme == scheme && row.Level == level {
			return row
		}
	}
	return nil
}

// Of returns the rows of a kind.
func (r *CompressionReport) Of(kind string) (rows []*CompressionRow) {
	for i := range r.Rows {
		if r.Rows[i].Kind == kind {
			rows = append(rows, &r.Rows[i])
		}
	}
	return rows
}

// yardsticks are the rows that ratios may refer to, best first. The game
// compresses with Java's Deflater at level 6, whose bytes are C zlib's.
var yardsticks = []string{"java", "zlib", "stdlib"}

// Yardstick returns the row that ratios of a kind refer to, nil if an
// interrupt left none.
func (r *CompressionReport) Yardstick(kind string) *CompressionRow {
	for _, name := range yardsticks {
		if row := r.Row(kind, name, "zlib", "6"); row != nil && row.Samples > 0 {
			return row
		}
	}
	return nil
}

// Compression measures sizes and times of compressing and decompressing a
// sample, interleaved: each pass goes over all rows of a kind, from another one
// each time, so that a noisy minute of the machine hits all alike. Every stream
// is decoded and compared before its time counts. It runs on the calling
// goroutine, which it locks to its thread, and outside programs beside it take
// their turns while it waits.
//
// When ctx ends the report has the finished samples and says that it was
// interrupted; that is no error, unless not one row was finished.
func Compression(ctx context.Context, s *Sample, opts CompressionOptions) (*CompressionReport, error) {
	plan, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("bench compression: %w", err)
	}
	if len(s.Kinds) == 0 {
		return nil, fmt.Errorf("bench compression: no chunks")
	}
	report := &CompressionReport{Environment: ReadEnvironment(), Seed: s.Seed, Warnings: []string{}, LeftOut: []string{}}
	end := report.Load.start()
	var programs []*outsideProgram
	if !plan.OursAlone {
		programs, report.LeftOut = startOutside(ctx)
		if report.LeftOut == nil {
			report.LeftOut = []string{}
		}
	}
	run := compressionRun{opts: plan, report: report, programs: programs, sample: s}
	err = run.all(ctx)
	for _, p := range programs {
		if closed := p.close(); closed != nil {
			report.LeftOut = append(report.LeftOut, fmt.Sprintf("%s: %v", p.name, closed))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("bench compression: %w", err)
	}
	end()
	report.conclude(s)
	return report, nil
}

// withDefaults returns the options with every default filled in, or says what
// is wrong with them.
func (o CompressionOptions) withDefaults() (CompressionOptions, error) {
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	if o.WarmUps == 0 {
		o.WarmUps = DefaultWarmUps
	}
	if min(o.Samples, o.WarmUps) < 1 || max(o.Samples, o.WarmUps) > MaxPasses {
		return o, fmt.Errorf("%d warm-ups and %d samples: want 1 to %d", o.WarmUps, o.Samples, MaxPasses)
	}
	if o.RowBudget == 0 {
		o.RowBudget = DefaultRowBudget
	}
	if len(o.Levels) == 0 {
		for l := codec.MinLevel; l <= codec.MaxLevel; l++ {
			o.Levels = append(o.Levels, l)
		}
		o.Levels = append(o.Levels, codec.Sector)
	}
	if len(o.Schemes) == 0 {
		o.Schemes = []codec.Scheme{codec.Zlib}
	}
	return o, nil
}

// referenceLevels are the levels of other codecs that stand beside ours.
func (o *CompressionOptions) referenceLevels() []int {
	levels := []int{6}
	for _, l := range o.Levels {
		if l >= 1 && l <= 9 && l != 6 {
			levels = append(levels, int(l))
		}
	}
	slices.Sort(levels)
	return slices.Compact(levels)
}
