package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/report"
	"strata/cmd/internal/ui"
)

// benchReportFlags are the flags of every bench command that measures.
type benchReportFlags struct {
	dir string
	png bool
}

// benchReportHelp describes them, for the help of a command.
const benchReportHelp = `An interrupt ends the run with the passes that are finished, and exit code 130.
With --report DIR: report.md, report.json (raw samples in nanoseconds, for strata
bench compare) and report.html, one page with charts that needs no network; with
--png the charts as pictures too.`

func (f *benchReportFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "report", "", "write the report into folder `DIR`")
	cmd.Flags().BoolVar(&f.png, "png", false, "with --report: write the charts as PNG files too")
}

func (f *benchReportFlags) check() error {
	if f.png && f.dir == "" {
		return ui.Errorf(ui.Usage, "--png wants --report DIR")
	}
	return nil
}

// benchResult writes the report if one is wanted, and then the result. The error
// is that of an interrupt in the end, after all that was finished.
func (a *app) benchResult(cmd *cobra.Command, flags benchReportFlags, result any,
	write func(dir string, o report.Options) error, text func(w io.Writer) error,
) error {
	if flags.dir != "" {
		if err := write(flags.dir, report.Options{PNG: flags.png}); err != nil {
			return err
		}
		a.console.Notef("report: %s", filepath.Join(flags.dir, report.PageName))
	}
	if err := a.console.Result(result, text); err != nil {
		return err
	}
	return cmd.Context().Err()
}

// writeWarnings ends the text of a result.
func writeWarnings(w io.Writer, c *bench.Course) {
	for _, text := range c.Warnings {
		// What it means stands on a line of its own.
		fmt.Fprintf(w, "Warning: %s\n", strings.Replace(text, ": ", ":\n  ", 1))
	}
}
