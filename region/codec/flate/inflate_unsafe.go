//go:build !purego && (amd64 || arm64)

package flate

import "unsafe"

// Like the functions of load_unsafe.go, and as there the caller proves that the
// place lies within the slice.

// store8 sets the byte b[i].
func store8(b []byte, i int, v byte) {
	*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)) = v
}
