package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/store"
	"strata/backup/pack"
	"strata/backup/table"
	"strata/region"
	"strata/region/vfs"
)

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
