package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil/edit"
	"strata/anvil/query"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// worldChangeFlags are the flags of strata world change.
type worldChangeFlags struct {
	chunkPicker
	ui.ChangeFlags
	undoFlags
	set    []string
	fields bool
}

// changePlan is the result of strata world change, and its plan.
type changePlan struct {
	LookedAt int64    `json:"looked_at"`
	Picked   int64    `json:"picked"`
	Set      []string `json:"set"`
	*edit.Result
	Undo undoPlan `json:"undo"`
}

func newWorldChangeCmd(a *app) *cobra.Command {
	var flags worldChangeFlags
	cmd := &cobra.Command{
		Use:   "change WORLD --set FIELD=VALUE",
		Short: "Change fields of the chunks that an expression picks",
		Long: `Change fields of the chunks that an expression picks, or of all: their status,
biomes, blocks, entities, sections, heightmaps, structures, light, times, or what
an NBT path selects. --fields lists them with MCA Selector's names. All that is
not named stays as it is, byte for byte.

A chunk is skipped if one of the fields cannot be set in its version: blocks can
be replaced since 1.13, biomes since 1.18. Absent are MCA Selector's Script, which
runs programs, and DataVersion, which would make chunks lie about their form.

replace_blocks takes FROM=TO. FROM is a name, a #tag, or a pattern with * and ?,
and may ask for properties: oak_*[facing=north]. The new block keeps properties
that it has as well. Block entities of replaced blocks go; heightmaps are made
anew, light and points of interest are left to the game to do again.

What is changed is kept first, so that 'strata world undo' brings it back.

Exit code 3: chunks were skipped or could not be changed; 11: the world is in use;
13: what is changed does not fit on the disk a second time.

With --json: looked_at, picked, set[], changed, unchanged, chunks, entity_chunks, poi,
removed, bytes_before, bytes_after, skipped (reason: chunks), dimensions[] (name,
changed, bytes_before, bytes_after), failed, failed_list[] (dimension, kind, pos,
error), undo (id, undo_bytes, free_bytes).`,
		Example: `  strata world change world --where 'inhabited < 100' --set inhabited=0 --dry-run
  strata world change world --set 'replace_blocks=#logs=air' --set 'replace_blocks=oak_stairs=birch_stairs'
  strata world change world --where 'near(0, 0, 8)' --set biome=plains --set 'delete_entities=zombie,*_minecart'
  strata world change world --where 'status == "full"' --set 'nbt:InhabitedTime=0L' --set timestamp=now`,
		Args: func(cmd *cobra.Command, args []string) error {
			if flags.fields && len(args) == 0 {
				return nil
			}
			return exactArgs("WORLD")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.fields {
				return a.console.Result(edit.FieldList(), func(w io.Writer) error { return writeChangeFields(a.console, w) })
			}
			return a.worldChange(cmd.Context(), args[0], &flags)
		},
	}
	flags.chunkPicker.register(cmd)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	cmd.Flags().StringArrayVar(&flags.set, "set", nil, "set `FIELD=VALUE` (may be repeated)")
	cmd.Flags().BoolVar(&flags.fields, "fields", false, "list the fields that --set takes")
	return cmd
}

func writeChangeFields(console *ui.Console, w io.Writer) error {
	table := console.NewTable(ui.Column{Head: "field"}, ui.Column{Head: "value"}, ui.Column{Head: "MCA Selector"}, ui.Column{Head: "what it does"})
	for _, f := range edit.FieldList() {
		table.Row(f.Name, f.Value, f.Peer, f.Doc)
	}
	return table.Render(w)
}

