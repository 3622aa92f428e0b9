package main

import (
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/fsck"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/backup"
	"strata/cmd/internal/ui"
	"strata/region"
	"strata/region/vfs"
)

// fsckFlags are the flags of strata world fsck.
type fsckFlags struct {
	ui.ChangeFlags
	undoFlags
	repoFlags
	dimensions   []string
	workers      int
	failOn       []string
	ignore       []string
	all          bool
	repair       bool
	from         []string
	moveRegions  bool
	dropMissing  bool
	failClasses  map[fsck.Class]bool
	failSeverity fsck.Severity
	ignoreClass  map[fsck.Class]bool
	ignorePaths  []string
}

// fsckResult is the result of strata world fsck.
type fsckResult struct {
	*fsck.Report
	Repair *fsckRepair `json:"repair,omitempty"`
	all    bool
}

// fsckRepair is what --repair does, or would do.
type fsckRepair struct {
	*fsck.Plan
	*fsck.Outcome
	Undo undoPlan `json:"undo"`
	// Remaining is how many findings of severity warning and above a second
	// check has found, null before there was one.
	Remaining *int `json:"remaining"`
}

func newWorldFsckCmd(a *app) *cobra.Command {
	var flags fsckFlags
	cmd := &cobra.Command{
		Use:   "fsck WORLD",
		Short: "Check a world for damage and repair it",
		Long: `Check a world for damage: every region file byte by byte, every chunk as a
whole, entities, points of interest, data files, players, and what a crash has
left. Findings have a class and a severity: info is normal in worlds of real
servers and is only counted (--all lists it); a warning loses no chunk; an error
is a chunk that cannot be read or is not what it should be; fatal is a file.
Nothing is written, and a running server does not mind: what it is just writing
is reported as unstable, which is no damage.

--repair mends what can be mended: headers and lengths, chunks in wrong places,
data files that have a sound _old, what could not be saved. Chunks that cannot
be read are taken from the worlds and backup repositories given with --from, by
position. The plan is shown first (--dry-run shows it and changes nothing); what
is replaced is kept for 'strata world undo', and original region files, orphans
and temporary files lie in strata/rescue in the world. A repair leaves nothing
for a second one.

Exit code 3: findings of severity warning and above, or with --fail-on those
that it names. After a repair those that are left count.

With --json: chunks, files, ignored, live, findings[]: class, severity, file,
x, z, dimension, kind, count, detail; with --repair repair: steps[] and left[]
(kind, file, x, z, dimension, folder, reason), done, failed[], kept[], undo,
remaining.`,
		Example: `  strata world fsck /srv/world
  strata world fsck /srv/world --json --ignore no-chunk --fail-on error
  strata world fsck /srv/world --repair --from /backup/world --dry-run`,
		Args: exactArgs("WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.parse(); err != nil {
				return err
			}
			return a.worldFsck(cmd.Context(), args[0], &flags)
		},
	}
	set := cmd.Flags()
	set.StringSliceVar(&flags.dimensions, "dimension", nil, "look at these dimensions only (`ID`, may be repeated)")
	set.IntVar(&flags.workers, "workers", 0, "read `N` files at the same time (default one for each processor)")
	set.StringSliceVar(&flags.failOn, "fail-on", []string{"warning"}, "exit with code 3 on findings of `CLASS,...`, which may be severities")
	set.StringSliceVar(&flags.ignore, "ignore", nil, "leave out findings of `CLASS|PATH`: a class, or a file, folder or pattern in the world (may be repeated)")
	set.BoolVar(&flags.all, "all", false, "list findings of severity info, too")
	set.BoolVar(&flags.repair, "repair", false, "mend what can be mended")
	set.StringArrayVar(&flags.from, "from", nil, "with --repair, take chunks that cannot be read from another `WORLD|REPO`, a repository's newest snapshots first (may be repeated)")
	set.BoolVar(&flags.moveRegions, "move-regions", false, "with --repair, move region files whose chunks all belong to another region")
	set.BoolVar(&flags.dropMissing, "drop-missing", false, "with --repair, empty slots whose chunk is nowhere")
	flags.Register(set)
	flags.undoFlags.register(set)
	flags.repoFlags.register(set)
	return cmd
}

