package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/prune"
	"strata/anvil/query"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// pruneFlags are the flags of strata world prune.
type pruneFlags struct {
	chunkPicker
	ui.ChangeFlags
	undoFlags
	margin    int
	protect   []string
	radius    int
	circles   []string
	selection string
	write     string
	noCompact bool
}

// prunePlan is the result of strata world prune, and its plan.
type prunePlan struct {
	*prune.Plan
	*edit.Deleted
	Before       int64    `json:"bytes_before"`
	After        int64    `json:"bytes_after"`
	NotCompacted []string `json:"not_compacted"`
	Undo         undoPlan `json:"undo"`

	sizes    *prune.Sizes
	expected bool // After is what is expected
}

func newWorldPruneCmd(a *app) *cobra.Command {
	var flags pruneFlags
	cmd := &cobra.Command{
		Use:   "prune WORLD",
		Short: "Make a world smaller: delete picked chunks that nothing needs",
		Long: `Delete the chunks that an expression picks, with their entities and points of
interest, but leave what the rest of the world needs:

- the spawn, players and the places where they respawn, with --protect-radius
  chunks around them, and chunks that are kept loaded (/forceload); --protect
  says which of these, none for nothing;
- what --protect-circle and --protect-selection name;
- a margin of --margin chunks around all decorated chunks that stay: without it
  trees would be cut at the border. Chunks that have not come to the step carvers
  hold nothing of others and may go.

Region files of which nothing is left are removed, the others compacted. What is
deleted is kept first, so that 'strata world undo' brings it back; that takes
space until it is 7 days old, see 'strata world undo --list'.

A warning says when one InhabitedTime dominates, as servers can be set to write
the same everywhere: an expression over it then means nothing.

Exit code 2: neither --where nor --selection; 3: chunks or files could not be
looked at or deleted; 11: the world is in use; 13: what is deleted does not fit on
the disk a second time.

With --json: looked_at, picked, protected, margin (those of the picked that stay),
remove, decided[] (name and the same for each dimension, inhabited: chunks, rows[]
with from, to, chunks, dominant with ticks, chunks), chunks, entity_chunks, poi,
bytes, regions_removed, dimensions[] (name and the same), bytes_before,
bytes_after (of region files; in a plan what is expected), not_compacted[],
failed, failed_list[], undo (id, undo_bytes, free_bytes).`,
		Example: `  strata world prune world --where 'inhabited < 600' --dry-run
  strata world prune world --where 'inhabited == 0' --margin 3 --protect-circle 0,0,1500 --yes
  strata world prune world --selection old.csv --dimension the_nether --yes`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.where == "" && flags.chunkPicker.selection == "" {
				return ui.WithHint(ui.Errorf(ui.Usage, "which chunks?"), "Pick them with --where or --selection, for instance --where 'inhabited == 0'.")
			}
			return a.worldPrune(cmd.Context(), args[0], &flags)
		},
	}
	flags.chunkPicker.register(cmd)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	set := cmd.Flags()
	set.IntVar(&flags.margin, "margin", 1, "keep picked chunks up to `N` chunks around decorated ones that stay")
	set.StringSliceVar(&flags.protect, "protect", protections, "keep chunks with these: spawn, players, respawns, forced, or none")
	set.IntVar(&flags.radius, "protect-radius", 4, "and `N` chunks around spawn, players and respawns")
	set.StringArrayVar(&flags.circles, "protect-circle", nil, "keep chunks within R blocks of block X, Z (`X,Z,R`, may be repeated)")
	set.StringVar(&flags.selection, "protect-selection", "", "keep the chunks of `FILE`, a selection of MCA Selector (CSV)")
	set.StringVar(&flags.write, "write-selection", "", "write the positions of what is deleted to `FILE`, for MCA Selector")
	set.BoolVar(&flags.noCompact, "no-compact", false, "leave holes in region files, for the game to use again")
	return cmd
}

// protections are what --protect names.
var protections = []string{"spawn", "players", "respawns", "forced"}

