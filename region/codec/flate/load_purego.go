//go:build purego || !(amd64 || arm64)

package flate

import "encoding/binary"

// The bounds-checked twin of load_unsafe.go.

// load16 returns the two bytes b[i:i+2].
func load16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }

// load32 returns the four bytes b[i:i+4].
func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

// load64 returns the eight bytes b[i:i+8].
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// store32 sets the four bytes b[i:i+4].
func store32(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[i:], v) }

// store64 sets the eight bytes b[i:i+8].
func store64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }
