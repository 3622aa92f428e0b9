package backup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"strata/backup/pack"
	"strata/region/vfs"
)

// repo is a repository that is a store of chunks.
type repo struct {
	catalog
	config Config
	opts   OpenOptions
}

var _ Repository = (*repo)(nil)

const packsDir = "packs"

func openRepo(dir string, c Config, o OpenOptions) (Repository, error) {
	r := &repo{catalog: catalog{fs: o.FS, dir: dir}, config: c, opts: o}
	if c.Encrypted {
		s, err := openKey(o.FS, dir, o)
		if err != nil {
			return nil, err
		}
		r.sealer = s
	}
	return r, makeFolders(o, dir, snapshotsDir, packsDir)
}

// makeFolders makes the folders of a repository that a kill of Init left out.
func makeFolders(o OpenOptions, dir string, names ...string) error {
	if o.ReadOnly {
		return nil
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := o.FS.Stat(path); err == nil && info.IsDir() {
			continue
		}
		if err := vfs.MkdirAllSync(o.FS, path, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Config implements Repository.
func (r *repo) Config() Config { return r.config }

// Close implements Repository. Nothing is open between calls.
func (r *repo) Close() error { return nil }

// job is one use of a repo.
type job struct {
	r     *repo
	locks locks
	objects
}

// begin locks the repository and opens its packs.
func (r *repo) begin(u use) (*job, error) {
	if r.opts.ReadOnly && u != reading {
		return nil, ErrReadOnly
	}
	l, err := lock(r.fs, r.dir, u)
	if err != nil {
		return nil, err
	}
	j := &job{r: r, locks: l}
	if u != reading {
		err = r.removeLeftovers()
	}
	if err == nil {
		j.store, err = pack.Open(r.fs, filepath.Join(r.dir, packsDir), r.sealer)
	}
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	return j, nil
}

// removeLeftovers removes what a process that was killed has left. The append lock
// is ours.
func (r *repo) removeLeftovers() error {
	for _, name := range []string{".", snapshotsDir, packsDir} {
		if _, err := pack.RemoveLeftovers(r.fs, filepath.Join(r.dir, name)); err != nil {
			return fmt.Errorf("remove leftovers: %w", err)
		}
	}
	return nil
}

func (j *job) end() error { return errors.Join(j.store.Close(), j.locks.release()) }

// Snapshots implements Repository.
func (r *repo) Snapshots(ctx context.Context) ([]Snapshot, error) {
	return snapshotsOf(ctx, &r.catalog)
}

func snapshotsOf(ctx context.Context, c *catalog) ([]Snapshot, error) {
	all, err := c.all(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Snapshot, len(all))
	for i, r := range all {
		list[i] = r.Snapshot
	}
	return list, nil
}

// Find implements Repository.
func (r *repo) Find(_ context.Context, name string) (Snapshot, error) {
	x, err := r.find(name)
	if err != nil {
		return Snapshot{}, err
	}
	return x.Snapshot, nil
}

// Forget implements Repository.
func (r *repo) Forget(_ context.Context, names ...string) error {
	l, err := lock(r.fs, r.dir, pruning)
	if err != nil {
		return err
	}
	ids, err := r.removable(names)
	if err == nil {
		err = r.remove(ids, func(string) error { return nil })
	}
	return errors.Join(err, l.release())
}

// Mark implements Repository.
func (r *repo) Mark(_ context.Context, name string, o MarkOptions) (Snapshot, error) {
	l, err := lock(r.fs, r.dir, adding)
	if err != nil {
		return Snapshot{}, err
	}
	s, err := r.mark(name, o)
	return s, errors.Join(err, l.release())
}

// Files implements Repository.
func (r *repo) Files(ctx context.Context) (_ []StoredFile, err error) {
	j, err := r.begin(reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	files, err := filesIn(r.fs, r.dir, ".", func(name string) bool { return name == configName || name == keyName })
	if err != nil {
		return nil, err
	}
	for _, p := range j.store.Names() {
		files = append(files, StoredFile{packsDir + "/" + p.Name, p.Bytes})
	}
	last, err := filesIn(r.fs, r.dir, snapshotsDir, func(name string) bool { return filepath.Ext(name) == snapshotSuffix })
	return slices.Concat(files, last), errors.Join(err, ctx.Err())
}

// filesIn lists files of a folder of the repository.
func filesIn(fsys vfs.FS, dir, folder string, want func(name string) bool) (files []StoredFile, err error) {
	entries, err := fsys.ReadDir(filepath.Join(dir, folder))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !want(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, StoredFile{filepath.ToSlash(filepath.Join(folder, e.Name())), info.Size()})
	}
	return files, nil
}