// rules reads the flags that protect.
func (f *pruneFlags) rules() (r prune.Rules, err error) {
	r.Margin, r.Radius = f.margin, f.radius
	none := slices.Equal(f.protect, []string{"none"})
	for _, name := range f.protect {
		switch {
		case name == "spawn":
			r.Spawn = true
		case name == "players":
			r.Players = true
		case name == "respawns":
			r.Respawns = true
		case name == "forced":
			r.Forced = true
		case !none:
			return r, ui.Errorf(ui.Usage, "--protect %s is none of %s; or none alone", name, strings.Join(protections, ", "))
		}
	}
	for _, text := range f.circles {
		c, err := parseCircle(text)
		if err != nil {
			return r, ui.Errorf(ui.Usage, "--protect-circle %s: %w", text, err)
		}
		r.Circles = append(r.Circles, c)
	}
	if f.selection != "" {
		r.Selection, err = readSelection("--protect-selection", f.selection)
	}
	return r, err
}

func parseCircle(text string) (c prune.Circle, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return c, errors.New("not X,Z,R in blocks")
	}
	for i, to := range []*int64{&c.X, &c.Z, &c.Radius} {
		n, err := strconv.ParseInt(strings.TrimSpace(parts[i]), 10, 32)
		if err != nil {
			return c, err
		}
		*to = n
	}
	return c, nil
}

// readSelection reads a selection that a flag names.
func readSelection(flag, path string) (s *query.Selection, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Missing, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	s, err = query.ReadSelection(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, ui.Errorf(ui.Usage, "%s %s: %w", flag, path, err)
	}
	return s, nil
}

