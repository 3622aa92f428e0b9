package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"strata/anvil/player"
	"strata/backup"
	"strata/cmd/internal/ui"
	"strata/region"
)

// scopeFlags name a part of a world.
type scopeFlags struct {
	dimension string
	regions   []string
	chunks    string
	players   []string
	files     []string
}

func (f *scopeFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.dimension, "dimension", "", "only this dimension (`ID`)")
	set.StringArrayVar(&f.regions, "region", nil, "only region `X,Z`, with entities and points of interest (may be repeated)")
	set.StringVar(&f.chunks, "chunks", "", "only the chunks of a rectangle, `X1,Z1..X2,Z2`, with entities and points of interest")
	set.StringSliceVar(&f.players, "player", nil, "only a player's data, statistics and advancements (`UUID`, may be repeated)")
	set.StringArrayVar(&f.files, "file", nil, "only files that match a `PATTERN`, by their path in the world (may be repeated)")
}

func (f *scopeFlags) scope() (s backup.Scope, err error) {
	if f.dimension != "" {
		s.Dimension = completeID(f.dimension)
	}
	kinds := 0
	for _, has := range []bool{len(f.regions) > 0, f.chunks != "", len(f.players) > 0, len(f.files) > 0} {
		if has {
			kinds++
		}
	}
	if kinds > 1 || s.Dimension != "" && len(f.players)+len(f.files) > 0 {
		return s, ui.Errorf(ui.Usage, "give one of --region, --chunks, --player and --file; --dimension goes with the first two")
	}
	for _, text := range f.regions {
		pos, err := parseChunk(text)
		if err != nil {
			return s, ui.Errorf(ui.Usage, "--region %q is not X,Z", text)
		}
		s.Regions = append(s.Regions, region.Pos(pos))
	}
	if f.chunks != "" {
		from, to, ok := strings.Cut(f.chunks, "..")
		if !ok {
			to = from
		}
		a, errA := parseChunk(from)
		b, errB := parseChunk(to)
		if errA != nil || errB != nil {
			return s, ui.Errorf(ui.Usage, "--chunks %q is not X1,Z1..X2,Z2", f.chunks)
		}
		s.Chunks = &backup.Rect{
			Min: region.ChunkPos{X: min(a.X, b.X), Z: min(a.Z, b.Z)}, Max: region.ChunkPos{X: max(a.X, b.X), Z: max(a.Z, b.Z)},
		}
	}
	for _, text := range f.players {
		id, err := player.ParseID(text)
		if err != nil {
			return s, ui.Errorf(ui.Usage, "--player: %w", err)
		}
		s.Players = append(s.Players, id.String())
	}
	for _, pattern := range f.files {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return s, ui.Errorf(ui.Usage, "--file %q: %w", pattern, err)
		}
	}
	s.Files = f.files
	return s, nil
}

// parseChunk reads X,Z.
func parseChunk(text string) (p region.ChunkPos, err error) {
	x, z, ok := strings.Cut(text, ",")
	if ok {
		var a, b int64
		if a, err = strconv.ParseInt(strings.TrimSpace(x), 10, 32); err == nil {
			b, err = strconv.ParseInt(strings.TrimSpace(z), 10, 32)
		}
		p = region.ChunkPos{X: int32(a), Z: int32(b)}
	}
	if !ok || err != nil {
		return p, ui.Errorf(ui.Usage, "%q is not X,Z", text)
	}
	return p, nil
}

// backupRestoreFlags are the flags of strata backup restore.
type backupRestoreFlags struct {
	ui.ChangeFlags
	repoFlags
	scopeFlags
	to      string
	inPlace string
	force   bool
}

