package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil/diff"
	"strata/backup"
	"strata/cmd/internal/ui"
	"strata/region"
	"strata/region/vfs"
)

// backupListFlags are the flags of strata backup list.
type backupListFlags struct {
	repoFlags
	world string
	tags  []string
}

func newBackupListCmd(a *app) *cobra.Command {
	var flags backupListFlags
	cmd := &cobra.Command{
		Use:   "list REPO",
		Short: "List the snapshots of a repository",
		Long: `List the snapshots of a repository, the oldest first.

Exit code 3: a snapshot is damaged and cannot be read.

With --json: an array of snapshots: id, time, took, world, name, host,
data_version, reason, tags[], protected, expires, consistency, chunks,
dimensions[] (id, chunks), files, bytes, new_chunks, new_bytes, parent, exact,
suspect[], skipped[], roots[]; error if it is damaged.`,
		Example: `  strata backup list /backup/worlds
  strata backup list /backup/worlds --world survival --json`,
		Args: exactArgs("REPO"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backupList(cmd.Context(), args[0], &flags) },
	}
	set := cmd.Flags()
	set.StringVar(&flags.world, "world", "", "list those of the world with this folder or `NAME`")
	set.StringSliceVar(&flags.tags, "tag", nil, "list those with this `TAG` (may be repeated: with all of them)")
	flags.repoFlags.register(set)
	return cmd
}

// listedSnapshot is a snapshot as list prints it.
type listedSnapshot struct {
	backup.Snapshot
	Error string `json:"error,omitempty"`
}

// isOf reports whether a snapshot is of a world that is named by its folder's
// name, or by its path.
func isOf(s *backup.Snapshot, world string) bool {
	if world == "" || s.Name == world || s.World == world {
		return true
	}
	path, err := filepath.Abs(world)
	return err == nil && s.World == path
}

func (a *app) backupList(ctx context.Context, dir string, flags *backupListFlags) (err error) {
	r, err := a.openRepository(dir, &flags.repoFlags, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	all, err := r.Snapshots(ctx)
	if err != nil {
		return backupError(err)
	}
	list, damaged := []listedSnapshot{}, 0
	for i := range all {
		s := &all[i]
		switch {
		case s.Err != nil:
			damaged++
			list = append(list, listedSnapshot{*s, s.Err.Error()})
		case isOf(s, flags.world) && hasAll(s.Tags, flags.tags):
			list = append(list, listedSnapshot{Snapshot: *s})
		}
	}
	if err := a.console.Result(list, func(w io.Writer) error { return a.writeSnapshots(w, list) }); err != nil {
		return err
	}
	if damaged > 0 {
		return ui.WithHint(ui.Errorf(ui.Problems, "damaged: %s", countText(damaged, "snapshot")), "'strata backup verify REPO' says what is lost.")
	}
	return nil
}

func hasAll(has, want []string) bool {
	for _, w := range want {
		found := false
		for _, h := range has {
			found = found || h == w
		}
		if !found {
			return false
		}
	}
	return true
}

func (a *app) writeSnapshots(w io.Writer, list []listedSnapshot) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "There are no snapshots.")
		return err
	}
	table := a.console.NewTable(ui.Column{Head: "id"}, ui.Column{Head: "when"}, ui.Column{Head: "world"}, ui.Column{Head: "chunks", Right: true},
		ui.Column{Head: "size", Right: true}, ui.Column{Head: "new", Right: true}, ui.Column{Head: "consistency"}, ui.Column{Head: "notes"})
	for i := range list {
		s := &list[i]
		if s.Error != "" {
			table.Row(s.ID, "", "", "", "", "", "", "damaged: "+s.Error)
			continue
		}
		table.Row(s.ID, localTime(s.Time), s.Name, ui.FormatCount(s.Chunks), ui.FormatBytes(s.Bytes), ui.FormatBytes(s.NewBytes),
			string(s.Consistency), strings.Join(notesOf(&s.Snapshot), ", "))
	}
	return table.Render(w)
}

// notesOf is what stands out about a snapshot.
func notesOf(s *backup.Snapshot) (notes []string) {
	if s.Reason != backup.Manual {
		notes = append(notes, string(s.Reason))
	}
	if s.Protected {
		text := "protected"
		if s.Expires != nil {
			text += " until " + localTime(*s.Expires)
		}
		notes = append(notes, text)
	}
	notes = append(notes, s.Suspect...)
	if len(s.Skipped) > 0 {
		notes = append(notes, countText(len(s.Skipped), "file")+" skipped")
	}
	for _, tag := range s.Tags {
		notes = append(notes, "#"+tag)
	}
	return notes
}

// backupShowFlags are the flags of strata backup show.
type backupShowFlags struct {
	repoFlags
	files bool
}

