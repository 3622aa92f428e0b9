package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"strata/backup"
	"strata/backup/rcon"
	"strata/backup/retention"
	"strata/backup/schedule"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

// backupCreateFlags are the flags of strata backup create.
type backupCreateFlags struct {
	repoFlags
	rconFlags
	keepFlags
	tags     []string
	protect  bool
	expires  string
	exact    bool
	paranoid bool
	exclude  []string
	compare  string
	dryRun   bool
	schedule string
}

// rconFlags say how to reach a server that has the world open.
type rconFlags struct {
	address    string
	properties string
	noSaveOff  bool
	refuse     bool
	timeout    time.Duration
}

// envRCONPassword has the password of --rcon.
const envRCONPassword = "STRATA_RCON_PASSWORD" //nolint:gosec // the name of a variable

func (f *rconFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.address, "rcon", "", "have the server at `HOST:PORT` save and then hold still; the password is in "+envRCONPassword)
	set.StringVar(&f.properties, "rcon-properties", "", "take address and password of RCON from a server.properties `FILE`")
	set.BoolVar(&f.noSaveOff, "no-save-off", false, "with RCON, only have the server save and do not turn saving off")
	set.DurationVar(&f.timeout, "rcon-timeout", 10*time.Minute, "wait this long for the server to save")
	set.BoolVar(&f.refuse, "refuse-foreign", false, "make no snapshot of a world that another program has open, without RCON")
}

func newBackupCreateCmd(a *app) *cobra.Command {
	var flags backupCreateFlags
	cmd := &cobra.Command{
		Use:   "create REPO WORLD",
		Short: "Make a snapshot of a world",
		Long: `Make a snapshot of a world. Only what changed since the one before is read, and
only what the repository does not have is stored.

The world may be in use. Of one that a strata process has open, a server or a run
of pregen, the snapshot is of one moment, and that process does not wait. A game
server is asked by RCON to save and to hold still meanwhile (--rcon); saving is
turned on again even if this command is killed, by the next one. Without RCON every
chunk is whole, but chunks and players may be of different moments. The snapshot
says which: epoch, quiesced or per-chunk.

--schedule runs on and makes snapshots at the times of a cron expression, in local
time ("0 */2 * * *", @hourly, @every 30m), until it is interrupted. With --keep-... it
also forgets and prunes after each.

Exit code 3: files could not be read, or the snapshot has less than half of the
chunks of the one before, or lacks a dimension; it is kept and marked. 10: no such
repository or world; 11: somebody makes a snapshot there just now, or the world is
in use with --refuse-foreign; 13: no space.

With --json: id, time, took, world, chunks, new_chunks, new_bytes, linked_bytes,
cloned_bytes, copied_bytes, consistency, dimensions[], parent, suspect[],
skipped[], notes[] and more; with --schedule one line a snapshot.`,
		Example: `  strata backup create /backup/worlds /srv/world
  strata backup create /backup/worlds /srv/world --rcon-properties /srv/server.properties
  strata backup create /backup/worlds /srv/world --schedule @hourly --keep-hourly 24 --keep-daily 14`,
		Args: exactArgs("REPO", "WORLD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupCreate(cmd.Context(), args[0], args[1], &flags)
		},
	}
	set := cmd.Flags()
	set.StringSliceVar(&flags.tags, "tag", nil, "give the snapshot a `TAG` (may be repeated)")
	set.BoolVar(&flags.protect, "protect", false, "protect the snapshot from being forgotten")
	set.StringVar(&flags.expires, "expires", "", "with --protect, end that after a `SPAN` such as 7d or 1y6m")
	set.BoolVar(&flags.exact, "exact", false, "also keep the places of chunks, padding and free sectors: region files come back byte for byte")
	set.BoolVar(&flags.paranoid, "paranoid", false, "read everything, also what looks unchanged")
	set.StringArrayVar(&flags.exclude, "exclude", nil, "leave out files that match a `PATTERN`, by path or name (may be repeated)")
	set.StringVar(&flags.compare, "compare", "", "compare with this `SNAPSHOT`, not the last one of the same folder")
	set.BoolVar(&flags.dryRun, "dry-run", false, "say what would be stored and store nothing")
	set.StringVar(&flags.schedule, "schedule", "", "run on, and make a snapshot at each time of a `CRON` expression")
	flags.rconFlags.register(set)
	flags.repoFlags.register(set)
	flags.keepFlags.register(set)
	return cmd
}

func (f *backupCreateFlags) options() (o backup.CreateOptions, err error) {
	o = backup.CreateOptions{
		Tags: f.tags, Protected: f.protect, Exact: f.exact, Paranoid: f.paranoid, Exclude: f.exclude,
		Compare: f.compare, DryRun: f.dryRun, RefuseForeign: f.refuse,
	}
	for _, pattern := range f.exclude {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return o, ui.Errorf(ui.Usage, "--exclude %q: %w", pattern, err)
		}
	}
	return o, nil
}

