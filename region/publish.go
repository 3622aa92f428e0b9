package region

import (
	"errors"
	"io/fs"
	"path/filepath"

	"strata/region/codec"
)

// Change is one slot's part of a sealed group, as a journal records it.
type Change struct {
	Slot     Slot
	Old, New Entry
	// Scheme and Data are the record's new type and stream; empty for a
	// deletion. Data is the Write's.
	Scheme codec.Scheme
	Data   []byte
	// BodyFrom and BodyTo are the temporary and the final name of an external
	// body; empty for a record in the region file.
	BodyFrom, BodyTo string
	// Unlink is the external body that goes once the header is durable.
	Unlink string
}

// Seal takes the file's publish gate and returns what Publish will do: the
// whole new header, which is the last durable one plus this group's entries,
// and the changes. Until Publish or Abort every other publish, pin and
// compaction of this file waits, so be quick; a caller that seals groups of
// several files seals them in ascending order of their paths.
//
// ErrChanged if a condition of a write does not hold; the group is aborted.
func (g *Group) Seal() (*Header, []Change, error) {
	f := g.f
	if g.state != groupStaged {
		return nil, nil, f.fail("seal", -1, -1, "", ErrDone)
	}
	if !g.sealed {
		f.gate.Lock()
		g.sealed = true
		if err := g.seal(); err != nil {
			g.Abort()
			return nil, nil, err
		}
	}
	return g.header, g.changes(), nil
}

func (g *Group) seal() error {
	f := g.f
	if f.isClosed() {
		return f.fail("publish", -1, -1, "", ErrClosed)
	}
	if f.stranded.Load() {
		return f.fail("publish", -1, -1, "", ErrStranded)
	}
	h, now := f.Header(), f.opts.Now().Unix()
	for i := range g.items {
		it := &g.items[i]
		it.old = f.Entry(it.w.Slot)
		if it.w.If != nil && *it.w.If != it.old {
			return f.fail("publish", int(it.w.Slot), -1, "", ErrChanged)
		}
		it.oldKind = f.slotKind(it.w.Slot)
		if it.external && it.oldKind.external() && it.oldKind.scheme() != it.w.Scheme && !it.w.Journaled {
			// The slot became external in another scheme after Stage looked.
			return f.fail("publish", int(it.w.Slot), -1, "", ErrChanged)
		}
		if it.w.Delete && it.old.Empty() && !it.w.SetTimestamp {
			it.new = it.old
			continue
		}
		it.new = Entry{Timestamp: it.w.Timestamp}
		if !it.w.SetTimestamp {
			it.new.Timestamp = nextTimestamp(now, it.old.Timestamp)
		}
		if !it.w.Delete {
			it.new.Location = MakeLocation(it.place.start, it.place.n)
		}
		h.Set(it.w.Slot, it.new)
	}
	g.header = h
	return nil
}

func (g *Group) changes() []Change {
	changes := make([]Change, len(g.items))
	for i := range g.items {
		it := &g.items[i]
		c := Change{Slot: it.w.Slot, Old: it.old, New: it.new}
		if !it.w.Delete {
			c.Scheme, c.Data = it.w.Scheme, it.w.Data
		}
		if it.external {
			c.BodyFrom, c.BodyTo = it.body, g.bodyPath(it)
		} else if it.oldKind.external() {
			c.Unlink = g.bodyPath(it)
		}
		changes[i] = c
	}
	return changes
}

func (g *Group) bodyPath(it *item) string {
	return externalPath(g.f.path, g.f.pos.Chunk(it.w.Slot))
}

// Publish makes the group visible and durable: external bodies to their
// names, header, flush, and only then the bodies that are no longer named
// go. It seals the group if that was not done. Before the header is written
// the file's hard links are counted; a linked file is cloned first.
//
// Call Release afterwards. After an error the group is aborted and nothing of
// it is acknowledged; if it was the header's flush that failed (ErrFlush), a
// crash may still bring up the new versions, never anything else.
func (g *Group) Publish() error {
	if _, _, err := g.Seal(); err != nil {
		return err
	}
	err := g.publish()
	if err != nil {
		g.Abort()
	} else {
		g.state = groupPublished
		g.f.gate.Unlock()
	}
	g.f.deliver()
	return err
}

