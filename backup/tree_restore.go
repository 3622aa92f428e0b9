package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"strata/backup/source"
	"strata/region"
	"strata/region/vfs"
)

// Restore implements Repository.
func (t *tree) Restore(ctx context.Context, name string, o RestoreOptions) (_ *RestoreReport, err error) {
	if o.FS == nil {
		o.FS = t.fs
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	u := reading
	if o.InPlace != "" && !o.DryRun {
		u = adding
	}
	l, err := t.begin(u)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	rec, err := t.find(name)
	if err != nil {
		return nil, err
	}
	files, err := t.files(rec.ID)
	if err != nil {
		return nil, err
	}
	x := &restorer{RestoreOptions: o, rec: rec, files: files, scope: scopeOf(o.Scope, files), now: t.opts.Now()}
	x.origin = &treeOrigin{t, x}
	return x.run(ctx, func(ctx context.Context, world string, o CreateOptions) (string, map[string]*entry, error) {
		c, err := t.createIn(ctx, world, o)
		if err != nil {
			return "", nil, err
		}
		files, err := c.listed()
		return c.rep.ID, files, err
	})
}

// treeOrigin restores from a tree. Nothing is ever linked out of it.
type treeOrigin struct {
	t *tree
	x *restorer
}

var _ origin = (*treeOrigin)(nil)

func (o *treeOrigin) path(name string) string {
	return filepath.Join(o.t.folder(o.x.rec.ID), filepath.FromSlash(name))
}

// write implements origin.
func (o *treeOrigin) write(ctx context.Context, name string, e *entry, fsys vfs.FS, to string, wrote func(string)) error {
	if o.x.Scope.Chunks != nil {
		if e.kind == source.External {
			return nil // its region file brings it along
		}
		return o.part(ctx, name, e, fsys, to, wrote)
	}
	src, err := o.t.fs.OpenFile(o.path(name), os.O_RDONLY, 0)
	if err == nil {
		defer src.Close()
		err = o.check(src, e)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		if o.x.Force {
			o.x.lost(name, e, nil)
			return nil
		}
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return err
	}
	return copyVerified(ctx, src, fsys, to, e.stat)
}

// check compares a file of the tree with its SHA-256.
func (o *treeOrigin) check(f vfs.File, e *entry) error { return checkFile(f, e) }

func checkFile(f vfs.File, e *entry) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size != e.stat.size {
		return fmt.Errorf("%s is of %d bytes, not %d: %w", f.Name(), info.Size, e.stat.size, ErrDamaged)
	}
	id, err := hashFile(f, info.Size)
	if err == nil && id != e.id() {
		err = fmt.Errorf("%s is not what was stored: %w", f.Name(), ErrDamaged)
	}
	return err
}

// part writes the chunks of a rectangle that a region file has.
func (o *treeOrigin) part(ctx context.Context, name string, e *entry, fsys vfs.FS, to string, wrote func(string)) (err error) {
	pos, ok := regionOf(name)
	if !ok || e.region == nil {
		return nil
	}
	src, err := region.Open(o.path(name), region.Options{FS: o.t.fs, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	w, err := region.Create(to, region.Options{FS: fsys, Position: &pos})
	if err != nil {
		return err
	}
	if err := o.fill(ctx, w, src, name, e, pos, wrote); err != nil {
		w.Abort()
		return err
	}
	if err := w.Finish(); err != nil {
		return err
	}
	return setTimes(fsys, to, e.stat)
}

func (o *treeOrigin) fill(ctx context.Context, w *region.Writer, src *region.File, name string, e *entry, pos region.Pos, wrote func(string)) error {
	var buf []byte
	for s := range region.Slot(region.Slots) {
		c := pos.Chunk(s)
		entry := src.Entry(s)
		if !o.x.Scope.Chunks.Contains(c) || entry == (region.Entry{}) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if entry.Empty() {
			w.SetTimestamp(s, entry.Timestamp)
			continue
		}
		rec, err := src.Read(s, buf)
		if err != nil {
			o.x.lost(name, e, &c) // it could not be read when it was stored
			continue
		}
		buf = rec.Buffer()
		if err := w.Put(s, region.Record{Scheme: rec.Scheme, Data: rec.Data, Entry: rec.Entry}); err != nil {
			return err
		}
		if len(rec.Data) > maxInFile {
			wrote(c.ExternalName())
		}
	}
	return nil
}

// chunk implements origin.
func (o *treeOrigin) chunk(name string, _ *entry, s region.Slot) (slot, []byte, error) {
	return o.t.slot(o.x.rec.ID, name, s)
}

// Verify implements Repository. A file that several snapshots share is read once.
func (t *tree) Verify(ctx context.Context, o VerifyOptions) (_ *VerifyReport, err error) {
	l, err := t.begin(reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	v := &VerifyReport{Damage: []Damage{}, Lost: []Lost{}}
	all, err := t.all(ctx)
	if err != nil {
		return nil, err
	}
	k := &treeVerifier{t: t, o: o, v: v, seen: map[sharedFile]error{}}
	for _, rec := range all {
		if len(o.Snapshots) > 0 && !slices.Contains(o.Snapshots, rec.ID) {
			continue
		}
		v.Snapshots++
		if rec.Err != nil {
			v.damage(snapshotsDir+"/"+rec.ID+snapshotSuffix, -1, rec.Err.Error())
			v.Lost = append(v.Lost, Lost{Snapshot: rec.ID})
			continue
		}
		if err := k.snapshot(ctx, rec); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// sharedFile is a file of which snapshots have links, and what it should be.
type sharedFile struct {
	device, inode uint64
	id            [32]byte
}

type treeVerifier struct {
	t    *tree
	o    VerifyOptions
	v    *VerifyReport
	seen map[sharedFile]error
}

func (k *treeVerifier) snapshot(ctx context.Context, rec *record) error {
	files, err := k.t.files(rec.ID)
	if errors.Is(err, ErrDamaged) {
		k.v.damage(snapshotsDir+"/"+rec.ID+"/"+listName, -1, err.Error())
		k.v.Lost = append(k.v.Lost, Lost{Snapshot: rec.ID})
		return nil
	}
	if err != nil {
		return err
	}
	scope := scopeOf(Scope{}, files)
	for _, name := range scope.sorted(files) {
		e := files[name]
		if e.kind == source.Folder {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := k.file(rec, name, e); err != nil {
			k.v.damage(snapshotsDir+"/"+rec.ID+"/"+name, -1, err.Error())
			k.v.Lost = append(k.v.Lost, Lost{Snapshot: rec.ID, Path: name, Dimension: e.dimension})
		}
	}
	return nil
}

// file returns what is wrong with a file.
func (k *treeVerifier) file(rec *record, name string, e *entry) (err error) {
	path := filepath.Join(k.t.folder(rec.ID), filepath.FromSlash(name))
	info, err := k.t.fs.Stat(path)
	if err != nil {
		return err
	}
	shared := sharedFile{info.Device, info.Inode, e.id()}
	if err, known := k.seen[shared]; known && info.Inode != 0 {
		return err
	}
	k.v.Files++
	k.v.Objects++
	if info.Size != e.stat.size {
		err = fmt.Errorf("is of %d bytes, not %d", info.Size, e.stat.size)
	} else if !k.o.Quick {
		k.v.Bytes += info.Size
		var f vfs.File
		if f, err = k.t.fs.OpenFile(path, os.O_RDONLY, 0); err == nil {
			err = errors.Join(checkFile(f, e), f.Close())
		}
	}
	k.seen[shared] = err
	return err
}
