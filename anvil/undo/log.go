package undo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// A frame of a log, all numbers little-endian:
//
//	 0  u32  frameMagic
//	 4  u8   type: object, file or file set aside
//	 5  u8   presence
//	 6  u8   compression scheme of an object's record
//	 7  u8   kind of an object, or of the folder of a file set aside
//	 8  i32  x and z of an object, in chunks
//	16  u32  timestamp of an object's slot
//	20  u16  length of the name
//	22  u16  permission bits of a file
//	24  u64  length of the payload, or of a file set aside
//	32  u64  xxh64 of it
//	40  u64  xxh64 of the 40 bytes before and of the name
//	48       name: the dimension, or the root's name, a slash and the path in it,
//	         or the dimension, a slash and the name in its folder
//	         payload; none in after.log, and none of a file set aside
const (
	frameMagic = 0x316e5553 // "SUn1"
	frameBytes = 48
)

// Limits of what a log may claim.
const (
	maxName    = 4096
	maxPayload = 256 << 20
)

type frameType uint8

const (
	objectFrame frameType = 1
	fileFrame   frameType = 2
	asideFrame  frameType = 3 // the file itself goes to the rescue folder
)

// presence says what was at a place.
type presence uint8

const (
	absent     presence = 0
	present    presence = 1
	external   presence = 2 // an object's stream in a file of its own
	unreadable presence = 3 // the payload is the sectors as they were
)

// frame is the head of an entry of a log.
type frame struct {
	kind      frameType
	state     state
	object    store.Kind
	pos       region.ChunkPos
	timestamp uint32
	perm      uint16
	name      string
}

// state is what an object or file is, without where and when: what is compared.
type state struct {
	presence presence
	scheme   codec.Scheme
	length   uint64
	sum      uint64
}

// payloadBytes is how much follows the frame in records.log.
func (f *frame) payloadBytes() int64 {
	if f.kind == asideFrame {
		return 0
	}
	return int64(f.state.length)
}

// same reports whether two states are one content. Whether a stream lies in a
// file of its own follows from its length and does not count.
func (s state) same(o state) bool {
	if s.presence == external {
		s.presence = present
	}
	if o.presence == external {
		o.presence = present
	}
	return s == o
}

func stateOf(p presence, scheme codec.Scheme, payload []byte) state {
	return state{p, scheme, uint64(len(payload)), xxhash.Sum64(payload)}
}

// absence is the state of what is not there.
var absence = stateOf(absent, 0, nil)

func (f *frame) append(dst []byte) []byte {
	start := len(dst)
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, frameMagic)
	dst = append(dst, byte(f.kind), byte(f.state.presence), byte(f.state.scheme), byte(f.object))
	dst = le.AppendUint32(dst, uint32(f.pos.X))
	dst = le.AppendUint32(dst, uint32(f.pos.Z))
	dst = le.AppendUint32(dst, f.timestamp)
	dst = le.AppendUint16(dst, uint16(len(f.name)))
	dst = le.AppendUint16(dst, f.perm)
	dst = le.AppendUint64(dst, f.state.length)
	dst = le.AppendUint64(dst, f.state.sum)
	sum := headSum(dst[start:], f.name)
	dst = le.AppendUint64(dst, sum)
	return append(dst, f.name...)
}

func headSum(head []byte, name string) uint64 {
	d := xxhash.New()
	d.Write(head)       //nolint:errcheck // a digest takes everything
	d.WriteString(name) //nolint:errcheck // likewise
	return d.Sum64()
}

// logWriter appends to a log.
type logWriter struct {
	file vfs.File
	buf  []byte
	off  int64 // of what was written
	err  error // the first one: the log is not good for more
}

const flushAt = 1 << 20

func (w *logWriter) add(f *frame, payload []byte) error {
	if w.err != nil {
		return w.err
	}
	w.buf = f.append(w.buf)
	w.buf = append(w.buf, payload...)
	if len(w.buf) >= flushAt {
		return w.flush()
	}
	return nil
}