// PublishRecorded is Publish for a sealed group that a durable record of a
// journal names. Publishes, pins and compactions of the file go on waiting
// until Release, since the record describes the header as this group leaves
// it. After an error the group stays sealed with its sectors and temporary
// files, which the record names, and may be published again; ErrFlush means
// that doing so would repeat a failed flush. It ends with Release or Strand.
func (g *Group) PublishRecorded() error {
	if g.state != groupStaged || !g.sealed {
		return g.f.fail("publish", -1, -1, "", ErrDone)
	}
	g.recorded = true
	err := g.publish()
	if err == nil {
		g.state = groupPublished
	}
	return err
}

// Strand gives up a sealed group whose record in a journal counts, or may,
// and which could not be published or whose record could not be retired. What
// the record names stays as it is: the group's sectors, those it replaces,
// its temporary files. Until the file is closed and opened again nothing is
// staged or published in it (ErrStranded); the journal is replayed in between.
func (g *Group) Strand() {
	if !g.sealed || g.state == groupDone || g.state == groupPublished && !g.recorded {
		return
	}
	g.state = groupDone
	f := g.f
	f.stranded.Store(true)
	f.mu.Lock()
	f.staged--
	f.mu.Unlock()
	f.gate.Unlock()
	f.deliver()
}

// UnflushedFolder is the folder that has to be flushed before a record of
// this group may count: the file's own name, or those of external bodies
// under temporary names, would not survive a crash yet. "" if all do.
func (g *Group) UnflushedFolder() string {
	f := g.f
	f.io.Lock()
	defer f.io.Unlock()
	unflushed := f.dirUnsynced
	for i := range g.items {
		unflushed = unflushed || g.items[i].body != ""
	}
	if !unflushed {
		return ""
	}
	return filepath.Dir(f.path)
}

func (g *Group) publish() error {
	f := g.f
	f.io.Lock()
	defer f.io.Unlock()
	if err := f.breakLinks(); err != nil {
		return err
	}
	if err := g.moveBodies(); err != nil {
		return err
	}
	if err := f.syncName(); err != nil {
		return err
	}
	if err := f.breakLinks(); err != nil { // again: the bodies may have taken a while
		return err
	}
	if err := f.writeHeader(g.header); err != nil {
		if errors.Is(err, ErrFlush) && !g.recorded {
			g.toLimbo()
		}
		return err
	}
	f.leaveLimbo()
	g.show()
	g.unlinkBodies()
	f.m.groups.Add(1)
	f.m.writes.Add(int64(len(g.items)))
	return nil
}

// moveBodies renames external bodies to their names and makes the names
// durable. Pins open what is replaced first.
func (g *Group) moveBodies() error {
	f, moved := g.f, false
	for i := range g.items {
		it := &g.items[i]
		if it.external && it.body != "" { // "": moved by a publish that then failed
			err := f.changeBody(it.w.Slot, func() error { return f.fs.Rename(it.body, g.bodyPath(it)) })
			if err != nil {
				return f.fail("publish", int(it.w.Slot), -1, "", err)
			}
			it.body, moved = "", true
		}
	}
	if moved {
		return f.syncDir()
	}
	return nil
}

// writeHeader writes and flushes the header, once more through a reopened
// file if the flush fails. ErrFlush leaves open which of the two the disk has.
func (f *File) writeHeader(h *Header) error {
	err := f.writeHeaderOnce(h)
	var flush *flushError
	if !errors.As(err, &flush) {
		return err
	}
	f.m.flushFailures.Add(1)
	f.note(FlushFailed, flush.err)
	if again := f.reopen(); again != nil {
		return f.fail("publish", -1, 0, "", errors.Join(ErrFlush, flush.err, again))
	}
	// Written again, not only flushed again: a failed flush leaves the pages
	// clean, and a second flush of clean pages succeeds without writing. A
	// write error after the failed flush leaves the same doubt.
	if err = f.writeHeaderOnce(h); err != nil {
		f.m.flushFailures.Add(1)
		return f.fail("publish", -1, 0, "", errors.Join(ErrFlush, err))
	}
	return nil
}

