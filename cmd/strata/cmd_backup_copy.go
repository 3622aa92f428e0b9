package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"strata/backup"
	"strata/backup/remote"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

// backupCopyFlags are the flags of strata backup copy.
type backupCopyFlags struct {
	repoFlags
	mirror bool
	check  bool
	fetch  bool
	dryRun bool
}

// copyResult is the result of strata backup copy.
type copyResult struct {
	*remote.Report
	To          string              `json:"to"`
	Checked     bool                `json:"checked"`
	Differences []remote.Difference `json:"differences"`
}

func newBackupCopyCmd(a *app) *cobra.Command {
	var flags backupCopyFlags
	cmd := &cobra.Command{
		Use:   "copy REPO ADDRESS",
		Short: "Keep a copy of a repository elsewhere, or fetch one",
		Long: `Bring a copy of a repository up to date: in another folder, in storage that speaks S3,
or on a machine reached by SFTP. Only files that the copy lacks are sent, in an order
in which the copy is a repository at every moment; a copy that is broken off goes on.

  /mnt/backup                             a folder
  s3://bucket/prefix?endpoint=HOST:PORT   also region=..., insecure=true, path-style=true;
                                          keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  sftp://user@host:22/path                keys of ~/.ssh or its agent, or STRATA_SFTP_PASSWORD;
                                          the host has to be in ~/.ssh/known_hosts

--fetch goes the other way: it makes the repository REPO of a copy.

Exit code 3: with --check, the copy differs; 10: no such repository or copy; 12: the
login is refused; 13: no space.

With --json: to, files, copied, copied_bytes, removed, extra, dry_run, checked,
differences[] (path, what).`,
		Example: `  strata backup copy /backup/worlds /mnt/usb/worlds --check
  strata backup copy /backup/worlds 's3://bucket/worlds?region=eu-central-1' --mirror
  strata backup copy /new/worlds sftp://me@host/backup/worlds --fetch`,
		Args: exactArgs("REPO", "ADDRESS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupCopy(cmd.Context(), args[0], args[1], &flags)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&flags.mirror, "mirror", false, "remove from the copy what the repository no longer has")
	set.BoolVar(&flags.check, "check", false, "then read the copy and compare it byte for byte")
	set.BoolVar(&flags.fetch, "fetch", false, "make the repository of a copy")
	set.BoolVar(&flags.dryRun, "dry-run", false, "say what would be copied and copy nothing")
	flags.repoFlags.register(set)
	return cmd
}

func (a *app) backupCopy(ctx context.Context, dir, address string, flags *backupCopyFlags) (err error) {
	if flags.fetch && (flags.mirror || flags.check) || flags.dryRun && flags.check {
		return ui.Errorf(ui.Usage, "--fetch goes without --mirror and --check, --dry-run without --check")
	}
	var source remote.Source
	if !flags.fetch {
		r, err := a.openRepository(dir, &flags.repoFlags, true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		files, err := r.Files(ctx)
		if err != nil {
			return backupError(err)
		}
		source = remote.Source{FS: vfs.OS(), Dir: dir}
		for _, f := range files {
			source.Files = append(source.Files, remote.File{Path: f.Path, Bytes: f.Bytes})
		}
	}
	store, err := remote.Open(ctx, vfs.OS(), address, !flags.fetch && !flags.dryRun)
	if err != nil {
		return remoteError(err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	result := &copyResult{To: store.String(), Differences: []remote.Difference{}}
	progress := a.console.StartProgress(ui.Work{Label: choose(flags.fetch, "fetch", "copy"), Unit: ui.UnitBytes})
	o := remote.Options{Mirror: flags.mirror, DryRun: flags.dryRun, Progress: absolute(progress)}
	if flags.fetch {
		result.Report, err = remote.Fetch(ctx, store, vfs.OS(), dir, backup.Last, o)
		result.To = dir
	} else {
		result.Report, err = remote.Copy(ctx, source, store, o)
	}
	progress.Stop()
	if err == nil && flags.check {
		progress := a.console.StartProgress(ui.Work{Label: "check", Unit: ui.UnitBytes})
		var differences []remote.Difference
		differences, err = remote.Check(ctx, source, store, absolute(progress))
		result.Differences = append(result.Differences, differences...)
		result.Checked = true
		progress.Stop()
	}
	if err != nil {
		return remoteError(err)
	}
	if err := a.console.Result(result, func(w io.Writer) error { return writeCopied(w, result) }); err != nil {
		return err
	}
	if len(result.Differences) > 0 {
		return ui.Errorf(ui.Problems, "the copy differs in %s, first %s: %s", countText(len(result.Differences), "file"),
			result.Differences[0].Path, result.Differences[0].What)
	}
	return nil
}

// remoteError gives an error of a copy its exit code.
func remoteError(err error) error {
	switch {
	case errors.Is(err, remote.ErrAddress), errors.Is(err, fs.ErrExist):
		return ui.Errorf(ui.Usage, "%w", err)
	case errors.Is(err, remote.ErrLogin):
		return ui.Errorf(ui.WrongKey, "%w", err)
	case errors.Is(err, fs.ErrNotExist):
		return ui.Errorf(ui.Missing, "%w", err)
	}
	return err
}

func writeCopied(w io.Writer, r *copyResult) error {
	verb := "Copied"
	if r.DryRun {
		verb = "Would copy"
	}
	fmt.Fprintf(w, "%s %s of %s, %s, to %s.\n", verb, ui.FormatCount(r.Copied), countText(int(r.Files), "file"), ui.FormatBytes(r.Report.Bytes), r.To)
	if r.Removed > 0 {
		fmt.Fprintf(w, "Removed %s that the repository no longer has.\n", countText(int(r.Removed), "file"))
	} else if r.Extra > 0 {
		fmt.Fprintf(w, "The copy has %s that the repository no longer has; --mirror removes them.\n", countText(int(r.Extra), "file"))
	}
	if r.Checked && len(r.Differences) == 0 {
		fmt.Fprintln(w, "Every byte is the same.")
	}
	for i, d := range r.Differences {
		if i == 20 {
			fmt.Fprintf(w, "  and %s more (--json lists all)\n", ui.FormatCount(int64(len(r.Differences)-20)))
			break
		}
		fmt.Fprintf(w, "  %s: %s\n", d.Path, d.What)
	}
	return nil
}
