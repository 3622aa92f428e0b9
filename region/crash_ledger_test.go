package region

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"strata/region/codec"
	"strata/region/vfs"
)

// history is what a test knows of one chunk: the versions that were handed to
// the engine, in the order in which they were to be published, and the newest
// one that was acknowledged. After a crash the chunk must be at that one or a
// later one.
type history interface {
	// match finds the version whose content is data; ok is false if there is
	// none. A later version is preferred to an earlier equal one.
	match(data []byte) (version int, ok bool)
	// acked is the newest acknowledged version, -1 if there is none.
	acked() int
	// absent reports whether the chunk may be absent.
	absent() bool
}

// listed is a history that keeps the content of each version; nil is a
// deletion.
type listed struct {
	versions [][]byte
	newest   int // acknowledged
}

func (h *listed) acked() int { return h.newest }

func (h *listed) match(data []byte) (int, bool) {
	for v := len(h.versions) - 1; v >= 0; v-- {
		if h.versions[v] != nil && bytes.Equal(h.versions[v], data) {
			return v, true
		}
	}
	return 0, false
}

func (h *listed) absent() bool {
	if h.newest < 0 {
		return true
	}
	for _, v := range h.versions[h.newest:] {
		if v == nil {
			return true
		}
	}
	return false
}

// ledger holds the histories of a folder's chunks. Its methods are called
// from one goroutine, the checks while the workload stands still.
type ledger struct {
	chunks  map[ChunkPos]history
	damaged map[ChunkPos][]byte // records damaged on purpose, and their sectors
}

func newLedger() *ledger {
	return &ledger{chunks: map[ChunkPos]history{}, damaged: map[ChunkPos][]byte{}}
}

// submit notes a version that is about to be published.
func (l *ledger) submit(c ChunkPos, data []byte) (version int) {
	h, _ := l.chunks[c].(*listed)
	if h == nil {
		h = &listed{newest: -1}
		l.chunks[c] = h
	}
	h.versions = append(h.versions, data)
	return len(h.versions) - 1
}

func (l *ledger) ack(c ChunkPos, version int) {
	h := l.chunks[c].(*listed)
	h.newest = max(h.newest, version)
}

// acknowledged counts the versions that were acknowledged or are older.
func (l *ledger) acknowledged() (n int) {
	for _, h := range l.chunks {
		n += h.acked() + 1
	}
	return n
}

// tally counts what checks have found.
type tally struct {
	states, kills, acknowledged, checked       int
	lost, unreadable, wrong, overlaps, repairs int
	problems                                   []string
	buf, out                                   []byte // used again by each read
	mu                                         sync.Mutex
}

func (y *tally) add(o *tally) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.states += o.states
	y.kills += o.kills
	y.acknowledged += o.acknowledged
	y.checked += o.checked
	y.lost += o.lost
	y.unreadable += o.unreadable
	y.wrong += o.wrong
	y.overlaps += o.overlaps
	y.repairs += o.repairs
	y.problems = append(y.problems, o.problems...)
}

func (y *tally) String() string {
	return fmt.Sprintf("%d states, %d kills, %d acknowledged writes, %d chunks checked: %d lost, %d unreadable, %d wrong, %d overlaps, %d repairs",
		y.states, y.kills, y.acknowledged, y.checked, y.lost, y.unreadable, y.wrong, y.overlaps, y.repairs)
}

func (y *tally) problem(count *int, format string, args ...any) {
	*count++
	y.problems = append(y.problems, fmt.Sprintf(format, args...))
}

// inspect checks all region files of dir against the ledger, and that Check
// finds nothing to repair in them.
func (y *tally) inspect(fsys vfs.FS, dir string, l *ledger) {
	regions := map[Pos]bool{}
	for c := range l.chunks {
		regions[c.Region()] = true
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		y.problem(&y.unreadable, "list: %v", err)
		return
	}
	for _, e := range entries {
		if p, ok := ParseName(e.Name()); ok {
			regions[p] = true
		}
	}
	for p := range regions {
		y.inspectRegion(fsys, dir+"/"+p.Name(), p, l)
	}
}

func (y *tally) inspectRegion(fsys vfs.FS, path string, p Pos, l *ledger) {
	f, err := Open(path, Options{FS: fsys, ReadOnly: true})
	if errors.Is(err, fs.ErrNotExist) {
		for c, h := range l.chunks {
			if c.Region() == p && !h.absent() {
				y.problem(&y.lost, "%v: the region file is gone", c)
			}
		}
		return
	}
	if err != nil {
		y.problem(&y.unreadable, "%v", err)
		return
	}
	defer f.Close()
	y.inspectSlots(f, l)
	y.inspectFindings(fsys, path, l)
}

