package backup

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/region"
	"strata/region/vfs"
)

func headerSum(h *region.Header) uint64 { return xxhash.Sum64(h[:]) }

// copy copies a file of the world. If it turns out to be what the parent has, it is
// linked after all.
func (c *treeCreator) copy(ctx context.Context, f *source.File, e, prev *entry, header *region.Header) error {
	out, err := c.create(f.Path)
	if err != nil {
		return err
	}
	switch {
	case header != nil && c.src.Moves():
		err = c.copyMoving(ctx, f, e, out)
	case header != nil && c.src.State == source.Pinned:
		err = c.copyPinned(f, e, out)
	default:
		err = c.copyPlain(ctx, f, e, out)
	}
	if err != nil {
		out.remove()
		return err
	}
	id, err := out.id(e.stat.size)
	if err != nil {
		out.remove()
		return err
	}
	e.setID(id)
	c.rep.ChangedFiles++
	if prev != nil && prev.kind == e.kind && prev.id() == id && c.links && !c.o.DryRun {
		out.remove()
		return c.link(ctx, f.Path, e)
	}
	if err := out.finish(); err != nil {
		return err
	}
	if !c.o.DryRun {
		if err := chmod(c.t.fs, c.to(f.Path), 0o444); err != nil {
			return err
		}
	}
	if out.cloned {
		c.rep.ClonedBytes += e.stat.size
	} else {
		c.rep.CopiedBytes += e.stat.size
	}
	return nil
}

// id is the SHA-256 of the file, in a tree.
func (e *entry) id() pack.ID {
	if e.region != nil {
		return e.region.table
	}
	return e.data.id
}

func (e *entry) setID(id pack.ID) {
	if e.region != nil {
		e.region.table = id
		return
	}
	e.data = content{id: id, size: e.stat.size}
}

// outFile is a file of a snapshot that is being made. In a dry run it is none.
type outFile struct {
	fs     vfs.FS
	file   vfs.File
	name   string
	flush  *errgroup.Group
	sum    hash.Hash
	hashed int64 // what sum has: writes are in order, or it is read again
	random bool
	cloned bool
}

func (c *treeCreator) create(name string) (*outFile, error) {
	o := &outFile{fs: c.t.fs, name: c.to(name), flush: &c.flush, sum: sha256.New()}
	if c.o.DryRun {
		return o, nil
	}
	var err error
	o.file, err = c.t.fs.OpenFile(o.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o444)
	return o, err
}

func (o *outFile) writeAt(b []byte, at int64) error {
	if at == o.hashed {
		o.sum.Write(b)
		o.hashed += int64(len(b))
	} else {
		o.random = true
	}
	if o.file == nil || isZero(b) && len(b) >= region.SectorBytes {
		return nil // a hole
	}
	_, err := o.file.WriteAt(b, at)
	return err
}

// id gives the file its size and returns its SHA-256.
func (o *outFile) id(size int64) (pack.ID, error) {
	if o.file == nil {
		return pack.ID(o.sum.Sum(nil)), nil
	}
	if !o.cloned {
		if err := o.file.Truncate(size); err != nil {
			return pack.ID{}, err
		}
	}
	if !o.random && o.hashed == size {
		return pack.ID(o.sum.Sum(nil)), nil
	}
	return hashFile(o.file, size)
}

// finish has the file made durable.
func (o *outFile) finish() error {
	if o.file == nil {
		return nil
	}
	file := o.file
	o.flush.Go(func() error { return errors.Join(file.Sync(), file.Close()) })
	return nil
}

func hashFile(f io.ReaderAt, size int64) (pack.ID, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(f, 0, size))
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return pack.ID(sum.Sum(nil)), err
}

func (o *outFile) remove() {
	if o.file == nil {
		return
	}
	o.file.Close()      //nolint:errcheck // it is removed
	o.fs.Remove(o.name) //nolint:errcheck // its folder is
}

