package backup

import (
	"context"
	"encoding/binary"
	"fmt"

	"strata/backup/pack"
	"strata/backup/table"
)

// The first byte of an object that is a record is its compression scheme, below
// 128; those of the others are these.
const (
	kindPart  = 0x80 // of a file
	kindParts = 0x81 // the IDs of a file's parts
	kindTable = 0x82 // a piece of a table
)

// partBytes is how much of a file is one object. Files of worlds are nearly all
// shorter.
const partBytes = 4 << 20

// maxParts bounds a list of parts: a file of 64 TiB.
const maxParts = 1 << 24

// objectID is a name as tables have it.
func objectID(id table.ID) pack.ID { return pack.ID(id) }

// objects reads objects of several kinds.
type objects struct{ store *pack.Store }

// of reads an object that is to be of a kind and returns what is behind the kind.
func (o objects) of(id pack.ID, kind byte, buf []byte) ([]byte, error) {
	b, err := o.store.Get(id, buf)
	if err != nil {
		return nil, damaged(err)
	}
	if b[0] != kind {
		return nil, fmt.Errorf("object %v is of kind %d, not %d: %w", id, b[0], kind, ErrDamaged)
	}
	return b[1:], nil
}

// damaged makes what is missing or damaged in packs our error.
func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }

// table reads a table.
func (o objects) table(id pack.ID) (*table.Table, error) {
	var buf []byte
	t, err := table.Load(id, func(id table.ID) ([]byte, error) {
		b, err := o.store.Get(objectID(id), buf[:0])
		if err != nil {
			return nil, damaged(err)
		}
		buf = b
		if b[0] != kindTable {
			return nil, fmt.Errorf("object %v is no table: %w", objectID(id), ErrDamaged)
		}
		return b[1:], nil
	})
	if err != nil {
		return nil, fmt.Errorf("table %v: %w: %w", id, ErrDamaged, err)
	}
	return t, nil
}

// parts lists the objects of a file.
func (o objects) parts(c content) ([]pack.ID, error) {
	if c.id.IsZero() {
		return nil, nil
	}
	if !c.parts {
		return []pack.ID{c.id}, nil
	}
	b, err := o.of(c.id, kindParts, nil)
	if err != nil {
		return nil, err
	}
	if len(b)%len(pack.ID{}) != 0 {
		return nil, fmt.Errorf("parts of %v: %w", c.id, ErrDamaged)
	}
	ids := make([]pack.ID, 0, len(b)/len(pack.ID{}))
	for ; len(b) > 0; b = b[len(pack.ID{}):] {
		ids = append(ids, pack.ID(b))
	}
	return ids, nil
}

// content names what a file holds.
type content struct {
	id    pack.ID // zero: nothing
	parts bool    // id is that of a list
	size  int64
}

// contentWriter cuts what is written to it into parts.
type contentWriter struct {
	w   *pack.Writer
	buf []byte // the kind and what there is of a part
	ids []pack.ID
	n   int64
	err error // of storing
}

func newContentWriter(w *pack.Writer) *contentWriter {
	return &contentWriter{w: w, buf: []byte{kindPart}}
}

// reset starts over.
func (c *contentWriter) reset() error {
	c.buf, c.ids, c.n = c.buf[:1], c.ids[:0], 0
	return nil
}

func (c *contentWriter) write(b []byte) error {
	for len(b) > 0 {
		n := min(len(b), partBytes+1-len(c.buf))
		c.buf = append(c.buf, b[:n]...)
		c.n += int64(n)
		b = b[n:]
		if len(c.buf) == partBytes+1 {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *contentWriter) flush() error {
	if len(c.buf) == 1 {
		return nil
	}
	id, _, err := c.w.Put(c.buf)
	c.ids = append(c.ids, id)
	c.buf = c.buf[:1]
	c.err = err
	return err
}

// finish returns what was written, and starts over.
func (c *contentWriter) finish() (content, error) {
	if err := c.flush(); err != nil {
		return content{}, err
	}
	out := content{size: c.n}
	ids := c.ids
	defer c.reset() //nolint:errcheck // never fails
	switch {
	case len(ids) == 0:
		return out, nil
	case len(ids) == 1:
		out.id = ids[0]
		return out, nil
	case len(ids) > maxParts:
		return out, fmt.Errorf("a file of %d bytes", c.n)
	}
	list := []byte{kindParts}
	for _, id := range ids {
		list = append(list, id[:]...)
	}
	var err error
	out.parts = true
	out.id, _, err = c.w.Put(list)
	return out, err
}

// contentReader reads a file out of its parts.
type contentReader struct {
	o     objects
	parts []pack.ID
	size  int64

	last int // part that buf holds, less one
	buf  []byte
}

func (o objects) reader(c content) (*contentReader, error) {
	ids, err := o.parts(c)
	if err != nil {
		return nil, err
	}
	if int64(len(ids)) != (c.size+partBytes-1)/partBytes {
		return nil, fmt.Errorf("%d parts for %d bytes: %w", len(ids), c.size, ErrDamaged)
	}
	return &contentReader{o: o, parts: ids, size: c.size}, nil
}

// readAt fills b from a place of the file; the rest of b, behind the end, stays.
func (r *contentReader) readAt(b []byte, at int64) error {
	for len(b) > 0 && at < r.size {
		i := int(at / partBytes)
		if r.last != i+1 {
			buf, err := r.o.of(r.parts[i], kindPart, r.buf[:0])
			if err != nil {
				return err
			}
			if int64(len(buf)) != min(partBytes, r.size-int64(i)*partBytes) {
				return fmt.Errorf("part %d is of %d bytes: %w", i, len(buf), ErrDamaged)
			}
			r.buf, r.last = buf, i+1
		}
		n := copy(b, r.buf[at%partBytes:])
		b, at = b[n:], at+int64(n)
	}
	return nil
}

// each calls f with the IDs of all objects of a file.
func (o objects) each(ctx context.Context, c content, f func(pack.ID)) error {
	if c.id.IsZero() {
		return ctx.Err()
	}
	f(c.id)
	if !c.parts {
		return ctx.Err()
	}
	ids, err := o.parts(c)
	for _, id := range ids {
		f(id)
	}
	return err
}

// appendInt appends a number that may be negative.
func appendInt(b []byte, n int64) []byte { return binary.AppendVarint(b, n) }

type tableRow = table.Row
