package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/query"
	"strata/anvil/store"
	"strata/anvil/transplant"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
)

// copyFlags are the flags of strata world copy.
type copyFlags struct {
	chunkPicker
	ui.ChangeFlags
	undoFlags
	offset    string
	to        string
	overwrite bool
	uuids     string
}

// copyPlan is the result of strata world copy, and its plan.
type copyPlan struct {
	LookedAt int64 `json:"looked_at"`
	Picked   int64 `json:"picked"`
	*transplant.Result
	NewUUIDs bool     `json:"new_uuids"`
	Undo     undoPlan `json:"undo"`
}

func newWorldCopyCmd(a *app) *cobra.Command {
	var flags copyFlags
	cmd := &cobra.Command{
		Use:   "copy SRC DST",
		Short: "Copy chunks into another world or to another place",
		Long: `Copy chunks of world SRC into world DST, which may be the same, with their
entities and points of interest. All positions in them are rewritten for the
offset: of chunks, block entities, ticks, structures and references to them,
entities and what they remember, points of interest. What nobody knows stays byte
for byte. Positions in commands and texts stay as they are, as do those that data
packs keep; raids, maps and other data files are not copied.

Chunks that are there already stay, unless --overwrite. What is overwritten is
kept first, so that 'strata world undo' brings it back. Chunks newer than DST are
refused one by one; --to-dimension wants one of the same height.

The game drops an entity whose UUID it has already, so copies within one world get
new ones, and all that refers to a copied entity within the copy follows. Between
worlds UUIDs stay; --uuids new changes that, for a second copy of the same place.

Exit code 2: the offset or dimension makes no sense; 3: chunks could not be looked
at or copied; 11: DST is in use; 13: no space.

With --json: looked_at, picked, created, replaced, existing (chunks), chunks,
entity_chunks, poi (records written), removed (records of what was overwritten
that SRC does not have), bytes, new_uuids, failed, failed_list[] (dimension, kind,
pos, error), undo (id, undo_bytes, free_bytes).`,
		Example: `  strata world copy old new --where 'near(0, 0, 12)' --dry-run
  strata world copy old new --selection town.csv --offset 100,-40 --overwrite --yes
  strata world copy world world --dimension the_nether --where 'near(5, 5, 3)' --offset 64,0 --yes`,
		Args: exactArgs("SRC", "DST"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.worldCopy(cmd.Context(), args[0], args[1], &flags)
		},
	}
	flags.chunkPicker.register(cmd)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	set := cmd.Flags()
	set.StringVar(&flags.offset, "offset", "0,0", "move by `X,Z` chunks")
	set.StringVar(&flags.to, "to-dimension", "", "copy into dimension `ID` (default the one of the same id)")
	set.BoolVar(&flags.overwrite, "overwrite", false, "replace chunks that are there, with entities and points of interest")
	set.StringVar(&flags.uuids, "uuids", "auto", "UUIDs of entities: keep, new, or auto, new within one world")
	return cmd
}

// options reads the flags that say how to copy. same: within one world.
func (f *copyFlags) options(same bool) (o transplant.Options, err error) {
	x, z, ok := strings.Cut(f.offset, ",")
	for _, c := range []struct {
		text string
		to   *int32
	}{{x, &o.X}, {z, &o.Z}} {
		n, err := strconv.ParseInt(strings.TrimSpace(c.text), 10, 32)
		if !ok || err != nil || max(n, -n) > 2*transplant.MaxChunk {
			return o, ui.Errorf(ui.Usage, "--offset %s is not X,Z in chunks, up to %d", f.offset, 2*transplant.MaxChunk)
		}
		*c.to = int32(n)
	}
	switch f.uuids {
	case "keep":
	case "new":
		o.NewIDs = true
	case "auto":
		o.NewIDs = same
	default:
		return o, ui.Errorf(ui.Usage, "--uuids %s is none of keep, new, auto", f.uuids)
	}
	if f.to != "" {
		o.To = completeID(f.to)
	}
	o.Overwrite, o.Same, o.Workers = f.overwrite, same, f.workers
	return o, nil
}

// ends are the two ends of a copy, which may be one.
type ends struct {
	src, dst   *anvil.World
	from, into *store.Store
	same       bool
}

func (e *ends) close() error {
	var err error
	if e.into != nil {
		err = e.into.Close()
	}
	if e.from != nil && !e.same {
		err = errors.Join(err, e.from.Close())
	}
	return err
}

// openEnds opens both worlds, the second one to write to it.
func (a *app) openEnds(src, dst string, write bool) (*ends, error) {
	e := &ends{}
	var err error
	if e.src, e.from, err = a.openStore(src, false); err != nil {
		return nil, err
	}
	if e.dst, e.into, err = a.openStore(dst, write); err != nil {
		return nil, errors.Join(err, e.close())
	}
	one, errOne := os.Stat(e.src.Path())
	two, errTwo := os.Stat(e.dst.Path())
	if err := errors.Join(errOne, errTwo); err != nil {
		return nil, errors.Join(err, e.close())
	}
	if os.SameFile(one, two) {
		// Of one world there is one store, which sees what it writes.
		err = e.from.Close()
		e.src, e.from, e.same = e.dst, e.into, true
	}
	return e, err
}

