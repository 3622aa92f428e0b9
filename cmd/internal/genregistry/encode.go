package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

// encoder writes a section; anvil/registry reads it with the methods of the
// same names.
type encoder struct {
	data []byte
	// strings are the texts that were written by reference, by their numbers.
	strings map[string]int
}

func newEncoder() *encoder { return &encoder{strings: map[string]int{}} }

func (e *encoder) number(v int) {
	if v < 0 || v > math.MaxInt32 {
		panic(fmt.Sprintf("genregistry: number %d", v)) // of a table too large to read
	}
	e.data = binary.AppendUvarint(e.data, uint64(v))
}

// signed writes a number that may be negative.
func (e *encoder) signed(v int) { e.data = binary.AppendVarint(e.data, int64(v)) }

func (e *encoder) truth(v bool) {
	if v {
		e.data = append(e.data, 1)
	} else {
		e.data = append(e.data, 0)
	}
}

func (e *encoder) float(v float64) {
	e.data = binary.BigEndian.AppendUint32(e.data, math.Float32bits(float32(v)))
}

func (e *encoder) double(v float64) {
	e.data = binary.BigEndian.AppendUint64(e.data, math.Float64bits(v))
}

func (e *encoder) text(s string) {
	e.number(len(s))
	e.data = append(e.data, s...)
}

func (e *encoder) bytes(b []byte) {
	e.number(len(b))
	e.data = append(e.data, b...)
}

// shared writes a text that is likely to come again: its number among those
// written so far, and the text the first time.
func (e *encoder) shared(s string) {
	i, ok := e.strings[s]
	if !ok {
		i = len(e.strings)
		e.strings[s] = i
	}
	e.number(i)
	if !ok {
		e.text(s)
	}
}
