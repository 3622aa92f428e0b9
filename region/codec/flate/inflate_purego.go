//go:build purego || !(amd64 || arm64)

package flate

// The bounds-checked twin of inflate_unsafe.go.

// store8 sets the byte b[i].
func store8(b []byte, i int, v byte) { b[i] = v }
