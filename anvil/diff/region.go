package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// worker is the memory of one worker.
type worker struct {
	o        *Options
	a, b     *Side
	decoder  codec.Decoder
	buffers  [2][]byte // streams
	data     [2][]byte // documents
	tapes    [2]nbt.Tape
	walk     walker
	sections sections
	blocks   [2][]byte // of files
}

var workers = sync.Pool{New: func() any { return new(worker) }}

// maxKept is the largest buffer that is kept for the next region.
const maxKept = 16 << 20

// trim lets go of what one large record has needed.
func (w *worker) trim() {
	for i := range w.data {
		if cap(w.data[i]) > maxKept {
			w.data[i], w.tapes[i] = nil, nbt.Tape{}
		}
		if cap(w.buffers[i]) > maxKept {
			w.buffers[i] = nil
		}
	}
}

// region compares one region of both sides.
func (w *worker) region(ctx context.Context, dimension string, pos region.Pos) (*Region, error) {
	out := &Region{Dimension: dimension, Pos: pos, Patterns: map[string]int64{}}
	w.walk = walker{patterns: out.Patterns}
	var classes [kinds][region.Slots]Class
	details := map[region.Slot]*Chunk{}
	add := func(k store.Kind, slot region.Slot, r *Record) {
		classes[k][slot] = r.Class
		out.Kinds[k].Add(r.Class, 1)
		if r.Reencoded {
			out.Reencoded++
		}
		if !r.Class.Differs() {
			return
		}
		if details[slot] == nil {
			c := pos.Chunk(slot)
			details[slot] = &Chunk{Dimension: dimension, X: c.X, Z: c.Z}
		}
		details[slot].set(k, r)
	}
	for k := range store.Kind(kinds) {
		at := place{dimension, k, pos}
		a, haveA := w.a.files[at]
		b, haveB := w.b.files[at]
		if !haveA && !haveB {
			continue
		}
		out.bytes += a.Bytes + b.Bytes
		err := w.files(ctx, at, a, haveA, b, haveB, func(slot region.Slot, r *Record) { add(k, slot, r) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed, ok := errors.AsType[*fileError](err); ok {
			out.failed = append(out.failed, anvil.Failed{Path: failed.path, Err: failed.err})
		} else if err != nil {
			return nil, err
		}
	}
	for slot := range region.Slot(region.Slots) {
		class := joint([kinds]Class{classes[0][slot], classes[1][slot], classes[2][slot]})
		out.Classes[slot] = class
		if c := details[slot]; c != nil {
			c.Class = class
			out.Chunks = append(out.Chunks, *c)
		}
	}
	return out, nil
}

// fileError is an error of one file, which ends the comparison of that file.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return e.path + ": " + e.err.Error() }

func (e *fileError) Unwrap() error { return e.err }

// files compares the files of one kind, either of which may be absent.
func (w *worker) files(ctx context.Context, at place, a scan.File, haveA bool, b scan.File, haveB bool, add func(region.Slot, *Record)) (err error) {
	var files [2]*region.File
	for i, side := range []struct {
		s    *Side
		f    scan.File
		have bool
	}{{w.a, a, haveA}, {w.b, b, haveB}} {
		if !side.have {
			continue
		}
		file, err := region.Open(side.f.Path, region.Options{FS: side.s.fs, ReadOnly: true})
		if err != nil {
			return &fileError{side.f.Path, err}
		}
		defer func() {
			if closed := file.Close(); closed != nil && err == nil {
				err = &fileError{side.f.Path, closed}
			}
		}()
		files[i] = file
	}
	if haveA && haveB && !w.a.bodies[at] && !w.b.bodies[at] {
		same, err := w.sameBytes(a, b)
		if err != nil {
			return err
		}
		if same {
			equal(files[0].Header(), add)
			return nil
		}
	}
	for slot := range region.Slot(region.Slots) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r := w.slot(at, slot, files); r != nil {
			add(slot, r)
		}
	}
	return nil
}

func equal(header *region.Header, add func(region.Slot, *Record)) {
	for slot := range region.Slot(region.Slots) {
		if header.Location(slot) != 0 {
			add(slot, &Record{Class: Equal})
		}
	}
}

// sameBytes reports whether two files are one, or have the same bytes.
func (w *worker) sameBytes(a, b scan.File) (bool, error) {
	x, err := w.a.fs.OpenFile(a.Path, os.O_RDONLY, 0)
	if err != nil {
		return false, &fileError{a.Path, err}
	}
	defer x.Close()
	y, err := w.b.fs.OpenFile(b.Path, os.O_RDONLY, 0)
	if err != nil {
		return false, &fileError{b.Path, err}
	}
	defer y.Close()
	infoX, err := x.Stat()
	if err != nil {
		return false, &fileError{a.Path, err}
	}
	infoY, err := y.Stat()
	if err != nil {
		return false, &fileError{b.Path, err}
	}
	if w.a.fs == w.b.fs && vfs.SameFile(infoX, infoY) {
		return true, nil
	}
	if infoX.Size != infoY.Size {
		return false, nil
	}
	const window = 256 << 10
	for i := range w.blocks {
		if w.blocks[i] == nil {
			w.blocks[i] = make([]byte, window)
		}
	}
	for off := int64(0); off < infoX.Size; off += window {
		n, errX := x.ReadAt(w.blocks[0], off)
		m, errY := y.ReadAt(w.blocks[1], off)
		if errX != nil && !errors.Is(errX, io.EOF) {
			return false, &fileError{a.Path, errX}
		}
		if errY != nil && !errors.Is(errY, io.EOF) {
			return false, &fileError{b.Path, errY}
		}
		if !bytes.Equal(w.blocks[0][:n], w.blocks[1][:m]) {
			return false, nil
		}
	}
	return true, nil
}

// slot compares the records of a slot; nil if there is none.
func (w *worker) slot(at place, slot region.Slot, files [2]*region.File) *Record {
	var (
		records [2]region.Record
		errs    [2]error
		have    [2]bool
	)
	for i, file := range files {
		if file == nil || file.Entry(slot).Location == 0 {
			continue
		}
		have[i] = true
	}
	if have[0] && have[1] {
		for i, file := range files {
			records[i], errs[i] = file.Read(slot, w.buffers[i])
			if errors.Is(errs[i], region.ErrAbsent) { // deleted since
				have[i] = false
			} else if errs[i] == nil {
				w.buffers[i] = records[i].Buffer()
			}
		}
	}
	switch {
	case !have[0] && !have[1]:
		return nil
	case !have[0]:
		return &Record{Class: Created}
	case !have[1]:
		return &Record{Class: Deleted}
	case errs[0] != nil || errs[1] != nil:
		return unreadable(errs)
	}
	return w.records(at, slot, &records[0], &records[1])
}

func unreadable(errs [2]error) *Record {
	switch {
	case errs[0] == nil:
		return &Record{Class: Unreadable, Error: fmt.Sprintf("new: %v", errs[1])}
	case errs[1] == nil:
		return &Record{Class: Unreadable, Error: fmt.Sprintf("old: %v", errs[0])}
	}
	return &Record{Class: Unreadable, Error: fmt.Sprintf("old: %v; new: %v", errs[0], errs[1])}
}

// sameContent is the class of two records with the same content.
func (w *worker) sameContent(a, b *region.Record) Class {
	switch {
	case a.Entry.Timestamp != b.Entry.Timestamp && !w.o.IgnoreTimestamps:
		return Touched
	case a.Entry.Location != b.Entry.Location || a.External != b.External:
		return Moved
	default:
		return Equal
	}
}

// records compares two records that could be read.
func (w *worker) records(at place, slot region.Slot, a, b *region.Record) *Record {
	if a.Scheme == b.Scheme && bytes.Equal(a.Data, b.Data) {
		return &Record{Class: w.sameContent(a, b)}
	}
	var errs [2]error
	for i, r := range []*region.Record{a, b} {
		var data []byte
		if data, errs[i] = r.AppendDecoded(&w.decoder, w.data[i][:0], scan.MaxDocument); errs[i] == nil {
			w.data[i] = data
		}
	}
	if errs[0] != nil || errs[1] != nil {
		return unreadable(errs)
	}
	if bytes.Equal(w.data[0], w.data[1]) {
		return &Record{Class: w.sameContent(a, b), Reencoded: true}
	}
	for i := range w.tapes {
		errs[i] = w.tapes[i].Parse(w.data[i])
	}
	if errs[0] != nil || errs[1] != nil {
		return unreadable(errs)
	}
	old, now := w.tapes[0].Root(), w.tapes[1].Root()
	w.walk.begin(w.o, old, now, at.kind == store.Chunks)
	w.walk.value(old, now)
	switch {
	case w.walk.changes == 0:
		return &Record{Class: w.sameContent(a, b), Reencoded: w.o.Ignore.empty()}
	case !w.walk.content:
		return &Record{Class: Touched, Document: w.walk.document()}
	}
	r := &Record{Class: Modified, Document: w.walk.document()}
	if at.kind == store.Chunks {
		w.sections.compare(r, at.pos.Chunk(slot), old, now, w.o.Blocks)
	}
	compareObjects(r, at.kind, old, now, &w.walk, w.o)
	return r
}
