package template

import (
	"bytes"
	_ "embed" // the table
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"strata/anvil/block"
)

//go:generate go run strata/cmd/internal/genstructure

// The table of the shapes of the game's templates, written by
// cmd/internal/genstructure. After Magic and its length as a uvarint comes a
// zstd frame with
//
//	strings: count, then of each its length and bytes
//	templates: count, then of each
//	    id (a place in strings), size x, y, z, count of connectors, of each
//	        x, y, z, front<<3|top, name, target, pool, final state,
//	        joint (1 rollable), selection and placement priority (signed)
//
// all numbers as varints.
//
//go:embed shapes.bin
var packedShapes []byte

// Magic begins the table.
const Magic = "strata structures 1\n"

// maxTable bounds what the table unpacks to, in bytes.
const maxTable = 1 << 24

// builtinShapes decodes the table once. One that does not decode was built
// wrong, which is a bug and panics.
var builtinShapes = sync.OnceValue(func() map[string]*Shape {
	shapes, err := DecodeTable(packedShapes)
	if err != nil {
		panic(fmt.Sprintf("template: embedded table of shapes: %v", err))
	}
	return shapes
})

var errTable = errors.New("not a table of shapes")

// DecodeTable reads a table.
func DecodeTable(file []byte) (map[string]*Shape, error) {
	rest, ok := bytes.CutPrefix(file, []byte(Magic))
	length, n := binary.Uvarint(rest)
	if !ok || n <= 0 || length > maxTable {
		return nil, errTable
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxTable))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	data, err := z.DecodeAll(rest[n:], nil)
	if err != nil {
		return nil, err
	}
	if uint64(len(data)) != length {
		return nil, errTable
	}
	r := tableReader{data: data}
	shapes := r.table()
	if r.bad || len(r.data) > 0 {
		return nil, errTable
	}
	return shapes, nil
}

// tableReader takes numbers from a table.
type tableReader struct {
	data    []byte
	bad     bool
	strings []string
}

func (r *tableReader) number() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > maxTable {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

func (r *tableReader) signed() int32 {
	v, n := binary.Varint(r.data)
	if n <= 0 || v != int64(int32(v)) {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int32(v)
}

// count is a number of things that take a byte at least.
func (r *tableReader) count() int {
	n := r.number()
	if n > len(r.data) {
		r.bad, r.data = true, nil
		return 0
	}
	return n
}

func (r *tableReader) text() string {
	i := r.number()
	if i >= len(r.strings) {
		r.bad = true
		return ""
	}
	return r.strings[i]
}

func (r *tableReader) table() map[string]*Shape {
	for range r.count() {
		n := r.count()
		r.strings = append(r.strings, string(r.data[:n]))
		r.data = r.data[n:]
	}
	shapes := make(map[string]*Shape)
	for range r.count() {
		id := r.text()
		s := &Shape{SizeX: int32(r.number()), SizeY: int32(r.number()), SizeZ: int32(r.number())}
		s.Connectors = make([]Connector, r.count())
		for i := range s.Connectors {
			r.connector(&s.Connectors[i])
		}
		shapes[id] = s
	}
	return shapes
}

func (r *tableReader) connector(c *Connector) {
	c.X, c.Y, c.Z = int32(r.number()), int32(r.number()), int32(r.number())
	ways := r.number()
	c.Front, c.Top = block.Direction(ways>>3), block.Direction(ways&7)
	if c.Front > block.East || c.Top > block.East {
		r.bad = true
	}
	c.Name, c.Target, c.Pool, c.FinalState = r.text(), r.text(), r.text(), r.text()
	c.Rollable = r.number() == 1
	c.SelectionPriority, c.PlacementPriority = r.signed(), r.signed()
}
