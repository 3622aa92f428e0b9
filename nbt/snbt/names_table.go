package snbt

import (
	"compress/flate"
	_ "embed" // of the table
	"encoding/binary"
	"io"
	"strings"
	"sync"
)

//go:generate go run ../../cmd/internal/genunicode

// The names of Unicode 16.0, see NOTICE; genunicode has the layout.
//
//go:embed names.deflate
var packedNames string

// nameTable are the names of characters: those of single ones, front coded in
// blocks, and the ranges of numbered ones. It takes 390 kB.
type nameTable struct {
	families []nameFamily
	blocks   []uint32 // where in text each begins
	// Of each name: the number of bytes that it shares with the one before,
	// the number of the others, its code point by bytes, and the others.
	shared, extra, codes, text []byte
}

// nameFamily are characters named by a prefix and their code point.
type nameFamily struct {
	prefix       []byte
	first, count uint32
}

// names returns the table, which is unpacked when a text first needs it: some
// milliseconds of work.
var names = sync.OnceValue(func() *nameTable { return newNameTable(unpackNames()) })

// unpackNames panics if the table is damaged, which is a defect of the program.
func unpackNames() []byte {
	data := make([]byte, nameTableSize)
	if _, err := io.ReadFull(flate.NewReader(strings.NewReader(packedNames)), data); err != nil {
		panic("snbt: table of character names: " + err.Error())
	}
	return data
}

func newNameTable(data []byte) *nameTable {
	number := func() uint32 {
		v, n := binary.Uvarint(data)
		data = data[n:]
		return uint32(v)
	}
	take := func(n int) []byte {
		part := data[:n:n]
		data = data[n:]
		return part
	}
	t := &nameTable{families: make([]nameFamily, number())}
	for i := range t.families {
		prefix := take(int(number()))
		t.families[i] = nameFamily{prefix: prefix, first: number(), count: number()}
	}
	t.shared, t.extra, t.codes, t.text = take(nameCount), take(nameCount), take(3*nameCount), data
	start := uint32(0)
	for i, n := range t.extra {
		if i%nameBlock == 0 {
			t.blocks = append(t.blocks, start)
		}
		start += uint32(n)
	}
	return t
}