func (a *app) worldCopy(ctx context.Context, src, dst string, flags *copyFlags) (err error) {
	if _, err := flags.options(false); err != nil {
		return err
	}
	e, err := a.openEnds(src, dst, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	o, err := flags.options(e.same)
	if err != nil {
		return err
	}
	q, options, err := flags.compile(e.src)
	if err != nil {
		return err
	}
	picked, looked, err := edit.Pick(ctx, e.src, e.from, q, options)
	if err != nil {
		return err
	}
	if err := e.check(picked, o); err != nil {
		return err
	}
	plan, err := e.plan(ctx, picked, looked, o)
	if err != nil {
		return err
	}
	if err := flags.check(&plan.Undo); err != nil && !flags.DryRun {
		return err
	}
	text := func(out io.Writer) error { return plan.writeText(out, "to copy") }
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Copy these chunks?")
	if err != nil {
		return err
	}
	if proceed {
		if err := a.copyPicked(ctx, e, picked, plan, o, flags); err != nil {
			return err
		}
		text = func(out io.Writer) error { return plan.writeText(out, "copied") }
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	if plan.Failed > 0 {
		return ui.Errorf(ui.Problems, "could not be copied: %s, first %v", countText(int(plan.Failed), "chunk"), plan.List[0])
	}
	return queryProblems(looked)
}

// check refuses copies that make no sense.
func (e *ends) check(picked *edit.Picked, o transplant.Options) error {
	dims := map[store.Dim]bool{}
	for _, at := range picked.Regions() {
		dims[at.Dim] = true
	}
	if o.To != "" && len(dims) > 1 {
		return ui.Errorf(ui.Usage, "--to-dimension: the chunks are of %s; choose one with --dimension", countText(len(dims), "dimension"))
	}
	for dim := range dims {
		from := e.from.World().Dimensions[dim].Name
		to := o.To
		if to == "" {
			to = from
		}
		if e.same && from == to && o.X == 0 && o.Z == 0 {
			return ui.WithHint(ui.Errorf(ui.Usage, "the chunks would be copied onto themselves"), "Give an --offset, a --to-dimension or another world.")
		}
		if err := transplant.CheckHeights(e.src, e.dst, from, to); err != nil {
			return ui.Errorf(ui.Usage, "--to-dimension %s: %w", to, err)
		}
	}
	return nil
}

// plan counts what is to be copied.
func (e *ends) plan(ctx context.Context, picked *edit.Picked, looked *query.Result, o transplant.Options) (*copyPlan, error) {
	plan := &copyPlan{LookedAt: looked.Looked, Picked: picked.Count, NewUUIDs: o.NewIDs}
	targets, err := transplant.Targets(e.from, e.into, picked, o)
	if errors.Is(err, transplant.ErrDimension) {
		return nil, ui.Errorf(ui.Usage, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	if plan.Undo.Space, err = undo.Estimate(e.into, targets.Refs(store.Chunks, store.Entities, store.POI), nil); err != nil {
		return nil, err
	}
	plan.Result, err = transplant.Copy(ctx, e.from, e.into, picked, o)
	return plan, err
}

// copyPicked makes the change that a plan is of.
func (a *app) copyPicked(ctx context.Context, e *ends, picked *edit.Picked, plan *copyPlan, o transplant.Options, flags *copyFlags) (err error) {
	if plan.Created+plan.Replaced == 0 {
		return nil // no change that undo would have nothing to do for
	}
	change, err := undo.Begin(e.into, "copy", flags.undoFlags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	plan.Undo.ID = change.ID()
	progress := a.console.StartProgress(ui.Work{Label: "copy", Unit: "chunks", Total: picked.Count})
	defer progress.Stop()
	o.Change, o.Progress = change, progress.Add
	if plan.Result, err = transplant.Copy(ctx, e.from, e.into, picked, o); err != nil {
		return a.halfDone(err, change)
	}
	return change.Finish(ctx)
}

func (p *copyPlan) writeText(w io.Writer, verb string) error {
	if _, err := fmt.Fprintf(w, "%s: %s, %s of entities, %s of points of interest, %s\n", verb, countText(int(p.Chunks), "chunk"),
		countText(int(p.Entities), "record"), countText(int(p.POI), "record"), ui.FormatBytes(p.Bytes)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "of %s picked: %s new, %s overwritten, %s there already and left, %s failed\n", ui.FormatCount(p.Picked),
		ui.FormatCount(p.Created), ui.FormatCount(p.Replaced), ui.FormatCount(p.Existing), ui.FormatCount(p.Failed)); err != nil {
		return err
	}
	if p.NewUUIDs {
		if _, err := fmt.Fprintln(w, "Entities get new UUIDs."); err != nil {
			return err
		}
	}
	if p.Created+p.Replaced == 0 {
		return nil
	}
	return p.Undo.writeText(w)
}
