//go:build purego || !(amd64 || arm64)

package flate

// The bounds-checked twin of inflate_unsafe.go.

// store8 sets the byte b[i].
func store8(b []byte, i int, v byte) { b[i] = v }

// copy16 copies 16 bytes from b[from:] to b[to:], which must not overlap.
func copy16(b []byte, to, from int) {
	x, y := load64(b, from), load64(b, from+8)
	store64(b, to, x)
	store64(b, to+8, y)
}
