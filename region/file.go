package region

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"strata/region/codec"
	"strata/region/vfs"
)

// Sync says when a write is durable.
type Sync uint8

const (
	// SyncGroup, the default: writes that wait at the same time share one
	// payload barrier and one header barrier.
	SyncGroup Sync = iota
	// SyncEach gives every write its own two barriers.
	SyncEach
)

// Options of an open region file. The zero value works.
type Options struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// ReadOnly opens for reading: nothing is created, changed or locked.
	ReadOnly bool
	// Sync is the durability mode of Write and Submit. Stage and Publish are
	// not affected. There is no mode without flushes here: a file that is not
	// yet visible under its final name is written with Create.
	Sync Sync
	// MaxGroup is the most writes that share barriers, 1..1024, default 48.
	// A larger group costs less per write and holds more freed sectors back.
	// A group of rewrites is smaller where the old versions would take more
	// than a twenty-fourth of the file, so that rewriting does not bloat it.
	MaxGroup int
	// MaxStream is the largest stream a read accepts, in bytes; default
	// DefaultMaxStream. It bounds memory against damaged lengths.
	MaxStream int
	// PunchHoles gives the blocks of freed sectors back to the file system
	// at once. Costs about 80 us a record; default off.
	PunchHoles bool
	// PinLimit is how many bytes of freed sectors a pin of this file may hold
	// back before it is revoked; default 1 GiB, or a tenth of the free space
	// if that is less. Pins of a Folder share its own limit.
	PinLimit int64
	// Position overrides the position that the file's name gives.
	Position *Pos
	// Now is the clock of timestamps; default time.Now.
	Now func() time.Time
	// Events is told of what a caller would log. Called without locks held,
	// from any goroutine; nil means nobody listens.
	Events func(Event)
}

