//go:build !purego && (amd64 || arm64)

package flate

import "unsafe"

// Like the functions of load_unsafe.go, and as there the caller proves that the
// place lies within the slice.

// store8 sets the byte b[i].
func store8(b []byte, i int, v byte) {
	*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}

// copy16 copies 16 bytes from b[from:] to b[to:], which must not overlap.
func copy16(b []byte, to, from int) {
	p := unsafe.Pointer(unsafe.SliceData(b))
	*(*[16]byte)(unsafe.Add(p, to)) = *(*[16]byte)(unsafe.Add(p, from))
}
