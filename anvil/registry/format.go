package registry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A file of tables is
//
//	magic
//	sections   one byte, then for each: name (a byte of length, text),
//	           size unpacked, size packed
//	           then for each one zstd frame
//
// There is one file for each version, and one for the packets of all
// protocols. In a section a number is an unsigned LEB128 varint, a signed
// number its zigzag form, a truth value a byte 0 or 1, a float or double its
// big-endian bits, a text its length and bytes, and a shared text its number
// among the shared texts of the section, followed by the text the first time.
// What each section holds is said where it is decoded.
const magic = "strata registry 1\n"

// maxSection bounds a section unpacked: the largest has 200 kB.
const maxSection = 8 << 20

// namespace is that of the game's own names. Tables have those without it.
const namespace = "minecraft:"

var errFormat = errors.New("damaged table")

func formatError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// unpackSection finds a section in a file and unpacks it.
func unpackSection(file []byte, name string) ([]byte, error) {
	d := newDecoder(file)
	if string(d.take(len(magic))) != magic {
		return nil, formatError("another format")
	}
	found, size, start, offset := false, 0, 0, 0
	packed := 0
	for range int(d.byte()) {
		here := string(d.take(int(d.byte())))
		unpacked, length := d.number(), d.number()
		if here == name {
			found, size, start, packed = true, unpacked, offset, length
		}
		offset += length
	}
	d.take(start)
	frame := d.take(packed)
	switch {
	case d.err != nil:
		return nil, d.err
	case !found:
		return nil, formatError("no section %s", name)
	case size > maxSection:
		return nil, formatError("section %s has %d bytes, over %d", name, size, maxSection)
	}
	return unpackFrame(frame, size)
}

func unpackFrame(frame []byte, size int) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxSection))
	if err != nil {
		return nil, fmt.Errorf("open zstd: %w", err)
	}
	defer z.Close()
	data, err := z.DecodeAll(frame, make([]byte, 0, size))
	if err != nil {
		return nil, formatError("%v", err)
	}
	if len(data) != size {
		return nil, formatError("%d bytes unpacked, want %d", len(data), size)
	}
	return data, nil
}

// decoder takes a section apart. After the first error it returns zeros.
// Texts and bytes point into the section.
type decoder struct {
	data   []byte
	text   string // the same as data, so that texts cost no allocation
	at     int
	shared []string
	err    error
}

func newDecoder(data []byte) *decoder { return &decoder{data: data} }

// newTextDecoder is for sections with texts.
func newTextDecoder(data []byte) *decoder { return &decoder{data: data, text: string(data)} }

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = formatError(format, args...)
	}
	d.at = len(d.data)
}

// left is how many bytes are not read yet.
func (d *decoder) left() int { return len(d.data) - d.at }

// end fails unless all is read, and returns the first error.
func (d *decoder) end() error {
	if d.err == nil && d.left() != 0 {
		d.fail("%d bytes too many", d.left())
	}
	return d.err
}

// take returns the next n bytes, a view, or nil.
func (d *decoder) take(n int) []byte {
	if n < 0 || n > d.left() {
		d.fail("cut short")
		return nil
	}
	b := d.data[d.at : d.at+n : d.at+n]
	d.at += n
	return b
}

func (d *decoder) byte() byte {
	if d.left() < 1 {
		d.fail("cut short")
		return 0
	}
	d.at++
	return d.data[d.at-1]
}

func (d *decoder) truth() bool { return d.byte() != 0 }

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

func (d *decoder) int32() int32 { return int32(d.number()) }

func (d *decoder) signed() int32 {
	v, n := binary.Varint(d.data[d.at:])
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		d.fail("bad number")
		return 0
	}
	d.at += n
	return int32(v)
}

// optional reads a number that stands one higher; none gives -1.
func (d *decoder) optional(limit int) int32 {
	n := d.number()
	if n > limit {
		d.fail("reference to %d of %d", n-1, limit)
		return -1
	}
	return int32(n - 1)
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
// is allocated that the section does not hold.
func (d *decoder) count() int {
	n := d.number()
	if n > d.left() {
		d.fail("%d items in %d bytes", n, d.left())
		return 0
	}
	return n
}

func (d *decoder) float() float32 {
	if b := d.take(4); b != nil {
		return math.Float32frombits(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) double() float64 {
	if b := d.take(8); b != nil {
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) string() string {
	n := d.number()
	if n > d.left() {
		d.fail("cut short")
		return ""
	}
	s := d.text[d.at : d.at+n]
	d.at += n
	return s
}

func (d *decoder) bytes() []byte { return d.take(d.number()) }

func (d *decoder) sharedString() string {
	i := d.number()
	switch {
	case i < len(d.shared):
	case i > len(d.shared):
		d.fail("reference to text %d of %d", i, len(d.shared))
		return ""
	default:
		d.shared = append(d.shared, d.string())
	}
	return d.shared[i]
}

// ids reads numbers of entries of a registry.
func (d *decoder) ids(limit int) []int32 {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(d.index(limit))
	}
	return list
}

// withNamespace returns a name as the game writes it.
func withNamespace(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return namespace + name
}