func (o Options) withDefaults() (Options, error) {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	if o.Sync > SyncEach {
		return o, errors.New("region: unknown sync mode")
	}
	if o.MaxGroup == 0 {
		o.MaxGroup = 48
	}
	if o.MaxGroup < 1 || o.MaxGroup > Slots {
		return o, errors.New("region: MaxGroup must be 1 to 1024")
	}
	if o.MaxStream == 0 {
		o.MaxStream = DefaultMaxStream
	}
	if o.MaxStream < 0 || o.PinLimit < 0 {
		return o, errors.New("region: limits must not be negative")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o, nil
}

// File is an open region file. All methods are safe for concurrent use, and
// reads never wait for writes.
//
// Locks, in the order they are taken: gate, io, mu. swap is taken by writers
// under io and, briefly, by readers that meet a file being exchanged.
type File struct {
	fs    vfs.FS
	path  string
	pos   Pos
	named bool // pos is known
	opts  Options

	// What readers use without locks. A reader takes gen and version[slot],
	// the entry, the handle, reads, and believes what it read only if gen and
	// version are still the same: sectors are reused only after version rose.
	handle  atomic.Pointer[handle]
	entries [Slots]atomic.Uint64
	version [Slots]atomic.Uint32
	gen     atomic.Uint64 // odd while layout and handle are exchanged together
	swap    sync.RWMutex  // held while gen is odd

	known [Slots]atomic.Uint64 // what we know of the slot's record: see kind

	finding sync.Mutex  // held while a lost handle is opened again
	lost    atomic.Bool // an exchange has closed the handle and could not open another

	gate sync.Mutex // held from Seal to the end of Publish: one publish at a time
	io   sync.Mutex // held over each write-and-flush, so that a failed flush concerns one writer alone

	mu          sync.Mutex // guards the rest
	sectors     *sectorMap
	odd         map[Slot]extent // what slots hold whose location does not tell
	size        int64           // bytes, as far as we wrote or saw
	tailUnknown bool            // the file had bytes beyond its last named sector when it was opened
	staged      int             // groups staged and not done
	suspect     []extent        // written by the last failed payload flush: not to be tried again at once
	limbo       []extent        // named by a header whose flush failed: may be referenced on disk
	pins        map[*Pin]struct{}
	noted       []Event

	ident       vfs.FileInfo // of the open file, for SameFile
	linkUnknown bool         // the system cannot count links, and this opening has not cloned yet
	created     bool         // by this opening
	dirUnsynced bool         // our name may not be durable; guarded by io
	queue       queue
	temporaries atomic.Uint64
	m           metrics
	closing     atomic.Bool
	stranded    atomic.Bool // see Group.Strand
}

// Open opens the region file at path. For writing, the default, the file is
// created if it is absent; the caller holds the world's lock. For reading
// (Options.ReadOnly) fs.ErrNotExist is returned and nothing is created.
//
// A file that is empty, short, unpadded or damaged opens: each slot that
// cannot be read returns an Error with the defect's Class, and writing does
// no harm to the others. An error is returned only if the system fails to
// read the header; it wraps vfs.ErrSymlink if the file is to be written and is
// a symbolic link.
func Open(path string, opts Options) (*File, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &File{fs: opts.FS, path: path, opts: opts, pins: map[*Pin]struct{}{}}
	f.queue.init(f)
	if opts.Position != nil {
		f.pos, f.named = *opts.Position, true
	} else {
		f.pos, f.named = ParseName(filepath.Base(path))
	}
	file, err := f.openOS()
	if err != nil {
		return nil, f.fail("open", -1, -1, "", err)
	}
	if err := f.load(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.handle.Store(newHandle(file))
	return f, nil
}

func (f *File) openOS() (vfs.File, error) {
	if f.opts.ReadOnly {
		return f.fs.OpenFile(f.path, os.O_RDONLY, 0)
	}
	file, err := f.fs.OpenFile(f.path, os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	f.created = true
	return f.fs.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o644)
}

// load reads the header and counts who names each sector.
func (f *File) load(file vfs.File) error {
	info, err := file.Stat()
	if err != nil {
		return f.fail("open", -1, -1, "", err)
	}
	var h Header
	if _, err := readFull(file, h[:], 0); err != nil {
		return f.fail("read header", -1, 0, IOError, err)
	}
	f.ident, f.size = info, info.Size
	f.linkUnknown = info.Links == 0
	// Whoever made the file or put it here may not have come to flush the
	// folder: a process that was killed, or whose flush failed.
	f.dirUnsynced = true
	f.setEntries(&h)
	if f.opts.ReadOnly {
		return nil
	}
	f.sectors, f.odd, err = f.countSectors(file, &h, info.Size)
	if err != nil {
		return err
	}
	f.tailUnknown = info.Size > int64(f.sectors.end)*SectorBytes
	return nil
}

func (f *File) setEntries(h *Header) {
	for s := range Slot(Slots) {
		f.entries[s].Store(h.Entry(s).pack())
	}
}

// countSectors counts who names each sector. odd are the extents that the
// location alone does not tell.
func (f *File) countSectors(r io.ReaderAt, h *Header, size int64) (m *sectorMap, odd map[Slot]extent, err error) {
	m, odd = newSectorMap(), map[Slot]extent{}
	for s := range Slot(Slots) {
		l := h.Location(s)
		x, err := entryExtent(r, l, size)
		if err != nil {
			return nil, nil, f.fail("read record length", int(s), int64(x.start)*SectorBytes, IOError, err)
		}
		if x.n != l.Count() {
			odd[s] = x
		}
		m.retain(x)
	}
	return m, odd, nil
}

// entryExtent is the run of sectors that an entry claims. Counts 0 and 255 do
// not tell the size; the record's length field does, if it is believable.
func entryExtent(r io.ReaderAt, l Location, size int64) (extent, error) {
	x := extent{l.Sector(), l.Count()}
	if l == 0 || x.n != 0 && x.n != countByLength {
		return x, nil
	}
	x.n = max(x.n, 1)
	var b [RecordHeaderBytes]byte
	n, err := readFull(r, b[:], int64(x.start)*SectorBytes)
	if err != nil || n < len(b) {
		return x, err
	}
	length := int64(recordLength(b[:]))
	if length < 1 || int64(x.start)*SectorBytes+4+length > size {
		return x, nil
	}
	x.n = max(x.n, sectorsFor(4+length))
	return x, nil
}

// readFull reads as much of b as the file has at off. An end of file is no
// error: n tells.
func readFull(r io.ReaderAt, b []byte, off int64) (n int, err error) {
	n, err = r.ReadAt(b, off)
	if n == len(b) || err == io.EOF {
		err = nil
	}
	return n, err
}

// Path is the path the file was opened with.
func (f *File) Path() string { return f.path }

// Pos is the region's position; ok is false if the file's name gives none.
func (f *File) Pos() (p Pos, ok bool) { return f.pos, f.named }

// Entry is the slot's last published header entry. It does no I/O.
func (f *File) Entry(s Slot) Entry { return unpackEntry(f.entries[s].Load()) }

// Header is a copy of the header as it was last published.
func (f *File) Header() *Header {
	h := new(Header)
	for s := range Slot(Slots) {
		h.Set(s, f.Entry(s))
	}
	return h
}

// Size is the file's size and the part of it in sectors that something names,
// the header included; both in bytes. For a file opened for writing only.
func (f *File) Size() (total, live int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sectors == nil {
		return f.size, 0
	}
	return f.size, int64(f.sectors.live) * SectorBytes
}

// Close waits for submitted writes, revokes pins, cuts the free tail off and
// closes the file. Nothing is left to flush. ErrBusy, and the file stays
// open, if a group is staged.
func (f *File) Close() error {
	if f.closing.Swap(true) {
		return ErrClosed
	}
	defer f.deliver()
	f.queue.drain()
	f.gate.Lock()
	defer f.gate.Unlock()
	f.mu.Lock()
	busy := f.staged > 0
	f.mu.Unlock()
	if busy {
		f.closing.Store(false)
		return f.fail("close", -1, -1, "", ErrBusy)
	}
	f.revokePins()
	if !f.opts.ReadOnly {
		f.trim(1)
	}
	f.finding.Lock()
	f.lost.Store(false)
	h := f.handle.Swap(nil)
	f.finding.Unlock()
	if h == nil {
		return nil
	}
	return h.release()
}

// fail makes an Error about this file. slot and offset are negative if they
// do not apply.
func (f *File) fail(op string, slot int, offset int64, class Class, err error) error {
	e := &Error{Op: op, Path: f.path, Slot: slot, Offset: offset, Class: class, Err: err}
	if slot >= 0 {
		e.Chunk = f.pos.Chunk(Slot(slot))
	}
	return e
}

// decoders are shared by the rare internal decoding: the check before a first
// overwrite and the re-encoding of an external body.
var decoders = sync.Pool{New: func() any { return new(codec.Decoder) }}
