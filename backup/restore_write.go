package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/cespare/xxhash/v2"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// repoOrigin restores from a repo.
type repoOrigin struct {
	fs *repoFS
	x  *restorer
}

var _ origin = (*repoOrigin)(nil)

// write implements origin.
func (o *repoOrigin) write(ctx context.Context, name string, e *entry, fsys vfs.FS, to string, wrote func(string)) error {
	switch {
	case e.kind == source.External && e.data.size == 0 && !e.data.id.IsZero() && !o.kept(name):
		return nil // its region file brings it along
	case e.region != nil && (!e.region.odd && !e.region.exact || o.x.Scope.Chunks != nil):
		return o.dense(ctx, name, e, fsys, to, wrote)
	}
	err := o.copy(ctx, name, e, fsys, to)
	if !errors.Is(err, ErrDamaged) || !o.x.Force {
		return err
	}
	if rerr := fsys.Remove(to); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		return errors.Join(err, rerr)
	}
	if e.region != nil {
		return o.dense(ctx, name, e, fsys, to, wrote) // the chunks that are left
	}
	o.x.lost(name, e, nil)
	return nil
}

// kept reports whether the region file of an external file comes back with all its
// bytes, its stubs included.
func (o *repoOrigin) kept(name string) bool {
	pos, ok := regionOf(name)
	if !ok || o.x.Scope.Chunks != nil {
		return false
	}
	e := o.fs.files[path.Join(path.Dir(name), pos.Name())]
	return e != nil && e.region != nil && (e.region.odd || e.region.exact)
}

func (x *restorer) lost(name string, e *entry, c *region.ChunkPos) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rep.Lost = append(x.rep.Lost, Lost{Snapshot: x.rec.ID, Path: name, Dimension: e.dimension, Chunk: c})
}

// copyBytes is how much is copied at a time.
const copyBytes = 1 << 20

// copy copies a file of the view, makes it durable and reads it again.
func (o *repoOrigin) copy(ctx context.Context, name string, e *entry, fsys vfs.FS, to string) error {
	src, err := o.fs.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	return copyVerified(ctx, src, fsys, to, e.stat)
}

// copyVerified copies a file to a path that is absent, zeros as holes, makes the
// content durable and compares what is there with what was to be.
func copyVerified(ctx context.Context, src vfs.File, fsys vfs.FS, to string, as stat) (err error) {
	info, err := src.Stat()
	if err != nil {
		return err
	}
	dst, err := fsys.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, as.mode.Perm()|0o200)
	if err != nil {
		return err
	}
	want, err := copyInto(ctx, dst, src, info.Size)
	if err == nil {
		err = dst.Truncate(info.Size)
	}
	if err == nil {
		err = dst.Sync()
	}
	if err == nil {
		err = compareSum(ctx, dst, info.Size, want)
	}
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	return setTimes(fsys, to, as)
}

// holeBytes of zeros are left out.
const holeBytes = 64 << 10

func copyInto(ctx context.Context, dst, src vfs.File, size int64) (sum uint64, err error) {
	buf := make([]byte, min(copyBytes, max(1, size)))
	d := xxhash.New()
	for at := int64(0); at < size; at += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		b := buf[:min(int64(len(buf)), size-at)]
		if n, err := src.ReadAt(b, at); n < len(b) {
			return 0, fmt.Errorf("read at %d: %w", at, err)
		}
		d.Write(b) //nolint:errcheck // never fails
		for from := 0; from < len(b); from += holeBytes {
			part := b[from:min(len(b), from+holeBytes)]
			if isZero(part) {
				continue
			}
			if _, err := dst.WriteAt(part, at+int64(from)); err != nil {
				return 0, err
			}
		}
	}
	return d.Sum64(), nil
}

func isZero(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }

func compareSum(ctx context.Context, f vfs.File, size int64, want uint64) error {
	buf := make([]byte, min(copyBytes, max(1, size)))
	d := xxhash.New()
	for at := int64(0); at < size; at += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), size-at)]
		if n, err := f.ReadAt(b, at); n < len(b) {
			return fmt.Errorf("verify at %d: %w", at, err)
		}
		d.Write(b) //nolint:errcheck // never fails
	}
	if d.Sum64() != want {
		return fmt.Errorf("%s does not hold what was written to it", f.Name())
	}
	return nil
}