// shownSnapshot is the result of strata backup show.
type shownSnapshot struct {
	backup.Snapshot
	FileList []shownFile `json:"file_list,omitempty"`
}

type shownFile struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

func newBackupShowCmd(a *app) *cobra.Command {
	var flags backupShowFlags
	cmd := &cobra.Command{
		Use:   "show REPO SNAPSHOT",
		Short: "Show what a snapshot is",
		Long: `Show what a snapshot is. SNAPSHOT is an id, the beginning of one, or latest.

With --json: the fields of 'backup list', and with --files file_list[] (path, bytes).`,
		Example: `  strata backup show /backup/worlds latest
  strata backup show /backup/worlds 000012 --files`,
		Args: exactArgs("REPO", "SNAPSHOT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupShow(cmd.Context(), args[0], args[1], &flags)
		},
	}
	cmd.Flags().BoolVar(&flags.files, "files", false, "list its files")
	flags.repoFlags.register(cmd.Flags())
	return cmd
}

// withSnapshot calls f with a repository and one of its snapshots.
func (a *app) withSnapshot(ctx context.Context, dir, name string, flags *repoFlags, f func(backup.Repository, backup.Snapshot) error) (err error) {
	r, err := a.openRepository(dir, flags, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s, err := r.Find(ctx, name)
	if err != nil {
		return backupError(err)
	}
	return backupError(f(r, s))
}

// withView calls f with the files of a snapshot.
func (a *app) withView(ctx context.Context, r backup.Repository, id string, f func(*backup.View) error) (err error) {
	v, err := r.View(ctx, id)
	if err != nil {
		return backupError(err)
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	return f(v)
}

func (a *app) backupShow(ctx context.Context, dir, name string, flags *backupShowFlags) error {
	return a.withSnapshot(ctx, dir, name, &flags.repoFlags, func(r backup.Repository, s backup.Snapshot) error {
		result := &shownSnapshot{Snapshot: s}
		if flags.files {
			err := a.withView(ctx, r, s.ID, func(v *backup.View) error {
				return walkView(v, func(name string, info vfs.FileInfo) error {
					result.FileList = append(result.FileList, shownFile{name, info.Size})
					return nil
				})
			})
			if err != nil {
				return err
			}
		}
		return a.console.Result(result, func(w io.Writer) error { return writeSnapshot(w, result) })
	})
}

// walkView calls f with the plain files of a snapshot, by their paths with
// slashes below the folder that holds the world's folders.
func walkView(v *backup.View, f func(name string, info vfs.FileInfo) error) error {
	base := filepath.Dir(v.Root)
	var walk func(dir string) error
	walk = func(dir string) error {
		entries, err := v.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if e.IsDir() {
				if err := walk(path); err != nil {
					return err
				}
				continue
			}
			info, err := v.Stat(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(base, path)
			if err == nil {
				err = f(filepath.ToSlash(name), info)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, root := range v.Snapshot.Roots {
		if err := walk(filepath.Join(base, root)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func writeSnapshot(w io.Writer, s *shownSnapshot) error {
	fmt.Fprintf(w, "%s of %s\n", s.ID, s.World)
	fmt.Fprintf(w, "  made      %s on %s in %s\n", localTime(s.Time), s.Host, ui.FormatDuration(s.Took))
	fmt.Fprintf(w, "  holds     %s, %s in %s (data version %d)\n", countText(int(s.Chunks), "chunk"), ui.FormatBytes(s.Bytes), countText(int(s.Files), "file"), s.DataVersion)
	fmt.Fprintf(w, "  new       %s, %s\n", countText(int(s.NewChunks), "chunk"), ui.FormatBytes(s.NewBytes))
	fmt.Fprintf(w, "  is        %s\n", consistencyText(s.Consistency))
	for _, d := range s.Dimensions {
		fmt.Fprintf(w, "  %s: %s\n", d.ID, countText(int(d.Chunks), "chunk"))
	}
	if notes := notesOf(&s.Snapshot); len(notes) > 0 {
		fmt.Fprintf(w, "  %s\n", strings.Join(notes, ", "))
	}
	for i, f := range s.Skipped {
		if i == 10 {
			fmt.Fprintf(w, "  and %d more\n", len(s.Skipped)-10)
			break
		}
		fmt.Fprintf(w, "  skipped %s: %s\n", f.Path, f.Reason)
	}
	for _, f := range s.FileList {
		fmt.Fprintf(w, "%12d  %s\n", f.Bytes, f.Path)
	}
	return nil
}

// backupDiffFlags are the flags of strata backup diff.
type backupDiffFlags struct {
	repoFlags
	diffFlags
}

func newBackupDiffCmd(a *app) *cobra.Command {
	var flags backupDiffFlags
	cmd := &cobra.Command{
		Use:   "diff REPO OLD NEW",
		Short: "Compare two snapshots, or a snapshot with a world",
		Long: `Compare two snapshots chunk by chunk, in the words of 'strata world diff', which see.
NEW may also be the folder of a world: what has changed since the snapshot?

Exit code 3: something could not be read, or with --exit-code something differs.

With --json: the fields of 'world diff'.`,
		Example: `  strata backup diff /backup/worlds 000012 latest
  strata backup diff /backup/worlds latest /srv/world --heatmap changes.png`,
		Args: exactArgs("REPO", "OLD", "NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupDiff(cmd.Context(), args[0], args[1], args[2], &flags)
		},
	}
	flags.diffFlags.register(cmd.Flags())
	flags.repoFlags.register(cmd.Flags())
	return cmd
}

func (a *app) backupDiff(ctx context.Context, dir, oldName, newName string, flags *backupDiffFlags) error {
	return a.withSnapshot(ctx, dir, oldName, &flags.repoFlags, func(r backup.Repository, s backup.Snapshot) error {
		return a.withView(ctx, r, s.ID, func(old *backup.View) error {
			oldWorld, err := old.World()
			if err != nil {
				return err
			}
			side := diff.OpenWorld(oldWorld, flags.dimensionIDs()...)
			other, err := r.Find(ctx, newName)
			if errors.Is(err, backup.ErrNoSnapshot) {
				w, worldErr := openWorld(newName)
				if worldErr != nil {
					return ui.Errorf(ui.Missing, "%s is neither a snapshot nor a world: %w", newName, worldErr)
				}
				return a.diffSides(ctx, side, diff.OpenWorld(w, flags.dimensionIDs()...), &flags.diffFlags)
			}
			if err != nil {
				return err
			}
			return a.withView(ctx, r, other.ID, func(now *backup.View) error {
				w, err := now.World()
				if err != nil {
					return err
				}
				return a.diffSides(ctx, side, diff.OpenWorld(w, flags.dimensionIDs()...), &flags.diffFlags)
			})
		})
	})
}

// backupBlameFlags are the flags of strata backup blame.
type backupBlameFlags struct {
	repoFlags
	world     string
	dimension string
	block     bool
}

func newBackupBlameCmd(a *app) *cobra.Command {
	var flags backupBlameFlags
	cmd := &cobra.Command{
		Use:   "blame REPO X,Z",
		Short: "List the snapshots in which a chunk changed",
		Long: `List when a chunk changed, the newest change first: the snapshots in which it is
another than in the one before. X,Z is the position of the chunk, with --block that
of a block in it.

A change is created, deleted, modified or touched, as in 'world diff'; saved is when
the game last wrote the chunk, by its slot in the region file.

With --json: an array: snapshot, time, class, stamp.`,
		Example: `  strata backup blame /backup/worlds 12,-7
  strata backup blame /backup/worlds 200,-112 --block --dimension the_nether`,
		Args: exactArgs("REPO", "X,Z"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupBlame(cmd.Context(), args[0], args[1], &flags)
		},
	}
	set := cmd.Flags()
	set.StringVar(&flags.world, "world", "", "look at snapshots of the world in this folder `PATH` (default that of the newest)")
	set.StringVar(&flags.dimension, "dimension", "overworld", "of this dimension (`ID`)")
	set.BoolVar(&flags.block, "block", false, "X,Z is a block")
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupBlame(ctx context.Context, dir, at string, flags *backupBlameFlags) (err error) {
	pos, err := parseChunk(at)
	if err != nil {
		return err
	}
	if flags.block {
		pos = region.ChunkPos{X: pos.X >> 4, Z: pos.Z >> 4}
	}
	r, err := a.openRepository(dir, &flags.repoFlags, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	entries, err := r.Blame(ctx, backup.BlameOptions{World: flags.world, Dimension: completeID(flags.dimension), Chunk: pos})
	if err != nil {
		return backupError(err)
	}
	if entries == nil {
		entries = []backup.BlameEntry{}
	}
	return a.console.Result(entries, func(w io.Writer) error {
		if len(entries) == 0 {
			_, err := fmt.Fprintf(w, "No snapshot has chunk %d,%d of %s.\n", pos.X, pos.Z, flags.dimension)
			return err
		}
		table := a.console.NewTable(ui.Column{Head: "snapshot"}, ui.Column{Head: "when"}, ui.Column{Head: "change"}, ui.Column{Head: "saved"})
		for _, e := range entries {
			saved := ""
			if !e.Stamp.IsZero() {
				saved = localTime(e.Stamp)
			}
			table.Row(e.Snapshot, localTime(e.Time), e.Class.String(), saved)
		}
		return table.Render(w)
	})
}
