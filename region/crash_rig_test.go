package region

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"strata/region/codec"
	"strata/region/vfs"
)

// rig runs a workload over a file system in memory that fails as planned.
// Steps that fail are noted and the workload goes on, as a server would.
type rig struct {
	mem    *vfs.Mem
	fault  *vfs.Fault
	ledger *ledger
	opts   Options
	file   *File
	folder *Folder

	errs   []error
	broken []string // promises that did not hold while the workload ran
	links  map[string][]byte
	saves  int
	// flushFails: a fault is planned that fails flushes.
	flushFails bool
	atEnd      func() // called before what is open is closed

	mu     sync.Mutex
	events []Event // guarded by mu
}

func newRig(opts Options, memory vfs.MemOptions) *rig {
	r := &rig{mem: vfs.NewMem(memory), ledger: newLedger(), opts: opts, links: map[string][]byte{}}
	r.fault = vfs.NewFault(r.mem)
	r.opts.FS = r.fault
	// A clock that stands still is the hardest for timestamps.
	r.opts.Now = func() time.Time { return time.Unix(1_700_000_000, 0) }
	r.opts.Events = func(e Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	}
	if err := vfs.MkdirAllSync(r.mem, "w", 0o755); err != nil {
		panic(err) // nothing is planned to fail yet
	}
	return r
}

// failed notes the error of a step.
func (r *rig) failed(err error) bool {
	if err != nil {
		r.errs = append(r.errs, err)
	}
	return err != nil
}

func (r *rig) breach(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf(format, args...))
}

// use returns the open file, opening it if it is not; nil if that fails.
func (r *rig) use() *File {
	if r.file == nil {
		f, err := Open(testPath, r.opts)
		if r.failed(err) {
			return nil
		}
		r.file = f
	}
	return r.file
}

// edit is a change of one slot of the file: a payload of size bytes, or a
// deletion if size is 0.
type edit struct {
	slot   Slot
	size   int
	scheme codec.Scheme // none if 0
}

// saved is an edit on its way.
type saved struct {
	at      ChunkPos
	w       Write
	content []byte // what the chunk then decodes to
	version int
}

func (r *rig) prepare(c ChunkPos, e edit) saved {
	r.saves++
	s := saved{at: c, w: Write{Slot: c.Slot(), Delete: e.size == 0, Scheme: max(e.scheme, 0)}}
	if e.scheme == 0 {
		s.w.Scheme = codec.None
	}
	if e.size > 0 {
		s.content = cachedPayload(c.Slot(), r.saves, e.size)
		s.w.Data = cachedStream(c.Slot(), r.saves, e.size, s.w.Scheme)
	}
	return s
}

// submit notes saves that are about to be published.
func (r *rig) submit(saves []saved) {
	for i := range saves {
		saves[i].version = r.ledger.submit(saves[i].at, saves[i].content)
	}
}

func (r *rig) ack(saves []saved) {
	for _, s := range saves {
		r.ledger.ack(s.at, s.version)
	}
}

// save writes through the queue and waits.
func (r *rig) save(edits ...edit) {
	for _, e := range edits {
		f := r.use()
		if f == nil {
			continue
		}
		s := []saved{r.prepare(f.pos.Chunk(e.slot), e)}
		r.submit(s)
		if !r.failed(f.Write(context.Background(), s[0].w)) {
			r.ack(s)
		}
	}
}

// burst submits all edits and then waits for them.
func (r *rig) burst(edits ...edit) {
	f := r.use()
	if f == nil {
		return
	}
	saves := make([]saved, len(edits))
	commits := make([]*Commit, len(edits))
	for i, e := range edits {
		saves[i] = r.prepare(f.pos.Chunk(e.slot), e)
	}
	r.submit(saves)
	for i := range saves {
		commits[i] = f.Submit(saves[i].w)
	}
	for i, c := range commits {
		if !r.failed(c.Wait(context.Background())) {
			r.ack(saves[i : i+1])
		}
	}
}

// stagedSaves is a group that is staged and not yet published.
type stagedSaves struct {
	g     *Group
	saves []saved
}

