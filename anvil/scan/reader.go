package scan

import (
	"context"
	"errors"
	"io"
	"os"

	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// Reader is the memory of one worker. The zero value is ready; one goroutine
// at a time may use it.
type Reader struct {
	decoder codec.Decoder
	stream  []byte
	data    []byte
	header  region.Header
	tape    nbt.Tape
	used    []bool
}

// MaxDocument is the largest document that is read, inflated.
const MaxDocument = 256 << 20

// Chunk is a record of a region file. Its slices are the Reader's: they hold
// until the next one is read.
type Chunk struct {
	Pos   region.ChunkPos
	Entry region.Entry
	// Record is the record as it is stored.
	Record region.Record
	// Data is the uncompressed document, nil if it was not asked for.
	Data []byte
	// Err is why the record or its document cannot be read. Data is nil then.
	Err error
}

// PayloadBytes is the size of the record with its length and scheme, without
// padding; of an external one that of the body in its file and of the stub.
func (c *Chunk) PayloadBytes() int64 { return int64(len(c.Record.Data)) + region.RecordHeaderBytes }

// Header reads the header of a file without the rest. What a short file lacks
// is empty. The header is the Reader's and holds until the next call.
func (r *Reader) Header(fsys vfs.FS, f File) (_ *region.Header, err error) {
	file, err := fsys.OpenFile(f.Path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	n, err := file.ReadAt(r.header[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	clear(r.header[n:])
	return &r.header, nil
}

// Chunks calls visit with every record of a file, in the order of slots, until
// it returns false; with decode its document is inflated. It returns how many
// bytes of the file are in no sector that its header names.
func (r *Reader) Chunks(ctx context.Context, fsys vfs.FS, f File, decode bool, visit func(*Chunk) bool) (free int64, err error) {
	file, err := region.Open(f.Path, region.Options{FS: fsys, ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for slot := range region.Slot(region.Slots) {
		if file.Entry(slot).Empty() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		c := Chunk{Pos: f.Pos.Chunk(slot), Entry: file.Entry(slot)}
		c.Record, c.Err = file.Read(slot, r.stream)
		if errors.Is(c.Err, region.ErrAbsent) { // deleted since
			continue
		}
		if c.Err == nil {
			r.stream, c.Entry = c.Record.Buffer(), c.Record.Entry
			if decode {
				c.Data, c.Err = c.Record.AppendDecoded(&r.decoder, r.data[:0], MaxDocument)
				if c.Err == nil {
					r.data = c.Data
				}
			}
		}
		if !visit(&c) {
			break
		}
	}
	return r.free(file.Header(), f.Bytes), nil
}

// free is how much of a file of that size is in no sector that the header
// names. Entries may overlap, and name what is beyond the end.
func (r *Reader) free(header *region.Header, size int64) int64 {
	sectors := int((size + region.SectorBytes - 1) / region.SectorBytes)
	r.used = append(r.used[:0], make([]bool, sectors)...)
	free := size - region.HeaderBytes
	for slot := range region.Slot(region.Slots) {
		location := header.Location(slot)
		first := int(location.Sector())
		for sector := first; sector < first+int(location.Count()) && sector < sectors; sector++ {
			if sector >= region.HeaderSectors && !r.used[sector] {
				r.used[sector] = true
				free -= min(region.SectorBytes, size-int64(sector)*region.SectorBytes)
			}
		}
	}
	return max(0, free)
}

// Tape indexes a document. The tape is the Reader's and holds until the next
// call.
func (r *Reader) Tape(data []byte) (*nbt.Tape, error) {
	if err := r.tape.Parse(data); err != nil {
		return nil, err
	}
	return &r.tape, nil
}
