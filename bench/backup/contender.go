package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"strata/backup"
)

// errMissing says that a program is not installed.
var errMissing = errors.New("not installed")

func contenders(dir string) []contender {
	return []contender{
		&ours{label: "tree", target: backup.Tree},
		&ours{label: "repo", target: backup.Repo},
		&ours{label: "repo-exact", target: backup.Repo, exact: true},
		&rsync{},
		&restic{cache: filepath.Join(dir, "restic-cache")},
	}
}

// ours is one of our targets.
type ours struct {
	label  string
	target backup.Target
	exact  bool
	store  string
}

func (c *ours) name() string { return c.label }

func (c *ours) byChunk() bool { return c.target == backup.Repo && !c.exact }

func (c *ours) outside() time.Duration { return 0 }

func (c *ours) prepare(ctx context.Context, store string) (string, error) {
	c.store = store
	r, err := backup.Init(ctx, store, backup.InitOptions{Target: c.target})
	if err != nil {
		return "", err
	}
	version := "strata"
	if info, ok := debug.ReadBuildInfo(); ok {
		version += " " + info.Main.Version
	}
	return version, r.Close()
}

// create opens the repository as well, as a command does.
func (c *ours) create(ctx context.Context, world string) (err error) {
	r, err := backup.Open(c.store, backup.OpenOptions{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	rep, err := r.Create(ctx, world, backup.CreateOptions{Exact: c.exact})
	if err == nil && len(rep.Skipped) > 0 {
		err = fmt.Errorf("%s was skipped: %s", rep.Skipped[0].Path, rep.Skipped[0].Reason)
	}
	return err
}

func (c *ours) restore(ctx context.Context, to string) (_ string, err error) {
	r, err := backup.Open(c.store, backup.OpenOptions{})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	_, err = r.Restore(ctx, backup.Latest, backup.RestoreOptions{To: to})
	return to, err
}

// program runs a program and returns what it writes.
func program(ctx context.Context, used *time.Duration, env []string, name string, args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", errMissing
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if s := cmd.ProcessState; s != nil {
		*used += s.UserTime() + s.SystemTime()
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// rsync makes a folder a snapshot, of links to the one before.
type rsync struct {
	store string
	n     int
	used  time.Duration
}

func (c *rsync) name() string  { return "rsync" }
func (c *rsync) byChunk() bool { return false }

func (c *rsync) outside() time.Duration { return c.used }

func (c *rsync) prepare(ctx context.Context, store string) (string, error) {
	c.store = store
	version, err := program(ctx, &c.used, nil, "rsync", "--version")
	if err != nil {
		return "", err
	}
	return firstLine(version), os.Mkdir(store, 0o755)
}

func (c *rsync) snapshot(n int) string { return filepath.Join(c.store, fmt.Sprintf("%06d", n)) }

func (c *rsync) create(ctx context.Context, world string) error {
	args := []string{"-a", "--exclude=session.lock"}
	if c.n > 0 {
		args = append(args, "--link-dest="+c.snapshot(c.n))
	}
	c.n++
	_, err := program(ctx, &c.used, nil, "rsync", append(args, world+"/", c.snapshot(c.n)+"/")...)
	return err
}

func (c *rsync) restore(ctx context.Context, to string) (string, error) {
	_, err := program(ctx, &c.used, nil, "rsync", "-a", c.snapshot(c.n)+"/", to+"/")
	return to, err
}

// restic is restic with its defaults.
type restic struct {
	cache, store, world string

	used time.Duration
}

func (c *restic) name() string  { return "restic" }
func (c *restic) byChunk() bool { return false }

func (c *restic) outside() time.Duration { return c.used }

func (c *restic) run(ctx context.Context, args ...string) (string, error) {
	env := []string{"RESTIC_REPOSITORY=" + c.store, "RESTIC_PASSWORD=measure", "RESTIC_CACHE_DIR=" + c.cache}
	return program(ctx, &c.used, env, "restic", args...)
}

func (c *restic) prepare(ctx context.Context, store string) (string, error) {
	c.store = store
	version, err := c.run(ctx, "version")
	if err != nil {
		return "", err
	}
	_, err = c.run(ctx, "init", "--quiet")
	return firstLine(version), err
}

func (c *restic) create(ctx context.Context, world string) error {
	c.world = world
	_, err := c.run(ctx, "backup", "--quiet", "--exclude=session.lock", world)
	return err
}

func (c *restic) restore(ctx context.Context, to string) (string, error) {
	_, err := c.run(ctx, "restore", "--quiet", "latest", "--target", to)
	return filepath.Join(to, c.world), err
}
