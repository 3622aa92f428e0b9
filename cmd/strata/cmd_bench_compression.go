package main

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/corpus"
	"strata/bench/report"
	"strata/cmd/internal/ui"
	"strata/region/codec"
)

// benchCompressionFlags are the flags of strata bench compression.
type benchCompressionFlags struct {
	corpus, levels, schemes string
	sample, samples         int
	seed                    uint64
	dimensions              []string
	reports                 benchReportFlags
	alone                   bool
}

func newBenchCompressionCmd(a *app) *cobra.Command {
	var flags benchCompressionFlags
	cmd := &cobra.Command{
		Use:   "compression [WORLD]",
		Short: "Size and speed of every compression level on your own world",
		Long: `Draw chunks of a world at random, compress and decompress them with every
level, and say which level suits which use.

Full chunks, half-generated ones (proto), entities and points of interest are
measured apart. Sizes are means a chunk: the payload with its five-byte record
header, and the sectors that takes in a region file; "world" is the whole world
in sectors, extrapolated, "±" its error of sampling (95 %). Times are thread CPU
time a chunk with checksums, the median of the samples after the warm-ups; slow
levels have fewer. "x" is the ratio to level 6 of the game's own codec: Java's
Deflater, else C zlib, else Go's standard library. These and klauspost/compress
are measured in the same run, sample by sample in turn, Java and C zlib (through
python3) where they are installed. Every stream is decoded and compared first.

An interrupt ends the run with the samples that are finished, and exit code 130.
The world is only read; a running server does not mind, but disturbs.

With --report DIR: report.md, report.json (raw samples in nanoseconds, for strata
bench compare) and report.html, one page with charts that needs no network; with
--png the charts as pictures too. With --json: kinds[], rows[]: name, scheme,
level, kind, payload_bytes, sector_bytes, compress_ns, decompress_ns, *_p50_ns
and *_p95_ns over chunks, *_samples_ns, memory_bytes; advice[], load, warnings[],
left_out[], interrupted.`,
		Example: `  strata bench compression ~/.minecraft/saves/Home
  strata bench compression /srv/world --levels 1,3,6,9,sector --report out --png
  strata bench compression --corpus chunks.bin.zst --sample 998 --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.benchCompression(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.corpus, "corpus", "", "measure on a chunk corpus (`FILE`.bin.zst) in place of a world")
	f.StringVar(&flags.levels, "levels", "", "comma-separated `LIST` of 1 to 12, ranges such as 1-9, and sector (default all)")
	f.StringVar(&flags.schemes, "schemes", "zlib", "comma-separated `LIST` of zlib, gzip, lz4 and none")
	f.IntVar(&flags.sample, "sample", bench.DefaultSample, "draw `N` chunks of each kind")
	f.IntVar(&flags.samples, "samples", bench.DefaultSamples, "measure each level `N` times")
	f.Uint64Var(&flags.seed, "seed", 0, "`SEED` of the draw (default a random one, which the report names)")
	f.StringSliceVar(&flags.dimensions, "dimension", nil, "draw from these dimensions only (`ID`, may be repeated)")
	flags.reports.add(cmd)
	f.BoolVar(&flags.alone, "no-outside", false, "leave out Java and C zlib")
	return cmd
}

func (a *app) benchCompression(cmd *cobra.Command, args []string, flags benchCompressionFlags) error {
	options, err := flags.options(args)
	if err != nil {
		return err
	}
	sample, regionMap, name, err := a.drawSample(cmd, args, flags)
	if err != nil {
		return err
	}
	result, err := a.measureCompression(cmd, sample, options)
	if err != nil {
		return err
	}
	result.Source, result.Region = name, regionMap
	return a.benchResult(cmd, flags.reports, result,
		func(dir string, o report.Options) error { return report.WriteCompression(dir, result, o) },
		func(w io.Writer) error { return writeCompressionText(a.console, w, result) })
}

// options checks the flags and makes options of them.
func (f *benchCompressionFlags) options(args []string) (o bench.CompressionOptions, err error) {
	if err := f.reports.check(); err != nil {
		return o, err
	}
	switch {
	case (len(args) == 0) == (f.corpus == ""):
		return o, ui.Errorf(ui.Usage, "want a WORLD or --corpus FILE, one of the two")
	case f.corpus != "" && len(f.dimensions) > 0:
		return o, ui.Errorf(ui.Usage, "--corpus and --dimension do not go together")
	case f.sample < 1 || f.sample > bench.MaxSample:
		return o, ui.Errorf(ui.Usage, "--sample %d: want 1 to %d", f.sample, bench.MaxSample)
	case f.samples < 1 || f.samples > bench.MaxPasses:
		return o, ui.Errorf(ui.Usage, "--samples %d: want 1 to %d", f.samples, bench.MaxPasses)
	}
	if o.Levels, err = parseLevelRanges(f.levels); err != nil {
		return o, ui.Errorf(ui.Usage, "--levels: %w", err)
	}
	for text := range strings.SplitSeq(f.schemes, ",") {
		scheme, err := codec.ParseScheme(strings.TrimSpace(text))
		if err != nil || !scheme.Known() {
			return o, ui.Errorf(ui.Usage, "--schemes: %q: want zlib, gzip, lz4 or none", text)
		}
		o.Schemes = append(o.Schemes, scheme)
	}
	o.Samples, o.OursAlone = f.samples, f.alone
	return o, nil
}

// parseLevelRanges is parseLevels with ranges such as 1-9.
func parseLevelRanges(list string) ([]codec.Level, error) {
	var single []string
	for item := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(item), "-")
		if !isRange {
			single = append(single, item)
			continue
		}
		first, err := codec.ParseLevel(from)
		if err != nil {
			return nil, err
		}
		last, err := codec.ParseLevel(to)
		if err != nil {
			return nil, err
		}
		if first < codec.MinLevel || last < first {
			return nil, ui.Errorf(ui.Usage, "%q is no range of levels", item)
		}
		for l := first; l <= last; l++ {
			single = append(single, l.String())
		}
	}
	return parseLevels(strings.Join(single, ","))
}

// drawSample draws from the world or corpus that the command line names.
func (a *app) drawSample(cmd *cobra.Command, args []string, flags benchCompressionFlags) (*bench.Sample, *bench.RegionMap, string, error) {
	o := bench.SampleOptions{Seed: flags.seed, PerKind: flags.sample}
	if !cmd.Flags().Changed("seed") {
		o.Seed = rand.Uint64() >> 11 // JSON readers may keep no more than 53 bits
	}
	if flags.corpus != "" {
		chunks, err := corpus.Load(flags.corpus)
		if errors.Is(err, fs.ErrNotExist) {
			err = ui.Errorf(ui.Missing, "%w", err)
		}
		if err != nil {
			return nil, nil, "", err
		}
		s, err := bench.SampleCorpus(chunks, o)
		return s, nil, filepath.Base(flags.corpus), err
	}
	w, err := openWorld(args[0])
	if err != nil {
		return nil, nil, "", err
	}
	for _, id := range flags.dimensions {
		d, err := w.Dimension(completeID(id))
		if err != nil {
			return nil, nil, "", ui.Errorf(ui.Usage, "--dimension %s: %w", id, err)
		}
		o.Dimensions = append(o.Dimensions, d.ID)
	}
	s, err := bench.SampleWorld(cmd.Context(), w, o)
	if err != nil {
		return nil, nil, "", err
	}
	var regionMap *bench.RegionMap
	if flags.reports.dir != "" {
		if regionMap, err = bench.MapRegion(cmd.Context(), w, o.Dimensions...); err != nil {
			if cmd.Context().Err() != nil {
				return nil, nil, "", err
			}
			a.console.Notef("sector map left out: %v", err)
		}
	}
	return s, regionMap, filepath.Base(absolutePath(args[0])), nil
}

// absolutePath is path itself where the working directory is gone.
func absolutePath(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

func (a *app) measureCompression(cmd *cobra.Command, sample *bench.Sample, o bench.CompressionOptions) (*bench.CompressionReport, error) {
	progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "passes"})
	defer progress.Stop()
	last := 0
	o.Progress = func(done, total int) {
		progress.SetTotal(int64(total))
		progress.Add(int64(done - last))
		last = done
	}
	return bench.Compression(cmd.Context(), sample, o)
}
