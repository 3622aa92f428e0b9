package codec

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/pierrec/lz4/v4"

	"strata/region/codec/flate"
)

// MaxPayload is the largest payload an [Encoder] takes. The region format
// itself allows 2 GiB; nothing the game writes comes near either.
const MaxPayload = 1 << 30

// Encoder compresses payloads with one scheme and level. Make it with
// [NewEncoder], keep it, and use it from one goroutine at a time.
type Encoder struct {
	scheme     Scheme
	level      Level
	maxPayload int // MaxPayload but in tests

	deflate deflater        // zlib and gzip, levels 1 to 12
	sector  *sectorDeflater // zlib and gzip, mode sector
	lz4     *lz4.Compressor
}

// deflater appends src as one complete raw deflate stream, depending on
// nothing but src.
type deflater interface {
	Append(dst, src []byte) []byte
}

// NewEncoder returns an encoder of scheme s. Schemes none and lz4 have no
// levels: they ignore l, but it must still be a level. The error is
// [ErrUnknownScheme] or [ErrUnknownLevel].
func NewEncoder(s Scheme, l Level) (*Encoder, error) {
	if !s.Known() {
		return nil, fmt.Errorf("new encoder: %w: %v", ErrUnknownScheme, s)
	}
	if !l.valid() {
		return nil, fmt.Errorf("new encoder: %w: %d", ErrUnknownLevel, int(l))
	}
	e := &Encoder{scheme: s, level: l, maxPayload: MaxPayload}
	var err error
	switch {
	case s == None:
	case s == LZ4:
		e.lz4 = new(lz4.Compressor)
	case l == Sector:
		e.sector, err = newSectorDeflater(framing(s).overhead())
	default:
		e.deflate, err = newDeflater(l)
	}
	if err != nil {
		return nil, fmt.Errorf("new encoder: %w", err)
	}
	return e, nil
}

// Scheme returns what the encoder was made with.
func (e *Encoder) Scheme() Scheme { return e.scheme }

// Level returns what the encoder was made with.
func (e *Encoder) Level() Level { return e.level }

// Append appends the stream of payload src to dst and returns the result, as
// append does; dst may be nil and must not overlap src. The stream carries no
// record header. The only error is an [Error] with [ErrLimit], for a payload
// over [MaxPayload]; dst is then returned as it was.
func (e *Encoder) Append(dst, src []byte) ([]byte, error) {
	if len(src) > e.maxPayload {
		return dst, limitError(e.scheme, 0, e.maxPayload)
	}
	switch e.scheme {
	case None:
		return append(dst, src...), nil
	case LZ4:
		return appendLZ4(e.lz4, dst, src)
	}
	f := framing(e.scheme)
	dst = f.appendHeader(dst, e.level)
	if e.sector != nil {
		dst = e.sector.Append(dst, src)
	} else {
		dst = e.deflate.Append(dst, src)
	}
	return f.appendTrailer(dst, src), nil
}

// framing is what stands around a raw deflate stream: [Zlib] or [Gzip].
type framing Scheme

// overhead is the size of header and trailer together.
func (f framing) overhead() int {
	if f == framing(Gzip) {
		return 10 + 8
	}
	return 2 + 4
}

// appendHeader writes the two bytes of RFC 1950, the second of which hints at
// the level, or the ten of RFC 1952 with no name, time 0 and system
// "unknown", so that equal payloads give equal streams.
func (f framing) appendHeader(dst []byte, l Level) []byte {
	if f == framing(Gzip) {
		return append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
	}
	// 0x78: deflate, 32 KiB window. The second byte's top bits are the hint,
	// its low five make the pair a multiple of 31.
	switch {
	case l == 1:
		return append(dst, 0x78, 0x01)
	case l != Sector && l < 6:
		return append(dst, 0x78, 0x5e)
	case l >= 7:
		return append(dst, 0x78, 0xda)
	}
	return append(dst, 0x78, 0x9c)
}

func (f framing) appendTrailer(dst, src []byte) []byte {
	if f == framing(Gzip) {
		dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(src))
		return binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
	}
	return binary.BigEndian.AppendUint32(dst, flate.Adler32(src))
}
