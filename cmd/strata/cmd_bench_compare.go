package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/cmd/internal/ui"
)

func newBenchCompareCmd(a *app) *cobra.Command {
	var flags struct {
		rowsA, rowsB map[string]string
		noise        float64
		all          bool
	}
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "What differs between two results of a benchmark",
		Long: `Compare two results, of whatever strata bench command, as --json prints them or
--report keeps them: the ratio of B to A for each figure of each row, with its
95 % interval and the probability of that by chance (Mann-Whitney U).

Times are first divided by what the references in both files, which are the same
programs, differ by: that was the machine. A difference is called one if it is
more than chance explains, considering how many rows there are, and more than
noise: 3 %, or twice what nine of ten references differ by if that is more.
Files without samples are compared by their fastest and slowest passes.

Rows that are called the same are compared. With --rows-a and --rows-b others
are: --rows-a level=1 --rows-b level=9 compares two levels, of one file too.

With --json: rows[]: row, metric, a, b, ratio, low, high, p, verdict; drift,
noise (by kind and metric), warnings[], only_a[], only_b[].`,
		Example: `  strata bench compare old/report.json new/report.json
  strata bench compare report.json report.json --rows-a level=1 --rows-b level=9`,
		Args: exactArgs("A", "B"),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.noise <= 0 || flags.noise >= 100 {
				return ui.Errorf(ui.Usage, "--noise %g: want more than 0 and less than 100 percent", flags.noise)
			}
			var files [2]*bench.Result
			for i, path := range args {
				file, err := bench.LoadResult(path)
				if errors.Is(err, fs.ErrNotExist) {
					err = ui.Errorf(ui.Missing, "%w", err)
				}
				if err != nil {
					return err
				}
				files[i] = file
			}
			c, err := bench.Compare(files[0], files[1], bench.CompareOptions{
				RowsA: flags.rowsA, RowsB: flags.rowsB, Noise: flags.noise / 100,
			})
			if err != nil {
				return err
			}
			return a.console.Result(c, func(w io.Writer) error { return writeComparison(a.console, w, c, flags.all) })
		},
	}
	f := cmd.Flags()
	f.StringToStringVar(&flags.rowsA, "rows-a", nil, "compare rows of A with these values (`KEY=VALUE`, may be repeated)")
	f.StringToStringVar(&flags.rowsB, "rows-b", nil, "compare rows of B with these values (`KEY=VALUE`, may be repeated)")
	f.Float64Var(&flags.noise, "noise", 100*bench.DefaultNoise, "call no difference of less than `PERCENT` one")
	f.BoolVar(&flags.all, "all", false, "list the rows without a difference too")
	return cmd
}

func writeComparison(console *ui.Console, w io.Writer, c *bench.Comparison, all bool) error {
	table := console.NewTable(
		ui.Column{Head: "row"}, ui.Column{Head: "metric"},
		ui.Column{Head: "A", Right: true}, ui.Column{Head: "B", Right: true},
		ui.Column{Head: "B/A", Right: true}, ui.Column{Head: "95%", Right: true},
		ui.Column{Head: "p", Right: true}, ui.Column{Head: "verdict"},
	)
	shown, unclear := 0, 0
	for _, row := range c.Rows {
		if row.Verdict == bench.Unclear {
			unclear++
		}
		if row.Verdict == bench.Same && !all {
			continue
		}
		shown++
		figure := bytesText
		if strings.HasSuffix(row.Metric, "ns") {
			figure = func(v float64) string { return strconv.FormatFloat(v/1e3, 'f', 1, 64) + "µs" }
		}
		table.Row(row.Row, row.Metric, figure(row.A), figure(row.B), factorText(row.Ratio), intervalText(row), chanceText(row.P), string(row.Verdict))
	}
	if shown > 0 {
		if err := table.Render(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	switch n := len(c.Differences()); {
	case n > 0:
		fmt.Fprintf(w, "%d of %d figures differ.\n", n, len(c.Rows))
	case unclear > 0:
		fmt.Fprintf(w, "no difference found in %d figures, %d unclear for want of samples\n", len(c.Rows), unclear)
	default:
		fmt.Fprintf(w, "no difference (%d figures)\n", len(c.Rows))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Drift)) {
		fmt.Fprintf(w, "%s: the references took %.3f times as long in B, which is taken out; noise is ±%.1f%%\n", name, c.Drift[name], 100*c.Noise[name])
	}
	for _, text := range c.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", text)
	}
	writeOnly(w, "A", c.OnlyA)
	writeOnly(w, "B", c.OnlyB)
	return nil
}

// writeOnly names the first of the rows that one file alone has.
func writeOnly(w io.Writer, file string, rows []string) {
	const named = 4
	switch {
	case len(rows) > named:
		fmt.Fprintf(w, "Only in %s: %s and %d more\n", file, strings.Join(rows[:named], ", "), len(rows)-named)
	case len(rows) > 0:
		fmt.Fprintf(w, "Only in %s: %s\n", file, strings.Join(rows, ", "))
	}
}

func intervalText(row bench.ComparedRow) string {
	if row.Low == row.High {
		return "-"
	}
	return factorText(row.Low) + ".." + factorText(row.High)
}

func chanceText(p float64) string {
	switch {
	case p < 0:
		return "-"
	case p == 0:
		return "exact"
	case p < 0.001:
		return "<0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}
