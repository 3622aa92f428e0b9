package pack

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"strata/region/vfs"
)

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
	return o.under.flush()
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
