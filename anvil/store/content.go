package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
)

// content is the value of an object: a chunk or a document.
type content interface {
	// clone is a copy that another goroutine may read and encode. The owner
	// calls it.
	clone() content
	// encode appends the NBT to dst. skip is where in the result the eight
	// bytes of LastUpdate are, which do not count as content; -1 if nowhere.
	encode(e *encoder, dst []byte) (data []byte, skip int, err error)
	dataVersion() int32
}

type chunkContent struct{ *chunk.Chunk }

func (c chunkContent) clone() content     { return chunkContent{c.Chunk.Clone()} }
func (c chunkContent) dataVersion() int32 { return c.DataVersion() }

func (c chunkContent) encode(e *encoder, dst []byte) (data []byte, skip int, err error) {
	data, err = e.chunks.Encode(dst, c.Chunk)
	return data, e.chunks.LastUpdateAt(), err
}

// document is the NBT of entities or points of interest. Its bytes never
// change.
type document struct {
	data    []byte
	version int32
}

func (d document) clone() content     { return d }
func (d document) dataVersion() int32 { return d.version }

func (d document) encode(_ *encoder, dst []byte) (data []byte, skip int, err error) {
	return append(dst, d.data...), -1, nil
}

// digest is of the content that is on the disk, if it is known. It is seeded
// for this process, so that nobody can prepare two contents with one digest.
type digest struct {
	sum   uint64
	known bool
}

var seed = maphash.MakeSeed()

func digestOf(data []byte, skip int) digest {
	var h maphash.Hash
	h.SetSeed(seed)
	if skip < 0 {
		skip = len(data)
	}
	h.Write(data[:skip])
	h.Write(data[min(skip+8, len(data)):])
	// Where the gap is counts too.
	var at [8]byte
	binary.LittleEndian.PutUint64(at[:], uint64(skip))
	h.Write(at[:])
	return digest{h.Sum64(), true}
}

// parseDocument checks a document and finds out what it says of itself.
// Entities name their chunk, points of interest do not.
func parseDocument(ref Ref, data []byte) (document, error) {
	d := document{data: data}
	var says region.ChunkPos
	hasPos, size := false, 0
	err := nbt.ScanRoot(data, nbt.Limits{Bytes: maxDocument}, func(name []byte, value nbt.Raw) bool {
		switch string(name) {
		case "DataVersion":
			if value.Type == nbt.TypeInt && len(value.Data) == 4 {
				d.version = int32(binary.BigEndian.Uint32(value.Data))
			}
		case "Position":
			if value.Type == nbt.TypeIntArray && len(value.Data) == 12 {
				hasPos = true
				says.X = int32(binary.BigEndian.Uint32(value.Data[4:]))
				says.Z = int32(binary.BigEndian.Uint32(value.Data[8:]))
			}
		}
		size++
		return true
	})
	if err != nil {
		return d, err
	}
	if ref.Kind == Entities && hasPos && says != ref.Pos {
		return d, &PositionError{says}
	}
	return d, nil
}

// decode makes the value of an object of its inflated bytes. Nothing in it
// points into data. The error wraps one of the results of loading.
func (s *Store) decode(w *loadWorker, ref Ref, data []byte) (content, error) {
	newest := s.newestReadable()
	if ref.Kind != Chunks {
		d, err := parseDocument(ref, append([]byte(nil), data...))
		switch {
		case err != nil && !errors.Is(err, ErrWrongPosition):
			return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
		case d.version > newest:
			return nil, &VersionError{Version: d.version, Max: newest}
		}
		return d, err
	}
	c, err := w.chunks.Decode(data)
	if err != nil {
		return nil, refused(ref, data, newest, err)
	}
	if v := c.DataVersion(); v > newest {
		return nil, &VersionError{Version: v, Max: newest}
	}
	if c.Pos() != ref.Pos {
		return nil, &PositionError{c.Pos()}
	}
	return chunkContent{c}, nil
}

// refused says why a chunk did not decode. A chunk of a newer version may have
// a form that looks damaged to us.
func refused(ref Ref, data []byte, newest int32, err error) error {
	h, herr := chunk.ReadHeader(data)
	switch {
	case herr != nil:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case h.DataVersion > newest:
		return &VersionError{Version: h.DataVersion, Max: newest}
	case h.HasPos && h.Pos != ref.Pos:
		return &PositionError{h.Pos}
	case errors.Is(err, chunk.ErrTooOld):
		return fmt.Errorf("%w: %w", ErrTooOld, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreadable, err)
}
