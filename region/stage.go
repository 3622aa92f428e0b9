package region

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"strata/region/codec"
	"strata/region/vfs"
)

// Write is a change of one slot.
type Write struct {
	Slot Slot
	// Scheme and Data are the record's type, below 128, and its stream. Data
	// must not change until the write is done.
	Scheme codec.Scheme
	Data   []byte
	// Delete empties the slot; Scheme and Data are ignored.
	Delete bool
	// Overwrite allows replacing a record that cannot be read.
	Overwrite bool
	// If, when set, makes the write conditional: ErrChanged unless the slot's
	// entry is *If when the group is published.
	If *Entry
	// Timestamp is stored as given if SetTimestamp is true. Otherwise the
	// slot gets the later of now and its previous timestamp plus one.
	Timestamp    uint32
	SetTimestamp bool
	// Journaled says that a journal restores the body if the publish is
	// interrupted, so that an external body may change its scheme. Without
	// it such a body is encoded again in the scheme that its stub names.
	Journaled bool
}

// Group is a set of writes whose payloads are in free sectors and flushed,
// and which nobody can see yet. It ends with Publish and Release, or Abort.
// Methods are not safe for concurrent use.
type Group struct {
	f      *File
	items  []item
	sealed bool
	// recorded: a journal's record names the group; the gate is held until
	// Release or Strand.
	recorded bool
	state    groupState
	header   *Header
}

// File is the file that the group was staged in.
func (g *Group) File() *File { return g.f }

type groupState uint8

const (
	groupStaged groupState = iota
	groupPublished
	groupDone
)

type item struct {
	w        Write
	place    extent // the record's sectors; none for a deletion
	body     string // temporary name of an external body
	external bool
	old, new Entry // set by Seal
	oldKind  kind
	oldPlace extent // what old held; set when the group is published
}