// expiry is the moment at which protection ends, nil for never.
func (f *backupCreateFlags) expiry(now time.Time) (*time.Time, error) {
	if f.expires == "" {
		return nil, nil
	}
	span, err := retention.ParseSpan(f.expires)
	switch {
	case err != nil:
		return nil, ui.Errorf(ui.Usage, "--expires: %w", err)
	case !f.protect || span.Zero():
		return nil, ui.Errorf(ui.Usage, "--expires goes with --protect and is a span such as 7d")
	}
	at := span.After(now)
	return &at, nil
}

// options of RCON; ok is false if it is not wanted.
func (f *rconFlags) options(repo string) (o rcon.Options, ok bool, err error) {
	o = rcon.Options{Address: f.address, Password: os.Getenv(envRCONPassword), NoSaveOff: f.noSaveOff, FlushTimeout: f.timeout}
	o.Marker = filepath.Join(repo, rconMarker)
	switch {
	case f.address != "" && f.properties != "":
		return o, false, ui.Errorf(ui.Usage, "--rcon and --rcon-properties exclude each other")
	case f.properties != "":
		if o.Address, o.Password, err = rcon.FromProperties(vfs.OS(), f.properties); err != nil {
			return o, false, ui.Errorf(ui.Usage, "--rcon-properties: %w", err)
		}
	case f.address == "" && f.noSaveOff:
		return o, false, ui.Errorf(ui.Usage, "--no-save-off goes with --rcon or --rcon-properties")
	case f.address != "" && o.Password == "":
		return o, false, ui.Errorf(ui.Usage, "--rcon wants the password in %s", envRCONPassword)
	}
	return o, o.Address != "", nil
}

// rconMarker is the file of a repository that says that a server does not save.
const rconMarker = "saving-is-off.json"

