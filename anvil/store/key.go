package store

import (
	"fmt"

	"strata/region"
)

// Kind says which of a dimension's three folders an object is in.
type Kind uint8

// The kinds. Chunks are *chunk.Chunk, the others NBT documents.
const (
	Chunks   Kind = iota // region
	Entities             // entities
	POI                  // poi
	kinds    = 3
)

// String is the name of the folder.
func (k Kind) String() string {
	switch k {
	case Chunks:
		return "region"
	case Entities:
		return "entities"
	case POI:
		return "poi"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Dim is a dimension by its place in World.Dimensions.
type Dim uint8

// Ref names an object: a chunk, or the entities or points of interest of one.
type Ref struct {
	Dim  Dim
	Kind Kind
	Pos  region.ChunkPos
}

func (r Ref) String() string {
	return fmt.Sprintf("%v of chunk %v in dimension %d", r.Kind, r.Pos, r.Dim)
}

// maxPos bounds chunk positions: far beyond the game's 1,875,000.
const maxPos = 1<<25 - 1

// key packs a Ref that valid has found good: 8 bits dimension, 2 bits kind, 26
// bits each of x and z.
func (r Ref) key() uint64 {
	const mask = 1<<26 - 1
	return uint64(r.Dim)<<54 | uint64(r.Kind)<<52 | uint64(r.Pos.X)&mask<<26 | uint64(r.Pos.Z)&mask
}

func (s *Store) valid(r Ref) bool {
	return int(r.Dim) < len(s.world.Dimensions) && r.Kind < kinds &&
		r.Pos.X >= -maxPos && r.Pos.X <= maxPos && r.Pos.Z >= -maxPos && r.Pos.Z <= maxPos
}

func (s *Store) folderOf(r Ref) *folder { return s.folders[int(r.Dim)*kinds+int(r.Kind)] }
