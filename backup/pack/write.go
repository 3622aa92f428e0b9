package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"strata/region/vfs"
)

// Writer adds objects to a store.
type Writer struct {
	s       *Store
	encoder *zstd.Encoder
	open    *output // nil until there is something to write
	// pending are the objects that were put, by the beginnings of their IDs.
	pending map[[PrefixBytes]byte]pendingObject
	done    []*packFile // finished and in the folder
	dry     bool
	mend    bool
	added   Added
	err     error
}

// Added counts what a Writer has stored.
type Added struct {
	Objects int64
	Bytes   int64 // of the objects
	// Stored is what the store has grown by, indexes included.
	Stored int64
}

// NewWriter begins to add objects. A dry one stores nothing and counts.
func (s *Store) NewWriter(dry bool) *Writer {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(FrameBytes), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constants
	}
	return &Writer{s: s, encoder: e, pending: map[[PrefixBytes]byte]pendingObject{}, dry: dry}
}

// Mend has Put read what the store has already, and store anew what is damaged.
func (w *Writer) Mend() { w.mend = true }

// damaged reports whether no copy of an object can be read.
func (s *Store) damaged(id ID) bool {
	_, err := s.Get(id, nil)
	return errors.Is(err, ErrDamaged)
}

// Put adds an object unless the store has it. The first byte is the kind. The
// object is not kept. After an error the Writer is good for Abort only.
func (w *Writer) Put(object []byte) (id ID, added bool, err error) {
	if len(object) == 0 || len(object) > MaxObject {
		return id, false, fmt.Errorf("an object of %d bytes", len(object))
	}
	id = IDOf(object)
	if _, has := w.pendingSize(id); has {
		return id, false, nil
	}
	begin := [PrefixBytes]byte(id[:])
	_, taken := w.pending[begin]
	switch other := w.s.Complete(begin); {
	case !taken && other == id && w.mend && w.s.damaged(id):
		// A second copy takes the place of the one that cannot be read.
	case !taken && other == id:
		return id, false, nil
	case taken || other != withZeros(begin):
		return id, false, fmt.Errorf("object %v: %w", id, ErrCollision)
	}
	return id, true, w.add(id, object)
}

// pendingObject is the rest of an ID, and the length of the object.
type pendingObject struct {
	rest [PrefixBytes]byte
	size uint32
}

func (w *Writer) pendingSize(id ID) (int, bool) {
	p, has := w.pending[[PrefixBytes]byte(id[:])]
	return int(p.size), has && p.rest == [PrefixBytes]byte(id[PrefixBytes:])
}

// withZeros is what Complete returns for what is not there.
func withZeros(begin [PrefixBytes]byte) (id ID) {
	copy(id[:], begin[:])
	return id
}

// add adds an object that is not pending.
func (w *Writer) add(id ID, object []byte) error {
	if w.err != nil {
		return w.err
	}
	w.pending[[PrefixBytes]byte(id[:])] = pendingObject{[PrefixBytes]byte(id[PrefixBytes:]), uint32(len(object))}
	w.added.Objects++
	w.added.Bytes += int64(len(object))
	if w.open == nil {
		if w.open, w.err = w.begin(); w.err != nil {
			return w.err
		}
	}
	w.open.put(id, object)
	if w.open.length() >= packBytes {
		w.err = w.finish()
	}
	return w.err
}

// Size returns how long an object is that was put, or that the store has.
func (w *Writer) Size(id ID) (int, error) {
	if n, has := w.pendingSize(id); has {
		return n, nil
	}
	return w.s.Size(id)
}

// Err is the first error of storing.
func (w *Writer) Err() error { return w.err }

// Added counts what was added so far.
func (w *Writer) Added() Added { return w.added }

// Commit makes what was added durable. Objects may be referred to afterwards.
// The Writer is at its end.
func (w *Writer) Commit() error {
	if w.err == nil && w.open != nil {
		w.err = w.finish()
	}
	if w.err == nil && len(w.done) > 0 {
		w.err = w.s.fs.SyncDir(w.s.dir)
	}
	if w.err != nil {
		w.Abort()
		return w.err
	}
	w.s.mu.Lock()
	for _, p := range w.done {
		w.s.enter(p)
	}
	w.s.mu.Unlock()
	w.done = nil
	return w.encoder.Close()
}

// Abort gives up what was not committed. Packs that were finished stay and are
// garbage, which does no harm.
func (w *Writer) Abort() {
	if w.open != nil {
		w.open.abort(w.s.fs)
		w.open = nil
	}
	if w.err == nil {
		w.err = fmt.Errorf("write packs: aborted")
	}
}

// output is a pack that is being written. Frames are compressed and written by a
// goroutine of its own.
type output struct {
	file   vfs.File // nil in a dry run
	name   string
	sink   io.Writer // what is written goes here: under, or seal
	under  *packSink
	seal   io.WriteCloser
	sum    hash.Hash
	size   int64 // of the file
	at     int64 // in the pack
	index  index
	frame  []byte // that is being filled
	begins bool   // it begins with an object
	start  int64  // in the stream, of that frame

	work   chan pendingFrame
	spare  chan []byte
	worker sync.WaitGroup
	err    error // of the worker; read after worker.Wait
}

type pendingFrame struct {
	raw    []byte
	begins bool
	start  int64
}

