package block

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

// The embedded table is one zstd frame. Unpacked it is a sequence of
//
//	magic
//	strings        n, then n texts
//	properties     n, then n of: name, values
//	definitions    n, then n of: name, properties, place of the default state
//	versions       n, then n of: definitions by block number
//	substitutes    n per version: pairs of names, of native and of own block
//	kinds          a text for each native block
//	block facts    for each native block, see readFacts
//	shapes         n, then n of: boxes of six bytes, in 32nds of a block
//	side masks     n of 32 bytes
//	occlusions     n of six side masks
//	map colors     n of three bytes
//	states         seven columns, see readStates
//
// where a number is an unsigned LEB128 varint, a text is its length and its
// bytes, and a reference to a string, property or definition is its number.
// The first version is the native one; versions are in the order of infos.
const magic = "strata blocks 1\n"

// Limits of the reader: over them the table is damaged.
const (
	maxPayload    = 16 << 20
	maxItems      = 1 << 16
	maxShapeBoxes = 64
)

var errFormat = errors.New("damaged block table")

func formatError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// decodePacked unpacks and decodes a table.
func decodePacked(packed []byte) (*table, error) {
	data, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

func unpack(packed []byte) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPayload))
	if err != nil {
		return nil, fmt.Errorf("open zstd: %w", err)
	}
	defer z.Close()
	data, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, formatError("%v", err)
	}
	return data, nil
}

func decode(data []byte) (*table, error) {
	r := &reader{data: data}
	if string(r.bytes(len(magic))) != magic {
		return nil, formatError("another format")
	}
	t := new(table)
	d := readDefinitions(r)
	readBlocks(r, t, d)
	readShapes(r, t)
	readFaces(r, t)
	readColors(r, t)
	readStates(r, t)
	if r.err == nil && len(r.data) != 0 {
		r.fail("%d bytes too many", len(r.data))
	}
	if r.err != nil {
		return nil, r.err
	}
	for i, info := range infos {
		v, err := newVersion(t, info, d.versions[i], d.substitutes[i])
		if err != nil {
			return nil, err
		}
		t.versions = append(t.versions, v)
	}
	return t, nil
}

// reader takes the table apart. After the first error it returns zeros.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = formatError(format, args...)
	}
	r.data = nil
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.data) {
		r.fail("cut short")
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// column is bytes of a known count, never nil, so that loops need no check.
func (r *reader) column(n int) []byte {
	if b := r.bytes(n); b != nil {
		return b
	}
	return make([]byte, n)
}

func (r *reader) number() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > math.MaxInt32 {
		r.fail("bad number")
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

// count reads how many items follow.
func (r *reader) count(limit int) int {
	n := r.number()
	if n > limit {
		r.fail("%d items, over %d", n, limit)
		return 0
	}
	return n
}

// pick reads a reference to an item of list.
func pick[T any](r *reader, list []T) T {
	var zero T
	i := r.number()
	if i >= len(list) {
		r.fail("reference to item %d of %d", i, len(list))
		return zero
	}
	return list[i]
}
