package backup

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"strata/backup/pack"
	"strata/region/vfs"
)

// tree is a repository of plain folders. A snapshot is a folder with the world's
// folders and a list of its files in it, and a file that says that it exists.
// In the list the IDs of contents are the SHA-256 of the files.
type tree struct {
	catalog
	config Config
	opts   OpenOptions
}

var _ Repository = (*tree)(nil)

const (
	listName = "strata-files"
	maxList  = 1 << 30
)

func openTree(dir string, c Config, o OpenOptions) (Repository, error) {
	return &tree{catalog{fs: o.FS, dir: dir}, c, o}, makeFolders(o, dir, snapshotsDir)
}

// Config implements Repository.
func (t *tree) Config() Config { return t.config }

// Close implements Repository. Nothing is open between calls.
func (t *tree) Close() error { return nil }

func (t *tree) folder(id string) string { return filepath.Join(t.dir, snapshotsDir, id) }

func (t *tree) list(id string) string { return filepath.Join(t.folder(id), listName) }

// begin locks the repository, and removes what a killed process has left.
func (t *tree) begin(u use) (locks, error) {
	if t.opts.ReadOnly && u != reading {
		return nil, ErrReadOnly
	}
	l, err := lock(t.fs, t.dir, u)
	if err != nil {
		return nil, err
	}
	if u != reading {
		if err := t.removeLeftovers(); err != nil {
			return nil, errors.Join(fmt.Errorf("remove leftovers: %w", err), l.release())
		}
	}
	return l, nil
}

// removeLeftovers removes what belongs to no snapshot.
func (t *tree) removeLeftovers() error {
	dir := filepath.Join(t.dir, snapshotsDir)
	entries, err := t.fs.ReadDir(dir)
	if err != nil {
		return err
	}
	ids, err := t.ids()
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		_, isID := idNumber(name)
		ours := strings.HasPrefix(name, vfs.TempPrefix) || isID && !slices.Contains(ids, name)
		if ours {
			err = errors.Join(err, t.removeFolder(filepath.Join(dir, name)))
		}
	}
	_, perr := pack.RemoveLeftovers(t.fs, t.dir)
	return errors.Join(err, perr)
}

// removeFolder removes a file, or a folder whose folders may be read-only.
func (t *tree) removeFolder(path string) error {
	if info, err := t.fs.Lstat(path); err == nil && info.IsDir() {
		if err := sealFolders(t.fs, path, 0o755); err != nil {
			return err
		}
	}
	return removeAll(t.fs, path)
}

// Snapshots implements Repository.
func (t *tree) Snapshots(ctx context.Context) ([]Snapshot, error) {
	return snapshotsOf(ctx, &t.catalog)
}

// Find implements Repository.
func (t *tree) Find(_ context.Context, name string) (Snapshot, error) {
	x, err := t.find(name)
	if err != nil {
		return Snapshot{}, err
	}
	return x.Snapshot, nil
}

// Forget implements Repository. The files go with the snapshot.
func (t *tree) Forget(_ context.Context, names ...string) error {
	l, err := t.begin(pruning)
	if err != nil {
		return err
	}
	ids, err := t.removable(names)
	if err == nil {
		err = t.remove(ids, func(id string) error {
			return t.removeFolder(t.folder(id))
		})
	}
	return errors.Join(err, l.release())
}

// Prune implements Repository: Forget leaves nothing, so it only removes what was
// left by a kill.
func (t *tree) Prune(_ context.Context, o PruneOptions) (*PruneReport, error) {
	u := pruning
	if o.DryRun {
		u = reading
	}
	l, err := t.begin(u)
	if err != nil {
		return nil, err
	}
	return &PruneReport{DryRun: o.DryRun}, l.release()
}

// Mark implements Repository.
func (t *tree) Mark(_ context.Context, name string, o MarkOptions) (Snapshot, error) {
	l, err := t.begin(adding)
	if err != nil {
		return Snapshot{}, err
	}
	s, err := t.mark(name, o)
	return s, errors.Join(err, l.release())
}

// Files implements Repository.
func (t *tree) Files(ctx context.Context) ([]StoredFile, error) {
	files, err := filesIn(t.fs, t.dir, ".", func(name string) bool { return name == configName })
	if err != nil {
		return nil, err
	}
	ids, err := t.ids()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := walkFiles(t.fs, t.folder(id), "", func(rel string) {
			name := path.Join(snapshotsDir, id, filepath.ToSlash(rel))
			if info, err := t.fs.Stat(filepath.Join(t.dir, filepath.FromSlash(name))); err == nil {
				files = append(files, StoredFile{name, info.Size})
			}
		})
		if err != nil {
			return nil, err
		}
		last, err := filesIn(t.fs, t.dir, snapshotsDir, func(name string) bool {
			return name == id+snapshotSuffix
		})
		if err != nil {
			return nil, err
		}
		files = append(files, last...)
	}
	return files, nil
}