func (w *Writer) begin() (*output, error) {
	o := &output{sum: sha256.New(), work: make(chan pendingFrame, 4), spare: make(chan []byte, 8)}
	if !w.dry {
		f, err := vfs.CreateTemp(w.s.fs, w.s.dir, 0o644)
		if err != nil {
			return nil, err
		}
		o.file, o.name = f, f.Name()
	}
	o.under = &packSink{o: o}
	o.sink = o.under
	if w.s.sealer != nil {
		seal, err := w.s.sealer.Seal(o.sink)
		if err != nil {
			o.remove(w.s.fs)
			return nil, err
		}
		o.sink, o.seal = seal, seal
	}
	if err := o.write([]byte(magic)); err != nil {
		o.remove(w.s.fs)
		return nil, err
	}
	o.worker.Go(func() { o.run(w.encoder) })
	return o, nil
}

// packSink is the file behind a pack, buffered.
type packSink struct {
	o   *output
	buf []byte
}

const sinkBytes = 1 << 20

// Write implements io.Writer.
func (k *packSink) Write(b []byte) (int, error) {
	k.o.sum.Write(b)
	k.o.size += int64(len(b))
	if k.o.file == nil {
		return len(b), nil
	}
	k.buf = append(k.buf, b...)
	if len(k.buf) < sinkBytes {
		return len(b), nil
	}
	return len(b), k.flush()
}

func (k *packSink) flush() error {
	if k.o.file == nil || len(k.buf) == 0 {
		return nil
	}
	_, err := k.o.file.WriteAt(k.buf, k.o.size-int64(len(k.buf)))
	k.buf = k.buf[:0]
	return err
}

func (o *output) write(b []byte) error {
	n, err := o.sink.Write(b)
	o.at += int64(n)
	return err
}

// run compresses and writes frames until there are no more.
func (o *output) run(e *zstd.Encoder) {
	var buf []byte
	for p := range o.work {
		if o.err == nil {
			buf, o.err = o.writeFrame(e, p, buf)
		}
		select {
		case o.spare <- p.raw[:0]:
		default:
		}
	}
}

func (o *output) writeFrame(e *zstd.Encoder, p pendingFrame, buf []byte) ([]byte, error) {
	data := e.EncodeAll(p.raw, buf[:0])
	buf = data
	f := frame{at: o.at, raw: uint32(len(p.raw)), start: p.start, begins: p.begins}
	if len(data) >= len(p.raw) {
		data, f.stored = p.raw, true
	}
	f.length = uint32(len(data))
	o.index.frames = append(o.index.frames, f)
	if err := o.write(f.appendHeader(nil, data)); err != nil {
		return buf, err
	}
	return buf, o.write(data)
}

// length is how long the stream of the pack is.
func (o *output) length() int64 { return o.start + int64(len(o.frame)) }

// put adds an object to the stream.
func (o *output) put(id ID, object []byte) {
	var prefix [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(prefix[:], uint64(len(object)))
	if len(o.frame) > 0 && len(o.frame)+n+len(object) > FrameBytes {
		o.hand()
	}
	if len(o.frame) == 0 {
		o.begins = true
	}
	o.index.add(id, o.length()+int64(n), len(object))
	o.fill(prefix[:n])
	o.fill(object)
	if len(o.frame) == FrameBytes {
		o.hand()
	}
}

// fill adds bytes to the frame, and hands full ones over.
func (o *output) fill(b []byte) {
	for len(b) > 0 {
		if len(o.frame) == FrameBytes {
			o.hand()
		}
		if o.frame == nil {
			select {
			case o.frame = <-o.spare:
			default:
				o.frame = make([]byte, 0, FrameBytes)
			}
		}
		n := min(len(b), FrameBytes-len(o.frame))
		o.frame = append(o.frame, b[:n]...)
		b = b[n:]
	}
}

// hand gives the frame to the worker.
func (o *output) hand() {
	if len(o.frame) == 0 {
		return
	}
	p := pendingFrame{o.frame, o.begins, o.start}
	o.start += int64(len(o.frame))
	o.frame, o.begins = nil, false
	o.work <- p
}

// finish makes the open pack durable under its name, which the folder's flush
// makes durable in Commit.
func (w *Writer) finish() error {
	o := w.open
	w.open = nil
	err := o.finish()
	if err != nil {
		o.remove(w.s.fs)
		return err
	}
	w.added.Stored += o.size
	if w.dry {
		return nil
	}
	w.s.mu.Lock()
	name := packName(w.s.next, o.sum.Sum(nil))
	w.s.next++
	w.s.mu.Unlock()
	if err := w.s.fs.Rename(o.name, w.s.path(name)); err != nil {
		o.remove(w.s.fs)
		return err
	}
	x := o.index
	w.done = append(w.done, &packFile{name: name, size: o.size, index: &x})
	return nil
}

func (o *output) finish() error {
	o.hand()
	close(o.work)
	o.worker.Wait()
	if o.err != nil {
		return o.err
	}
	if err := o.write(o.index.append(nil)); err != nil {
		return err
	}
	if o.seal != nil {
		if err := o.seal.Close(); err != nil {
			return err
		}
	}
	if o.file == nil {
		return nil
	}
	if err := o.under.flush(); err != nil {
		return err
	}
	if err := o.file.Sync(); err != nil {
		return err
	}
	f := o.file
	o.file = nil
	return f.Close()
}

func (o *output) abort(fsys vfs.FS) {
	close(o.work)
	o.worker.Wait()
	o.remove(fsys)
}

// remove removes what was written.
func (o *output) remove(fsys vfs.FS) {
	if o.file != nil {
		o.file.Close() //nolint:errcheck // the file is removed
		o.file = nil
	}
	if o.name != "" {
		fsys.Remove(o.name) //nolint:errcheck // the next run removes it
	}
}
