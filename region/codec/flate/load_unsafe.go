//go:build !purego && (amd64 || arm64)

package flate

import "unsafe"

// Little-endian loads and stores of a slice at an index. This file leaves the
// bounds check out, so every caller proves first that the whole word lies
// within the slice's length; load_purego.go has the same functions with the
// check, and the tests run with both. The two architectures named above are
// little-endian and take unaligned addresses.

// load32 returns the four bytes b[i:i+4].
func load32(b []byte, i int) uint32 {
	return *(*uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// load64 returns the eight bytes b[i:i+8].
func load64(b []byte, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// store64 sets the eight bytes b[i:i+8].
func store64(b []byte, i int, v uint64) {
	*(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}
