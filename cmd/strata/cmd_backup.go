package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"strata/anvil"
	"strata/backup"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

func newBackupCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "backup",
		Short: "Make snapshots of worlds and bring them back",
		Long: `Make snapshots of worlds in a repository, and bring them back: whole, or single
dimensions, regions, chunks, players and files of them.

A repository is a folder. By default it is a store of chunks, in which every chunk
is kept once; with 'backup init --target tree' it is plain folders of worlds, in
which files that did not change are hard links to the snapshot before.

The passphrase of an encrypted repository is taken from STRATA_BACKUP_PASSPHRASE
or --passphrase-file, or asked for on a terminal.`,
	},
		newBackupInitCmd(a),
		newBackupCreateCmd(a),
		newBackupListCmd(a),
		newBackupShowCmd(a),
		newBackupDiffCmd(a),
		newBackupBlameCmd(a),
		newBackupRestoreCmd(a),
		newBackupVerifyCmd(a),
		newBackupPruneCmd(a),
		newBackupMarkCmd(a),
		newBackupExportCmd(a),
		newBackupCopyCmd(a),
	)
}

// envPassphrase has the passphrase of encrypted repositories.
const envPassphrase = "STRATA_BACKUP_PASSPHRASE" //nolint:gosec // the name of a variable

// maxSecretFile bounds files with passphrases and keys.
const maxSecretFile = 1 << 16

// repoFlags are the flags for opening a repository.
type repoFlags struct {
	passphraseFile string
	identityFiles  []string
}

func (f *repoFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.passphraseFile, "passphrase-file", "", "read the passphrase of an encrypted repository from `FILE`")
	set.StringArrayVar(&f.identityFiles, "identity", nil, "read age keys of an encrypted repository from `FILE` (may be repeated)")
}

// openOptions are those for backup.Open. What is asked for is asked once.
func (f *repoFlags) openOptions() (o backup.OpenOptions, err error) {
	if o.Passphrase, err = f.passphrase(); err != nil {
		return o, err
	}
	for _, name := range f.identityFiles {
		text, err := readSecret(name)
		if err != nil {
			return o, err
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				o.Identities = append(o.Identities, line)
			}
		}
	}
	return o, nil
}

// passphrase is the one that was given, "" for none.
func (f *repoFlags) passphrase() (string, error) {
	if f.passphraseFile == "" {
		return os.Getenv(envPassphrase), nil
	}
	text, err := readSecret(f.passphraseFile)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(text, "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", ui.Errorf(ui.Usage, "%s: the first line is empty", f.passphraseFile)
	}
	return line, nil
}

func readSecret(name string) (string, error) {
	data, err := vfs.ReadFile(vfs.OS(), name, maxSecretFile)
	return string(data), err
}

// openRepository opens a repository. Without a key that was given, a person is
// asked for the passphrase.
func (a *app) openRepository(dir string, flags *repoFlags, readOnly bool) (backup.Repository, error) {
	o, err := flags.openOptions()
	if err != nil {
		return nil, err
	}
	o.ReadOnly = readOnly
	r, err := backup.Open(dir, o)
	if errors.Is(err, backup.ErrWrongKey) && o.Passphrase == "" && len(o.Identities) == 0 {
		if o.Passphrase, err = a.console.AskSecret("Passphrase of " + dir); err != nil {
			return nil, ui.WithHint(ui.Errorf(ui.WrongKey, "%s is encrypted: %w", dir, err),
				"Give the passphrase in %s or --passphrase-file, or a key with --identity.", envPassphrase)
		}
		r, err = backup.Open(dir, o)
	}
	return r, backupError(err)
}

// backupError gives an error of a repository its exit code.
func backupError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, backup.ErrNoRepository):
		return ui.WithHint(ui.Errorf(ui.Missing, "%w", err), "'strata backup init REPO' makes one.")
	case errors.Is(err, backup.ErrNoSnapshot):
		return ui.WithHint(ui.Errorf(ui.Missing, "%w", err), "'strata backup list REPO' shows what there is.")
	case errors.Is(err, anvil.ErrNoWorld):
		return ui.Errorf(ui.Missing, "%w", err)
	case errors.Is(err, backup.ErrAmbiguous), errors.Is(err, backup.ErrExists), errors.Is(err, backup.ErrOptions),
		errors.Is(err, backup.ErrNotEmpty), errors.Is(err, backup.ErrProtected):
		return ui.Errorf(ui.Usage, "%w", err)
	case errors.Is(err, backup.ErrLocked), errors.Is(err, backup.ErrForeign):
		return ui.Errorf(ui.Locked, "%w", err)
	case errors.Is(err, backup.ErrWrongKey):
		return ui.Errorf(ui.WrongKey, "%w", err)
	default:
		return worldError(err)
	}
}

