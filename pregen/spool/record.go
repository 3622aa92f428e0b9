package spool

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"strata/region"
	"strata/region/codec"
)

// Kind says which file a record is for.
type Kind uint8

// The kinds. Settled is a chunk without anything to save.
const (
	Chunk Kind = iota
	Entities
	POI
	Settled
	kinds
)

// Limits, in bytes.
const (
	// MaxPayload is what the store takes for a record.
	MaxPayload = 64 << 20
	// MaxFile is the most that a spool may have: a full region of chunks that
	// are larger than the game's largest.
	MaxFile = 4 << 30
)

const (
	headBytes   = 32 // of the file
	recordBytes = 24 // before a payload
)

var magic = []byte("strSPL\x00\x01")

// Record is a payload that is finished.
type Record struct {
	Kind   Kind
	Slot   region.Slot
	Scheme codec.Scheme
	Data   []byte // compressed, without a record header
	// Base is the Digest of the payload in the world that this one goes on
	// from, 0 if there was none.
	Base uint64
}

// Digest is a checksum of a payload and its scheme, never 0.
func Digest(scheme codec.Scheme, data []byte) uint64 {
	return max(checksum([]byte{byte(scheme)}, data), 1)
}

// appendRecord appends the form that r has in the file.
func appendRecord(dst []byte, r *Record) []byte {
	at := len(dst)
	dst = append(dst, byte(r.Kind), byte(r.Scheme))
	dst = binary.BigEndian.AppendUint16(dst, uint16(r.Slot))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(r.Data)))
	dst = binary.BigEndian.AppendUint64(dst, r.Base)
	dst = binary.BigEndian.AppendUint64(dst, checksum(dst[at:], r.Data))
	return append(dst, r.Data...)
}

func checksum(head, data []byte) uint64 {
	d := xxhash.New()
	for _, b := range [...][]byte{head, data} {
		if _, err := d.Write(b); err != nil {
			panic(err) // a hash takes everything
		}
	}
	return d.Sum64()
}

// head is the beginning of a record.
type head struct {
	kind   Kind
	scheme codec.Scheme
	slot   region.Slot
	length uint32
	base   uint64
	sum    uint64
}

// parseHead reads the 24 bytes before a payload; false if they cannot be.
func parseHead(b []byte) (h head, ok bool) {
	h = head{
		kind: Kind(b[0]), scheme: codec.Scheme(b[1]),
		slot: region.Slot(binary.BigEndian.Uint16(b[2:])), length: binary.BigEndian.Uint32(b[4:]),
		base: binary.BigEndian.Uint64(b[8:]), sum: binary.BigEndian.Uint64(b[16:]),
	}
	if h.kind >= kinds || h.slot >= region.Slots || h.length > MaxPayload {
		return h, false
	}
	if h.kind == Settled {
		return h, h.length == 0
	}
	return h, h.scheme > 0 && h.scheme < 128
}

// fileHead is the beginning of a spool.
func fileHead(run uint64, p region.Pos) []byte {
	b := append(make([]byte, 0, headBytes), magic...)
	b = binary.BigEndian.AppendUint64(b, run)
	b = binary.BigEndian.AppendUint32(b, uint32(p.X))
	b = binary.BigEndian.AppendUint32(b, uint32(p.Z))
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
}

// isFileHead reports whether b is the beginning of some spool, whole and
// unchanged.
func isFileHead(b []byte) bool {
	return len(b) >= headBytes && bytes.HasPrefix(b, magic) &&
		binary.BigEndian.Uint64(b[24:]) == xxhash.Sum64(b[:24])
}
