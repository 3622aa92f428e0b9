package nbt

import "encoding/binary"

// Ints is a view of an int array as it stands in the document, big-endian.
type Ints struct{ data []byte }

// Len returns the number of ints.
func (a Ints) Len() int { return len(a.data) / 4 }

// At returns an int, counted from 0. It panics if there is none such.
func (a Ints) At(i int) int32 { return int32(binary.BigEndian.Uint32(a.data[4*i:])) }

// AppendTo appends all ints to dst.
func (a Ints) AppendTo(dst []int32) []int32 {
	n := len(dst)
	dst = append(dst, make([]int32, a.Len())...)
	readInts(dst[n:], a.data)
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
	readLongs(dst[n:], a.data)
	return dst
}

// Bytes returns the array's bytes, big-endian, a view.
func (a Longs) Bytes() []byte { return a.data }

// readInts fills v with ints from the start of data, which must have them.
func readInts(v []int32, data []byte) {
	for len(v) >= 4 && len(data) >= 16 {
		v[0] = int32(binary.BigEndian.Uint32(data))
		v[1] = int32(binary.BigEndian.Uint32(data[4:]))
		v[2] = int32(binary.BigEndian.Uint32(data[8:]))
		v[3] = int32(binary.BigEndian.Uint32(data[12:]))
		v, data = v[4:], data[16:]
	}
	for i := range v {
		v[i] = int32(binary.BigEndian.Uint32(data[4*i:]))
	}
}

// readLongs fills v with longs from the start of data, which must have them.
func readLongs(v []int64, data []byte) {
	for len(v) >= 4 && len(data) >= 32 {
		v[0] = int64(binary.BigEndian.Uint64(data))
		v[1] = int64(binary.BigEndian.Uint64(data[8:]))
		v[2] = int64(binary.BigEndian.Uint64(data[16:]))
		v[3] = int64(binary.BigEndian.Uint64(data[24:]))
		v, data = v[4:], data[32:]
	}
	for i := range v {
		v[i] = int64(binary.BigEndian.Uint64(data[8*i:]))
	}
}

// putInts writes v to the start of data, which has the room.
func putInts(data []byte, v []int32) {
	for len(v) >= 4 && len(data) >= 16 {
		binary.BigEndian.PutUint32(data, uint32(v[0]))
		binary.BigEndian.PutUint32(data[4:], uint32(v[1]))
		binary.BigEndian.PutUint32(data[8:], uint32(v[2]))
		binary.BigEndian.PutUint32(data[12:], uint32(v[3]))
		v, data = v[4:], data[16:]
	}
	for i, n := range v {
		binary.BigEndian.PutUint32(data[4*i:], uint32(n))
	}
}

// putLongs writes v to the start of data, which has the room.
func putLongs(data []byte, v []int64) {
	for len(v) >= 4 && len(data) >= 32 {
		binary.BigEndian.PutUint64(data, uint64(v[0]))
		binary.BigEndian.PutUint64(data[8:], uint64(v[1]))
		binary.BigEndian.PutUint64(data[16:], uint64(v[2]))
		binary.BigEndian.PutUint64(data[24:], uint64(v[3]))
		v, data = v[4:], data[32:]
	}
	for i, n := range v {
		binary.BigEndian.PutUint64(data[8*i:], uint64(n))
	}
}

// appendInts appends v big-endian.
func appendInts(dst []byte, v []int32) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, 4*len(v))...)
	putInts(dst[n:], v)
	return dst
}

// appendLongs appends v big-endian.
func appendLongs(dst []byte, v []int64) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, 8*len(v))...)
	putLongs(dst[n:], v)
	return dst
}
