package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
)

// NoCompression is the threshold of a connection without compression.
const NoCompression = -1

// AppendFrame appends a packet as a frame of a connection without compression.
func AppendFrame(dst, packet []byte) ([]byte, error) {
	if len(packet) == 0 || len(packet) > MaxFrame {
		return dst, fmt.Errorf("packet of %d bytes: %w", len(packet), ErrFrameLength)
	}
	return append(AppendVarInt(dst, int32(len(packet))), packet...), nil
}

// Framer makes frames of a connection with compression: packets from a number
// of bytes on are compressed. It is for one goroutine.
type Framer struct {
	threshold int
	deflater  *zlib.Writer
	sink      sliceWriter
}

// NewFramer returns a framer for a threshold of 0 or more and a level of zlib
// from 1 to 9, or -1 for the default.
func NewFramer(threshold, level int) (*Framer, error) {
	if threshold < 0 {
		return nil, fmt.Errorf("compression threshold %d: want 0 or more", threshold)
	}
	f := &Framer{threshold: threshold}
	var err error
	f.deflater, err = zlib.NewWriterLevel(&f.sink, level)
	return f, err
}

// sliceWriter appends what is written.
type sliceWriter struct{ data []byte }

func (s *sliceWriter) Write(p []byte) (int, error) {
	s.data = append(s.data, p...)
	return len(p), nil
}

// AppendFrame appends a packet as a frame. What does not fit into one is
// ErrFrameLength or ErrCompression, and dst is as it was.
func (f *Framer) AppendFrame(dst, packet []byte) ([]byte, error) {
	switch {
	case len(packet) == 0:
		return dst, fmt.Errorf("empty packet: %w", ErrFrameLength)
	case len(packet) > MaxInflated:
		return dst, fmt.Errorf("packet of %d bytes: %w", len(packet), ErrCompression)
	case len(packet) < f.threshold:
		if len(packet)+1 > MaxFrame {
			return dst, fmt.Errorf("packet of %d bytes: %w", len(packet), ErrFrameLength)
		}
		dst = AppendVarInt(dst, int32(len(packet)+1))
		return append(append(dst, 0), packet...), nil
	}
	f.sink.data = AppendVarInt(f.sink.data[:0], int32(len(packet)))
	f.deflater.Reset(&f.sink)
	if _, err := f.deflater.Write(packet); err != nil {
		return dst, err
	}
	if err := f.deflater.Close(); err != nil {
		return dst, err
	}
	return AppendFrame(dst, f.sink.data)
}

// inflater undoes the compression of frames.
type inflater struct {
	source bytes.Reader
	z      io.ReadCloser
	out    []byte
}

// inflateStart is the room that the output gets at first; it grows with what
// comes, not with what a frame declares.
const inflateStart = 64 << 10

// inflate returns the size bytes that data must be the zlib form of, valid
// until the next call.
func (f *inflater) inflate(data []byte, size int) ([]byte, error) {
	f.source.Reset(data)
	var err error
	if f.z == nil {
		f.z, err = zlib.NewReader(&f.source)
	} else {
		err = f.z.(zlib.Resetter).Reset(&f.source, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCompression, err)
	}
	out := f.out[:0]
	for err == nil {
		if len(out) > size {
			return nil, fmt.Errorf("more than the declared %d bytes: %w", size, ErrCompression)
		}
		if len(out) == cap(out) {
			// One byte more than declared shows a body that is longer.
			grown := make([]byte, len(out), min(max(2*cap(out), inflateStart), size+1))
			copy(grown, out)
			out = grown
		}
		var n int
		n, err = f.z.Read(out[len(out):min(cap(out), size+1)])
		out = out[:len(out)+n]
	}
	f.out = out[:0]
	switch {
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: %v", ErrCompression, err)
	case len(out) != size:
		return nil, fmt.Errorf("%d of the declared %d bytes: %w", len(out), size, ErrCompression)
	case f.source.Len() > 0:
		return nil, fmt.Errorf("%d bytes after the compressed ones: %w", f.source.Len(), ErrCompression)
	}
	return out, nil
}
