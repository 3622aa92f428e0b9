package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/bench/backup"
	"strata/bench/corpus"
	"strata/bench/report"
	"strata/cmd/internal/ui"
)

// backupContenders are those that may take part.
var backupContenders = []string{"tree", "repo", "repo-exact", "rsync", "restic"}

func newBenchBackupCmd(a *app) *cobra.Command {
	var opts backup.Options
	var reports benchReportFlags
	cmd := &cobra.Command{
		Use:   "backup --history TAR",
		Short: "Backing up a world that changes, beside rsync and restic",
		Long: `Replay the saves of a world into a folder, and back it up after each: with our
targets (tree, repo, and repo-exact, which keeps every byte), rsync with
--link-dest, and restic, where these are installed. Then the last save is backed
up again, five times, and restored and compared.

"create" is the sum over the saves, "repeat" the median of the repeats and what
the first of them adds, all on the wall clock, "cpu" the CPU time of the creates.
Contenders take turns. The history is an archive (.tar.zst) with folders save-1,
save-2 and so on; it is unpacked into a temporary folder, in which the stores are
made too, and all of it is removed.

` + benchReportHelp + `

With --json: rows[]: name, version, bytes (of the store after the last save),
create_ns, create_cpu_ns, repeat_ns, repeat_bytes, restore_ns, equal, creates_ns[]
and added_bytes[] by save, repeat_samples_ns[]; saves[], missing[].`,
		Example: `  strata bench backup --history saves.tar.zst
  strata bench backup --history saves.tar.zst --contenders repo,restic --report out`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reports.check(); err != nil {
				return err
			}
			if opts.Saves < 0 {
				return ui.Errorf(ui.Usage, "--saves %d is below 0", opts.Saves)
			}
			for _, name := range opts.Contenders {
				if !slices.Contains(backupContenders, name) {
					return ui.Errorf(ui.Usage, "--contenders: %q: want some of %s", name, strings.Join(backupContenders, ", "))
				}
			}
			result, err := a.benchBackup(cmd, opts)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return ui.Errorf(ui.Missing, "%w", err)
			case errors.Is(err, backup.ErrHistory), errors.Is(err, corpus.ErrLimit):
				return ui.Errorf(ui.Failed, "%s: %w", filepath.Base(opts.History), err)
			case err != nil:
				return err
			}
			return a.benchResult(cmd, reports, result,
				func(dir string, o report.Options) error { return report.WriteBackup(dir, result, o) },
				func(w io.Writer) error { return writeBackupReport(a.console, w, result) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.History, "history", "", "archive (`TAR`) with the saves of a world")
	if err := cmd.MarkFlagRequired("history"); err != nil {
		panic(err) // the flag is defined one line above
	}
	f.StringVar(&opts.Dir, "dir", "", "folder `DIR` on the disk to measure (default the system's temporary one)")
	f.StringSliceVar(&opts.Contenders, "contenders", nil, "`NAMES` of those who take part, with commas (default all that are installed)")
	f.IntVar(&opts.Saves, "saves", 0, "replay the first `N` saves (default all)")
	reports.add(cmd)
	return cmd
}

// benchBackup runs the benchmark and shows what it does.
func (a *app) benchBackup(cmd *cobra.Command, opts backup.Options) (*backup.Report, error) {
	progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "steps"})
	defer progress.Stop()
	opts.Progress = func(string) { progress.Add(1) }
	return backup.Run(cmd.Context(), opts)
}

func writeBackupReport(console *ui.Console, w io.Writer, r *backup.Report) error {
	e := r.Environment
	if _, err := fmt.Fprintf(w, "%s, %d saves; %s, %d cores, %s\n\n", r.History, len(r.Saves), e.CPU, e.Cores, e.Go); err != nil {
		return err
	}
	table := console.NewTable(
		ui.Column{Head: "name"}, ui.Column{Head: "store", Right: true}, ui.Column{Head: "create", Right: true},
		ui.Column{Head: "cpu", Right: true}, ui.Column{Head: "repeat", Right: true}, ui.Column{Head: "adds", Right: true},
		ui.Column{Head: "restore", Right: true}, ui.Column{Head: "compared by"},
	)
	for _, row := range r.Rows {
		table.Row(row.Name, ui.FormatBytes(row.Bytes), nanosText(row.CreateNS), nanosText(row.CreateCPUNS),
			nanosText(row.RepeatNS), ui.FormatBytes(row.RepeatBytes), nanosText(row.RestoreNS), row.Equal)
	}
	if err := table.Render(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, name := range r.Missing {
		fmt.Fprintf(w, "Left out: %s: not installed\n", name)
	}
	writeWarnings(w, &r.Course)
	return nil
}

// nanosText is empty for what was not measured.
func nanosText(ns int64) string { return singleText(time.Duration(ns)) }
