package flate

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

const (
	gzipHeaderLen  = 10
	gzipTrailerLen = 8

	// Flags of a member's header.
	gzipHeaderCRC = 1 << 1
	gzipExtra     = 1 << 2
	gzipName      = 1 << 3
	gzipComment   = 1 << 4
)

// AppendGzip decodes a gzip file (RFC 1952): one member and all that follow it
// directly, each with CRC-32 and length checked. limit holds for all together.
// The header's optional fields are skipped, its checksum is checked where there
// is one.
//
// It differs from compress/gzip in three ways. What follows a member and does
// not start like another one (1F 8B 08) ends the file instead of being an
// error: files on disk are padded. A file without any member is truncated
// instead of empty. File names and comments may be longer than 511 bytes.
func (d *Decoder) AppendGzip(dst, src []byte, limit int) (out []byte, n int, err error) {
	d.begin(dst, src, limit)
	defer d.end()
	for {
		if err := d.gzipMember(src, n); err != nil {
			return dst, 0, err
		}
		n = d.pos
		if rest := src[n:]; len(rest) < 3 || rest[0] != 0x1F || rest[1] != 0x8B || rest[2] != 8 {
			return d.result(), n, nil
		}
	}
}

// gzipMember decodes the member at src[at:] and leaves pos behind it.
func (d *Decoder) gzipMember(src []byte, at int) error {
	at, err := skipGzipHeader(src, at)
	if err != nil {
		return err
	}
	// Matches must not reach into the member before this one.
	d.base, d.limit, d.op = d.base+d.op, d.limit-d.op, 0
	d.setOut()
	d.seek(at)
	if err := d.stream(); err != nil {
		return named("gzip", err)
	}
	at = d.consumed()
	if len(src)-at < gzipTrailerLen {
		return &Error{"gzip", len(src), "checksum", ErrTruncated}
	}
	member := d.out[:d.op]
	if crc32.ChecksumIEEE(member) != binary.LittleEndian.Uint32(src[at:]) {
		return &Error{"gzip", at, "CRC-32", ErrChecksum}
	}
	if uint32(len(member)) != binary.LittleEndian.Uint32(src[at+4:]) {
		return &Error{"gzip", at + 4, "length", ErrChecksum}
	}
	d.seek(at + gzipTrailerLen)
	return nil
}

// skipGzipHeader checks the header at src[at:] and returns where it ends.
func skipGzipHeader(src []byte, at int) (int, error) {
	head := src[at:]
	if len(head) < gzipHeaderLen {
		return 0, gzipHeaderCut(src)
	}
	if head[0] != 0x1F || head[1] != 0x8B {
		return 0, &Error{"gzip", at, "magic number", ErrHeader}
	}
	if head[2] != 8 {
		return 0, &Error{"gzip", at + 2, "compression method", ErrHeader}
	}
	flags := head[3]
	n := gzipHeaderLen
	if flags&gzipExtra != 0 {
		if len(head)-n < 2 {
			return 0, gzipHeaderCut(src)
		}
		n += 2 + int(binary.LittleEndian.Uint16(head[n:]))
		if n > len(head) {
			return 0, gzipHeaderCut(src)
		}
	}
	for _, text := range []byte{gzipName, gzipComment} {
		if flags&text == 0 {
			continue
		}
		i := bytes.IndexByte(head[n:], 0)
		if i < 0 {
			return 0, gzipHeaderCut(src)
		}
		n += i + 1
	}
	if flags&gzipHeaderCRC != 0 {
		if len(head)-n < 2 {
			return 0, gzipHeaderCut(src)
		}
		if uint16(crc32.ChecksumIEEE(head[:n])) != binary.LittleEndian.Uint16(head[n:]) {
			return 0, &Error{"gzip", at + n, "header checksum", ErrHeader}
		}
		n += 2
	}
	return at + n, nil
}

// gzipHeaderCut says that src ends inside a header.
func gzipHeaderCut(src []byte) error {
	return &Error{"gzip", len(src), "header", ErrTruncated}
}
