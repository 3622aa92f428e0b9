package transplant

import (
	"fmt"

	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
)

// MaxChunk is the largest coordinate of a chunk: blocks end at 30,000,000.
const MaxChunk = 30_000_000 / 16

// Move says where chunks go.
type Move struct {
	// From and To are ids of dimensions.
	From, To string
	// X and Z are added to the positions of chunks.
	X, Z int32
}

// Pos is where a chunk goes. The error wraps ErrRange.
func (m Move) Pos(p region.ChunkPos) (region.ChunkPos, error) {
	x, z := int64(p.X)+int64(m.X), int64(p.Z)+int64(m.Z)
	if max(x, -x, z, -z) > MaxChunk {
		return region.ChunkPos{}, fmt.Errorf("chunk %v to %d,%d: %w", p, x, z, ErrRange)
	}
	return region.ChunkPos{X: int32(x), Z: int32(z)}, nil
}

// Back is the move that takes chunks back.
func (m Move) Back() Move { return Move{m.To, m.From, -m.X, -m.Z} }

// still reports whether nothing moves.
func (m Move) still() bool { return m.X == 0 && m.Z == 0 && m.From == m.To }

// Mover rewrites documents. It belongs to one goroutine.
type Mover struct {
	Move Move
	// IDs gives entities new UUIDs; nil leaves them.
	IDs *IDs

	tape nbt.Tape
}

// maxDocument is the largest document that is moved, inflated.
const maxDocument = 256 << 20

// Moved is a document in its new place.
type Moved struct {
	Data []byte // data itself if nothing had to be rewritten
	// DataVersion of the document; it stays.
	DataVersion int32
}

// Document rewrites the document of the chunk at a position. The error wraps
// ErrShape, ErrMisplaced or ErrRange. data is not changed.
func (m *Mover) Document(kind store.Kind, pos region.ChunkPos, data []byte) (Moved, error) {
	m.tape.Limits = nbt.Limits{Bytes: maxDocument}
	if err := m.tape.Parse(data); err != nil {
		return Moved{}, shapeError(err)
	}
	root := m.tape.Root()
	if root.Type() != nbt.TypeCompound {
		return Moved{}, fmt.Errorf("%w: the root is a %v", ErrShape, root.Type())
	}
	version, _ := root.Get("DataVersion").Int()
	moved := Moved{Data: data, DataVersion: int32(version)}
	if is, ok := position(kind, root); ok && is != pos {
		return moved, fmt.Errorf("the document in place of %v %w, %v", pos, ErrMisplaced, is)
	}
	if m.Move.still() && m.IDs == nil {
		return moved, nil
	}
	p := &patcher{out: append([]byte(nil), data...), move: m.Move, ids: m.IDs}
	switch kind {
	case store.Entities:
		p.entityChunk(root)
	case store.POI:
		p.poi(root)
	default:
		p.chunk(root)
	}
	if m.IDs != nil {
		p.identities(root)
	}
	moved.Data = p.renamed()
	return moved, p.err
}

// position is where a document says that it is.
func position(kind store.Kind, root nbt.Tag) (pos region.ChunkPos, ok bool) {
	switch kind {
	case store.POI:
		return pos, false
	case store.Entities:
		ints, isInts := root.Get("Position").IntArray()
		if !isInts || ints.Len() != 2 {
			return pos, false
		}
		return region.ChunkPos{X: ints.At(0), Z: ints.At(1)}, true
	}
	if level := root.Get("Level"); level.Type() == nbt.TypeCompound {
		root = level
	}
	x, xOK := root.Get("xPos").Int()
	z, zOK := root.Get("zPos").Int()
	return region.ChunkPos{X: int32(x), Z: int32(z)}, xOK && zOK
}
