package settings

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A table file is
//
//	magic
//	size of the content, a number
//	the content, one zstd frame
//
// A number is an unsigned LEB128 varint, a signed number its zigzag form, a
// text its length and bytes. Masks of versions have bit 0 for the oldest
// version in anvil/registry.
//
// The content of documents.bin is
//
//	atoms       their number, then the JSON text of each: scalars, and names
//	            of members
//	shapes      their number, then for each the number of its members and
//	            their names as numbers of atoms
//	shared      their number, then each as a text that is a value: values
//	            that come more than once
//	registries  their number, then for each its name, the number of entries,
//	            and for each of these, by ascending ids, its id without
//	            namespace, a byte that is a mask of versions, and a text that
//	            is its value
//
// and a value is a number whose low two bits say what it is and the others
// which: an atom; an object of a shape, followed by the values of its members;
// an array of so many values, which follow; or a shared value, which within
// shared values is one before.
//
// The content of parameters.bin is said in parameters.go.
const magic = "strata worldgen 1\n"

const (
	tagAtom = iota
	tagObject
	tagArray
	tagShared
)

const (
	// maxTable bounds a table unpacked: documents.bin has 211 kB.
	maxTable = 8 << 20
	// maxText bounds a document as JSON: the longest of 26.2 has 40 kB.
	maxText = 8 << 20
	// maxDepth bounds how deep values lie in each other: 23 in 26.2.
	maxDepth = 256
)

var errFormat = errors.New("damaged table")

func formatError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// unpack returns the content of a table file.
func unpack(file []byte) ([]byte, error) {
	d := decoder{data: file}
	if string(d.take(len(magic))) != magic {
		return nil, formatError("another format")
	}
	size := d.number()
	switch {
	case d.err != nil:
		return nil, d.err
	case size > maxTable:
		return nil, formatError("%d bytes, over %d", size, maxTable)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxTable))
	if err != nil {
		return nil, fmt.Errorf("open zstd: %w", err)
	}
	defer z.Close()
	data, err := z.DecodeAll(file[d.at:], make([]byte, 0, size))
	if err != nil {
		return nil, formatError("%v", err)
	}
	if len(data) != size {
		return nil, formatError("%d bytes unpacked, want %d", len(data), size)
	}
	return data, nil
}

// decoder takes a table apart. After the first error it returns zeros.
type decoder struct {
	data []byte
	at   int
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = formatError(format, args...)
	}
	d.at = len(d.data)
}

// take returns the next n bytes, a view, or nil.
func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.data)-d.at {
		d.fail("cut short")
		return nil
	}
	b := d.data[d.at : d.at+n : d.at+n]
	d.at += n
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) number() int {
	if d.at < len(d.data) && d.data[d.at] < 0x80 {
		d.at++
		return int(d.data[d.at-1])
	}
	v, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || v > math.MaxInt32 {
		d.fail("bad number")
		return 0
	}
	d.at += n
	return int(v)
}

func (d *decoder) signed() int32 {
	v, n := binary.Varint(d.data[d.at:])
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		d.fail("bad number")
		return 0
	}
	d.at += n
	return int32(v)
}

// index reads a number below limit.
func (d *decoder) index(limit int) int {
	n := d.number()
	if n >= limit {
		d.fail("reference to %d of %d", n, limit)
		return 0
	}
	return n
}

// count reads how many items of at least a byte each follow, so that nothing
// is allocated that the table does not hold.
func (d *decoder) count() int {
	n := d.number()
	if n > len(d.data)-d.at {
		d.fail("%d items in the last %d bytes", n, len(d.data)-d.at)
		return 0
	}
	return n
}

func (d *decoder) bytes() []byte { return d.take(d.number()) }

// end fails unless all is read, and returns the first error.
func (d *decoder) end() error {
	if d.err == nil && d.at != len(d.data) {
		d.fail("%d bytes too many", len(d.data)-d.at)
	}
	return d.err
}

// documents is the table of documents of all versions.
type documents struct {
	atoms      [][]byte
	shapes     [][]int32 // atoms
	shared     [][]byte  // values
	registries map[string][]entry
}

// entry is a document in some versions.
type entry struct {
	id    string // without namespace
	mask  byte
	value []byte
}

func decodeDocuments(data []byte) (*documents, error) {
	d := decoder{data: data}
	t := &documents{registries: map[string][]entry{}}
	t.atoms = d.texts()
	t.shapes = make([][]int32, d.count())
	for i := range t.shapes {
		t.shapes[i] = make([]int32, d.count())
		for j := range t.shapes[i] {
			t.shapes[i][j] = int32(d.index(len(t.atoms)))
		}
	}
	t.shared = d.texts()
	for range d.count() {
		name := string(d.bytes())
		list := make([]entry, d.count())
		for i := range list {
			list[i] = entry{id: string(d.bytes()), mask: d.byte(), value: d.bytes()}
			if i > 0 && strings.Compare(list[i-1].id, list[i].id) > 0 {
				d.fail("%s: ids are not sorted", name)
			}
		}
		t.registries[name] = list
	}
	return t, d.end()
}

func (d *decoder) texts() [][]byte {
	list := make([][]byte, d.count())
	for i := range list {
		list[i] = d.bytes()
	}
	return list
}