func (a *app) backupCreate(ctx context.Context, dir, world string, flags *backupCreateFlags) (err error) {
	options, err := flags.options()
	if err != nil {
		return err
	}
	if options.Expires, err = flags.expiry(time.Now()); err != nil {
		return err
	}
	server, quiesce, err := flags.rconFlags.options(dir)
	if err != nil {
		return err
	}
	policy, keeps, err := flags.policy()
	if err != nil {
		return err
	}
	if keeps && flags.schedule == "" {
		return ui.Errorf(ui.Usage, "--keep-... goes with --schedule; 'strata backup prune' forgets snapshots otherwise")
	}
	r, err := a.openRepository(dir, &flags.repoFlags, flags.dryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := a.recoverSaving(ctx, server); err != nil && flags.schedule == "" {
		return err
	}
	if quiesce {
		options.Quiesce = a.quiescer(server)
	}
	if flags.schedule != "" {
		return a.scheduled(ctx, r, dir, world, &scheduledBackup{flags: flags, options: options, server: server, policy: policy, keeps: keeps})
	}
	report, err := a.snapshot(ctx, r, world, options)
	if err != nil {
		return err
	}
	if err := a.console.Result(report, func(w io.Writer) error { return writeSnapshotReport(w, report) }); err != nil {
		return err
	}
	return snapshotProblems(report)
}

// recoverSaving turns saving on again where a process of ours was killed.
func (a *app) recoverSaving(ctx context.Context, server rcon.Options) error {
	done, err := rcon.Recover(ctx, server)
	if done {
		a.console.Log().Warn("a backup before this one was killed while a server did not save; it saves again now")
	}
	if err != nil {
		return fmt.Errorf("after a backup that was killed: %w", err)
	}
	return nil
}

func (a *app) quiescer(server rcon.Options) func(context.Context) (func() error, error) {
	return func(ctx context.Context) (func() error, error) {
		a.console.Log().Info("the server saves", "rcon", server.Address)
		quiet, err := rcon.Quiesce(ctx, server)
		if err != nil {
			return nil, err
		}
		if quiet.WasOff() {
			a.console.Log().Warn("the server had saving turned off already; it stays so")
		}
		return func() error { return quiet.Release(context.WithoutCancel(ctx)) }, nil
	}
}

func (a *app) snapshot(ctx context.Context, r backup.Repository, world string, o backup.CreateOptions) (*backup.Report, error) {
	progress := a.console.StartProgress(ui.Work{Label: "snapshot", Unit: ui.UnitBytes})
	defer progress.Stop()
	o.Progress = absolute(progress)
	report, err := r.Create(ctx, world, o)
	if err != nil {
		return nil, backupError(err)
	}
	progress.Stop()
	a.warnNotes(report.Notes)
	return report, nil
}

// absolute tells a progress of sums.
func absolute(p *ui.Progress) func(done, total int64) {
	last := int64(0)
	return func(done, total int64) {
		p.SetTotal(total)
		p.Add(done - last)
		last = done
	}
}

func snapshotProblems(r *backup.Report) error {
	switch {
	case len(r.Suspect) > 0:
		return ui.WithHint(ui.Errorf(ui.Problems, "the snapshot is not what the one before was: %s", strings.Join(r.Suspect, ", ")),
			"It is kept and marked. Is this the right folder, and is the world whole?")
	case len(r.Skipped) > 0:
		return ui.Errorf(ui.Problems, "not in the snapshot: %s, first %s: %s", countText(len(r.Skipped), "file"), r.Skipped[0].Path, r.Skipped[0].Reason)
	}
	return nil
}

func writeSnapshotReport(w io.Writer, r *backup.Report) error {
	if r.ID == "" {
		fmt.Fprintf(w, "A snapshot would have %s, %s of them new, and take %s.\n",
			countText(int(r.Chunks), "chunk"), ui.FormatCount(r.NewChunks), ui.FormatBytes(r.NewBytes))
	} else {
		fmt.Fprintf(w, "Snapshot %s: %s, %s of them new, %s more in the repository, in %s.\n",
			r.ID, countText(int(r.Chunks), "chunk"), ui.FormatCount(r.NewChunks), ui.FormatBytes(r.NewBytes), ui.FormatDuration(r.Took))
	}
	fmt.Fprintf(w, "Of %s in %s: %s unchanged, %s cloned, %s %s.\n", ui.FormatBytes(r.Bytes), countText(int(r.Files), "file"),
		ui.FormatBytes(r.LinkedBytes), ui.FormatBytes(r.ClonedBytes), ui.FormatBytes(r.CopiedBytes), "copied")
	fmt.Fprintf(w, "Consistency: %s.\n", consistencyText(r.Consistency))
	return nil
}

func consistencyText(c backup.Consistency) string {
	switch c {
	case backup.Epoch:
		return "epoch (all of one moment)"
	case backup.Quiesced:
		return "quiesced (the server held still)"
	default:
		return string(c) + " (chunks are whole; chunks and players may be of different moments)"
	}
}

// scheduledBackup is what strata backup create --schedule does again and again.
type scheduledBackup struct {
	flags   *backupCreateFlags
	options backup.CreateOptions
	server  rcon.Options
	policy  retention.Policy
	keeps   bool
}

// scheduled makes snapshots until it is interrupted, which is how it ends well.
// A snapshot that fails is logged, and the next one is made all the same.
func (a *app) scheduled(ctx context.Context, r backup.Repository, dir, world string, b *scheduledBackup) error {
	times, err := schedule.Parse(b.flags.schedule, time.Local)
	if err != nil {
		return ui.Errorf(ui.Usage, "--schedule: %w", err)
	}
	b.options.Reason = backup.Scheduled
	log := a.console.Log()
	err = times.Run(ctx, schedule.System{}, func(next time.Time) {
		log.Info("next snapshot", "at", localTime(next))
	}, func(ctx context.Context, due schedule.Due) {
		if due.Passed > 0 {
			log.Warn("times passed without a snapshot", "count", due.Passed)
		}
		if err := a.scheduledOnce(ctx, r, world, b); err != nil && ctx.Err() == nil {
			log.Error("snapshot", "error", err)
		}
	})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		log.Info("no more snapshots: interrupted", "repository", dir)
	}
	return err
}

func (a *app) scheduledOnce(ctx context.Context, r backup.Repository, world string, b *scheduledBackup) error {
	if err := a.recoverSaving(ctx, b.server); err != nil {
		a.console.Log().Error("saving", "error", err)
	}
	var err error
	if b.options.Expires, err = b.flags.expiry(time.Now()); err != nil {
		return err
	}
	report, err := a.snapshot(ctx, r, world, b.options)
	if err != nil {
		return err
	}
	if err := a.console.Result(report, func(w io.Writer) error { return writeSnapshotReport(w, report) }); err != nil {
		return err
	}
	if err := snapshotProblems(report); err != nil {
		// Nothing is forgotten for a snapshot that may not be what it should.
		return err
	}
	if !b.keeps {
		return nil
	}
	plan, err := a.planForget(ctx, r, &b.policy, b.flags.maxSize, b.flags.world)
	if err != nil {
		return err
	}
	if len(plan.Forget) == 0 {
		return nil
	}
	if err := r.Forget(ctx, plan.ids()...); err != nil {
		return backupError(err)
	}
	pruned, err := r.Prune(ctx, backup.PruneOptions{Threshold: b.flags.threshold})
	if err != nil {
		return backupError(err)
	}
	a.console.Log().Info("forgotten", "snapshots", len(plan.Forget), "freed", ui.FormatBytes(pruned.FreedBytes))
	return nil
}