func (a *app) worldPrune(ctx context.Context, path string, flags *pruneFlags) (err error) {
	rules, err := flags.rules()
	if err != nil {
		return err
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
	plan, err := a.planPrune(ctx, w, s, q, options, rules, flags)
	if err != nil {
		return err
	}
	if err := flags.check(&plan.Undo); err != nil && !flags.DryRun {
		return err
	}
	text := func(out io.Writer) error { return plan.writeText(a.console, out) }
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Delete these chunks?")
	if err != nil {
		return err
	}
	if proceed {
		if err := a.prunePicked(ctx, w, s, plan, options, flags); err != nil {
			return err
		}
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	return plan.problems()
}

// planPrune decides what to delete and counts it.
func (a *app) planPrune(ctx context.Context, w *anvil.World, s *store.Store, q *query.Query, o query.Options, rules prune.Rules, flags *pruneFlags) (*prunePlan, error) {
	decided, err := prune.Decide(ctx, w, s, q, o, rules)
	if errors.Is(err, prune.ErrRules) {
		return nil, ui.Errorf(ui.Usage, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	if len(decided.Blind) > 0 {
		first := decided.Blind[0]
		return nil, ui.WithHint(ui.Errorf(ui.Failed, "nobody knows what to protect: cannot read %s: %w", first.Path, first.Err),
			"Nothing was changed. --protect names what to look for.")
	}
	if flags.write != "" {
		if err := writePruned(flags.write, decided.Chunks); err != nil {
			return nil, err
		}
	}
	plan := &prunePlan{Plan: decided, NotCompacted: []string{}, expected: true}
	if plan.sizes, err = prune.Measure(s, scan.Files(w, o.Dimensions...), decided.Chunks); err != nil {
		return nil, err
	}
	plan.Before, plan.After = plan.sizes.Before, plan.sizes.After
	if flags.noCompact {
		plan.After = plan.sizes.Loose
	}
	if plan.Undo.Space, err = undo.Estimate(s, decided.Chunks.Refs(store.Chunks, store.Entities, store.POI), nil); err != nil {
		return nil, err
	}
	plan.Deleted, err = edit.Delete(ctx, s, decided.Chunks, edit.DeleteOptions{})
	return plan, err
}

// writePruned writes the positions of what is deleted, of one dimension.
func writePruned(path string, chunks *edit.Picked) error {
	selection := &query.Selection{}
	var dims []store.Dim
	for _, at := range chunks.Regions() {
		if !slices.Contains(dims, at.Dim) {
			dims = append(dims, at.Dim)
		}
		for _, pos := range chunks.In(at) {
			selection.Add(pos)
		}
	}
	if len(dims) > 1 {
		return ui.Errorf(ui.Usage, "--write-selection: the chunks are of %s; choose one with --dimension", countText(len(dims), "dimension"))
	}
	return writeSelection(path, selection)
}

// prunePicked makes the change that a plan is of.
func (a *app) prunePicked(ctx context.Context, w *anvil.World, s *store.Store, plan *prunePlan, o query.Options, flags *pruneFlags) (err error) {
	plan.expected = false
	if plan.Remove == 0 {
		return nil // no change that undo would have nothing to do for
	}
	change, err := undo.Begin(s, "prune", flags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	plan.Undo.ID = change.ID()
	progress := a.console.StartProgress(ui.Work{Label: "prune", Unit: "chunks", Total: plan.Remove})
	defer progress.Stop()
	plan.Deleted, err = edit.Delete(ctx, s, plan.Plan.Chunks, edit.DeleteOptions{Change: change, Progress: progress.Add})
	if err != nil {
		return a.halfDone(err, change)
	}
	if err := change.Finish(ctx); err != nil {
		return err
	}
	if !flags.noCompact {
		failed, err := plan.sizes.Compact(ctx)
		for _, f := range failed {
			plan.NotCompacted = append(plan.NotCompacted, f.Error())
		}
		if err != nil {
			return ui.WithHint(err, "The chunks are deleted; files were not all compacted.")
		}
	}
	plan.After = prune.Bytes(scan.Files(w, o.Dimensions...))
	return nil
}

func (p *prunePlan) problems() error {
	switch {
	case p.Failed > 0:
		return ui.Errorf(ui.Problems, "could not be deleted: %s, first %v", countText(int(p.Failed), "record"), p.List[0])
	case len(p.NotCompacted) > 0:
		return ui.Errorf(ui.Problems, "could not be compacted: %s, first: %s", countText(len(p.NotCompacted), "file"), p.NotCompacted[0])
	default:
		return queryProblems(p.Result)
	}
}

func (p *prunePlan) writeText(console *ui.Console, w io.Writer) error {
	verb := "deleted"
	if p.expected {
		verb = "to delete"
	}
	right := func(head string) ui.Column { return ui.Column{Head: head, Right: true} }
	table := console.NewTable(ui.Column{Head: "dimension"}, right("chunks"), right("picked"), right("protected"), right("margin"), right(verb))
	for _, d := range p.Plan.Dimensions {
		table.Row(d.Name, ui.FormatCount(d.Looked), ui.FormatCount(d.Picked), ui.FormatCount(d.Protected), ui.FormatCount(d.Margin), ui.FormatCount(d.Remove))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	about := ""
	if p.expected {
		about = "about "
	}
	_, err := fmt.Fprintf(w, "\n%s: %s, %s of entities, %s of points of interest, %s\nRegion files: %s before, %s%s after\n", verb,
		countText(int(p.Deleted.Chunks), "chunk"), countText(int(p.Entities), "record"), countText(int(p.POI), "record"),
		countText(int(p.Regions), "whole region file"), ui.FormatBytes(p.Before), about, ui.FormatBytes(p.After))
	if err != nil {
		return err
	}
	for _, d := range p.Plan.Dimensions {
		if err := writeInhabited(console, w, d.Name, d.Inhabited); err != nil {
			return err
		}
	}
	if p.Remove == 0 {
		return nil
	}
	return p.Undo.writeText(w)
}

// writeInhabited warns of an InhabitedTime that says nothing.
func writeInhabited(console *ui.Console, w io.Writer, name string, h *prune.Histogram) error {
	if h.Dominant == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nWarning: %s of %s full chunks of %s have an InhabitedTime of %s.\nIt does not tell where players were.\n\n",
		ui.FormatCount(h.Dominant.Chunks), ui.FormatCount(h.Chunks), name, countText(int(h.Dominant.Ticks), "tick"))
	if err != nil {
		return err
	}
	table := console.NewTable(ui.Column{Head: "inhabited, in ticks", Right: true}, ui.Column{Head: "full chunks", Right: true}, ui.Column{Head: ""})
	for _, row := range h.Rows {
		span := ui.FormatCount(row.From)
		if row.To > row.From {
			span += " to " + ui.FormatCount(row.To)
		}
		table.Row(span, ui.FormatCount(row.Chunks), strings.Repeat("#", int(40*row.Chunks/h.Chunks)))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w)
	return err
}