func (w *logWriter) flush() error {
	if w.err != nil || len(w.buf) == 0 {
		return w.err
	}
	n, err := w.file.WriteAt(w.buf, w.off)
	if err != nil {
		w.err = err
		return err
	}
	w.off += int64(n)
	w.buf = w.buf[:0]
	if cap(w.buf) > 8*flushAt {
		w.buf = nil
	}
	return nil
}

func (w *logWriter) sync() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		w.err = err
	}
	return w.err
}

// logReader reads frames one after another.
type logReader struct {
	at       io.ReaderAt
	buf      *bufio.Reader
	off      int64 // of the next frame
	size     int64
	payloads bool // frames are followed by their payloads
}

func newLogReader(at io.ReaderAt, size int64, payloads bool) *logReader {
	return &logReader{at: at, buf: bufio.NewReaderSize(io.NewSectionReader(at, 0, size), 1<<16), size: size, payloads: payloads}
}

// errTorn is the end of a log within a frame, as a kill leaves it.
var errTorn = errors.New("ends within an entry")

// next returns the next frame and where its payload begins: io.EOF at the end,
// errTorn if the log ends before the frame does.
func (r *logReader) next() (*frame, int64, error) {
	var head [frameBytes]byte
	if r.off == r.size {
		return nil, 0, io.EOF
	}
	if _, err := io.ReadFull(r.buf, head[:]); err != nil {
		return nil, 0, torn(err)
	}
	le := binary.LittleEndian
	f := &frame{
		kind:      frameType(head[4]),
		state:     state{presence(head[5]), codec.Scheme(head[6]), le.Uint64(head[24:]), le.Uint64(head[32:])},
		object:    store.Kind(head[7]),
		pos:       region.ChunkPos{X: int32(le.Uint32(head[8:])), Z: int32(le.Uint32(head[12:]))},
		timestamp: le.Uint32(head[16:]), perm: le.Uint16(head[22:]),
	}
	nameBytes := int(le.Uint16(head[20:]))
	if le.Uint32(head[:]) != frameMagic || nameBytes > maxName || f.payloadBytes() > maxPayload || f.payloadBytes() < 0 {
		return nil, 0, r.damaged("no entry")
	}
	name := make([]byte, nameBytes)
	if _, err := io.ReadFull(r.buf, name); err != nil {
		return nil, 0, torn(err)
	}
	f.name = string(name)
	if headSum(head[:40], f.name) != le.Uint64(head[40:]) || !f.valid() {
		return nil, 0, r.damaged("an entry with a wrong checksum")
	}
	payload := r.off + frameBytes + int64(nameBytes)
	r.off = payload
	if r.payloads {
		return f, payload, r.skip(f.payloadBytes())
	}
	return f, payload, nil
}

func (f *frame) valid() bool {
	if f.state.presence > unreadable {
		return false
	}
	switch f.kind {
	case objectFrame:
		return f.object <= store.POI
	case fileFrame:
		return f.state.presence <= present
	case asideFrame:
		return f.object <= store.POI && f.state.presence <= present
	}
	return false
}

func (r *logReader) skip(n int64) error {
	if r.off+n > r.size {
		return errTorn
	}
	r.off += n
	if n <= int64(r.buf.Buffered()) {
		_, err := r.buf.Discard(int(n))
		return err
	}
	r.buf.Reset(io.NewSectionReader(r.at, r.off, r.size-r.off))
	return nil
}

func (r *logReader) damaged(what string) error {
	return fmt.Errorf("%w: %s at byte %d", ErrDamaged, what, r.off)
}

func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTorn
	}
	return err
}

// readPayload reads and checks the payload of a frame.
func readPayload(at io.ReaderAt, f *frame, off int64) ([]byte, error) {
	data := make([]byte, f.state.length)
	if n, err := at.ReadAt(data, off); n < len(data) {
		return nil, torn(err)
	}
	if xxhash.Sum64(data) != f.state.sum {
		return nil, fmt.Errorf("%w: the payload at byte %d has another checksum", ErrDamaged, off)
	}
	return data, nil
}
