package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"strata/backup"
	"strata/backup/retention"
	"strata/cmd/internal/ui"
)

// keepFlags say which snapshots to keep.
type keepFlags struct {
	p         retention.Policy
	spans     [6]string
	tags      []string
	maxText   string
	maxSize   int64
	world     string
	threshold int
}

func (f *keepFlags) register(set *pflag.FlagSet) {
	set.IntVar(&f.p.Last, "keep-last", 0, "keep the last `N` snapshots, -1 for all")
	periods := []struct {
		name string
		n    *int
	}{{"hourly", &f.p.Hourly}, {"daily", &f.p.Daily}, {"weekly", &f.p.Weekly}, {"monthly", &f.p.Monthly}, {"yearly", &f.p.Yearly}}
	for _, p := range periods {
		unit := strings.TrimSuffix(strings.ReplaceAll(p.name, "dai", "day"), "ly")
		set.IntVar(p.n, "keep-"+p.name, 0, "keep the last one of each "+unit+", for the last `N` "+unit+"s that have one")
	}
	set.StringVar(&f.spans[0], "keep-within", "", "keep all of a `SPAN` such as 7d or 1y6m before the newest one")
	for i, p := range periods {
		set.StringVar(&f.spans[i+1], "keep-within-"+p.name, "", "keep the "+p.name+" ones of a `SPAN` before the newest one")
	}
	set.StringArrayVar(&f.tags, "keep-tag", nil, "keep those with all of these `TAG,...` (may be repeated)")
	set.StringVar(&f.maxText, "max-size", "", "then forget the oldest ones until the repository is no larger than `SIZE`, such as 20GiB")
	set.IntVar(&f.threshold, "threshold", 50, "write packs anew of which less than `PERCENT` is needed")
}

// policy checks the flags; false if none is given.
func (f *keepFlags) policy() (p retention.Policy, given bool, err error) {
	p = f.p
	for _, n := range []int{p.Last, p.Hourly, p.Daily, p.Weekly, p.Monthly, p.Yearly} {
		if n < retention.All {
			return p, false, ui.Errorf(ui.Usage, "--keep-... takes a number, or -1 for all")
		}
	}
	for i, span := range []*retention.Span{&p.Within, &p.WithinHourly, &p.WithinDaily, &p.WithinWeekly, &p.WithinMonthly, &p.WithinYearly} {
		if *span, err = retention.ParseSpan(f.spans[i]); err != nil {
			return p, false, ui.Errorf(ui.Usage, "--keep-within...: %w", err)
		}
	}
	for _, list := range f.tags {
		p.Tags = append(p.Tags, strings.Split(list, ","))
	}
	if f.threshold < 0 || f.threshold > 100 {
		return p, false, ui.Errorf(ui.Usage, "--threshold is 0 to 100")
	}
	f.maxSize = 0
	if f.maxText != "" {
		size, err := humanize.ParseBytes(f.maxText)
		if err != nil || size == 0 || size > 1<<62 {
			return p, false, ui.Errorf(ui.Usage, "--max-size %q is no size such as 20GiB", f.maxText)
		}
		f.maxSize = int64(size)
	}
	return p, !p.Empty() || f.maxSize > 0, nil
}

// forgetPlan is which snapshots go.
type forgetPlan struct {
	Keep   []keptSnapshot    `json:"keep"`
	Forget []backup.Snapshot `json:"forget"`
	// Fits is false if the repository stays larger than --max-size.
	Fits bool `json:"fits"`
}

// keptSnapshot is a snapshot that stays, and why.
type keptSnapshot struct {
	backup.Snapshot
	Reasons []string `json:"reasons"`
}

func (p *forgetPlan) ids() (ids []string) {
	for i := range p.Forget {
		ids = append(ids, p.Forget[i].ID)
	}
	return ids
}

// planForget applies a policy to the snapshots of each world by itself.
func (a *app) planForget(ctx context.Context, r backup.Repository, p *retention.Policy, maxSize int64, world string) (*forgetPlan, error) {
	all, err := r.Snapshots(ctx)
	if err != nil {
		return nil, backupError(err)
	}
	now := time.Now()
	byID := map[string]backup.Snapshot{}
	var worlds []string
	items := map[string][]retention.Item{}
	for i := range all {
		s := &all[i]
		if s.Err != nil || !isOf(s, world) {
			continue // what cannot be read is not forgotten either
		}
		if items[s.World] == nil {
			worlds = append(worlds, s.World)
		}
		byID[s.ID] = *s
		items[s.World] = append(items[s.World], retention.Item{
			ID: s.ID, Time: s.Time.Local(), Tags: s.Tags,
			Protected: s.Protected && (s.Expires == nil || s.Expires.After(now)),
		})
	}
	plan := &forgetPlan{Keep: []keptSnapshot{}, Forget: []backup.Snapshot{}, Fits: true}
	var kept []retention.Kept
	for _, w := range worlds {
		keep, forget := p.Apply(items[w], now)
		kept = append(kept, keep...)
		for _, item := range forget {
			plan.Forget = append(plan.Forget, byID[item.ID])
		}
	}
	if maxSize > 0 {
		left, forget, fits, err := retention.Fit(kept, maxSize, a.sizeWithout(ctx, r, all))
		if err != nil {
			return nil, backupError(err)
		}
		kept, plan.Fits = left, fits
		for _, item := range forget {
			plan.Forget = append(plan.Forget, byID[item.ID])
		}
	}
	for _, k := range kept {
		plan.Keep = append(plan.Keep, keptSnapshot{byID[k.ID], k.Reasons})
	}
	return plan, nil
}

