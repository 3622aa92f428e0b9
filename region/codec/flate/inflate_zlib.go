package flate

import (
	"encoding/binary"
	"errors"
)

const (
	zlibHeaderLen  = 2
	zlibTrailerLen = 4
)

// AppendZlib decodes one zlib stream (RFC 1950) and checks its Adler-32.
//
// It accepts what compress/zlib accepts, but refuses every stream that names a
// preset dictionary, with [ErrDictionary]. As there, the window size of the
// header is checked for its range and then not enforced.
func (d *Decoder) AppendZlib(dst, src []byte, limit int) (out []byte, n int, err error) {
	if err := checkZlibHeader(src); err != nil {
		return dst, 0, err
	}
	d.begin(dst, src, limit)
	defer d.end()
	d.seek(zlibHeaderLen)
	if err := d.stream(); err != nil {
		return dst, 0, named("zlib", err)
	}
	n = d.consumed()
	if len(src)-n < zlibTrailerLen {
		return dst, 0, &Error{"zlib", len(src), "checksum", ErrTruncated}
	}
	if Adler32(d.out[:d.op]) != binary.BigEndian.Uint32(src[n:]) {
		return dst, 0, &Error{"zlib", n, "Adler-32", ErrChecksum}
	}
	return d.result(), n + zlibTrailerLen, nil
}

func checkZlibHeader(src []byte) error {
	if len(src) < zlibHeaderLen {
		return &Error{"zlib", len(src), "header", ErrTruncated}
	}
	method, window := src[0]&15, src[0]>>4
	switch {
	case method != 8:
		return &Error{"zlib", 0, "compression method", ErrHeader}
	case window > 7:
		return &Error{"zlib", 0, "window size", ErrHeader}
	case binary.BigEndian.Uint16(src)%31 != 0:
		return &Error{"zlib", 0, "check bits", ErrHeader}
	case src[1]&0x20 != 0:
		return &Error{"zlib", 1, "", ErrDictionary}
	}
	return nil
}

// named puts the name of the container into an error of the stream inside it.
func named(format string, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		e.Format = format
	}
	return err
}
