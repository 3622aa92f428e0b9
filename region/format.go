package region

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"strata/region/codec"
)

// Sizes and limits of the region file format. Source: the region files and
// behaviour of Minecraft: Java Edition 26.2 and every earlier version of the
// Anvil format, checked on files of 1.21.3, 26.1.2 and 26.2.
const (
	// SectorBytes is the unit in which a region file is allocated.
	SectorBytes = 4096
	// HeaderBytes is the size of the header: 1,024 locations, then 1,024
	// timestamps, all big-endian uint32.
	HeaderBytes = 2 * SectorBytes
	// HeaderSectors are never allocated to a record.
	HeaderSectors = HeaderBytes / SectorBytes
	// Slots is the number of chunks in a region: 32 by 32.
	Slots = 1024
	// RecordHeaderBytes precede the stream in a record: a big-endian uint32
	// length, which counts the type byte and the stream, and the type byte.
	RecordHeaderBytes = 5
	// MaxSectors is where the game's 32-bit byte offsets overflow (2 GiB).
	// Records beyond it are read; none is written at or beyond it.
	MaxSectors = 1 << 19
	// externalSectors is the record size from which the stream goes to a
	// file of its own: the count byte of a location cannot say 256.
	externalSectors = 256
	// externalFlag in the type byte says that the stream is in a .mcc file.
	externalFlag = 0x80
	// countByLength is the count of records whose true size is in their
	// length field: servers that wrote more than 255 sectors capped it there.
	countByLength = 255
)

// DefaultMaxStream is the largest stream, in bytes, that a reader accepts
// from a record or an external file unless Options.MaxStream says otherwise.
const DefaultMaxStream = 256 << 20

// ChunkPos is a chunk's position in its dimension, in chunks.
type ChunkPos struct{ X, Z int32 }

// Region is the region that holds the chunk.
func (p ChunkPos) Region() Pos { return Pos{p.X >> 5, p.Z >> 5} }

// Slot is the chunk's place in its region's header.
func (p ChunkPos) Slot() Slot { return Slot(p.X&31 | p.Z&31<<5) }

func (p ChunkPos) String() string { return fmt.Sprintf("%d,%d", p.X, p.Z) }

// ExternalName is the base name of the file that holds the chunk's stream
// when it is too large for its region file.
func (p ChunkPos) ExternalName() string { return fmt.Sprintf("c.%d.%d.mcc", p.X, p.Z) }

// Pos is a region's position in its dimension, in regions of 32 by 32 chunks.
type Pos struct{ X, Z int32 }

// Chunk is the position of the chunk in slot s of the region.
func (p Pos) Chunk(s Slot) ChunkPos {
	return ChunkPos{p.X<<5 | int32(s)&31, p.Z<<5 | int32(s)>>5}
}

func (p Pos) String() string { return fmt.Sprintf("%d,%d", p.X, p.Z) }

// Name is the base name of the region's file.
func (p Pos) Name() string { return fmt.Sprintf("r.%d.%d.mca", p.X, p.Z) }

// ParseName reads a region's position from the base name of its file, spelt
// as the game spells it.
func ParseName(name string) (Pos, bool) {
	x, z, ok := parseCoordinates(name, "r.", ".mca")
	return Pos{x, z}, ok
}

// ParseExternalName reads a chunk's position from the base name of an
// external chunk's file.
func ParseExternalName(name string) (ChunkPos, bool) {
	x, z, ok := parseCoordinates(name, "c.", ".mcc")
	return ChunkPos{x, z}, ok
}

func parseCoordinates(name, prefix, suffix string) (x, z int32, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, 0, false
	}
	if rest, ok = strings.CutSuffix(rest, suffix); !ok {
		return 0, 0, false
	}
	xs, zs, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, 0, false
	}
	x64, errX := strconv.ParseInt(xs, 10, 32)
	z64, errZ := strconv.ParseInt(zs, 10, 32)
	// A second spelling of one number ("+1", "01", "-0") is another file.
	if errX != nil || errZ != nil || strconv.FormatInt(x64, 10) != xs || strconv.FormatInt(z64, 10) != zs {
		return 0, 0, false
	}
	return int32(x64), int32(z64), true
}

