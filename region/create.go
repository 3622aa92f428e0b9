package region

import (
	"errors"
	"os"
	"path/filepath"

	"strata/region/vfs"
)

// Writer writes a new region file under a temporary name, without flushes,
// and puts it in its place at Finish. Records lie one behind the other in the
// order in which they are put, from sector 2, padded with zeros: put in slot
// order they make the canonical file, which depends on the content alone.
// Nothing is visible and nothing acknowledged before Finish has returned.
// Not safe for concurrent use.
type Writer struct {
	fs        vfs.FS
	path      string // final
	temporary string
	pos       Pos
	named     bool
	file      vfs.File
	header    Header
	taken     *sectorMap // set when some sectors must stay free, as Compact needs
	next      uint32     // first free sector
	buf       []byte
	buffered  int64 // offset of buf in the file
	bodies    []body
	maxStream int
	writeErr  error // the first failed write; Finish returns it
	flushed   bool  // nothing was put since the last flush
	done      bool
}

type body struct{ temporary, final string }

// Create begins a new region file that will be at path. Of the options only
// FS, Position and MaxStream count.
func Create(path string, opts Options) (*Writer, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	w := &Writer{fs: opts.FS, path: path, next: HeaderSectors, buffered: HeaderBytes, maxStream: opts.MaxStream}
	w.temporary = filepath.Join(filepath.Dir(path), TemporaryPrefix+filepath.Base(path)+".new")
	w.pos, w.named = ParseName(filepath.Base(path))
	if opts.Position != nil {
		w.pos, w.named = *opts.Position, true
	}
	w.file, err = w.fs.OpenFile(w.temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, w.fail("create", -1, err)
	}
	return w, nil
}

func (w *Writer) fail(op string, slot int, err error) error {
	e := &Error{Op: op, Path: w.path, Slot: slot, Offset: -1, Err: err}
	if slot >= 0 {
		e.Chunk = w.pos.Chunk(Slot(slot))
	}
	return e
}

// Put adds the record of a slot that has none yet. A stream too large for the
// region file goes to its external file. The timestamp is stored as given.
// rec.Data is not kept; rec.External and rec.Entry.Location are ignored.
func (w *Writer) Put(s Slot, rec Record) error {
	switch {
	case w.done:
		return w.fail("put", int(s), ErrDone)
	case s >= Slots || w.header.Location(s) != 0:
		return w.fail("put", -1, errors.New("slot is out of range or already put"))
	case rec.Scheme == 0 || rec.Scheme&externalFlag != 0:
		return w.fail("put", int(s), errors.New("compression type is not 1 to 127"))
	case len(rec.Data) > w.maxStream:
		return w.fail("put", int(s), TooLarge)
	}
	external := isExternal(len(rec.Data))
	if external {
		if err := w.putBody(s, rec.Data); err != nil {
			w.writeErr = errors.Join(w.writeErr, err)
			return w.fail("put external", int(s), err)
		}
	}
	place, err := w.place(RecordSectors(len(rec.Data)))
	if err != nil {
		return w.fail("put", int(s), err)
	}
	b := w.room(place)
	it := item{w: Write{Scheme: rec.Scheme, Data: rec.Data}, external: external}
	it.format(b)
	w.header.Set(s, Entry{MakeLocation(place.start, place.n), rec.Entry.Timestamp})
	w.flushed = false
	return nil
}

// SetTimestamp sets the timestamp of a slot, which may be empty.
func (w *Writer) SetTimestamp(s Slot, seconds uint32) {
	w.header.Set(s, Entry{w.header.Location(s), seconds})
	w.flushed = false
}

// place takes the next n sectors that nothing is to keep free.
func (w *Writer) place(n uint32) (extent, error) {
	if w.taken != nil {
		x, ok := w.taken.alloc(n)
		if !ok {
			return x, ErrFull
		}
		return x, nil
	}
	if w.next+n > MaxSectors {
		return extent{}, ErrFull
	}
	x := extent{w.next, n}
	w.next += n
	return x, nil
}

