//go:build purego || !(amd64 || arm64)

package flate

import "encoding/binary"

// The bounds-checked twin of load_unsafe.go.

// load32 returns the four bytes b[i:i+4].
func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

// load64 returns the eight bytes b[i:i+8].
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// store64 sets the eight bytes b[i:i+8].
func store64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }
