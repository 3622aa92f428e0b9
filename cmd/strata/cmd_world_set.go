package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
)

// worldSetFlags are the flags of strata world set.
type worldSetFlags struct {
	placeFlags
	ui.ChangeFlags
	undoFlags
	create bool
}

// setPlan is the result of strata world set, and its plan.
type setPlan struct {
	Place   string   `json:"place"`
	Changed int      `json:"changed"` // tags, or blocks
	Was     []string `json:"was"`
	Undo    undoPlan `json:"undo"`
}

func newWorldSetCmd(a *app) *cobra.Command {
	var flags worldSetFlags
	cmd := &cobra.Command{
		Use:   "set WORLD [PATH] VALUE",
		Short: "Set a value in a chunk, player or data file, or a block",
		Long: `Set what a PATH selects in a chunk, its entities or points of interest, the data of
a player or another data file, to a VALUE in SNBT, as /data modify does: all else
stays byte for byte. Chunks of every version can be set in. With --block the VALUE
is a state such as oak_stairs[facing=east], and there is no PATH.

Where a chunk is cannot be changed, nor its DataVersion. With a block, the block
entity of another block goes, heightmaps are made anew, and light and points of
interest are left to the game to do again.

What is changed is kept first, so that 'strata world undo' brings it back. Of data
files the game's own copy, with "_old" behind the name, is kept as well.

Exit code 3: the path selects nothing; 10: there is no such chunk, file or player;
11: the world is in use.

With --json: place, changed, was[] (what there was, SNBT), undo (id, undo_bytes,
free_bytes).`,
		Example: `  strata world set world --chunk 10,-3 InhabitedTime 0L
  strata world set world --player Steve 'Inventory[{Slot:0b}].count' 64
  strata world set world --block 100,64,-20 'oak_stairs[facing=east]' --yes
  strata world set world --level Data.LevelName '"Home"' --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if flags.block != "" {
				return exactArgs("WORLD", "VALUE")(cmd, args)
			}
			return exactArgs("WORLD", "PATH", "VALUE")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.placeFlags.check(); err != nil {
				return err
			}
			return a.worldSet(cmd.Context(), args[0], args[1:], &flags)
		},
	}
	flags.placeFlags.register(cmd, false)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	cmd.Flags().BoolVar(&flags.create, "create", false, "make the members that lead to the place")
	return cmd
}

// setting is a change of one place, ready to be made.
type setting struct {
	plan  setPlan
	refs  []store.Ref // what it writes
	files []string
	write func(ctx context.Context, change *undo.Change) error
}

func (a *app) worldSet(ctx context.Context, world string, args []string, flags *worldSetFlags) (err error) {
	w, s, err := a.openStore(world, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var x *setting
	switch {
	case flags.block != "":
		x, err = setBlock(w, s, args[0], flags)
	case flags.chunk != "":
		x, err = setInChunk(w, s, args[0], args[1], flags)
	default:
		x, err = setInFile(w, s, args[0], args[1], flags)
	}
	if err != nil {
		return err
	}
	return a.set(ctx, s, x, flags)
}

// set shows what is to be set and sets it.
func (a *app) set(ctx context.Context, s *store.Store, x *setting, flags *worldSetFlags) (err error) {
	if x.plan.Changed == 0 {
		return a.console.Result(x.plan, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s is so already.\n", x.plan.Place)
			return err
		})
	}
	x.plan.Undo.Space, err = undo.Estimate(s, func(yield func(store.Ref) bool) {
		for _, ref := range x.refs {
			if !yield(ref) {
				return
			}
		}
	}, x.files)
	if err != nil {
		return err
	}
	if err := flags.undoFlags.check(&x.plan.Undo); err != nil && !flags.DryRun {
		return err
	}
	proceed, err := flags.Proceed(ctx, a.console, x.plan, x.plan.writeText, "Change "+x.plan.Place+"?")
	if err != nil || !proceed {
		return err
	}
	change, err := undo.Begin(s, "set", flags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	if err := x.write(ctx, change); err != nil {
		return err
	}
	if err := change.Finish(ctx); err != nil {
		return err
	}
	if err := s.Barrier(ctx); err != nil { // without undo nobody has waited for it
		return err
	}
	x.plan.Undo.ID = change.ID()
	return a.console.Result(x.plan, x.plan.writeText)
}

func (p *setPlan) writeText(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", p.Place, countText(p.Changed, "change"))
	for _, was := range p.Was {
		fmt.Fprintf(w, "  was %s\n", shorten(was))
	}
	return p.Undo.writeText(w)
}

// note notes what a path selects before it is changed.
func (p *setPlan) note(at path.Path, root nbt.Tag) {
	p.Was = []string{}
	for tag := range at.Select(root) {
		p.Was = append(p.Was, string(snbt.Append(nil, tag, snbt.Compact)))
	}
}

// parseSet reads a path and a value.
func parseSet(at, value string) (path.Path, nbt.Raw, error) {
	p, err := parsePath(at)
	if err != nil {
		return p, nbt.Raw{}, err
	}
	v, err := parseValue(value)
	return p, v, err
}

func setInChunk(w *anvil.World, s *store.Store, at, text string, flags *worldSetFlags) (*setting, error) {
	p, value, err := parseSet(at, text)
	if err != nil {
		return nil, err
	}
	ref, err := flags.ref(w, s)
	if err != nil {
		return nil, err
	}
	doc, err := edit.Read(s, ref)
	if err != nil {
		return nil, placeError(err)
	}
	x := &setting{plan: setPlan{Place: edit.Describe(s, ref)}, refs: []store.Ref{ref}, write: doc.Write}
	x.plan.note(p, doc.Root())
	x.plan.Changed, err = doc.Edit(func(e *nbt.Edit, root nbt.Tag) (int, error) { return p.Set(e, root, value, flags.create) })
	switch {
	case errors.Is(err, edit.ErrPosition), errors.Is(err, edit.ErrVersion):
		return nil, ui.Errorf(ui.Usage, "%s: %w", x.plan.Place, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", x.plan.Place, err)
	case x.plan.Changed == 0 && len(x.plan.Was) == 0:
		return nil, ui.Errorf(ui.Problems, "%s: nothing at %s", x.plan.Place, p)
	}
	return x, nil
}

func setBlock(w *anvil.World, s *store.Store, state string, flags *worldSetFlags) (*setting, error) {
	pos, err := flags.blockPos()
	if err != nil {
		return nil, err
	}
	ref, err := flags.ref(w, s)
	if err != nil {
		return nil, err
	}
	doc, err := edit.Read(s, ref)
	if err != nil {
		return nil, placeError(err)
	}
	was, err := doc.BlockAt(pos)
	if err != nil {
		return nil, placeError(err)
	}
	if err := doc.SetBlock(pos, state); err != nil {
		if errors.Is(err, edit.ErrValue) {
			return nil, ui.Errorf(ui.Usage, "%w", err)
		}
		return nil, err
	}
	x := &setting{refs: []store.Ref{ref}, write: doc.Write, plan: setPlan{
		Place: fmt.Sprintf("block %d,%d,%d of %s", pos.X, pos.Y, pos.Z, s.World().Dimensions[ref.Dim].Name), Was: []string{was.State},
	}}
	if !doc.Changed() {
		return x, nil
	}
	x.plan.Changed = 1
	return x, addPOI(s, ref, x)
}

// addPOI has a chunk's points of interest looked for again.
func addPOI(s *store.Store, ref store.Ref, x *setting) error {
	ref.Kind = store.POI
	poi, err := edit.Read(s, ref)
	if edit.IsAbsent(err) {
		return nil
	}
	if err == nil {
		err = poi.InvalidatePOI()
	}
	if err != nil {
		return err
	}
	x.refs = append(x.refs, ref)
	write := x.write
	x.write = func(ctx context.Context, change *undo.Change) error {
		if err := write(ctx, change); err != nil {
			return err
		}
		return poi.Write(ctx, change)
	}
	return nil
}

func setInFile(w *anvil.World, s *store.Store, at, text string, flags *worldSetFlags) (*setting, error) {
	p, value, err := parseSet(at, text)
	if err != nil {
		return nil, err
	}
	name, err := flags.file(w)
	if err != nil {
		return nil, err
	}
	doc, err := readNBT(name)
	if err != nil {
		return nil, err
	}
	changed, plan, err := editNBT(doc, name, p, func(p path.Path, e *nbt.Edit, root nbt.Tag) (int, error) {
		return p.Set(e, root, value, flags.create)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &setting{plan: setPlan{Place: name, Changed: plan.Changed}, files: []string{name, name + level.OldSuffix}}
	x.plan.note(p, doc.Root())
	switch {
	case plan.Changed == 0 && len(x.plan.Was) == 0:
		return nil, ui.Errorf(ui.Problems, "%s: nothing at %s", name, p)
	case changed.DataVersion() != doc.DataVersion():
		return nil, ui.Errorf(ui.Usage, "%s: the DataVersion of a file is not changed: the game converts it", name)
	}
	x.write = func(_ context.Context, change *undo.Change) error {
		for _, file := range x.files {
			if err := change.KeepFile(file); err != nil {
				return err
			}
		}
		if err := change.Commit(); err != nil {
			return err
		}
		data, err := changed.Pack()
		if err != nil {
			return err
		}
		return s.StageFile(name, data, store.FileOptions{KeepOld: true})
	}
	return x, nil
}
