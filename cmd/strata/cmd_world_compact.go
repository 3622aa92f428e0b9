package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"strata/anvil/shrink"
	"strata/cmd/internal/ui"
)

// compactFlags are the flags of strata world compact.
type compactFlags struct {
	ui.ChangeFlags
	dimensions []string
	workers    int
}

// compactPlan is the result of strata world compact, and its plan.
type compactPlan struct {
	*shrink.Compacted
}

func newWorldCompactCmd(a *app) *cobra.Command {
	var flags compactFlags
	cmd := &cobra.Command{
		Use:   "compact WORLD",
		Short: "Take the free sectors out of the region files of a world",
		Long: `Rewrite region files without their free sectors. Records stay as they are, byte
for byte, with their timestamps, as do external files (.mcc) and what cannot be
read. Each file is replaced in one step: after a kill either is there.

A file that is linked from elsewhere (a snapshot, say) is never changed in place:
its path gets a file of its own, and the links keep the old one with its space.
Files whose entries overlap or lead nowhere need repair first and are left, since what
they have lost may lie in sectors that seem free.

There is nothing to take back: 'strata world undo' has no part in this. --dry-run
tells the sizes from the headers alone. It needs room for a second copy of the
largest files, as many as --workers.

Exit code 3: files could not be compacted; 11: the world is in use; 13: there is not
enough space.

With --json: files, records, rewritten, linked, bytes_before, bytes_after, failed[]
(path, error).`,
		Example: `  strata world compact world --dry-run
  strata world compact world --dimension the_nether --yes`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.worldCompact(cmd.Context(), args[0], &flags)
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().StringSliceVar(&flags.dimensions, "dimension", nil, "compact these dimensions only (`ID`, may be repeated)")
	cmd.Flags().IntVar(&flags.workers, "workers", 0, "rewrite `N` files at the same time (default one for each processor)")
	return cmd
}

func (a *app) worldCompact(ctx context.Context, path string, flags *compactFlags) (err error) {
	if flags.workers < 0 {
		return ui.Errorf(ui.Usage, "--workers %d is below 0", flags.workers)
	}
	w, s, err := a.openStore(path, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var ids []string
	for _, id := range flags.dimensions {
		known, err := knownDimension(w, id)
		if err != nil {
			return err
		}
		ids = append(ids, known)
	}
	survey, err := shrink.Look(ctx, s, ids...)
	if err != nil {
		return err
	}
	plan := &compactPlan{survey.Estimate()}
	copies := flags.workers
	if copies == 0 {
		copies = runtime.GOMAXPROCS(0)
	}
	if err := survey.Room(s, copies, 0); err != nil && !flags.DryRun {
		return ui.WithHint(err, "Nothing was changed.")
	}
	text := func(out io.Writer) error { return plan.writeText(a.console, out) }
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Compact these files?")
	if err != nil {
		return err
	}
	if proceed {
		progress := a.console.StartProgress(ui.Work{Label: "compact", Unit: ui.UnitBytes, Total: survey.Bytes})
		plan.Compacted, err = shrink.Compact(ctx, s, survey, shrink.CompactOptions{Workers: flags.workers, Progress: progress.Add})
		progress.Stop()
		if err != nil {
			return ui.WithHint(err, "What was compacted so far is sound; the same command goes on.")
		}
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	if len(plan.Failed) > 0 {
		return ui.WithHint(ui.Errorf(ui.Problems, "cannot be compacted: %s, first %s: %w", countText(len(plan.Failed), "file"), plan.Failed[0].Path, plan.Failed[0].Err),
			"'strata world fsck --repair' mends files that need it.")
	}
	return nil
}

func (p *compactPlan) writeText(console *ui.Console, w io.Writer) error {
	table := console.NewTable(ui.Column{Head: "region files", Right: true}, ui.Column{Head: "with free sectors", Right: true}, ui.Column{Head: "linked", Right: true},
		ui.Column{Head: "before", Right: true}, ui.Column{Head: "after", Right: true}, ui.Column{Head: "saved", Right: true}, ui.Column{Head: "", Right: true})
	saved := p.BytesBefore - p.BytesAfter
	table.Row(ui.FormatCount(int64(p.Files)), ui.FormatCount(int64(p.Rewritten)), ui.FormatCount(int64(p.Linked)), ui.FormatBytes(p.BytesBefore),
		ui.FormatBytes(p.BytesAfter), savedText(saved), percentText(saved, p.BytesBefore))
	if err := table.Render(w); err != nil {
		return err
	}
	for i, f := range p.Failed {
		if i == 10 {
			fmt.Fprintf(w, "and %s\n", countText(len(p.Failed)-i, "more failure"))
			break
		}
		fmt.Fprintf(w, "failed: %s: %s\n", f.Path, f.Text)
	}
	return nil
}