// sizeWithout estimates the size of a repository with some snapshots alone: what
// it has now, less what came with those that are not among them.
func (a *app) sizeWithout(ctx context.Context, r backup.Repository, all []backup.Snapshot) func([]retention.Kept) (int64, error) {
	return func(kept []retention.Kept) (int64, error) {
		files, err := r.Files(ctx)
		if err != nil {
			return 0, err
		}
		total := int64(0)
		for _, f := range files {
			total += f.Bytes
		}
		stays := map[string]bool{}
		for _, k := range kept {
			stays[k.ID] = true
		}
		for i := range all {
			if all[i].Err == nil && !stays[all[i].ID] {
				total -= all[i].NewBytes
			}
		}
		return total, nil
	}
}

// backupPruneFlags are the flags of strata backup prune.
type backupPruneFlags struct {
	ui.ChangeFlags
	repoFlags
	keepFlags
	forget []string
}

// pruneResult is the result of strata backup prune.
type pruneResult struct {
	*forgetPlan
	*backup.PruneReport
}

func newBackupPruneCmd(a *app) *cobra.Command {
	var flags backupPruneFlags
	cmd := &cobra.Command{
		Use:   "prune REPO",
		Short: "Forget snapshots and give their space back",
		Long: `Forget the snapshots that a policy does not keep, and give back the space of what no
snapshot needs any more. The words are restic's: a snapshot is kept if one of the
--keep-... flags keeps it. Each world of the repository is judged by itself.

Protected snapshots stay, until they expire. Without --keep-..., --max-size and
--forget nothing is forgotten, and only space is given back, such as that of a
backup that was killed. --max-size is reached as well as it can be foretold: what
snapshots share is counted for the oldest one.

Exit code 3: the repository stays larger than --max-size; 11: it is in use.

With --json: keep[] (a snapshot with reasons[]), forget[], fits; packs, removed,
repacked, bytes, freed_bytes, objects, live_objects, dry_run.`,
		Example: `  strata backup prune /backup/worlds --keep-hourly 24 --keep-daily 14 --keep-monthly 12 --dry-run
  strata backup prune /backup/worlds --keep-within 30d --max-size 50GiB --yes
  strata backup prune /backup/worlds --forget 000004 --yes`,
		Args: exactArgs("REPO"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backupPrune(cmd.Context(), args[0], &flags) },
	}
	set := cmd.Flags()
	flags.keepFlags.register(set)
	set.StringVar(&flags.world, "world", "", "forget only snapshots of the world with this folder or `NAME`")
	set.StringSliceVar(&flags.forget, "forget", nil, "forget this `SNAPSHOT` (may be repeated), and no other one")
	flags.ChangeFlags.Register(set)
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupPrune(ctx context.Context, dir string, flags *backupPruneFlags) (err error) {
	policy, given, err := flags.policy()
	if err != nil {
		return err
	}
	if given && len(flags.forget) > 0 {
		return ui.Errorf(ui.Usage, "--forget and --keep-... exclude each other")
	}
	r, err := a.openRepository(dir, &flags.repoFlags, flags.DryRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	plan := &forgetPlan{Keep: []keptSnapshot{}, Forget: []backup.Snapshot{}, Fits: true}
	switch {
	case given:
		if plan, err = a.planForget(ctx, r, &policy, flags.maxSize, flags.world); err != nil {
			return err
		}
	case len(flags.forget) > 0:
		if err := namedForget(ctx, r, flags.forget, plan); err != nil {
			return err
		}
	}
	result := &pruneResult{plan, &backup.PruneReport{DryRun: true}}
	if flags.DryRun && len(plan.Forget) == 0 {
		if result.PruneReport, err = r.Prune(ctx, backup.PruneOptions{DryRun: true, Threshold: flags.threshold}); err != nil {
			return backupError(err)
		}
	}
	text := func(w io.Writer) error { return a.writeForget(w, result) }
	proceed, err := flags.Proceed(ctx, a.console, result, text, "Forget these snapshots and give back their space?")
	if err != nil || !proceed {
		return err
	}
	if err := r.Forget(ctx, plan.ids()...); err != nil {
		return backupError(err)
	}
	progress := a.console.StartProgress(ui.Work{Label: "prune", Unit: ui.UnitBytes})
	result.PruneReport, err = r.Prune(ctx, backup.PruneOptions{Threshold: flags.threshold, Progress: absolute(progress)})
	progress.Stop()
	if err != nil {
		return backupError(err)
	}
	if err := a.console.Result(result, text); err != nil {
		return err
	}
	if !plan.Fits {
		return ui.Errorf(ui.Problems, "the repository stays larger than --max-size: what is left is protected, or the newest snapshot")
	}
	return nil
}

// namedForget plans to forget snapshots that are named.
func namedForget(ctx context.Context, r backup.Repository, names []string, plan *forgetPlan) error {
	for _, name := range names {
		s, err := r.Find(ctx, name)
		if err != nil {
			return backupError(err)
		}
		plan.Forget = append(plan.Forget, s)
	}
	return nil
}

func (a *app) writeForget(w io.Writer, r *pruneResult) error {
	verb := "Forgot"
	if r.DryRun {
		verb = "Would forget"
	}
	if len(r.Keep) > 0 {
		table := a.console.NewTable(ui.Column{Head: "keep"}, ui.Column{Head: "when"}, ui.Column{Head: "world"}, ui.Column{Head: "because"})
		for i := range r.Keep {
			k := &r.Keep[i]
			table.Row(k.ID, localTime(k.Time), k.Name, strings.Join(k.Reasons, ", "))
		}
		if err := table.Render(w); err != nil {
			return err
		}
	}
	if len(r.Forget) > 0 {
		table := a.console.NewTable(ui.Column{Head: "forget"}, ui.Column{Head: "when"}, ui.Column{Head: "world"})
		for i := range r.Forget {
			f := &r.Forget[i]
			table.Row(f.ID, localTime(f.Time), f.Name)
		}
		if err := table.Render(w); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s %s.\n", verb, countText(len(r.Forget), "snapshot"))
	switch {
	case r.DryRun && len(r.Forget) > 0:
	case r.Packs == 0: // a tree gives space back as it forgets
	case r.DryRun:
		fmt.Fprintf(w, "%s of %s could be given back.\n", ui.FormatBytes(r.FreedBytes), ui.FormatBytes(r.PruneReport.Bytes))
	default:
		fmt.Fprintf(w, "Gave back %s of %s: %s removed, %s written anew.\n", ui.FormatBytes(r.FreedBytes), ui.FormatBytes(r.PruneReport.Bytes),
			countText(r.Removed, "pack"), ui.FormatCount(int64(r.Repacked)))
	}
	return nil
}

// backupMarkFlags are the flags of strata backup mark.
type backupMarkFlags struct {
	repoFlags
	protect, unprotect bool
	expires            string
	tags, untag        []string
}

func newBackupMarkCmd(a *app) *cobra.Command {
	var flags backupMarkFlags
	cmd := &cobra.Command{
		Use:   "mark REPO SNAPSHOT",
		Short: "Protect a snapshot, or change its tags",
		Long: `Protect a snapshot from being forgotten, for ever or for a time, or end that, or
change its tags.

With --json: the fields of 'backup list'.`,
		Example: `  strata backup mark /backup/worlds latest --protect --tag before-update
  strata backup mark /backup/worlds 000012 --unprotect`,
		Args: exactArgs("REPO", "SNAPSHOT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupMark(cmd.Context(), args[0], args[1], &flags)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&flags.protect, "protect", false, "protect it")
	set.BoolVar(&flags.unprotect, "unprotect", false, "protect it no longer")
	set.StringVar(&flags.expires, "expires", "", "with --protect, end that after a `SPAN` such as 7d from now")
	set.StringSliceVar(&flags.tags, "tag", nil, "add a `TAG` (may be repeated)")
	set.StringSliceVar(&flags.untag, "untag", nil, "take a `TAG` away (may be repeated)")
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupMark(ctx context.Context, dir, name string, flags *backupMarkFlags) (err error) {
	var o backup.MarkOptions
	switch {
	case flags.protect && flags.unprotect:
		return ui.Errorf(ui.Usage, "--protect and --unprotect exclude each other")
	case flags.expires != "" && !flags.protect:
		return ui.Errorf(ui.Usage, "--expires goes with --protect")
	case flags.protect || flags.unprotect:
		o.Protected = &flags.protect
		create := backupCreateFlags{protect: flags.protect, expires: flags.expires}
		at, err := create.expiry(time.Now())
		if err != nil {
			return err
		}
		o.Expires = &at
	case len(flags.tags)+len(flags.untag) == 0:
		return ui.Errorf(ui.Usage, "give --protect, --unprotect, --tag or --untag")
	}
	r, err := a.openRepository(dir, &flags.repoFlags, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s, err := r.Find(ctx, name)
	if err != nil {
		return backupError(err)
	}
	if len(flags.tags)+len(flags.untag) > 0 {
		tags := []string{}
		for _, tag := range append(append([]string{}, s.Tags...), flags.tags...) {
			if !hasAll(tags, []string{tag}) && !hasAll(flags.untag, []string{tag}) {
				tags = append(tags, tag)
			}
		}
		o.Tags = &tags
	}
	if s, err = r.Mark(ctx, s.ID, o); err != nil {
		return backupError(err)
	}
	result := &shownSnapshot{Snapshot: s}
	return a.console.Result(result, func(w io.Writer) error { return writeSnapshot(w, result) })
}
