package backup

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path"

	"strata/backup/source"
	"strata/region"
)

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