// parse reads --fail-on and --ignore.
func (f *fsckFlags) parse() error {
	if !f.repair && (len(f.from) > 0 || f.moveRegions || f.dropMissing || f.DryRun || f.Yes || f.off) {
		return ui.Errorf(ui.Usage, "--from, --move-regions, --drop-missing, --dry-run, --yes and --no-undo go with --repair")
	}
	f.failClasses, f.ignoreClass = map[fsck.Class]bool{}, map[fsck.Class]bool{}
	f.failSeverity = region.SeverityFatal + 1
	for _, text := range f.failOn {
		var s fsck.Severity
		switch class := fsck.Class(text); {
		case s.UnmarshalText([]byte(text)) == nil && s > region.SeverityNone:
			f.failSeverity = min(f.failSeverity, s)
		case fsck.Known(class):
			f.failClasses[class] = true
		default:
			return ui.Errorf(ui.Usage, "--fail-on %q is neither a class nor info, warning, error or fatal", text)
		}
	}
	for _, text := range f.ignore {
		if class := fsck.Class(text); fsck.Known(class) {
			f.ignoreClass[class] = true
			continue
		}
		pattern := strings.TrimSuffix(filepath.ToSlash(text), "/")
		if _, err := path.Match(pattern, ""); err != nil || !strings.ContainsAny(filepath.ToSlash(text), "/.*") {
			return ui.Errorf(ui.Usage, "--ignore %q is neither a class nor a path in the world", text)
		}
		f.ignorePaths = append(f.ignorePaths, pattern)
	}
	return nil
}