func newBackupRestoreCmd(a *app) *cobra.Command {
	var flags backupRestoreFlags
	cmd := &cobra.Command{
		Use:   "restore REPO SNAPSHOT",
		Short: "Bring back a snapshot, or a part of one",
		Long: `Bring back a snapshot, or a part of one: a dimension, regions, a rectangle of chunks,
players, files. SNAPSHOT is an id, the beginning of one, or latest.

--to makes a new folder, which appears when all is in it. --in-place changes a world
that nobody has open: what it has now is kept as a protected snapshot first, which
expires after a week; then all that differs is staged beside the world, verified,
and swapped in. Chunks of a rectangle are put into the region files that are there;
the others keep every byte. A world that is a symbolic link stays one.

Exit code 2: the folder is not empty; 3: parts are damaged and were left out
(--force); 11: the world is in use; 13: no space.

With --json: snapshot, to, kept, files, bytes, chunks, removed, same, changes[]
(action, path, bytes, chunk), lost[], notes[], dry_run.`,
		Example: `  strata backup restore /backup/worlds latest --to /srv/restored
  strata backup restore /backup/worlds 000012 --in-place /srv/world --chunks -4,-4..3,3
  strata backup restore /backup/worlds latest --in-place /srv/world --player 069a79f4-44e9-4726-a5be-fca90e38aaf5`,
		Args: exactArgs("REPO", "SNAPSHOT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupRestore(cmd.Context(), args[0], args[1], &flags)
		},
	}
	set := cmd.Flags()
	set.StringVar(&flags.to, "to", "", "bring it back to a new folder `DIR`")
	set.StringVar(&flags.inPlace, "in-place", "", "bring it back into a `WORLD`")
	set.BoolVar(&flags.force, "force", false, "bring back what can be read of a damaged snapshot")
	flags.scopeFlags.register(set)
	flags.ChangeFlags.Register(set)
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupRestore(ctx context.Context, dir, name string, flags *backupRestoreFlags) (err error) {
	if (flags.to == "") == (flags.inPlace == "") {
		return ui.Errorf(ui.Usage, "give --to DIR or --in-place WORLD")
	}
	scope, err := flags.scope()
	if err != nil {
		return err
	}
	o := backup.RestoreOptions{Scope: scope, To: flags.to, InPlace: flags.inPlace, Force: flags.force}
	r, err := a.openRepository(dir, &flags.repoFlags, flags.to != "" || flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s, err := r.Find(ctx, name)
	if err != nil {
		return backupError(err)
	}
	if flags.inPlace != "" || flags.DryRun {
		o.DryRun = true
		plan, err := r.Restore(ctx, s.ID, o)
		if err != nil {
			return backupError(err)
		}
		o.DryRun = false
		text := func(w io.Writer) error { return writeRestore(w, plan, &s) }
		proceed, err := flags.Proceed(ctx, a.console, plan, text, "Change this world?")
		if err != nil || !proceed {
			return err
		}
	}
	progress := a.console.StartProgress(ui.Work{Label: "restore", Unit: ui.UnitBytes})
	o.Progress = absolute(progress)
	report, err := r.Restore(ctx, s.ID, o)
	progress.Stop()
	if err != nil {
		return backupError(err)
	}
	a.warnNotes(report.Notes)
	if err := a.console.Result(report, func(w io.Writer) error { return writeRestore(w, report, &s) }); err != nil {
		return err
	}
	if len(report.Lost) > 0 {
		return ui.Errorf(ui.Problems, "damaged and left out: %s", countText(len(report.Lost), "part"))
	}
	return nil
}

func writeRestore(w io.Writer, r *backup.RestoreReport, s *backup.Snapshot) error {
	verb := "Brought back"
	if r.DryRun {
		verb = "Would bring back"
	}
	fmt.Fprintf(w, "%s snapshot %s of %s: %s, %s, %s.\n", verb, r.Snapshot, localTime(s.Time),
		countText(int(r.Files), "file"), countText(int(r.Chunks), "chunk"), ui.FormatBytes(r.Bytes))
	if r.Same > 0 || r.Removed > 0 {
		fmt.Fprintf(w, "%s as they should be already, %s removed.\n", countText(int(r.Same), "file"), ui.FormatCount(r.Removed))
	}
	if r.Kept != "" {
		fmt.Fprintf(w, "What was there before is snapshot %s, protected for a week.\n", r.Kept)
	}
	for i, c := range r.Changes {
		if i == 20 {
			fmt.Fprintf(w, "  and %s more (--json lists all)\n", ui.FormatCount(int64(len(r.Changes)-20)))
			break
		}
		if c.Chunk != nil {
			fmt.Fprintf(w, "  %s %s chunk %d,%d\n", c.Action, c.Path, c.Chunk.X, c.Chunk.Z)
		} else {
			fmt.Fprintf(w, "  %s %s\n", c.Action, c.Path)
		}
	}
	writeLost(w, r.Lost)
	return nil
}

// writeLost lists what cannot be restored.
func writeLost(w io.Writer, lost []backup.Lost) {
	for i, l := range lost {
		if i == 20 {
			fmt.Fprintf(w, "  and %s more (--json lists all)\n", ui.FormatCount(int64(len(lost)-20)))
			return
		}
		switch {
		case l.Path == "":
			fmt.Fprintf(w, "  lost: snapshot %s\n", l.Snapshot)
		case l.Chunk != nil:
			fmt.Fprintf(w, "  lost: chunk %d,%d of %s in snapshot %s\n", l.Chunk.X, l.Chunk.Z, l.Path, l.Snapshot)
		default:
			fmt.Fprintf(w, "  lost: %s in snapshot %s\n", l.Path, l.Snapshot)
		}
	}
}
