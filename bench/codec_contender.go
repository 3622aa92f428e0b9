package bench

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strconv"

	kzlib "github.com/klauspost/compress/zlib"

	"strata/region/codec"
)

// zlibCodec is one codec at one level, both ways, reused from chunk to chunk
// as a program that cares for speed would use it.
type zlibCodec interface {
	// compress appends the zlib stream of src.
	compress(dst, src []byte) ([]byte, error)
	// decompress appends the payload of stream and checks its checksum. dst
	// has room for it.
	decompress(dst, stream []byte) ([]byte, error)
}

// strataCodec is what region writers and readers call, and nothing else.
type strataCodec struct {
	encoder *codec.Encoder
	decoder codec.Decoder
}

func newStrataCodec(l codec.Level) (*strataCodec, error) {
	e, err := codec.NewEncoder(codec.Zlib, l)
	if err != nil {
		return nil, err
	}
	return &strataCodec{encoder: e}, nil
}

func (c *strataCodec) compress(dst, src []byte) ([]byte, error) { return c.encoder.Append(dst, src) }

func (c *strataCodec) decompress(dst, stream []byte) ([]byte, error) {
	return c.decoder.Append(dst, codec.Zlib, stream, 0)
}

// libraryCodec drives the writer and reader types that compress/zlib and
// klauspost's package share the shape of.
type libraryCodec struct {
	writer interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	sink appendWriter

	source     bytes.Reader
	reader     io.ReadCloser // nil until the first stream: a reader wants one at birth
	openReader func(io.Reader) (io.ReadCloser, error)
}

func newStdlibCodec(level int) (*libraryCodec, error) {
	w, err := zlib.NewWriterLevel(io.Discard, level)
	return &libraryCodec{writer: w, openReader: zlib.NewReader}, err
}

func newKlauspostCodec(level int) (*libraryCodec, error) {
	w, err := kzlib.NewWriterLevel(io.Discard, level)
	return &libraryCodec{writer: w, openReader: kzlib.NewReader}, err
}

func (c *libraryCodec) compress(dst, src []byte) ([]byte, error) {
	c.sink.buf = dst
	c.writer.Reset(&c.sink)
	if _, err := c.writer.Write(src); err != nil {
		return dst, err
	}
	if err := c.writer.Close(); err != nil {
		return dst, err
	}
	return c.sink.buf, nil
}

func (c *libraryCodec) decompress(dst, stream []byte) ([]byte, error) {
	c.source.Reset(stream)
	if c.reader == nil {
		r, err := c.openReader(&c.source)
		if err != nil {
			return dst, err
		}
		c.reader = r
	} else if err := c.reader.(zlib.Resetter).Reset(&c.source, nil); err != nil {
		return dst, err
	}
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := c.reader.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF { // comes only after the checksum
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

type appendWriter struct{ buf []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), nil
}

// contender is a row in the making.
type contender struct {
	zlibCodec
	name  string
	level LevelName
}

// newContenders makes one for each level that opts names, ours first.
func newContenders(opts CodecOptions) (list []contender, err error) {
	add := func(name, level string, c zlibCodec, err error) error {
		if err != nil {
			return fmt.Errorf("%s %s: %w", name, level, err)
		}
		list = append(list, contender{c, name, LevelName(level)})
		return nil
	}
	for _, l := range opts.Levels {
		c, err := newStrataCodec(l)
		if err := add("strata", l.String(), c, err); err != nil {
			return nil, err
		}
	}
	for _, l := range opts.Stdlib {
		c, err := newStdlibCodec(l)
		if err := add("stdlib", strconv.Itoa(l), c, err); err != nil {
			return nil, err
		}
	}
	for _, l := range opts.Klauspost {
		c, err := newKlauspostCodec(l)
		if err := add("klauspost", strconv.Itoa(l), c, err); err != nil {
			return nil, err
		}
	}
	return list, nil
}