func (y *tally) inspectSlots(f *File, l *ledger) {
	used := map[uint32]Slot{}
	dec := decoders.Get().(*codec.Decoder)
	defer decoders.Put(dec)
	for s := range Slot(Slots) {
		c := f.pos.Chunk(s)
		h, e := l.chunks[c], f.Entry(s)
		if raw, ok := l.damaged[c]; ok {
			y.inspectDamaged(f, c, e, raw)
			continue
		}
		if e.Empty() {
			if h != nil && !h.absent() {
				y.problem(&y.lost, "%v is absent, version %d was acknowledged", c, h.acked())
			}
			continue
		}
		for i := range e.Location.Count() {
			if other, taken := used[e.Location.Sector()+i]; taken {
				y.problem(&y.overlaps, "%v shares sector %d with slot %d", c, e.Location.Sector()+i, other)
			}
			used[e.Location.Sector()+i] = s
		}
		y.checked++
		rec, err := f.Read(s, y.buf)
		y.judgeRecord(c, h, dec, rec, err)
	}
}

// judgeRecord decodes what was read of a chunk and judges it.
func (y *tally) judgeRecord(c ChunkPos, h history, dec *codec.Decoder, rec Record, err error) {
	if cap(rec.Buffer()) > cap(y.buf) {
		y.buf = rec.Buffer()
	}
	if err == nil {
		y.out, err = rec.AppendDecoded(dec, y.out[:0], 0)
	}
	y.judge(c, h, y.out, err)
}

// judge says whether what was read of a chunk is one of the versions it may
// be at.
func (y *tally) judge(c ChunkPos, h history, data []byte, err error) {
	switch {
	case err != nil:
		y.problem(&y.unreadable, "%v: %v", c, err)
	case h == nil:
		y.problem(&y.wrong, "%v was never written, %s", c, describe(data))
	default:
		v, ok := h.match(data)
		if !ok {
			y.problem(&y.wrong, "%v is none of its versions: %s", c, describe(data))
		} else if v < h.acked() {
			y.problem(&y.lost, "%v is at version %d, %d was acknowledged", c, v, h.acked())
		}
	}
}

func describe(data []byte) string {
	if len(data) < 16 {
		return fmt.Sprintf("%d bytes", len(data))
	}
	return fmt.Sprintf("%d bytes that begin as slot %d, version %d", len(data),
		binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]))
}

// inspectDamaged checks that a record that was damaged on purpose is as it
// was, byte for byte.
func (y *tally) inspectDamaged(f *File, c ChunkPos, e Entry, raw []byte) {
	got := make([]byte, len(raw))
	h, err := f.acquire()
	if err == nil {
		_, err = readFull(h.file, got, int64(e.Location.Sector())*SectorBytes)
		h.release()
	}
	if err != nil || !bytes.Equal(got, raw) {
		y.problem(&y.wrong, "%v: a damaged record has changed (%v)", c, err)
	}
}

// inspectFindings asks Check whether anything is to be repaired, but for the
// records that were damaged on purpose. Streams have been decoded already.
func (y *tally) inspectFindings(fsys vfs.FS, path string, l *ledger) {
	report, err := Check(path, CheckOptions{FS: fsys, SkipDecode: true})
	if err != nil {
		y.problem(&y.repairs, "%v", err)
		return
	}
	for _, f := range report.Findings {
		if _, meant := l.damaged[f.Chunk]; f.Severity >= SeverityError && (f.Slot < 0 || !meant) {
			y.problem(&y.repairs, "%v", f)
		}
	}
}

// payloads caches what payload makes: large ones are used again and again.
var payloads sync.Map

type payloadKey struct {
	slot          Slot
	version, size int
	scheme        codec.Scheme
}

func cachedPayload(s Slot, version, size int) []byte {
	return cachedStream(s, version, size, codec.None)
}

// cachedStream is a payload in a scheme, written at its fastest level.
func cachedStream(s Slot, version, size int, scheme codec.Scheme) []byte {
	k := payloadKey{s, version, size, scheme}
	if b, ok := payloads.Load(k); ok {
		return b.([]byte)
	}
	b := payload(s, version, size)
	if scheme != codec.None {
		enc, err := codec.NewEncoder(scheme, 1)
		if err == nil {
			b, err = enc.Append(nil, b)
		}
		if err != nil {
			panic(err) // our own payload, our own encoder
		}
	}
	payloads.Store(k, b)
	return b
}