func (r *rig) stage(edits ...edit) *stagedSaves {
	f := r.use()
	if f == nil {
		return nil
	}
	st := &stagedSaves{}
	writes := make([]Write, len(edits))
	for i, e := range edits {
		st.saves = append(st.saves, r.prepare(f.pos.Chunk(e.slot), e))
		writes[i] = st.saves[i].w
	}
	g, err := f.Stage(writes...)
	if r.failed(err) {
		return nil
	}
	st.g = g
	return st
}

func (r *rig) publish(st *stagedSaves) {
	if st == nil {
		return
	}
	r.submit(st.saves)
	if !r.failed(st.g.Publish()) {
		r.ack(st.saves)
		st.g.Release()
	}
}

func (r *rig) abort(st *stagedSaves) {
	if st != nil {
		st.g.Abort()
	}
}

func (r *rig) group(edits ...edit) { r.publish(r.stage(edits...)) }

func (r *rig) close() {
	if r.file != nil {
		r.failed(r.file.Close())
		r.file = nil
	}
}

func (r *rig) compact() {
	if f := r.use(); f != nil {
		r.failed(f.Compact())
	}
}

// restore writes a header in which the slots of drop are empty and those of
// back are as in image, whose records the caller knows to be in place.
func (r *rig) restore(image *Header, content map[Slot][]byte, drop, back []Slot) {
	f := r.use()
	if f == nil {
		return
	}
	h := f.Header()
	var saves []saved
	for _, s := range drop {
		h.Set(s, Entry{0, h.Timestamp(s) + 1})
		saves = append(saves, saved{at: f.pos.Chunk(s)})
	}
	for _, s := range back {
		h.Set(s, Entry{image.Location(s), h.Timestamp(s) + 1})
		saves = append(saves, saved{at: f.pos.Chunk(s), content: content[s]})
	}
	r.submit(saves)
	if !r.failed(f.Restore(h)) {
		r.ack(saves)
	}
}

// contents decodes the slots that have a chunk; nil after a failure.
func (r *rig) contents(read func(Slot, []byte) (Record, error)) map[Slot][]byte {
	all := map[Slot][]byte{}
	dec := new(codec.Decoder)
	for c := range r.ledger.chunks {
		if c.Region() != (Pos{}) {
			continue
		}
		rec, err := read(c.Slot(), nil)
		if errors.Is(err, ErrAbsent) {
			continue
		}
		var data []byte
		if err == nil {
			data, err = rec.AppendDecoded(dec, nil, 0)
		}
		if r.failed(err) {
			return nil
		}
		all[c.Slot()] = data
	}
	return all
}

// pinned is a pin and what the file held when it began.
type pinned struct {
	pin  *Pin
	want map[Slot][]byte
}

func (r *rig) pin() *pinned {
	f := r.use()
	if f == nil {
		return nil
	}
	p, err := f.Pin()
	if r.failed(err) {
		return nil
	}
	return &pinned{p, r.contents(f.Read)}
}

// check compares what the pin reads with what the file held when it began.
func (r *rig) check(p *pinned) {
	if p == nil || p.want == nil {
		return
	}
	got := r.contents(p.pin.Read)
	if got == nil {
		return
	}
	for c := range r.ledger.chunks {
		if s := c.Slot(); c.Region() == (Pos{}) && !bytes.Equal(got[s], p.want[s]) {
			r.breach("slot %d of the pin is %s, was %s", s, describe(got[s]), describe(p.want[s]))
		}
	}
}

func (r *rig) unpin(p *pinned) {
	if p != nil {
		r.check(p)
		r.failed(p.pin.Release())
	}
}

// link makes a hard link of the region file, as a snapshot does: nothing may
// change its bytes from then on.
func (r *rig) link(name string) {
	name = filepath.Join("w", name)
	file, err := r.fault.OpenFile(testPath, os.O_RDWR, 0)
	if err == nil {
		err = file.Sync()
		file.Close()
	}
	if err == nil {
		err = r.fault.Link(testPath, name)
	}
	if err == nil {
		err = r.fault.SyncDir("w")
	}
	if r.failed(err) {
		return
	}
	data, err := vfs.ReadFile(r.mem, name, 1<<30)
	if err != nil {
		panic(err) // it was linked, and nothing is planned below the Fault
	}
	r.links[name] = data
}

