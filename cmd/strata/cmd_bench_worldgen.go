package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"strata/anvil/chunk"
	"strata/bench/report"
	"strata/bench/worldgen"
	"strata/cmd/internal/ui"
)

func newBenchWorldgenCmd(a *app) *cobra.Command {
	var flags struct {
		seeds, dimensions []string
		workers           []int
		radius            int32
		until             string
		passes            int
	}
	var reports benchReportFlags
	cmd := &cobra.Command{
		Use:   "worldgen",
		Short: "Generating chunks, stage by stage",
		Long: `Generate chunks of several seeds, and measure that. It needs no world and writes
none; chunks are encoded and compressed as they would be saved.

A stage's time is CPU time of its thread for each chunk that it was run for, the
median of the passes, "±" half the distance from the fastest to the slowest;
"total" is their sum, what a chunk takes from the seed to its record. "with rim"
is the CPU time of the process for each chunk that was asked for: what is made
of the chunks beside the area counts too, and the more the smaller the radius.
Structures are made as far as they need no game files.

` + benchReportHelp + `

With --json: rows[] with stage, dimension, workers, chunks, cpu_ns (a chunk),
cpu_samples_ns (by pass), and for the stage total cpu_ns_per_new, chunks_per_s, allocs and bytes (a
chunk); environment, seeds, radius, until.`,
		Example: `  strata bench worldgen
  strata bench worldgen --dimension overworld --workers 1 --radius 16 --json`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reports.check(); err != nil {
				return err
			}
			opts := worldgen.Options{Workers: flags.workers, Radius: flags.radius, Passes: flags.passes}
			if flags.passes < 1 || flags.passes > worldgen.MaxPasses {
				return ui.Errorf(ui.Usage, "--passes %d: want 1 to %d", flags.passes, worldgen.MaxPasses)
			}
			for _, seed := range flags.seeds {
				opts.Seeds = append(opts.Seeds, parseSeed(seed))
			}
			for _, id := range flags.dimensions {
				opts.Dimensions = append(opts.Dimensions, completeID(id))
			}
			for _, n := range flags.workers {
				if n < 1 || n > 256 {
					return ui.Errorf(ui.Usage, "--workers %d: want 1 to 256", n)
				}
			}
			if flags.radius < 1 || flags.radius > worldgen.MaxRadius {
				return ui.Errorf(ui.Usage, "--radius %d: want 1 to %d", flags.radius, worldgen.MaxRadius)
			}
			if opts.Until = chunk.ParseStatus(flags.until); opts.Until == chunk.StatusUnknown || opts.Until > chunk.StatusFull {
				return ui.Errorf(ui.Usage, "--until %q is no status, such as carvers or full", flags.until)
			}
			result, err := a.benchWorldgen(cmd, opts)
			if errors.Is(err, fs.ErrNotExist) {
				return ui.Errorf(ui.Usage, "%w", err)
			}
			if err != nil {
				return err
			}
			return a.benchResult(cmd, reports, result,
				func(dir string, o report.Options) error { return report.WriteWorldgen(dir, result, o) },
				func(w io.Writer) error { return writeWorldgenReport(a.console, w, result) })
		},
	}
	cmd.Flags().StringSliceVar(&flags.seeds, "seed", nil, "seed `N` of a world, several with commas (default four)")
	cmd.Flags().StringSliceVar(&flags.dimensions, "dimension", nil, "dimension `ID`, several with commas (default all three)")
	cmd.Flags().IntSliceVar(&flags.workers, "workers", []int{1, 2}, "make `N` chunks at a time, several with commas")
	cmd.Flags().Int32Var(&flags.radius, "radius", 8, "`R` chunks around the origin, of each seed")
	cmd.Flags().IntVar(&flags.passes, "passes", 1, "measure `N` times and take the median")
	reports.add(cmd)
	cmd.Flags().StringVar(&flags.until, "until", "full", "`STATUS` to generate up to")
	return cmd
}

func (a *app) benchWorldgen(cmd *cobra.Command, opts worldgen.Options) (*worldgen.Report, error) {
	progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "worlds"})
	defer progress.Stop()
	last := 0
	opts.Progress = func(done, total int) {
		progress.SetTotal(int64(total))
		progress.Add(int64(done - last))
		last = done
	}
	return worldgen.Run(cmd.Context(), opts)
}

func writeWorldgenReport(console *ui.Console, w io.Writer, r *worldgen.Report) error {
	e := r.Environment
	if _, err := fmt.Fprintf(w, "%s, %d cores, %s; %s\n%d seeds, radius %d, to %s\n\n",
		e.CPU, e.Cores, e.Go, clockWords(e.CPUClock), len(r.Seeds), r.Radius, r.Until); err != nil {
		return err
	}
	table := console.NewTable(
		ui.Column{Head: "dimension"}, ui.Column{Head: "workers", Right: true}, ui.Column{Head: "stage"},
		ui.Column{Head: "a chunk", Right: true}, ui.Column{Head: "±", Right: true}, ui.Column{Head: "with rim", Right: true},
		ui.Column{Head: "chunks/s", Right: true}, ui.Column{Head: "allocs", Right: true},
	)
	for i := range r.Rows {
		row := &r.Rows[i]
		rim, rate, allocs, spread := "", "", "", ""
		if len(row.Samples) > 1 {
			spread = spreadText(row.CPU, slices.Min(row.Samples), slices.Max(row.Samples))
		}
		if row.Stage == worldgen.Total {
			rim, rate = ui.FormatDuration(row.CPUPerNew), fmt.Sprintf("%.0f", row.ChunksPerS)
			allocs = fmt.Sprintf("%.0f", row.Allocs)
		}
		table.Row(shortID(row.Dimension), strconv.Itoa(row.Workers), row.Stage, ui.FormatDuration(row.CPU), spread, rim, rate, allocs)
	}
	if err := table.Render(w); err != nil {
		return err
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	writeWarnings(w, &r.Course)
	return nil
}
