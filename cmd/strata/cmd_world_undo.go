package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// worldUndoFlags are the flags of strata world undo.
type worldUndoFlags struct {
	ui.ChangeFlags
	list  bool
	force bool
}

func newWorldUndoCmd(a *app) *cobra.Command {
	var flags worldUndoFlags
	cmd := &cobra.Command{
		Use:   "undo WORLD [ID]",
		Short: "Take back what a command has changed in a world",
		Long: `Take back the last change that a command has made in a world, or the one of an
ID, which --list shows: chunks, entities, points of interest and data files are
what they were, byte for byte. Commands keep what they change in the world's
folder strata/undo, for 7 days and up to 1 GiB, the oldest going first.

A change whose command was killed can be taken back as well; it is listed as
writing. An undo that is interrupted goes on when it is started again.

What has changed since, by a game or another command, is not overwritten: it is
named, and nothing is changed at all. --force overwrites it; what it overwrites
is kept as a change of its own first.

Exit code 2: something has changed since; 3: something could not be put back;
10: no such change; 11: the world is in use.

With --json: id, what, command, time, state, chunks, entity_chunks, poi, files,
bytes, restore, same, changed_since, lost, changed_since_list[] and lost_list[]
(dimension, kind, pos, path); when done also restored, failures, failed[] (target,
error), kept_in, replaced. --list: an array of changes, the newest first.`,
		Example: `  strata world undo world
  strata world undo world --list
  strata world undo world 20261130T180102Z-3 --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && !flags.list {
				return nil
			}
			return exactArgs("WORLD")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.list {
				return a.listChanges(args[0])
			}
			id := ""
			if len(args) > 1 {
				id = args[1]
			}
			return a.worldUndo(cmd, args[0], id, &flags)
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().BoolVar(&flags.list, "list", false, "list the changes that are kept")
	cmd.Flags().BoolVar(&flags.force, "force", false, "overwrite what has changed since")
	return cmd
}

func (a *app) listChanges(path string) error {
	w, err := openWorld(path)
	if err != nil {
		return err
	}
	list, err := undo.List(w.FS(), w.Folders()[0])
	if err != nil {
		return err
	}
	return a.console.Result(list, func(out io.Writer) error {
		table := a.console.NewTable(ui.Column{Head: "id"}, ui.Column{Head: "when"}, ui.Column{Head: "what"}, ui.Column{Head: "state"},
			ui.Column{Head: "chunks", Right: true}, ui.Column{Head: "entities", Right: true}, ui.Column{Head: "poi", Right: true},
			ui.Column{Head: "files", Right: true}, ui.Column{Head: "size", Right: true}, ui.Column{Head: "command"})
		for i := range list {
			c := &list[i]
			table.Row(c.ID, c.Time.Local().Format(time.DateTime), c.What, stateText(c), ui.FormatCount(c.Chunks), ui.FormatCount(c.Entities),
				ui.FormatCount(c.POI), ui.FormatCount(c.Files), ui.FormatBytes(c.Bytes), c.Command)
		}
		if err := table.Render(out); err != nil || len(list) > 0 {
			return err
		}
		_, err := fmt.Fprintln(out, "Nothing is kept.")
		return err
	})
}

// stateText says what a state means.
func stateText(c *undo.Info) string {
	switch c.State {
	case undo.Writing:
		return "writing (not finished)"
	case undo.Undoing:
		return "undoing (not finished)"
	default:
		return string(c.State)
	}
}

func (a *app) worldUndo(cmd *cobra.Command, path, id string, flags *worldUndoFlags) (err error) {
	_, s, err := a.openStore(path, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	trail, err := undo.Find(s, id)
	if err != nil {
		return undoError(err)
	}
	defer func() { err = errors.Join(err, trail.Close()) }()
	plan, err := undo.Preview(cmd.Context(), trail)
	if err != nil {
		return err
	}
	if plan.Since > 0 && !flags.force && !flags.DryRun {
		return undoError(&undo.ConflictError{ID: plan.ID, Count: plan.Since, Some: plan.SinceList})
	}
	text := func(w io.Writer) error { return writeUndoPlan(w, plan) }
	proceed, err := flags.Proceed(cmd.Context(), a.console, plan, text, "Take this change back?")
	if err != nil || !proceed {
		return err
	}
	return a.takeBack(cmd, s, trail, plan, flags)
}

func (a *app) takeBack(cmd *cobra.Command, s *store.Store, trail *undo.Trail, plan *undo.Plan, flags *worldUndoFlags) error {
	progress := a.console.StartProgress(ui.Work{Label: "undo", Unit: "objects", Total: plan.Restore + plan.Same + plan.Since + plan.Lost})
	report, err := undo.Undo(cmd.Context(), trail, undo.RestoreOptions{
		Force: flags.force, Command: commandLine(a.args), Progress: progress.Add,
	})
	progress.Stop()
	if err != nil {
		if ui.CodeOf(err) == ui.Interrupted {
			return ui.WithHint(err, "Run the same command again to go on.")
		}
		return undoError(err)
	}
	if _, err := undo.Prune(s.World().FS, s.World().Roots[0].Dir, time.Now(), undo.Limits{}); err != nil {
		a.console.Log().Warn("remove old changes", "error", err)
	}
	if err := a.console.Result(report, func(w io.Writer) error { return writeUndone(w, report) }); err != nil {
		return err
	}
	switch {
	case report.Failures > 0:
		return ui.WithHint(ui.Errorf(ui.Problems, "could not be put back: %s, first %v: %w", countText(int(report.Failures), "object"), report.Failed[0].Target, report.Failed[0].Err),
			"Run the same command again to try those once more.")
	case report.Lost > 0:
		return ui.Errorf(ui.Problems, "%s could not be read when the change was made; the bytes are in %s", countText(int(report.Lost), "record"), report.KeptIn)
	}
	return nil
}

// undoError gives an error of undoing its exit code.
func undoError(err error) error {
	switch {
	case errors.Is(err, undo.ErrNoChange), errors.Is(err, undo.ErrUndone):
		return ui.WithHint(ui.Errorf(ui.Missing, "%w", err), "'strata world undo WORLD --list' shows what is kept.")
	case errors.Is(err, undo.ErrSince):
		return ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Nothing was changed. --force overwrites it, --dry-run --json lists all.")
	default:
		return err
	}
}

func writeUndoPlan(w io.Writer, p *undo.Plan) error {
	fmt.Fprintf(w, "%s, %s, %s\n", p.ID, p.What, stateText(&p.Info))
	if p.Command != "" {
		fmt.Fprintf(w, "  %s\n", p.Command)
	}
	fmt.Fprintf(w, "  %s to put back, %s are as they were\n", ui.FormatCount(p.Restore), ui.FormatCount(p.Same))
	listTargets(w, "changed since", p.Since, p.SinceList)
	listTargets(w, "could not be read then, and cannot be put back", p.Lost, p.LostList)
	return nil
}

func listTargets(w io.Writer, head string, n int64, some []undo.Target) {
	if n == 0 {
		return
	}
	fmt.Fprintf(w, "  %s: %s\n", head, ui.FormatCount(n))
	for i, t := range some {
		if i == 10 {
			fmt.Fprintf(w, "    and %s more\n", ui.FormatCount(n-10))
			break
		}
		fmt.Fprintf(w, "    %v\n", t)
	}
}

func writeUndone(w io.Writer, r *undo.Report) error {
	fmt.Fprintf(w, "%s: put back %s, %s were as they were\n", r.ID, ui.FormatCount(r.Restored), ui.FormatCount(r.Same))
	if r.Replaced != "" {
		fmt.Fprintf(w, "What had changed since is kept as %s.\n", r.Replaced)
	}
	for i, f := range r.Failed {
		if i == 10 {
			fmt.Fprintf(w, "  and %s more\n", ui.FormatCount(r.Failures-10))
			break
		}
		fmt.Fprintf(w, "  failed: %v: %v\n", f.Target, f.Err)
	}
	return nil
}
