package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strata/anvil/edit"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// deleteFlags are the flags of strata world delete.
type deleteFlags struct {
	chunkPicker
	ui.ChangeFlags
	undoFlags
}

// deletePlan is the result of strata world delete, and its plan.
type deletePlan struct {
	LookedAt int64 `json:"looked_at"`
	Picked   int64 `json:"picked"`
	*edit.Deleted
	Undo undoPlan `json:"undo"`
}

func newWorldDeleteCmd(a *app) *cobra.Command {
	var flags deleteFlags
	cmd := &cobra.Command{
		Use:   "delete WORLD",
		Short: "Delete the chunks of a world that an expression picks",
		Long: `Delete the chunks that an expression picks, with their entities and points of
interest. Files of large chunks (.mcc) go with them, and so do region files of
which nothing is left. The game makes deleted chunks anew when somebody comes
near; nothing protects the borders of what stays: see 'strata world prune'.

Chunks that cannot be read are deleted as well if the expression picks them
(readable == false); undo cannot put those back, and leaves their bytes in a file.

What is deleted is kept first, so that 'strata world undo' brings it back. That
takes space on the same disk; with --no-undo deleting works on a full one.

Exit code 2: neither --where nor --selection; 3: chunks could not be looked at or
deleted; 11: the world is in use; 13: what is deleted does not fit on the disk a
second time.

With --json: looked_at, picked, chunks, entity_chunks, poi, bytes, regions_removed,
dimensions[] (name and the same), failed, failed_list[] (dimension, kind, pos,
error), undo (id, undo_bytes, free_bytes).`,
		Example: `  strata world delete world --where 'inhabited == 0 and not near(0, 0, 32)' --dry-run
  strata world delete world --selection old.csv --dimension the_nether --yes`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.where == "" && flags.selection == "" {
				return ui.WithHint(ui.Errorf(ui.Usage, "which chunks?"), "Pick them with --where or --selection; --where true picks all.")
			}
			return a.worldDelete(cmd.Context(), args[0], &flags)
		},
	}
	flags.chunkPicker.register(cmd)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	return cmd
}

func (a *app) worldDelete(ctx context.Context, path string, flags *deleteFlags) (err error) {
	w, s, err := a.openStore(path, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	q, options, err := flags.compile(w)
	if err != nil {
		return err
	}
	picked, looked, err := edit.Pick(ctx, w, s, q, options)
	if err != nil {
		return err
	}
	plan := &deletePlan{LookedAt: looked.Looked, Picked: picked.Count}
	if plan.Undo.Space, err = undo.Estimate(s, picked.Refs(store.Chunks, store.Entities, store.POI), nil); err != nil {
		return err
	}
	if plan.Deleted, err = edit.Delete(ctx, s, picked, edit.DeleteOptions{}); err != nil {
		return err
	}
	if err := flags.check(&plan.Undo); err != nil && !flags.DryRun {
		return err
	}
	text := func(out io.Writer) error { return plan.writeText(a.console, out, "to delete") }
	if picked.Count == 0 { // nothing to ask about
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
		return queryProblems(looked)
	}
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Delete these chunks?")
	if err != nil {
		return err
	}
	if proceed {
		if err := a.deletePicked(ctx, s, picked, plan, flags); err != nil {
			return err
		}
		text = func(out io.Writer) error { return plan.writeText(a.console, out, "deleted") }
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	if plan.Failed > 0 {
		return ui.Errorf(ui.Problems, "could not be deleted: %s, first %v", countText(int(plan.Failed), "record"), plan.List[0])
	}
	return queryProblems(looked)
}

// deletePicked makes the change that a plan is of.
func (a *app) deletePicked(ctx context.Context, s *store.Store, picked *edit.Picked, plan *deletePlan, flags *deleteFlags) (err error) {
	change, err := undo.Begin(s, "delete", flags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	progress := a.console.StartProgress(ui.Work{Label: "delete", Unit: "chunks", Total: picked.Count})
	defer progress.Stop()
	plan.Deleted, err = edit.Delete(ctx, s, picked, edit.DeleteOptions{Change: change, Progress: progress.Add})
	if err != nil {
		return a.halfDone(err, change)
	}
	err = change.Finish(ctx)
	plan.Undo.ID = change.ID()
	return err
}

// halfDone tells how to take back a change that has ended early.
func (a *app) halfDone(err error, change *undo.Change) error {
	if change.ID() == "" {
		return err
	}
	return ui.WithHint(err, "'strata world undo' takes back what was changed so far.")
}

func (p *deletePlan) writeText(console *ui.Console, w io.Writer, verb string) error {
	table := console.NewTable(ui.Column{Head: verb}, ui.Column{Head: "chunks", Right: true}, ui.Column{Head: "entities", Right: true},
		ui.Column{Head: "poi", Right: true}, ui.Column{Head: "size", Right: true}, ui.Column{Head: "region files", Right: true})
	for _, d := range p.Dimensions {
		table.Row(d.Name, ui.FormatCount(d.Chunks), ui.FormatCount(d.Entities), ui.FormatCount(d.POI), ui.FormatBytes(d.Bytes), ui.FormatCount(d.Regions))
	}
	if len(p.Dimensions) == 0 {
		_, err := fmt.Fprintf(w, "%s: none of %s\n", verb, countText(int(p.LookedAt), "chunk"))
		return err
	}
	if err := table.Render(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "\n%s of %s\n", ui.FormatCount(p.Picked), countText(int(p.LookedAt), "chunk")); err != nil {
		return err
	}
	return p.Undo.writeText(w)
}
