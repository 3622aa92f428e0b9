package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/store"
	"strata/backup/pack"
	"strata/backup/table"
	"strata/region"
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

// packList packs the list of a snapshot's files.
func packList(rows []tableRow) ([]byte, error) {
	data, err := table.Encode(rows, nil)
	if err != nil {
		return nil, err
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	data = withSum(e.EncodeAll(data, nil))
	return data, e.Close()
}

// files reads the list of a snapshot's files.
func (t *tree) files(id string) (map[string]*entry, error) {
	data, err := vfs.ReadFile(t.fs, t.list(id), maxList)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		data, err = checkSum(data)
	}
	if err == nil {
		var d *zstd.Decoder
		if d, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxList)); err == nil {
			defer d.Close()
			data, err = d.DecodeAll(data, nil)
		}
	}
	var l *table.Table
	if err == nil {
		l, err = table.Load(table.ID{}, func(table.ID) ([]byte, error) { return data, nil })
	}
	if err != nil {
		return nil, fmt.Errorf("list of snapshot %s: %w: %w", id, ErrDamaged, err)
	}
	return parseEntries(l.Rows)
}

// View implements Repository.
func (t *tree) View(_ context.Context, name string) (*View, error) {
	l, err := t.begin(reading)
	if err != nil {
		return nil, err
	}
	rec, err := t.find(name)
	if err == nil && len(rec.Roots) == 0 {
		err = fmt.Errorf("snapshot %s has no folders: %w", rec.ID, ErrDamaged)
	}
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	return &View{
		FS: readOnlyFS{t.fs}, Snapshot: rec.Snapshot, Root: filepath.Join(t.folder(rec.ID), rec.Roots[0]), close: l.release,
	}, nil
}

// readOnlyFS is a file system that nothing is written to.
type readOnlyFS struct{ vfs.FS }

// OpenFile implements vfs.FS, for reading.
func (f readOnlyFS) OpenFile(name string, flag int, perm fs.FileMode) (vfs.File, error) {
	if flag != os.O_RDONLY {
		return nil, readOnly("open", name)
	}
	return f.FS.OpenFile(name, flag, perm)
}

// Mkdir is ErrReadOnly, as is everything that changes something.
func (readOnlyFS) Mkdir(name string, _ fs.FileMode) error { return readOnly("mkdir", name) }

// Remove is ErrReadOnly.
func (readOnlyFS) Remove(name string) error { return readOnly("remove", name) }

// Rename is ErrReadOnly.
func (readOnlyFS) Rename(_, name string) error { return readOnly("rename", name) }

// Link is ErrReadOnly.
func (readOnlyFS) Link(_, name string) error { return readOnly("link", name) }

// Clone is ErrReadOnly.
func (readOnlyFS) Clone(_, name string) error { return readOnly("clone", name) }

// SyncDir is ErrReadOnly.
func (readOnlyFS) SyncDir(name string) error { return readOnly("sync", name) }

// Blame implements Repository.
func (t *tree) Blame(ctx context.Context, o BlameOptions) (_ []BlameEntry, err error) {
	l, err := t.begin(reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	all, err := t.all(ctx)
	if err != nil {
		return nil, err
	}
	b := &blamer{o: o, look: t.look}
	return b.run(ctx, all)
}

// look finds a record in a snapshot.
func (t *tree) look(rec *record, dimension string, c region.ChunkPos, kind store.Kind) (seen, error) {
	files, err := t.files(rec.ID)
	if err != nil {
		return seen{}, err
	}
	name, e := recordOf(files, dimension, kind, c.Region())
	if e == nil {
		return seen{}, nil
	}
	s, object, err := t.slot(rec.ID, name, c.Slot())
	return seen{s.entry, s.id, 0, func() ([]byte, error) { return object, nil }}, err
}

// slot reads a record of a region file.
func (t *tree) slot(id, name string, s region.Slot) (_ slot, object []byte, err error) {
	f, err := region.Open(filepath.Join(t.folder(id), filepath.FromSlash(name)), region.Options{FS: t.fs, ReadOnly: true})
	if err != nil {
		return slot{}, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	x := slot{entry: f.Entry(s)}
	if x.entry.Empty() {
		return x, nil, nil
	}
	rec, err := f.Read(s, nil)
	if err != nil {
		return x, nil, nil // unreadable, which the slot without an ID says
	}
	object = append([]byte{byte(rec.Scheme)}, rec.Data...)
	x.id = pack.IDOf(object)
	return x, object, nil
}
