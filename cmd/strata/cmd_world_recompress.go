package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/edit"
	"strata/anvil/query"
	"strata/anvil/shrink"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/cmd/internal/ui"
	"strata/region/codec"
)

// recompressFlags are the flags of strata world recompress.
type recompressFlags struct {
	chunkPicker
	ui.ChangeFlags
	undoFlags
	level  string
	scheme string
	always bool
}

// recompressPlan is the result of strata world recompress, and its plan.
type recompressPlan struct {
	Scheme string `json:"scheme"`
	Level  string `json:"level"`
	*shrink.Recompressed
	Undo undoPlan `json:"undo"`
	// counted: what comes out is known.
	counted bool
	picked  int64
}

func newWorldRecompressCmd(a *app) *cobra.Command {
	var flags recompressFlags
	cmd := &cobra.Command{
		Use:   "recompress WORLD",
		Short: "Compress the records of a world anew",
		Long: `Compress chunks, entities and points of interest anew, with another level or
scheme, and write their region files densely. Level 1 is the fastest, 12 the
smallest; sector, the default, compresses harder only where that saves a sector.
Levels are of zlib and gzip.

Every record is inflated again and compared before it is written. One that would
not get smaller stays, unless its scheme changes or --always is given. Timestamps
stay. What cannot be read stays as it is, byte for byte.

It may be stopped or killed at any time: the world is sound, and the same command
goes on where it was. What is replaced is kept first, so that 'strata world undo'
brings it back; after a kill, each run that changed something is taken back by one
undo. --no-undo saves that space.

--dry-run compresses everything without writing, and so takes as long.

Exit code 3: records could not be read or files not be changed; 11: the world is in
use; 13: what is replaced does not fit on the disk a second time.

With --json: scheme, level, files, rewritten, resumed, records, replaced,
unchanged, damaged, external, payload_bytes_before and _after, sector_bytes_before
and _after, bytes_before and _after (of whole files), failed[] (path, error), undo
(id, undo_bytes, free_bytes).`,
		Example: `  strata world recompress world --level 9 --dry-run
  strata world recompress world --level 12 --where 'inhabited == 0' --yes
  strata world recompress world --scheme lz4 --yes`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.worldRecompress(cmd.Context(), args[0], &flags)
		},
	}
	flags.chunkPicker.register(cmd)
	flags.Register(cmd.Flags())
	flags.undoFlags.register(cmd.Flags())
	cmd.Flags().StringVar(&flags.level, "level", codec.Sector.String(), "compress at `LEVEL` 1 to 12, or sector")
	cmd.Flags().StringVar(&flags.scheme, "scheme", codec.Zlib.String(), "compress with `SCHEME` zlib, gzip, lz4 or none")
	cmd.Flags().BoolVar(&flags.always, "always", false, "replace records also by larger ones")
	return cmd
}

// options reads the flags that say how to compress.
func (f *recompressFlags) options() (shrink.RecompressOptions, error) {
	o := shrink.RecompressOptions{Always: f.always, Workers: f.workers, DryRun: f.DryRun}
	var err error
	if o.Level, err = codec.ParseLevel(f.level); err != nil {
		return o, ui.Errorf(ui.Usage, "--level %s is none of 1 to 12, sector", f.level)
	}
	if o.Scheme, err = codec.ParseScheme(f.scheme); err != nil {
		return o, ui.Errorf(ui.Usage, "--scheme %s is none of zlib, gzip, lz4, none", f.scheme)
	}
	if f.workers < 0 {
		return o, ui.Errorf(ui.Usage, "--workers %d is below 0", f.workers)
	}
	o.Settings = strings.Join([]string{f.where, f.selection, strings.Join(f.dimensions, ",")}, "\n")
	return o, nil
}