// copyPlain copies a file that nobody writes, or a data file.
func (c *treeCreator) copyPlain(ctx context.Context, f *source.File, e *entry, out *outFile) error {
	if c.clones && c.src.State == source.Held && out.file != nil && c.src.FS() == c.t.fs {
		if done, err := c.clone(f, out); done || err != nil {
			return err
		}
	}
	at := int64(0)
	var stored error
	info, err := c.src.ReadFile(ctx, *f, copyBytes, func() error {
		at = 0
		out.sum.Reset()
		out.hashed, out.random = 0, false
		if out.file == nil {
			return nil
		}
		stored = out.file.Truncate(0)
		return stored
	}, func(b []byte) error {
		stored = out.writeAt(b, at)
		at += int64(len(b))
		return stored
	})
	if err != nil {
		if stored != nil || ctx.Err() != nil {
			return err
		}
		return readError(err)
	}
	mode := e.stat
	e.stat = statOf(info)
	if e.region != nil {
		e.stat = mode // the header was read by that one
	}
	e.stat.size = at
	return nil
}

// clone makes a reflink of a live file, which shares nothing that is written later.
func (c *treeCreator) clone(f *source.File, out *outFile) (bool, error) {
	if err := c.t.fs.Remove(out.name); err != nil {
		return false, err
	}
	err := c.t.fs.Clone(f.Abs, out.name)
	if err == nil {
		out.cloned, out.random = true, true
	}
	old := out.file
	flag := os.O_RDWR
	if err != nil {
		flag |= os.O_CREATE | os.O_EXCL // it lies on another file system, or cannot for now
	}
	file, oerr := c.t.fs.OpenFile(out.name, flag, 0o444)
	if oerr != nil {
		return false, oerr
	}
	out.file = file
	return out.cloned, old.Close()
}