func (f *File) writeHeaderOnce(h *Header) error {
	handle, err := f.acquire()
	if err != nil {
		return f.fail("publish", -1, 0, "", err)
	}
	defer handle.release() //nolint:errcheck // flushed here
	if err := f.reserveHeader(handle.file); err != nil {
		return err
	}
	// Part of a failed write may be in the page cache and reach the disk on
	// its own, so it leaves the same doubt as a failed flush.
	if err := f.writeAt(handle.file, h[:], 0); err != nil {
		return &flushError{err}
	}
	return f.flush(handle.file)
}

// toLimbo keeps the group's sectors: the header that names them may be on the
// disk. They stay taken until a later header is known to be durable.
func (g *Group) toLimbo() {
	g.f.mu.Lock()
	defer g.f.mu.Unlock()
	for i := range g.items {
		g.f.limbo = append(g.f.limbo, g.items[i].place)
		g.items[i].place = extent{}
	}
}

func (f *File) leaveLimbo() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.limbo {
		f.sectors.release(x)
	}
	f.limbo = f.limbo[:0]
}

// show lets readers see the group. The version rises after the entry is set
// and before Release frees the old sectors: a reader that took the old entry
// finds the version changed and reads again.
func (g *Group) show() {
	f := g.f
	for i := range g.items {
		it := &g.items[i]
		k := kind(0)
		if !it.w.Delete {
			k = kindOf(it.w.Scheme, it.external)
		}
		it.oldPlace = f.takePlace(it.w.Slot, it.old.Location)
		f.learn(it.w.Slot, f.version[it.w.Slot].Load()+1, k)
		f.entries[it.w.Slot].Store(it.new.pack())
		f.version[it.w.Slot].Add(1)
	}
}

// syncName makes the file's name durable before a header is, once for each
// opening and after renames: what is acknowledged must be found there.
func (f *File) syncName() error {
	if !f.dirUnsynced {
		return nil
	}
	return f.syncDir()
}

// syncDir makes the names in our folder durable. If that fails the next
// publish tries again before it writes the header.
func (f *File) syncDir() error {
	err := f.fs.SyncDir(filepath.Dir(f.path))
	f.dirUnsynced = err != nil
	if err != nil {
		return f.fail("publish", -1, -1, "", errors.Join(ErrFlush, err))
	}
	return nil
}

// unlinkBodies removes the external files of chunks that are no longer in
// one. If that fails an orphan stays, which Check names; nothing is lost.
func (g *Group) unlinkBodies() {
	f, gone := g.f, false
	for i := range g.items {
		it := &g.items[i]
		if it.external || !it.oldKind.external() {
			continue
		}
		err := f.changeBody(it.w.Slot, func() error { return f.fs.Remove(g.bodyPath(it)) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.note(CleanupFailed, err)
			continue
		}
		gone = true
	}
	if !gone {
		return
	}
	if err := f.syncDir(); err != nil {
		f.note(CleanupFailed, err)
	}
}

// Release frees the sectors of the versions that Publish replaced, those that
// no pin names. A journal calls it once its record is retired; after
// PublishRecorded it also lets the file's next publish go on.
func (g *Group) Release() {
	if g.state != groupPublished {
		return
	}
	g.state = groupDone
	f := g.f
	for i := range g.items {
		it := &g.items[i]
		if it.old.Location != it.new.Location {
			f.free(it.oldPlace)
		}
	}
	// Only now may Compact come and number the sectors anew.
	f.mu.Lock()
	f.staged--
	f.mu.Unlock()
	if g.recorded {
		f.gate.Unlock()
	}
	f.trim(trimSectors)
	f.deliver()
}

// Abort gives the group up: its sectors are free again, its temporary files
// removed. It does nothing to a group that is published or aborted.
func (g *Group) Abort() {
	if g.state != groupStaged {
		return
	}
	g.state = groupDone
	if g.sealed {
		g.f.gate.Unlock()
	}
	g.undo(false)
	g.f.mu.Lock()
	g.f.staged--
	g.f.mu.Unlock()
}