func (a *app) worldRecompress(ctx context.Context, path string, flags *recompressFlags) (err error) {
	options, err := flags.options()
	if err != nil {
		return err
	}
	w, s, err := a.openStore(path, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := shrink.CheckScheme(w.DataVersion(), options.Scheme); err != nil {
		return ui.WithHint(ui.Errorf(ui.Usage, "--scheme %s: %w", flags.scheme, err), "Nothing was changed.")
	}
	looked, ids, err := flags.pick(ctx, w, s, &options)
	if err != nil {
		return err
	}
	survey, err := shrink.Look(ctx, s, ids...)
	if err != nil {
		return err
	}
	plan := &recompressPlan{Scheme: options.Scheme.String(), Level: options.Level.String(), Recompressed: &shrink.Recompressed{
		Files: len(survey.Files), BytesBefore: survey.Bytes, Failed: append([]shrink.Failure{}, survey.Failed...),
	}}
	for range survey.Picked(options.Pick) {
		plan.picked++
	}
	if plan.Undo.Space, err = undo.Estimate(s, survey.Picked(options.Pick), nil); err != nil {
		return err
	}
	noRoom := flags.room(s, survey, plan)
	if noRoom != nil && !flags.DryRun {
		return noRoom
	}
	if flags.DryRun {
		if err := a.recompressAll(ctx, s, survey, options, plan, flags); err != nil {
			return err
		}
	}
	text := func(out io.Writer) error { return plan.writeText(a.console, out) }
	proceed, err := flags.Proceed(ctx, a.console, plan, text, "Compress these records anew?")
	if err != nil {
		return err
	}
	if proceed {
		if err := a.recompressAll(ctx, s, survey, options, plan, flags); err != nil {
			return err
		}
		if err := a.console.Result(plan, text); err != nil {
			return err
		}
	}
	return plan.problems(looked)
}

// pick sets which records are looked at. It returns what a query has come to, nil
// without one, and the ids of dimensions that are looked at, none for all.
func (f *recompressFlags) pick(ctx context.Context, w *anvil.World, s *store.Store, o *shrink.RecompressOptions) (*query.Result, []string, error) {
	q, options, err := f.compile(w)
	if err != nil || f.where == "" && f.selection == "" {
		return nil, options.Dimensions, err
	}
	picked, looked, err := edit.Pick(ctx, w, s, q, options)
	if err != nil {
		return nil, nil, err
	}
	chosen := map[store.Ref]bool{}
	for ref := range picked.Refs(store.Chunks) {
		chosen[ref] = true
	}
	o.Pick = func(ref store.Ref) bool {
		ref.Kind = store.Chunks
		return chosen[ref]
	}
	return looked, options.Dimensions, nil
}

// room refuses what does not fit: what is kept, and a file beside the old one.
func (f *recompressFlags) room(s *store.Store, survey *shrink.Survey, plan *recompressPlan) error {
	if err := f.check(&plan.Undo); err != nil {
		return err
	}
	beside := plan.Undo.Need
	if f.off {
		beside = 0
	}
	if err := survey.Room(s, 1, beside); err != nil {
		return ui.WithHint(err, "Nothing was changed. --no-undo needs less.")
	}
	return nil
}

func (a *app) recompressAll(ctx context.Context, s *store.Store, survey *shrink.Survey, o shrink.RecompressOptions, plan *recompressPlan, flags *recompressFlags) (err error) {
	progress := a.console.StartProgress(ui.Work{Label: "recompress", Unit: "records", Total: plan.picked})
	defer progress.Stop()
	o.Progress = progress.Add
	if !o.DryRun {
		if o.Change, err = undo.Begin(s, "recompress", flags.undoFlags.options(a)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, o.Change.Abort()) }()
		plan.Undo.ID = o.Change.ID()
	}
	plan.Recompressed, err = shrink.Recompress(ctx, s, survey, o)
	if err != nil {
		if !o.DryRun {
			err = ui.WithHint(err, "The same command goes on; 'strata world undo' takes back what was changed so far.")
		}
		return err
	}
	plan.counted = true
	if o.DryRun {
		return nil
	}
	return o.Change.Finish(ctx)
}

// problems is the error that gives the exit code.
func (p *recompressPlan) problems(looked *query.Result) error {
	switch {
	case len(p.Failed) > 0:
		return ui.Errorf(ui.Problems, "could not be changed: %s, first %s: %w", countText(len(p.Failed), "file or record"), p.Failed[0].Path, p.Failed[0].Err)
	case p.Damaged > 0:
		return ui.WithHint(ui.Errorf(ui.Problems, "%s could not be read and stayed as they are", countText(int(p.Damaged), "record")),
			"'strata world fsck' lists them.")
	case looked != nil:
		return queryProblems(looked)
	default:
		return nil
	}
}

func (p *recompressPlan) writeText(console *ui.Console, w io.Writer) error {
	how := p.Scheme
	if p.Scheme == codec.Zlib.String() || p.Scheme == codec.Gzip.String() {
		how += ", level " + p.Level
	}
	if !p.counted {
		fmt.Fprintf(w, "%s of %s, %s: with %s\n", countText(int(p.picked), "record"), countText(p.Files, "region file"), ui.FormatBytes(p.BytesBefore), how)
		return p.Undo.writeText(w)
	}
	table := console.NewTable(ui.Column{Head: how}, ui.Column{Head: "before", Right: true}, ui.Column{Head: "after", Right: true}, ui.Column{Head: "saved", Right: true}, ui.Column{Head: "", Right: true})
	for _, row := range []struct {
		name          string
		before, after int64
	}{
		{"payloads", p.PayloadBefore, p.PayloadAfter}, {"their sectors", p.SectorsBefore, p.SectorsAfter}, {"region files", p.BytesBefore, p.BytesAfter},
	} {
		table.Row(row.name, ui.FormatBytes(row.before), ui.FormatBytes(row.after), savedText(row.before-row.after), percentText(row.before-row.after, row.before))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s: %s replaced, %s as small already, %s cannot be read\n", countText(int(p.Records), "record"),
		ui.FormatCount(p.Replaced), ui.FormatCount(p.Unchanged), ui.FormatCount(p.Damaged))
	fmt.Fprintf(w, "%s of %s rewritten", ui.FormatCount(int64(p.Rewritten)), countText(p.Files, "region file"))
	if p.Resumed > 0 {
		fmt.Fprintf(w, ", %s done by an earlier run", ui.FormatCount(int64(p.Resumed)))
	}
	fmt.Fprintln(w)
	for i, f := range p.Failed {
		if i == 10 {
			fmt.Fprintf(w, "and %s\n", countText(len(p.Failed)-i, "more failure"))
			break
		}
		fmt.Fprintf(w, "failed: %s: %s\n", f.Path, f.Text)
	}
	return p.Undo.writeText(w)
}

// savedText is a size that may be below 0.
func savedText(n int64) string {
	if n < 0 {
		return "-" + ui.FormatBytes(-n)
	}
	return ui.FormatBytes(n)
}

// percentText is a share of a whole with a digit behind the point.
func percentText(n, of int64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