// room is the buffer for the sectors of x; what does not follow on what is
// buffered, or would make the buffer large, is written out first.
func (w *Writer) room(x extent) []byte {
	at, n := int64(x.start)*SectorBytes, int(x.n)*SectorBytes
	if at != w.buffered+int64(len(w.buf)) || len(w.buf)+n > maxScratch {
		w.writeOut()
		w.buffered = at
	}
	have := len(w.buf)
	if cap(w.buf) < have+n {
		// Doubled, so that many small records do not each move what is buffered.
		w.buf = append(make([]byte, 0, max(have+n, min(2*cap(w.buf), maxScratch), 256<<10)), w.buf...)
	}
	w.buf = w.buf[:have+n]
	return w.buf[have:]
}

func (w *Writer) writeOut() {
	if len(w.buf) == 0 || w.writeErr != nil {
		w.buf = w.buf[:0]
		return
	}
	_, w.writeErr = w.file.WriteAt(w.buf, w.buffered)
	w.buf = w.buf[:0]
}

func (w *Writer) putBody(s Slot, data []byte) error {
	if !w.named {
		return ErrNoPosition
	}
	final := externalPath(w.path, w.pos.Chunk(s))
	b := body{filepath.Join(filepath.Dir(final), TemporaryPrefix+filepath.Base(final)+".new"), final}
	file, err := w.fs.OpenFile(b.temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	w.bodies = append(w.bodies, b)
	_, err = file.WriteAt(data, 0)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// Flush makes durable what was put, under the temporary names, so that Finish
// has only names to change. It may be left out.
func (w *Writer) Flush() error {
	if w.done {
		return w.fail("flush", -1, ErrDone)
	}
	if err := w.flush(); err != nil {
		w.writeErr = err // what a failed flush has lost is not known
		return w.fail("flush", -1, err)
	}
	return nil
}

// Finish flushes everything, renames the external bodies and then the region
// file to their names, replacing what is there, and makes the names durable.
// External files of an older region file at the path stay; the caller knows
// whether they are its own. After an error the writer is aborted; if a body
// was already renamed, the older region file goes on with that one.
func (w *Writer) Finish() error {
	if w.done {
		return w.fail("finish", -1, ErrDone)
	}
	err := w.finish()
	if err != nil {
		w.Abort()
		return w.fail("finish", -1, err)
	}
	w.done = true
	return w.fs.SyncDir(filepath.Dir(w.path))
}

func (w *Writer) finish() error {
	if err := w.flush(); err != nil {
		return err
	}
	// Closed before the rename: some systems do not rename open files.
	if err := w.file.Close(); err != nil {
		return err
	}
	w.file = nil
	for i, b := range w.bodies {
		if err := w.fs.Rename(b.temporary, b.final); err != nil {
			w.bodies = w.bodies[i:]
			return err
		}
	}
	if len(w.bodies) > 0 {
		if err := w.fs.SyncDir(filepath.Dir(w.path)); err != nil {
			return err
		}
		w.bodies = nil
	}
	return w.fs.Rename(w.temporary, w.path)
}

func (w *Writer) flush() error {
	w.writeOut()
	if w.writeErr != nil || w.flushed {
		return w.writeErr
	}
	if _, err := w.file.WriteAt(w.header[:], 0); err != nil {
		return err
	}
	err := w.file.Sync()
	w.flushed = err == nil
	return err
}

// Abort removes what was written. It does nothing after Finish.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	w.done = true
	if w.file != nil {
		w.file.Close() //nolint:errcheck // the file is removed
	}
	for _, b := range w.bodies {
		w.fs.Remove(b.temporary) //nolint:errcheck // a leftover .strata- file is harmless and Check reports it
	}
	w.fs.Remove(w.temporary) //nolint:errcheck // as above
}
