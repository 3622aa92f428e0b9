package protocol

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"time"
)

// FrameReader reads frames from a stream. It is for one goroutine.
type FrameReader struct {
	source    io.Reader
	decrypter cipher.Stream // nil: none
	threshold int
	limit     int
	budget    *Budget // nil: no limit over time
	now       func() time.Time
	inflater  inflater
	// buf[start:end] was read, and decrypted if need be, but not returned.
	buf        []byte
	start, end int
}

// readSize is what is read from the stream at once, and the room of the buffer
// at first.
const readSize = 4 << 10

// NewFrameReader returns a reader of frames of at most limit bytes (at most
// MaxFrame), without compression or encryption.
func NewFrameReader(source io.Reader, limit int) *FrameReader {
	return &FrameReader{source: source, threshold: NoCompression, limit: min(limit, MaxFrame), now: time.Now}
}

// SetLimit changes the limit for the frames to come.
func (f *FrameReader) SetLimit(limit int) { f.limit = min(limit, MaxFrame) }

// SetThreshold makes the frames to come compressed ones, or uncompressed by
// NoCompression.
func (f *FrameReader) SetThreshold(threshold int) { f.threshold = threshold }

// SetBudget bounds the bytes that frames inflate to. now is the clock.
func (f *FrameReader) SetBudget(b *Budget, now func() time.Time) { f.budget, f.now = b, now }

// Decrypt makes all that follows the last frame encrypted, what was read ahead
// included.
func (f *FrameReader) Decrypt(c cipher.Stream) {
	c.XORKeyStream(f.buf[f.start:f.end], f.buf[f.start:f.end])
	f.decrypter = c
}

// Peek returns the next n bytes without taking them, such as those that tell
// the ping of old clients from a frame. n is at most 256.
func (f *FrameReader) Peek(n int) ([]byte, error) {
	if err := f.fill(min(n, 256)); err != nil {
		return nil, err
	}
	return f.buf[f.start : f.start+n], nil
}

// Discard takes n bytes that Peek returned.
func (f *FrameReader) Discard(n int) { f.start += min(n, f.end-f.start) }

// Next returns the packet of the next frame, valid until the next call. The
// error is io.EOF if the stream ends before the frame and
// io.ErrUnexpectedEOF if it ends inside; an error of the stream as it is, such
// as a deadline, after which a frame that came in part goes on with the next
// call; or wraps ErrFrameLength or ErrCompression, after which the stream is
// useless.
func (f *FrameReader) Next() ([]byte, error) {
	f.release()
	head, size, err := f.length()
	if err != nil {
		return nil, err
	}
	if err := f.fill(head + size); err != nil {
		return nil, err
	}
	frame := f.buf[f.start+head : f.start+head+size : f.start+head+size]
	f.start += head + size
	if f.threshold == NoCompression {
		return frame, nil
	}
	return f.unpack(frame)
}

// keptBytes is what a buffer may have when it has nothing to hold: one large
// packet shall not cost memory until the connection ends.
const keptBytes = 64 << 10

// release lets large buffers go.
func (f *FrameReader) release() {
	if f.start == f.end && len(f.buf) > keptBytes {
		f.buf, f.start, f.end = nil, 0, 0
	}
	if cap(f.inflater.out) > 2*keptBytes {
		f.inflater.out = nil
	}
}

// length reads the number before a frame, without taking it: how many bytes it
// has itself, and how many it says.
func (f *FrameReader) length() (head, size int, err error) {
	for head < 3 {
		if err := f.fill(head + 1); err != nil {
			return 0, 0, err
		}
		b := f.buf[f.start+head]
		size |= int(b&0x7f) << (7 * head)
		head++
		if b >= 0x80 {
			continue
		}
		if size == 0 || size > f.limit {
			return 0, 0, fmt.Errorf("%d bytes, limit %d: %w", size, f.limit, ErrFrameLength)
		}
		return head, size, nil
	}
	return 0, 0, fmt.Errorf("more than 3 bytes: %w", ErrFrameLength)
}

// fill reads until n bytes are there. The buffer grows with what came.
func (f *FrameReader) fill(n int) error {
	for f.end-f.start < n {
		if f.start > 0 {
			copy(f.buf, f.buf[f.start:f.end])
			f.start, f.end = 0, f.end-f.start
		}
		if f.end == len(f.buf) {
			f.buf = append(f.buf, make([]byte, max(readSize, len(f.buf)))...)
		}
		got, err := f.source.Read(f.buf[f.end:])
		if f.decrypter != nil {
			f.decrypter.XORKeyStream(f.buf[f.end:f.end+got], f.buf[f.end:f.end+got])
		}
		f.end += got
		if err != nil && f.end-f.start < n {
			if errors.Is(err, io.EOF) && f.end > f.start {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
	return nil
}

// unpack returns the packet of a frame of a connection with compression.
func (f *FrameReader) unpack(frame []byte) ([]byte, error) {
	r := Reader{data: frame}
	size := int(r.VarInt("uncompressed size"))
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCompression, r.err)
	}
	body := frame[r.pos:]
	switch {
	case size == 0 && (len(body) == 0 || len(body) >= f.threshold):
		return nil, fmt.Errorf("%d bytes sent as they are, threshold %d: %w", len(body), f.threshold, ErrCompression)
	case size == 0:
		return body, nil
	case size < f.threshold || size > MaxInflated:
		return nil, fmt.Errorf("%d bytes, threshold %d, limit %d: %w", size, f.threshold, MaxInflated, ErrCompression)
	case f.budget != nil && !f.budget.Take(size, f.now()):
		return nil, fmt.Errorf("%d bytes, over the budget: %w", size, ErrCompression)
	}
	return f.inflater.inflate(body, size)
}