// backupInitFlags are the flags of strata backup init.
type backupInitFlags struct {
	repoFlags
	target     string
	semantic   bool
	encrypt    bool
	recipients []string
}

// initResult is the result of strata backup init.
type initResult struct {
	Path string `json:"path"`
	backup.Config
}

func newBackupInitCmd(a *app) *cobra.Command {
	var flags backupInitFlags
	cmd := &cobra.Command{
		Use:   "init REPO",
		Short: "Make a repository",
		Long: `Make a repository in a folder that is absent or empty.

--target repo, the default, is a store of chunks: each chunk is kept once, whichever
worlds, dimensions and days it belongs to, as the bytes it has in the region file.
It is by far the smaller one. --target tree is plain folders that any program can
look into; files that did not change are hard links to the snapshot before, and all
are read-only. What the file system can do, hard links and reflinks, is found out
now and said.

--encrypt encrypts all that is stored to a passphrase, --recipient to age keys
(age1...), of which the secret one is wanted for everything but copying.

Exit code 2: the folder is not empty.

With --json: path, format, id, target, created, semantic, encrypted, links, clones.`,
		Example: `  strata backup init /backup/worlds
  strata backup init /backup/tree --target tree
  STRATA_BACKUP_PASSPHRASE=... strata backup init /backup/secret --encrypt`,
		Args: exactArgs("REPO"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.backupInit(cmd, args[0], &flags) },
	}
	set := cmd.Flags()
	set.StringVar(&flags.target, "target", string(backup.Repo), "keep snapshots as `KIND`: repo or tree")
	set.BoolVar(&flags.semantic, "semantic", false, "keep chunks that differ in LastUpdate alone once: smaller, and no longer byte for byte")
	set.BoolVar(&flags.encrypt, "encrypt", false, "encrypt to a passphrase")
	set.StringArrayVar(&flags.recipients, "recipient", nil, "encrypt to an age `KEY` (may be repeated)")
	set.StringVar(&flags.passphraseFile, "passphrase-file", "", "with --encrypt, read the passphrase from `FILE`")
	return cmd
}

func (a *app) backupInit(cmd *cobra.Command, dir string, flags *backupInitFlags) (err error) {
	o := backup.InitOptions{Target: backup.Target(flags.target), Semantic: flags.semantic, Recipients: flags.recipients}
	switch {
	case flags.encrypt && len(flags.recipients) > 0:
		return ui.Errorf(ui.Usage, "--encrypt and --recipient exclude each other")
	case flags.encrypt:
		if o.Passphrase, err = a.newPassphrase(flags); err != nil {
			return err
		}
	case flags.passphraseFile != "":
		return ui.Errorf(ui.Usage, "--passphrase-file goes with --encrypt")
	}
	r, err := backup.Init(cmd.Context(), dir, o)
	if err != nil {
		return backupError(err)
	}
	result := &initResult{dir, r.Config()}
	if err := r.Close(); err != nil {
		return err
	}
	return a.console.Result(result, func(w io.Writer) error {
		fmt.Fprintf(w, "Made a repository of target %s in %s.\n", result.Target, dir)
		if result.Target == backup.Tree {
			fmt.Fprintf(w, "Files that do not change are %s; the others are %s.\n",
				choose(result.Links, "hard links to the snapshot before", "copies, as this file system has no hard links"),
				choose(result.Clones, "reflinks", "copies"))
		}
		if result.Encrypted {
			fmt.Fprintln(w, "It is encrypted. Without the key nobody can bring anything back: keep it elsewhere, too.")
		}
		return nil
	})
}

func choose(yes bool, text, otherwise string) string {
	if yes {
		return text
	}
	return otherwise
}

// newPassphrase is the one for a new repository, which a person types twice.
func (a *app) newPassphrase(flags *backupInitFlags) (string, error) {
	text, err := flags.passphrase()
	if err != nil || text != "" {
		return text, err
	}
	text, err = a.console.AskSecret("New passphrase")
	if err != nil {
		return "", ui.WithHint(ui.Errorf(ui.Usage, "--encrypt wants a passphrase: %w", err), "Give it in %s or --passphrase-file.", envPassphrase)
	}
	again, err := a.console.AskSecret("The same again")
	switch {
	case err != nil:
		return "", err
	case text == "":
		return "", ui.Errorf(ui.Usage, "an empty passphrase protects nothing")
	case text != again:
		return "", ui.Errorf(ui.Usage, "the two passphrases differ")
	}
	return text, nil
}

func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// warnNotes shows what a person should know of a snapshot or restore.
func (a *app) warnNotes(notes []string) {
	for _, note := range notes {
		a.console.Log().Warn(note)
	}
}
