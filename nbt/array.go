package nbt

import "encoding/binary"

// Ints is a view of an int array or of a list of ints as it stands in the
// document, big-endian.
type Ints struct{ data []byte }

// Len returns the number of ints.
func (a Ints) Len() int { return len(a.data) / 4 }

// At returns an int, counted from 0. It panics if there is none such.
func (a Ints) At(i int) int32 { return int32(binary.BigEndian.Uint32(a.data[4*i:])) }

// AppendTo appends all ints to dst.
func (a Ints) AppendTo(dst []int32) []int32 {
	n := len(dst)
	dst = append(dst, make([]int32, a.Len())...)
	to, from := dst[n:], a.data
	for i := range to {
		to[i] = int32(binary.BigEndian.Uint32(from))
		from = from[4:]
	}
	return dst
}

// Bytes returns the array's bytes, big-endian, a view.
func (a Ints) Bytes() []byte { return a.data }

// Longs is a view of a long array as it stands in the document, big-endian.
type Longs struct{ data []byte }

// Len returns the number of longs.
func (a Longs) Len() int { return len(a.data) / 8 }

// At returns a long, counted from 0. It panics if there is none such.
func (a Longs) At(i int) int64 { return int64(binary.BigEndian.Uint64(a.data[8*i:])) }

// AppendTo appends all longs to dst.
func (a Longs) AppendTo(dst []int64) []int64 {
	n := len(dst)
	dst = append(dst, make([]int64, a.Len())...)
	to, from := dst[n:], a.data
	for i := range to {
		to[i] = int64(binary.BigEndian.Uint64(from))
		from = from[8:]
	}
	return dst
}

// Bytes returns the array's bytes, big-endian, a view.
func (a Longs) Bytes() []byte { return a.data }
