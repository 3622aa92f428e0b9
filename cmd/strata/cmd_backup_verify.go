package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"strata/backup"
	"strata/cmd/internal/ui"
)

// backupVerifyFlags are the flags of strata backup verify.
type backupVerifyFlags struct {
	repoFlags
	quick     bool
	snapshots []string
}

func newBackupVerifyCmd(a *app) *cobra.Command {
	var flags backupVerifyFlags
	cmd := &cobra.Command{
		Use:   "verify REPO",
		Short: "Look for damage in a repository",
		Long: `Look for damage in a repository: every file of it is read, every checksum compared,
and what cannot be restored because of damage is named, down to the chunk.

--quick only looks whether everything is there, and reads no payloads.

Exit code 3: something is damaged or lost.

With --json: snapshots, files, bytes, objects, garbage_bytes, damage[] (path,
offset, what), lost[] (snapshot, path, dimension, chunk).`,
		Example: `  strata backup verify /backup/worlds
  strata backup verify /backup/worlds --quick --json`,
		Args: exactArgs("REPO"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backupVerify(cmd.Context(), args[0], &flags) },
	}
	set := cmd.Flags()
	set.BoolVar(&flags.quick, "quick", false, "do not read payloads")
	set.StringSliceVar(&flags.snapshots, "snapshot", nil, "look at this `SNAPSHOT` only (may be repeated)")
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupVerify(ctx context.Context, dir string, flags *backupVerifyFlags) (err error) {
	r, err := a.openRepository(dir, &flags.repoFlags, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	o := backup.VerifyOptions{Quick: flags.quick}
	for _, name := range flags.snapshots {
		s, err := r.Find(ctx, name)
		if err != nil {
			return backupError(err)
		}
		o.Snapshots = append(o.Snapshots, s.ID)
	}
	progress := a.console.StartProgress(ui.Work{Label: "verify", Unit: ui.UnitBytes})
	o.Progress = absolute(progress)
	report, err := r.Verify(ctx, o)
	progress.Stop()
	if err != nil {
		return backupError(err)
	}
	if err := a.console.Result(report, func(w io.Writer) error { return writeVerified(w, report) }); err != nil {
		return err
	}
	if !report.OK() {
		return ui.WithHint(ui.Errorf(ui.Problems, "%s damaged, %s lost", countText(len(report.Damage), "file"), countText(len(report.Lost), "part")),
			"The next 'backup create --paranoid' stores again what the world still has.")
	}
	return nil
}

func writeVerified(w io.Writer, r *backup.VerifyReport) error {
	fmt.Fprintf(w, "Read %s in %s: %s, %s.\n", ui.FormatBytes(r.Bytes), countText(int(r.Files), "file"),
		countText(int(r.Snapshots), "snapshot"), countText(int(r.Objects), "object"))
	if r.Garbage > 0 {
		fmt.Fprintf(w, "%s are needed by no snapshot: 'strata backup prune' gives them back.\n", ui.FormatBytes(r.Garbage))
	}
	for i, d := range r.Damage {
		if i == 20 {
			fmt.Fprintf(w, "  and %s more (--json lists all)\n", ui.FormatCount(int64(len(r.Damage)-20)))
			break
		}
		if d.Offset >= 0 {
			fmt.Fprintf(w, "  damaged: %s at byte %d: %s\n", d.Path, d.Offset, d.What)
		} else {
			fmt.Fprintf(w, "  damaged: %s: %s\n", d.Path, d.What)
		}
	}
	writeLost(w, r.Lost)
	if r.OK() {
		fmt.Fprintln(w, "No damage.")
	}
	return nil
}