// Stage writes the payloads to free sectors, external bodies to temporary
// files, and flushes them. Readers still see the old versions, and so does
// whoever opens the file after a crash.
//
// A slot may occur once. Refused before anything is written: a bad slot or
// scheme, an empty stream, a write over an unreadable record (ErrUnreadable).
// If the flush fails, everything is written once more to other sectors
// through a reopened file; if that fails as well the error is ErrFlush.
// vfs.ErrNoSpace and ErrFull leave the file as it was.
func (f *File) Stage(writes ...Write) (*Group, error) {
	if f.opts.ReadOnly {
		return nil, f.fail("stage", -1, -1, "", ErrReadOnly)
	}
	if f.stranded.Load() {
		return nil, f.fail("stage", -1, -1, "", ErrStranded)
	}
	g := &Group{f: f, items: make([]item, len(writes))}
	for i := range writes {
		if err := f.checkWrite(&writes[i]); err != nil {
			return nil, err
		}
		g.items[i].w = writes[i]
	}
	if err := g.checkSlots(); err != nil {
		return nil, err
	}
	if err := g.prepareExternal(); err != nil {
		return nil, err
	}
	err := g.stage()
	f.deliver()
	if errors.Is(err, ErrFull) && f.nothingStaged() && f.Compact() == nil {
		err = g.stage()
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// nothingStaged keeps Stage from waiting for a gate that its own caller holds.
func (f *File) nothingStaged() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.staged == 0
}

func (f *File) checkWrite(w *Write) error {
	switch {
	case w.Slot >= Slots:
		return f.fail("stage", -1, -1, "", fmt.Errorf("slot %d is not below %d", w.Slot, Slots))
	case w.Delete:
	case w.Scheme == 0 || w.Scheme&externalFlag != 0:
		return f.fail("stage", int(w.Slot), -1, "", fmt.Errorf("compression type %d is not 1 to 127", w.Scheme))
	case len(w.Data) == 0:
		return f.fail("stage", int(w.Slot), -1, "", errors.New("stream is empty"))
	case len(w.Data) > f.opts.MaxStream:
		return f.fail("stage", int(w.Slot), -1, TooLarge, nil)
	case isExternal(len(w.Data)) && !f.named:
		return f.fail("stage", int(w.Slot), -1, "", ErrNoPosition)
	}
	return f.checkOverwrite(w)
}

func (g *Group) checkSlots() error {
	var seen [Slots]bool
	for i := range g.items {
		s := g.items[i].w.Slot
		if seen[s] {
			return g.f.fail("stage", int(s), -1, "", errors.New("slot occurs twice in one group"))
		}
		seen[s] = true
	}
	return nil
}

// prepareExternal finds the writes that go to files of their own, and
// re-encodes those whose stub names another scheme: a crash between the
// rename and the stub's header must leave a body that its stub describes.
func (g *Group) prepareExternal() error {
	for i := range g.items {
		it := &g.items[i]
		if it.w.Delete || !isExternal(len(it.w.Data)) {
			continue
		}
		it.external = true
		old := g.f.slotKind(it.w.Slot)
		if !old.external() || old.scheme() == it.w.Scheme || it.w.Journaled {
			continue
		}
		data, err := transcode(it.w.Data, it.w.Scheme, old.scheme(), g.f.opts.MaxStream)
		if err != nil {
			return g.f.fail("re-encode external", int(it.w.Slot), -1, SchemeMismatch, err)
		}
		it.w.Data, it.w.Scheme = data, old.scheme()
		// In the other scheme it may fit; then it is an ordinary record.
		it.external = isExternal(len(data))
	}
	return nil
}

func transcode(data []byte, from, to codec.Scheme, limit int) ([]byte, error) {
	dec := decoders.Get().(*codec.Decoder)
	defer decoders.Put(dec)
	raw, err := dec.Append(nil, from, data, limit)
	if err != nil {
		return nil, err
	}
	enc, err := codec.NewEncoder(to, codec.Sector)
	if err != nil {
		return nil, err
	}
	return enc.Append(nil, raw)
}

// stage allocates, writes and flushes, once more if the flush fails.
func (g *Group) stage() error {
	f := g.f
	f.io.Lock()
	defer f.io.Unlock()
	// Payloads in free sectors would do a linked copy's chunks no harm, but
	// the copy should keep its bytes.
	if err := f.breakLinks(); err != nil {
		return err
	}
	err := g.stageOnce()
	var flush *flushError
	if errors.As(err, &flush) {
		f.m.flushFailures.Add(1)
		f.note(FlushFailed, flush.err)
		if err = f.reopen(); err == nil {
			err = g.stageOnce()
		}
		if errors.As(err, &flush) {
			f.m.flushFailures.Add(1)
			err = f.fail("stage", -1, -1, "", errors.Join(ErrFlush, flush.err))
		}
	}
	if err == nil {
		f.mu.Lock()
		f.staged++
		f.mu.Unlock()
	}
	return err
}

// flushError marks the failure of a flush, after which what was written
// counts as lost, apart from the failure of a write.
type flushError struct{ err error }

func (e *flushError) Error() string { return e.err.Error() }
func (e *flushError) Unwrap() error { return e.err }

func (g *Group) stageOnce() error {
	err := g.allocate()
	if err == nil {
		err = g.write()
	}
	if err != nil {
		var flush *flushError
		g.undo(errors.As(err, &flush))
	}
	return err
}

func (g *Group) allocate() error {
	f := g.f
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range g.items {
		it := &g.items[i]
		if it.w.Delete {
			continue
		}
		n := uint32(1)
		if !it.external {
			n = sectorsFor(RecordHeaderBytes + int64(len(it.w.Data)))
		}
		x, ok := f.sectors.alloc(n)
		if !ok {
			return f.fail("stage", int(it.w.Slot), -1, "", ErrFull)
		}
		it.place = x
	}
	return nil
}

// undo frees what the group has allocated. After a failed flush the sectors
// stay taken until the next failure, so that the second try goes elsewhere.
func (g *Group) undo(keep bool) {
	f := g.f
	f.mu.Lock()
	defer f.mu.Unlock()
	if keep {
		for _, x := range f.suspect {
			f.sectors.release(x)
		}
		f.suspect = f.suspect[:0]
	}
	for i := range g.items {
		it := &g.items[i]
		if it.place.n > 0 && keep {
			f.suspect = append(f.suspect, it.place)
		} else {
			f.sectors.release(it.place)
		}
		it.place = extent{}
		if it.body != "" {
			f.fs.Remove(it.body) //nolint:errcheck // a leftover .strata- file is harmless and Check reports it
			it.body = ""
		}
	}
}

func (g *Group) write() error {
	inline := false
	for i := range g.items {
		it := &g.items[i]
		inline = inline || !it.w.Delete
		if !it.external {
			continue
		}
		if err := g.f.writeBody(it); err != nil {
			return err
		}
	}
	if !inline {
		return nil
	}
	h, err := g.f.acquire()
	if err != nil {
		return g.f.fail("stage", -1, -1, "", err)
	}
	defer h.release() //nolint:errcheck // flushed below
	if err := g.f.reserveHeader(h.file); err != nil {
		return err
	}
	if err := g.writeRecords(h.file); err != nil {
		return err
	}
	return g.f.flush(h.file)
}

// reserveHeader gives a file without a whole header room for one, and flushes
// that, before anything is written: a power cut while the file grows could
// otherwise leave a part of the header, which looks like a file that has lost
// the rest. It costs a new file one flush. Called under io.
func (f *File) reserveHeader(file vfs.File) error {
	f.mu.Lock()
	short := f.size < HeaderBytes
	f.mu.Unlock()
	if !short {
		return nil
	}
	if err := file.Truncate(HeaderBytes); err != nil {
		return f.fail("stage", -1, 0, "", err)
	}
	if err := f.flush(file); err != nil {
		return err
	}
	f.mu.Lock()
	f.size = max(f.size, HeaderBytes)
	f.mu.Unlock()
	return nil
}

// writeRecords writes the group's records, those in adjoining sectors with
// one call, padded with zeros to whole sectors.
func (g *Group) writeRecords(file vfs.File) error {
	order := make([]*item, 0, len(g.items))
	for i := range g.items {
		if g.items[i].place.n > 0 {
			order = append(order, &g.items[i])
		}
	}
	slices.SortFunc(order, func(a, b *item) int { return int(a.place.start) - int(b.place.start) })
	buf := g.f.queue.scratch
	for len(order) > 0 {
		run, end := 1, order[0].place.end()
		for run < len(order) && order[run].place.start == end {
			end = order[run].place.end()
			run++
		}
		first := order[0].place.start
		buf = grow(buf, int(end-first)*SectorBytes)
		for _, it := range order[:run] {
			it.format(buf[int(it.place.start-first)*SectorBytes:][:int(it.place.n)*SectorBytes])
		}
		if err := g.f.writeAt(file, buf, int64(first)*SectorBytes); err != nil {
			return err
		}
		order = order[run:]
	}
	if cap(buf) <= maxScratch {
		g.f.queue.scratch = buf
	}
	return nil
}

// maxScratch is the largest buffer a file keeps between groups.
const maxScratch = 1 << 20

func (it *item) format(b []byte) {
	putRecordHeader(b, len(it.w.Data), it.w.Scheme, it.external)
	n := RecordHeaderBytes
	if !it.external {
		n += copy(b[n:], it.w.Data)
	}
	clear(b[n:])
}

func (f *File) writeAt(file vfs.File, b []byte, off int64) error {
	n, err := file.WriteAt(b, off)
	f.m.bytesWritten.Add(int64(n))
	f.mu.Lock()
	f.size = max(f.size, off+int64(n))
	f.mu.Unlock()
	if err != nil {
		return f.fail("write", -1, off, "", err)
	}
	return nil
}

func (f *File) flush(file vfs.File) error {
	start := f.opts.Now()
	err := file.Sync()
	f.m.flushes.Add(1)
	f.m.flushNanos.Add(int64(f.opts.Now().Sub(start)))
	if err != nil {
		return &flushError{err}
	}
	return nil
}

// temporary names a new file of ours in the region's folder.
func (f *File) temporary(base string) string {
	return filepath.Join(filepath.Dir(f.path), fmt.Sprintf("%s%s.%d", TemporaryPrefix, base, f.temporaries.Add(1)))
}

// TemporaryPrefix begins the names of our temporary files. Whoever holds the
// world's lock may remove them when no region file of the folder is open.
const TemporaryPrefix = ".strata-"

func (f *File) writeBody(it *item) error {
	it.body = f.temporary(f.pos.Chunk(it.w.Slot).ExternalName())
	file, err := f.fs.OpenFile(it.body, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return f.fail("write external", int(it.w.Slot), -1, "", err)
	}
	if _, err = file.WriteAt(it.w.Data, 0); err != nil {
		return f.fail("write external", int(it.w.Slot), -1, "", errors.Join(err, file.Close()))
	}
	f.m.bytesWritten.Add(int64(len(it.w.Data)))
	err = f.flush(file)
	if cerr := file.Close(); err == nil && cerr != nil {
		err = &flushError{cerr}
	}
	return err
}