// inspectLinks compares the snapshots with what they were when they were
// taken. If flushes failed before, free sectors may have been in the cache
// alone; what the header names must be there.
func (y *tally) inspectLinks(fsys vfs.FS, r *rig) {
	for name, want := range r.links {
		got, err := vfs.ReadFile(fsys, name, 1<<30)
		if err != nil || !bytes.Equal(got, want) && !(r.flushFails && sameRecords(got, want)) {
			y.problem(&y.wrong, "snapshot %s has changed (%v)", name, err)
		}
	}
}

// sameRecords reports whether two region files have the same header and the
// same bytes in the sectors it names.
func sameRecords(a, b []byte) bool {
	if len(a) < HeaderBytes || len(b) < HeaderBytes || !bytes.Equal(a[:HeaderBytes], b[:HeaderBytes]) {
		return false
	}
	h := (*Header)(a)
	for s := range Slot(Slots) {
		from := int(h.Location(s).Sector()) * SectorBytes
		to := from + int(h.Location(s).Count())*SectorBytes
		if to > len(a) || to > len(b) || !bytes.Equal(a[from:to], b[from:to]) {
			return false
		}
	}
	return true
}

// save in a folder of regions.
func (r *rig) saveChunk(c ChunkPos, size int) {
	if r.folder == nil {
		d, err := OpenFolder("w", FolderOptions{Options: r.opts, MaxOpen: 4})
		if r.failed(err) {
			return
		}
		r.folder = d
	}
	s := []saved{r.prepare(c, edit{size: size})}
	r.submit(s)
	if !r.failed(r.folder.Write(context.Background(), c, s[0].w)) {
		r.ack(s)
	}
}

// create writes a region file of its own with a Writer.
func (r *rig) create(p Pos, edits ...edit) {
	w, err := Create("w/"+p.Name(), r.opts)
	if r.failed(err) {
		return
	}
	var saves []saved
	for _, e := range edits {
		s := r.prepare(p.Chunk(e.slot), e)
		saves = append(saves, s)
		if r.failed(w.Put(e.slot, Record{Scheme: s.w.Scheme, Data: s.w.Data, Entry: Entry{Timestamp: 1}})) {
			w.Abort()
			return
		}
	}
	if _, err := r.mem.Stat("w/" + p.Name()); !errors.Is(err, fs.ErrNotExist) {
		r.breach("a file that is being written is visible under its name (%v)", err)
	}
	r.submit(saves)
	if !r.failed(w.Finish()) {
		r.ack(saves)
	}
}

// damage overwrites the first bytes of a slot's record, durably and behind
// the engine's back.
func (r *rig) damage(s Slot, b []byte) {
	f, err := Open(testPath, Options{FS: r.mem, ReadOnly: true})
	if err != nil {
		panic(err)
	}
	defer f.Close()
	l := f.Entry(s).Location
	file, err := r.mem.OpenFile(testPath, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err = file.WriteAt(b, int64(l.Sector())*SectorBytes); err == nil {
		err = file.Sync()
	}
	raw := make([]byte, int(l.Count())*SectorBytes)
	if err == nil {
		_, err = readFull(file, raw, int64(l.Sector())*SectorBytes)
	}
	if err != nil {
		panic(err)
	}
	c := f.pos.Chunk(s)
	delete(r.ledger.chunks, c)
	r.ledger.damaged[c] = raw
}

// live checks what the open files read.
func (y *tally) live(r *rig) {
	dec := new(codec.Decoder)
	for c, h := range r.ledger.chunks {
		var rec Record
		var err error
		switch {
		case r.folder != nil:
			rec, err = r.folder.Read(c, y.buf)
		case r.file != nil && c.Region() == r.file.pos:
			rec, err = r.file.Read(c.Slot(), y.buf)
		default:
			continue
		}
		if errors.Is(err, ErrAbsent) {
			if !h.absent() {
				y.problem(&y.lost, "%v reads as absent, version %d was acknowledged", c, h.acked())
			}
			continue
		}
		y.checked++
		y.judgeRecord(c, h, dec, rec, err)
	}
}

// finish ends a workload: it closes what is open.
func (r *rig) finish() {
	if r.atEnd != nil {
		r.atEnd()
	}
	r.close()
	if r.folder != nil {
		r.failed(r.folder.Close())
		r.folder = nil
	}
}
