package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/corpus"
	"strata/bench/report"
	"strata/cmd/internal/ui"
	"strata/region/codec"
)

func newBenchCodecCmd(a *app) *cobra.Command {
	var flags struct {
		corpus string
		levels string
		passes int
	}
	var reports benchReportFlags
	cmd := &cobra.Command{
		Use:   "codec --corpus FILE",
		Short: "Size and speed of every compression level on a chunk corpus",
		Long: `Compress and decompress the chunks of a corpus with every level, and with
the standard library and klauspost/compress beside it.

Sizes are means a chunk: the payload with its five-byte record header, and the
sectors it takes in a region file. Times are CPU time a chunk with checksums,
the median of the passes; "x" is the ratio to the standard library's level 6,
"±" half the distance from the fastest pass to the slowest. Slow levels make
fewer passes. With all levels a run takes a few minutes.

A corpus is a zstd file of records: uint32 NBT length, uint32 stored length or
0, both little-endian, and the NBT bytes.

` + benchReportHelp,
		Example: `  strata bench codec --corpus chunks.bin.zst
  strata bench codec --corpus chunks.bin.zst --levels 6,sector --passes 3 --json`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reports.check(); err != nil {
				return err
			}
			if flags.passes < 1 || flags.passes > bench.MaxPasses {
				return ui.Errorf(ui.Usage, "--passes %d: want 1 to %d", flags.passes, bench.MaxPasses)
			}
			levels, err := parseLevels(flags.levels)
			if err != nil {
				return ui.Errorf(ui.Usage, "--levels: %w", err)
			}
			chunks, err := corpus.Load(flags.corpus)
			if errors.Is(err, fs.ErrNotExist) {
				return ui.Errorf(ui.Missing, "%w", err)
			}
			if err != nil {
				return err
			}
			progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "passes"})
			defer progress.Stop()
			last := 0
			result, err := bench.Codec(cmd.Context(), chunks, bench.CodecOptions{
				Levels: levels,
				Passes: flags.passes,
				Progress: func(done, total int) {
					progress.SetTotal(int64(total))
					progress.Add(int64(done - last))
					last = done
				},
			})
			progress.Stop()
			if err != nil {
				return err
			}
			source := filepath.Base(flags.corpus)
			return a.benchResult(cmd, reports, result,
				func(dir string, o report.Options) error { return report.WriteCodec(dir, source, result, o) },
				func(w io.Writer) error { return writeCodecReport(a.console, w, result) })
		},
	}
	cmd.Flags().StringVar(&flags.corpus, "corpus", "", "chunk corpus (`FILE`.bin.zst) to measure on")
	if err := cmd.MarkFlagRequired("corpus"); err != nil {
		panic(err) // the flag is defined one line above
	}
	cmd.Flags().StringVar(&flags.levels, "levels", "", "comma-separated `LIST` of 1 to 12 and sector (default all)")
	cmd.Flags().IntVar(&flags.passes, "passes", bench.DefaultPasses, "measure `N` times and take the median")
	reports.add(cmd)
	return cmd
}

// parseLevels reads a comma-separated list; an empty one means all. Repeated
// levels count once.
func parseLevels(list string) (levels []codec.Level, err error) {
	if list == "" {
		return nil, nil
	}
	for _, text := range strings.Split(list, ",") {
		l, err := codec.ParseLevel(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(levels, l) {
			levels = append(levels, l)
		}
	}
	return levels, nil
}

func writeCodecReport(console *ui.Console, w io.Writer, r *bench.CodecReport) error {
	e := r.Environment
	if _, err := fmt.Fprintf(w, "%d chunks, %s of NBT each; %s, %d cores, %s; %s\n\n",
		r.Chunks, ui.FormatBytes(int64(r.NBTBytes)), e.CPU, e.Cores, e.Go, clockText(e.CPUClock)); err != nil {
		return err
	}
	ref := r.Reference()
	if ref == nil { // interrupted early
		ref = &bench.CodecRow{}
	}
	table := console.NewTable(
		ui.Column{Head: "codec"}, ui.Column{Head: "level", Right: true},
		ui.Column{Head: "payload", Right: true}, ui.Column{Head: "sectors", Right: true},
		ui.Column{Head: "compress", Right: true}, ui.Column{Head: "±", Right: true},
		ui.Column{Head: "x", Right: true}, ui.Column{Head: "p95", Right: true},
		ui.Column{Head: "decompress", Right: true}, ui.Column{Head: "±", Right: true},
		ui.Column{Head: "x", Right: true}, ui.Column{Head: "passes", Right: true},
	)
	for _, row := range r.Rows {
		table.Row(row.Name, string(row.Level),
			bytesText(row.PayloadBytes), bytesText(row.SectorBytes),
			microText(row.CompressNS), spreadText(row.CompressNS, row.CompressMinNS, row.CompressMaxNS),
			ratioText(row.CompressNS, ref.CompressNS), microText(row.CompressP95NS),
			microText(row.DecompressNS), spreadText(row.DecompressNS, row.DecompressMinNS, row.DecompressMaxNS),
			ratioText(row.DecompressNS, ref.DecompressNS), strconv.Itoa(row.Passes))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	if len(r.Inflate) > 0 {
		if err := writeInflateRows(console, w, r); err != nil {
			return err
		}
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	writeWarnings(w, &r.Course)
	return nil
}

func writeInflateRows(console *ui.Console, w io.Writer, r *bench.CodecReport) error {
	if _, err := fmt.Fprintf(w, "\nDecompress the same streams, with checksum\n\n"); err != nil {
		return err
	}
	table := console.NewTable(
		ui.Column{Head: "codec"}, ui.Column{Head: "streams"},
		ui.Column{Head: "decompress", Right: true}, ui.Column{Head: "±", Right: true},
		ui.Column{Head: "x", Right: true}, ui.Column{Head: "p95", Right: true},
	)
	i := slices.IndexFunc(r.Inflate, func(row bench.InflateRow) bool { return row.Name == "stdlib" })
	var ref time.Duration
	if i >= 0 {
		ref = r.Inflate[i].NS
	}
	for _, row := range r.Inflate {
		table.Row(row.Name, row.Streams, microText(row.NS), spreadText(row.NS, row.MinNS, row.MaxNS),
			ratioText(row.NS, ref), microText(row.P95NS))
	}
	return table.Render(w)
}

func clockText(kind string) string {
	if kind == "wall" {
		return "times in µs on the wall clock, for want of a thread clock"
	}
	return "times in µs of thread CPU"
}

func bytesText(mean float64) string { return ui.FormatCount(int64(mean + 0.5)) }

func microText(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Microsecond), 'f', 1, 64)
}

// spreadText is half the range of the passes in percent of the median.
func spreadText(mid, least, most time.Duration) string {
	if mid == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(most-least)/2/float64(mid)*100, 'f', 0, 64) + "%"
}

func ratioText(d, ref time.Duration) string {
	if ref == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(d)/float64(ref), 'f', 3, 64)
}