// copyPinned copies a pinned region file: the pinned header and the sectors that it
// names, in their places.
func (c *treeCreator) copyPinned(f *source.File, e *entry, out *outFile) (err error) {
	r, err := c.src.OpenRegion(*f)
	if err != nil {
		return readError(err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := out.writeAt(r.Header[:], 0); err != nil {
		return err
	}
	end := int64(region.HeaderBytes)
	buf := make([]byte, 0, 1<<20)
	for _, x := range extentsOf(&r.Header, r.Size) {
		n := int(x.to - x.from)
		if cap(buf) < n {
			buf = make([]byte, 0, n)
		}
		if err := r.ReadRaw(buf[:n], x.from); err != nil {
			return readError(err)
		}
		if err := out.writeAt(buf[:n], x.from); err != nil {
			return err
		}
		end = max(end, x.to)
	}
	e.stat.size = end
	return nil
}

// extentsOf are the parts of a file that its header names.
func extentsOf(h *region.Header, size int64) (all []span) {
	for s := range region.Slot(region.Slots) {
		l := h.Location(s)
		if l == 0 || l.Sector() < region.HeaderSectors {
			continue
		}
		from := int64(l.Sector()) * region.SectorBytes
		if to := min(size, from+int64(l.Count())*region.SectorBytes); to > from {
			all = append(all, span{from, to})
		}
	}
	return mergeSpans(all)
}

// copyMoving copies a region file beside a program that writes: the records, each
// as it was whole, one behind the other.
func (c *treeCreator) copyMoving(ctx context.Context, f *source.File, e *entry, out *outFile) (err error) {
	r, err := c.src.OpenRegion(*f)
	if err != nil {
		return readError(err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var list []region.Slot
	for s := range region.Slot(region.Slots) {
		if r.Header.Location(s) != 0 {
			list = append(list, s)
		}
	}
	w := &movingWriter{c: c, f: f, r: r, out: out, next: region.HeaderSectors}
	if err := r.Read(ctx, list, w.put); err != nil {
		if w.err != nil || ctx.Err() != nil {
			return err
		}
		return readError(err)
	}
	for s := range region.Slot(region.Slots) {
		if live := r.Header.Entry(s); live.Empty() {
			w.header.Set(s, live)
		}
	}
	if err := out.writeAt(w.header[:], 0); err != nil {
		return err
	}
	e.region.sum, e.region.chunks = headerSum(&r.Header), chunksIn(&w.header)
	e.stat.size = int64(w.next) * region.SectorBytes
	return nil
}

// movingWriter puts records one behind the other.
type movingWriter struct {
	c      *treeCreator
	f      *source.File
	r      *source.Region
	out    *outFile
	header region.Header
	next   uint32
	err    error
}

func (w *movingWriter) put(rec *source.Record) error {
	if errors.Is(rec.Err, source.ErrUnstable) {
		w.c.out.Skipped = append(w.c.out.Skipped, Skipped{fmt.Sprintf("%s, chunk %v", w.f.Path, w.f.Pos.Chunk(rec.Slot)), rec.Err.Error()})
		return nil
	}
	w.err = w.place(rec)
	return w.err
}

// place writes a record, or what is in the sectors of one that cannot be read.
func (w *movingWriter) place(rec *source.Record) error {
	l := rec.Entry.Location
	b := make([]byte, 4, 4+len(rec.Content))
	switch {
	case rec.Err != nil:
		from := int64(l.Sector()) * region.SectorBytes
		b = make([]byte, min(int64(l.Count())*region.SectorBytes, max(0, w.r.Size-from)))
		if err := w.r.ReadRaw(b, from); err != nil {
			return readError(err)
		}
	case rec.External:
		b = append(b, rec.Content[0]|externalFlag)
		binary.BigEndian.PutUint32(b, 1)
		if err := w.body(rec); err != nil {
			return err
		}
	default:
		b = append(b, rec.Content...)
		binary.BigEndian.PutUint32(b, uint32(len(rec.Content)))
	}
	n := max(1, uint32((len(b)+region.SectorBytes-1)/region.SectorBytes))
	if err := w.out.writeAt(b, int64(w.next)*region.SectorBytes); err != nil {
		return err
	}
	w.header.Set(rec.Slot, region.Entry{Location: region.MakeLocation(w.next, min(n, 255)), Timestamp: rec.Entry.Timestamp})
	w.next += n
	return nil
}

// body writes the external file of a record.
func (w *movingWriter) body(rec *source.Record) error {
	c := w.f.Pos.Chunk(rec.Slot)
	name := path.Join(path.Dir(w.f.Path), c.ExternalName())
	out, err := w.c.create(name)
	if err != nil {
		return err
	}
	e := &entry{kind: source.External, dimension: w.f.Dimension, record: w.f.Record}
	e.stat.mode, e.stat.size, e.stat.mod = w.f.Info.Mode, int64(len(rec.Content)-1), nanos(w.f.Info.ModTime)
	if err := out.writeAt(rec.Content[1:], 0); err != nil {
		out.remove()
		return err
	}
	id, err := out.id(e.stat.size)
	if err != nil {
		out.remove()
		return err
	}
	if err := out.finish(); err != nil {
		return err
	}
	e.setID(id)
	w.c.named[name] = true
	w.c.rep.CopiedBytes += e.stat.size
	w.c.add(name, e)
	return nil
}

// copyFrom copies a file of the parent, or clones it.
func (c *treeCreator) copyFrom(ctx context.Context, from, name string, e *entry) error {
	if c.clones && c.t.fs.Clone(from, c.to(name)) == nil {
		c.rep.ClonedBytes += e.stat.size
		return c.syncFile(c.to(name))
	}
	src, err := c.t.fs.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	s := e.stat
	s.mode = 0o444
	if err := copyVerified(ctx, src, c.t.fs, c.to(name), s); err != nil {
		return err
	}
	c.rep.CopiedBytes += e.stat.size
	return chmod(c.t.fs, c.to(name), 0o444)
}

func (c *treeCreator) syncFile(name string) error {
	f, err := c.t.fs.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