// setTimes gives a file on the machine's file system the mode and time that it had.
func setTimes(fsys vfs.FS, name string, as stat) error {
	if fsys != vfs.OS() {
		return nil
	}
	if err := os.Chmod(name, as.mode.Perm()); err != nil {
		return err
	}
	return os.Chtimes(name, as.modTime(), as.modTime())
}

// dense writes a region file with its records one behind the other, in the order
// in which they were. Of a rectangle it has only the chunks.
func (o *repoOrigin) dense(ctx context.Context, name string, e *entry, fsys vfs.FS, to string, wrote func(string)) error {
	image, err := o.fs.newImage(e)
	if err != nil {
		if errors.Is(err, ErrDamaged) && o.x.Force {
			o.x.lost(name, e, nil)
			return nil
		}
		return err
	}
	pos, _ := regionOf(name)
	w, err := region.Create(to, region.Options{FS: fsys, Position: &pos})
	if err != nil {
		return err
	}
	put, err := o.fill(ctx, w, image, name, e, pos, wrote)
	if err != nil {
		w.Abort()
		return err
	}
	if err := w.Finish(); err != nil {
		return err
	}
	if err := verifyRegion(fsys, to, pos, put); err != nil {
		return err
	}
	return setTimes(fsys, to, e.stat)
}

// fill puts the records of a region file in, and returns what it has put.
func (o *repoOrigin) fill(ctx context.Context, w *region.Writer, image *regionImage, name string, e *entry, pos region.Pos, wrote func(string)) (map[region.Slot]pack.ID, error) {
	put := map[region.Slot]pack.ID{}
	order := make([]region.Slot, 0, region.Slots)
	for _, r := range image.layout.records {
		order = append(order, r.slot)
	}
	rect := o.x.Scope.Chunks
	var buf []byte
	for _, s := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := &image.slots[s]
		c := pos.Chunk(s)
		if rect != nil && !rect.Contains(c) {
			continue
		}
		object, err := o.fs.record(x, buf[:0])
		if err != nil {
			if !o.x.Force {
				return nil, fmt.Errorf("chunk %v: %w", c, err)
			}
			o.x.lost(name, e, &c)
			continue
		}
		buf = object
		rec := region.Record{Scheme: codec.Scheme(object[0]), Data: object[1:], Entry: x.entry}
		if err := w.Put(s, rec); err != nil {
			return nil, err
		}
		if len(rec.Data) > maxInFile {
			wrote(c.ExternalName())
		}
		put[s] = pack.IDOf(object)
	}
	for s := range region.Slot(region.Slots) {
		if x := image.slots[s]; x.entry.Empty() && x.entry.Timestamp != 0 && (rect == nil || rect.Contains(pos.Chunk(s))) {
			w.SetTimestamp(s, x.entry.Timestamp)
		}
	}
	return put, nil
}

// maxInFile is the longest stream that needs no file of its own.
const maxInFile = 255*region.SectorBytes - region.RecordHeaderBytes

// verifyRegion reads a region file again and compares its records with their IDs.
func verifyRegion(fsys vfs.FS, name string, pos region.Pos, put map[region.Slot]pack.ID) (err error) {
	f, err := region.Open(name, region.Options{FS: fsys, ReadOnly: true, Position: &pos})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var buf []byte
	var object []byte
	for s, id := range put {
		rec, err := f.Read(s, buf)
		if err != nil {
			return fmt.Errorf("verify: %w", err)
		}
		buf = rec.Buffer()
		object = append(append(object[:0], byte(rec.Scheme)), rec.Data...)
		if pack.IDOf(object) != id {
			return fmt.Errorf("%s, chunk %v, does not hold what was written to it", name, pos.Chunk(s))
		}
	}
	return nil
}

// chunk implements origin.
func (o *repoOrigin) chunk(name string, e *entry, s region.Slot) (slot, []byte, error) {
	o.fs.mu.Lock()
	image := o.fs.opened[name]
	o.fs.mu.Unlock()
	if image == nil {
		var err error
		if image, err = o.fs.newImage(e); err != nil {
			return slot{}, nil, err
		}
		o.fs.mu.Lock()
		o.fs.opened[name] = image
		o.fs.mu.Unlock()
	}
	x := image.slots[s]
	if !x.readable() {
		return x, nil, nil
	}
	object, err := o.fs.record(&x, nil)
	return x, object, err
}