func (a *app) worldChange(ctx context.Context, path string, flags *worldChangeFlags) (err error) {
	fields, err := edit.ParseFields(flags.set)
	if err != nil {
		return ui.WithHint(ui.Errorf(ui.Usage, "--set: %w", err), "'strata world change --fields' lists what there is.")
	}
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
	plan := &changePlan{LookedAt: looked.Looked, Picked: picked.Count, Set: flags.set, Result: edit.NewResult()}
	if plan.Undo.Space, err = undo.Estimate(s, picked.Refs(fields.Kinds()...), nil); err != nil {
		return err
	}
	if err := flags.check(&plan.Undo); err != nil && !flags.DryRun {
		return err
	}
	if !flags.Yes {
		if plan.Result, err = a.changePicked(ctx, s, picked, fields, nil, flags.workers); err != nil {
			return err
		}
	}
	text := func(out io.Writer) error { return plan.writeText(out, "to change") }
	if plan.Changed == 0 && (!flags.Yes || plan.Picked == 0) { // nothing to ask about
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
		return plan.problems(looked)
	}
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Change these chunks?")
	if err != nil {
		return err
	}
	if proceed {
		if err := a.makeChange(ctx, s, picked, fields, plan, flags); err != nil {
			return err
		}
		text = func(out io.Writer) error { return plan.writeText(out, "changed") }
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	return plan.problems(looked)
}

// changePicked makes the changes, or counts what they would do.
func (a *app) changePicked(ctx context.Context, s *store.Store, picked *edit.Picked, fields *edit.Fields, change *undo.Change, workers int) (*edit.Result, error) {
	label := "change"
	if change == nil {
		label = "look at"
	}
	progress := a.console.StartProgress(ui.Work{Label: label, Unit: "chunks", Total: picked.Count})
	defer progress.Stop()
	return edit.Change(ctx, s, picked, fields, edit.ChangeOptions{Change: change, Workers: workers, Progress: progress.Add})
}

func (a *app) makeChange(ctx context.Context, s *store.Store, picked *edit.Picked, fields *edit.Fields, plan *changePlan, flags *worldChangeFlags) (err error) {
	change, err := undo.Begin(s, "change", flags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	if plan.Result, err = a.changePicked(ctx, s, picked, fields, change, flags.workers); err != nil {
		return a.halfDone(err, change)
	}
	err = change.Finish(ctx)
	plan.Undo.ID = change.ID()
	return err
}

// problems is the error of a change that has left something out.
func (p *changePlan) problems(looked *query.Result) error {
	skipped := int64(0)
	for _, n := range p.Skipped {
		skipped += n
	}
	switch {
	case p.Failed > 0:
		return ui.Errorf(ui.Problems, "could not be changed: %s, first %v", countText(int(p.Failed), "chunk"), p.List[0])
	case skipped > 0:
		return ui.Errorf(ui.Problems, "%s skipped", countText(int(skipped), "chunk"))
	}
	return queryProblems(looked)
}

func (p *changePlan) writeText(w io.Writer, verb string) error {
	fmt.Fprintf(w, "%s: %s of %s picked, %s looked at\n", verb, countText(int(p.Changed), "chunk"), ui.FormatCount(p.Picked), ui.FormatCount(p.LookedAt))
	fmt.Fprintf(w, "  set        %s\n", strings.Join(p.Set, "\n             "))
	for _, d := range p.Dimensions {
		fmt.Fprintf(w, "  in %s: %s, %s, were %s\n", d.Name, countText(int(d.Changed), "chunk"), ui.FormatBytes(d.After), ui.FormatBytes(d.Before))
	}
	fmt.Fprintf(w, "  unchanged  %s\n", ui.FormatCount(p.Unchanged))
	fmt.Fprintf(w, "  records    %s chunks, %s entities, %s poi; %s of them removed\n",
		ui.FormatCount(p.Chunks), ui.FormatCount(p.Entities), ui.FormatCount(p.POI), ui.FormatCount(p.Removed))
	for _, why := range slices.Sorted(maps.Keys(p.Skipped)) {
		fmt.Fprintf(w, "  skipped    %s: %s\n", ui.FormatCount(p.Skipped[why]), why)
	}
	for i, f := range p.List {
		if i == 10 {
			fmt.Fprintf(w, "             and %s more\n", ui.FormatCount(p.Failed-10))
			break
		}
		fmt.Fprintf(w, "  failed     %v\n", f)
	}
	return p.Undo.writeText(w)
}