// ignores reports whether a finding is to be left out: for its class, its file,
// or a folder that this lies in.
func (f *fsckFlags) ignores(one *fsck.Finding) bool {
	if f.ignoreClass[one.Class] {
		return true
	}
	for _, pattern := range f.ignorePaths {
		for at := one.File; at != "." && at != "/" && at != ""; at = path.Dir(at) {
			if ok, err := path.Match(pattern, at); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// fails counts the findings for which the exit code is 3.
func (f *fsckFlags) fails(r *fsck.Report) (n int) {
	for i := range r.Findings {
		if one := &r.Findings[i]; one.Severity >= f.failSeverity || f.failClasses[one.Class] {
			n += one.Count
		}
	}
	return n
}

func (a *app) worldFsck(ctx context.Context, path string, flags *fsckFlags) (err error) {
	if !flags.repair {
		w, err := openWorld(path)
		if err != nil {
			return err
		}
		result := &fsckResult{all: flags.all}
		if result.Report, err = a.checkWorld(ctx, w, flags); err != nil {
			return err
		}
		if err := a.console.Result(result, func(out io.Writer) error { return result.writeText(a.console, out) }); err != nil {
			return err
		}
		return flags.problems(result.Report)
	}
	_, s, err := a.openStore(path, !flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	// Opening may have completed what a journal had.
	w, err := openWorld(path)
	if err != nil {
		return err
	}
	return a.repairWorld(ctx, w, s, flags)
}

func (f *fsckFlags) problems(r *fsck.Report) error {
	if n := f.fails(r); n > 0 {
		return ui.Errorf(ui.Problems, "%s", countText(n, "problem"))
	}
	return nil
}

// checkWorld checks a world and shows how far that is.
func (a *app) checkWorld(ctx context.Context, w *anvil.World, flags *fsckFlags) (*fsck.Report, error) {
	options := fsck.Options{Workers: flags.workers, Ignore: flags.ignores, Own: flags.repair && !flags.DryRun}
	for _, id := range flags.dimensions {
		known, err := knownDimension(w, id)
		if err != nil {
			return nil, err
		}
		options.Dimensions = append(options.Dimensions, known)
	}
	total := int64(0)
	for _, f := range scan.Files(w, options.Dimensions...).Files {
		total += f.Bytes
	}
	progress := a.console.StartProgress(ui.Work{Label: "check", Unit: ui.UnitBytes, Total: total})
	defer progress.Stop()
	options.Progress = progress.Add
	return fsck.Check(ctx, w, options)
}

// donors opens the worlds and repositories that chunks may be taken from. end
// ends their use.
func (a *app) donors(ctx context.Context, w *anvil.World, flags *fsckFlags) (all []fsck.Donor, end func() error, err error) {
	var ends []func() error
	end = func() error {
		var errs []error
		for _, f := range ends {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	own, err := w.FS().Stat(w.Path())
	if err != nil {
		return nil, end, err
	}
	for _, path := range flags.from {
		other, err := openWorld(path)
		if errors.Is(err, anvil.ErrNoWorld) {
			some, endSome, repoErr := a.repositoryDonors(ctx, w, path, &flags.repoFlags)
			if errors.Is(repoErr, backup.ErrNoRepository) {
				return nil, end, ui.Errorf(ui.Missing, "--from %s is neither a world nor a repository: %w", path, err)
			}
			if repoErr != nil {
				return nil, end, repoErr
			}
			ends, all = append(ends, endSome), append(all, some...)
			continue
		}
		if err != nil {
			return nil, end, err
		}
		if info, err := other.FS().Stat(other.Path()); err != nil || vfs.SameFile(own, info) {
			return nil, end, ui.Errorf(ui.Usage, "--from %s is the world itself", path)
		}
		d, err := fsck.NewWorldDonor(other)
		if err != nil {
			return nil, end, worldError(err)
		}
		ends, all = append(ends, d.Close), append(all, d)
	}
	return all, end, nil
}

// repositoryDonors are the snapshots of a world in a repository.
func (a *app) repositoryDonors(ctx context.Context, w *anvil.World, dir string, flags *repoFlags) ([]fsck.Donor, func() error, error) {
	r, err := a.openRepository(dir, flags, true)
	if err != nil {
		return nil, nil, err
	}
	snapshots, err := r.Snapshots(ctx)
	var ids []string
	for i := range snapshots {
		if s := &snapshots[i]; s.Err == nil && isOf(s, w.Path()) {
			ids = append(ids, s.ID)
		}
	}
	if err == nil && len(ids) == 0 {
		err = ui.WithHint(ui.Errorf(ui.Missing, "--from %s has no snapshot of the world in %s", dir, w.Path()),
			"If the world was moved, bring a snapshot back with 'strata backup restore --to' and give that.")
	}
	if err != nil {
		return nil, nil, errors.Join(backupError(err), r.Close())
	}
	all, end, err := backup.Donors(ctx, r, ids...)
	if err != nil {
		return nil, nil, errors.Join(backupError(err), r.Close())
	}
	return all, func() error { return errors.Join(end(), r.Close()) }, nil
}

func (a *app) repairWorld(ctx context.Context, w *anvil.World, s *store.Store, flags *fsckFlags) (err error) {
	donors, closeDonors, err := a.donors(ctx, w, flags)
	defer func() { err = errors.Join(err, closeDonors()) }()
	if err != nil {
		return err
	}
	result := &fsckResult{all: flags.all, Repair: &fsckRepair{}}
	if result.Report, err = a.checkWorld(ctx, w, flags); err != nil {
		return err
	}
	repair := result.Repair
	repair.Plan, err = fsck.MakePlan(ctx, s, w, result.Report, fsck.RepairOptions{
		Donors: donors, MoveRegions: flags.moveRegions, DropMissing: flags.dropMissing,
	})
	if err != nil {
		return err
	}
	if repair.Undo.Space, err = undo.Estimate(s, repair.Objects(s), repair.Files()); err != nil {
		return err
	}
	text := func(out io.Writer) error { return result.writeText(a.console, out) }
	if repair.Empty() {
		if err := a.console.Result(result, text); err != nil {
			return err
		}
		return flags.problems(result.Report)
	}
	if err := flags.check(&repair.Undo); err != nil && !flags.DryRun {
		return err
	}
	proceed, err := flags.Proceed(ctx, a.console, result, text, "Make these repairs?")
	if err != nil {
		return err
	}
	if !proceed {
		return flags.problems(result.Report)
	}
	return a.carryOut(ctx, w, s, result, flags)
}

// carryOut makes the repair that was planned, and checks the world again.
func (a *app) carryOut(ctx context.Context, w *anvil.World, s *store.Store, result *fsckResult, flags *fsckFlags) error {
	repair := result.Repair
	if err := a.applyRepair(ctx, s, repair, flags); err != nil {
		return err
	}
	w, err := openWorld(w.Path())
	if err != nil {
		return err
	}
	after, err := a.checkWorld(ctx, w, flags)
	if err != nil {
		return err
	}
	remaining := 0
	for i := range after.Findings {
		if f := &after.Findings[i]; f.Severity >= region.SeverityWarning {
			remaining += f.Count
		}
	}
	repair.Remaining = &remaining
	if err := a.console.Result(result, func(out io.Writer) error { return result.writeDone(a.console, out, after) }); err != nil {
		return err
	}
	if n := len(repair.Failed); n > 0 {
		return ui.Errorf(ui.Problems, "could not be done: %s", countText(n, "step"))
	}
	return flags.problems(after)
}

func (a *app) applyRepair(ctx context.Context, s *store.Store, repair *fsckRepair, flags *fsckFlags) (err error) {
	change, err := undo.Begin(s, "fsck", flags.options(a))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, change.Abort()) }()
	repair.Undo.ID = change.ID()
	progress := a.console.StartProgress(ui.Work{Label: "repair", Unit: "steps", Total: int64(len(repair.Steps))})
	defer progress.Stop()
	if repair.Outcome, err = repair.Apply(ctx, s, change, func(n int) { progress.Add(int64(n)) }); err != nil {
		return a.halfDone(err, change)
	}
	return change.Finish(ctx)
}