// Slot is a chunk's place in a region's header, 0 to 1,023: x + 32 z with
// both taken modulo 32.
type Slot uint16

// Location is one entry of the location table: the record's first sector
// and its size in sectors. The zero Location is an empty slot.
type Location uint32

// MakeLocation packs a first sector below 2^24 and a count of at most 255.
func MakeLocation(sector, count uint32) Location { return Location(sector<<8 | count&0xff) }

// Sector is the record's first sector, counted from the start of the file.
func (l Location) Sector() uint32 { return uint32(l) >> 8 }

// Count is the record's size in sectors as the header has it. 255 may stand
// for more: the record's length field then tells.
func (l Location) Count() uint32 { return uint32(l) & 0xff }

// Entry is what the header says of one slot. It is comparable: an entry that
// is equal before and after names the same record, because a slot's timestamp
// rises with every write.
type Entry struct {
	Location  Location
	Timestamp uint32 // seconds since 1970
}

// Empty reports whether the slot holds no chunk. Its timestamp may be set.
func (e Entry) Empty() bool { return e.Location == 0 }

func (e Entry) pack() uint64     { return uint64(e.Location)<<32 | uint64(e.Timestamp) }
func unpackEntry(v uint64) Entry { return Entry{Location(v >> 32), uint32(v)} }

// Entry is slot s's location and timestamp.
func (h *Header) Entry(s Slot) Entry { return Entry{h.Location(s), h.Timestamp(s)} }

// Header is the header of a region file, byte for byte.
type Header [HeaderBytes]byte

// Location is slot s's entry of the location table.
func (h *Header) Location(s Slot) Location {
	return Location(binary.BigEndian.Uint32(h[4*int(s):]))
}

// Timestamp is slot s's entry of the timestamp table.
func (h *Header) Timestamp(s Slot) uint32 {
	return binary.BigEndian.Uint32(h[SectorBytes+4*int(s):])
}

// Set makes e slot s's entry.
func (h *Header) Set(s Slot, e Entry) {
	binary.BigEndian.PutUint32(h[4*int(s):], uint32(e.Location))
	binary.BigEndian.PutUint32(h[SectorBytes+4*int(s):], e.Timestamp)
}

// nextTimestamp is the timestamp of an in-place write: it rises by at least
// one, so that no header comes back identical with other content. At the very
// end of the range any other value has to do.
func nextTimestamp(now int64, previous uint32) uint32 {
	switch {
	case now < 0:
		now = 0
	case now > 1<<32-1:
		now = 1<<32 - 1
	}
	if t := uint32(now); t > previous {
		return t
	}
	return previous + 1
}

// sectorsFor is the number of sectors n bytes take.
func sectorsFor(n int64) uint32 { return uint32((n + SectorBytes - 1) / SectorBytes) }

// RecordSectors is the number of sectors that a stream of n bytes takes in
// the region file: 1 if it is so large that it goes to an external file.
func RecordSectors(n int) uint32 {
	if c := sectorsFor(RecordHeaderBytes + int64(n)); c < externalSectors {
		return c
	}
	return 1
}

func isExternal(streamBytes int) bool {
	return sectorsFor(RecordHeaderBytes+int64(streamBytes)) >= externalSectors
}

func putRecordHeader(b []byte, streamBytes int, scheme codec.Scheme, external bool) {
	typ := byte(scheme)
	if external {
		streamBytes, typ = 0, typ|externalFlag
	}
	binary.BigEndian.PutUint32(b, uint32(streamBytes)+1)
	b[4] = typ
}

func externalPath(regionPath string, c ChunkPos) string {
	return filepath.Join(filepath.Dir(regionPath), c.ExternalName())
}
