package nbt

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// Compression is how a whole document is compressed in a file of its own, such
// as level.dat: the game writes gzip, other programs all three.
type Compression uint8

// The compressions that are told apart.
const (
	Uncompressed Compression = iota
	Gzip
	Zlib
)

// String returns "none", "gzip" or "zlib".
func (c Compression) String() string {
	switch c {
	case Uncompressed:
		return "none"
	case Gzip:
		return "gzip"
	case Zlib:
		return "zlib"
	}
	return "compression " + strconv.Itoa(int(c))
}

// What is wrong with a compressed document. A [PackError] wraps these,
// [ErrTruncated] and [ErrSize].
var (
	// ErrNoDocument: the file is neither gzip nor zlib, nor begins with the type
	// of a tag.
	ErrNoDocument = errors.New("neither a document nor gzip nor zlib")
	// ErrDeflate: compressed data that makes no sense.
	ErrDeflate = errors.New("compressed data is damaged")
	// ErrChecksum: what was inflated is not what was compressed.
	ErrChecksum = errors.New("checksum differs")
)

// PackError is a defect of a compressed document.
type PackError struct {
	// How the file is compressed, as its first bytes say.
	How Compression
	// Err is ErrNoDocument, ErrDeflate, ErrChecksum, ErrTruncated or ErrSize.
	Err error
}

func (e *PackError) Error() string { return "nbt: unpack (" + e.How.String() + "): " + e.Err.Error() }

// Unwrap returns the sentinel.
func (e *PackError) Unwrap() error { return e.Err }

// Unpack returns the document of a file and how that was compressed, which its
// first bytes tell. An uncompressed document is data itself, a view; anything
// else is a new slice of at most limits.Bytes, or ErrSize. Memory grows with
// what is inflated, never with what the file claims. Checksums are verified.
//
// As in Java's GZIPInputStream, gzip members that follow one another are one
// document, and what follows them and is no member is left alone.
//
// The error is a [*PackError] or says which of the limits is out of range. The
// document is not parsed.
func Unpack(data []byte, limits Limits) (document []byte, how Compression, err error) {
	limits, err = limits.withDefaults()
	if err != nil {
		return nil, Uncompressed, err
	}
	how, sure := sniff(data)
	switch how {
	case Gzip:
		document, err = gunzip(data, limits.Bytes)
	case Zlib:
		document, err = unzlib(data, limits.Bytes)
		if err != nil && !sure && !errors.Is(err, ErrSize) {
			return data, Uncompressed, nil
		}
	default:
		if !sure {
			return nil, how, &PackError{how, ErrNoDocument}
		}
		return data, how, nil
	}
	if err != nil {
		return nil, how, &PackError{how, err}
	}
	return document, how, nil
}

// sniff tells how a document is compressed. No type of a tag is 1F, the first
// byte of gzip. Zlib begins with 08 to 78, where 08, a window of 256 bytes, is
// the type of a string, too: then it is not sure. Neither is a file of which
// it says Uncompressed and that begins with no type.
func sniff(data []byte) (how Compression, sure bool) {
	switch {
	case len(data) >= 2 && data[0] == 0x1F && data[1] == 0x8B:
		return Gzip, true
	case len(data) >= 2 && data[0]&0x8F == 0x08 && data[1]&0x20 == 0 &&
		(int(data[0])<<8|int(data[1]))%31 == 0:
		return Zlib, data[0] != 0x08
	}
	return Uncompressed, len(data) > 0 && Type(data[0]).Valid()
}

// nextMember is how many bytes must follow a gzip member for Java to look for
// another one: more than a header and a trailer have.
const nextMember = 18

func gunzip(data []byte, limit int) ([]byte, error) {
	from := bytes.NewReader(data) // a ByteReader: nothing is read ahead
	r, err := gzip.NewReader(from)
	if err != nil {
		return nil, packFault(err)
	}
	document := make([]byte, 0, roomFor(data, limit))
	for {
		r.Multistream(false)
		if document, err = readAll(document, r, limit); err != nil {
			return nil, err
		}
		if from.Len() <= nextMember || !another(r, from) {
			return document, nil
		}
	}
}

// another begins the next member, if there is one: what has no header of one
// is no part of the document.
func another(r *gzip.Reader, from io.Reader) bool { return r.Reset(from) == nil }

func unzlib(data []byte, limit int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, packFault(err)
	}
	return readAll(make([]byte, 0, roomFor(data, limit)), r, limit)
}

// roomFor guesses the size of a document: NBT shrinks to a fifth or less.
func roomFor(data []byte, limit int) int {
	return int(min(5*int64(len(data))+512, int64(limit)))
}

// readAll appends what r has left, as long as that is not more than limit.
func readAll(dst []byte, r io.Reader, limit int) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			if len(dst) == limit {
				return dst, atEnd(r)
			}
			grown := make([]byte, len(dst), min(2*int64(cap(dst))+512, int64(limit)))
			copy(grown, dst)
			dst = grown
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, packFault(err)
		}
	}
}

// atEnd reports whether nothing is left of r, ErrSize otherwise.
func atEnd(r io.Reader) error {
	var one [1]byte
	switch n, err := io.ReadFull(r, one[:]); {
	case n > 0:
		return ErrSize
	case err != io.EOF:
		return packFault(err)
	}
	return nil
}

// packFault puts our error in place of the library's.
func packFault(err error) error {
	switch {
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrChecksum):
		return ErrChecksum
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	}
	return ErrDeflate
}

// Compressors are large, and kept for the next document.
var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	zlibWriters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
)

// packer is what both compressors are.
type packer interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// Pack appends a document to dst, compressed as how says, at the default level
// of the standard library. The same document gives the same bytes.
func Pack(dst, document []byte, how Compression) ([]byte, error) {
	var pool *sync.Pool
	switch how {
	case Uncompressed:
		return append(dst, document...), nil
	case Gzip:
		pool = &gzipWriters
	case Zlib:
		pool = &zlibWriters
	default:
		return dst, fmt.Errorf("nbt: pack: no such compression: %d", uint8(how))
	}
	w := pool.Get().(packer)
	defer pool.Put(w)
	to := bytes.NewBuffer(dst)
	w.Reset(to)
	if _, err := w.Write(document); err != nil {
		return dst, err
	}
	if err := w.Close(); err != nil {
		return dst, err
	}
	return to.Bytes(), nil
}
