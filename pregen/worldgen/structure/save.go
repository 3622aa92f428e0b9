package structure

import (
	"fmt"

	"strata/nbt"
)

// MaxPieces bounds the pieces of a start that is read. The game's largest have
// some thousands.
const MaxPieces = 1 << 16

// Save returns what is stored of a start.
func (s *Start) Save() nbt.Compound {
	var c nbt.Compound
	c.Set("id", s.ID)
	c.Set("ChunkX", s.X)
	c.Set("ChunkZ", s.Z)
	c.Set("references", s.References)
	children := nbt.List{Elem: nbt.TypeCompound}
	for _, p := range s.Pieces {
		children.Items = append(children.Items, s.savePiece(p))
	}
	c.Set("Children", children)
	return c
}

// invalidID is the id of a start that turned out to be none.
const invalidID = "INVALID"

// ReadStart reads a start; nil if it turned out to be none. readers read its
// pieces by id. The error wraps ErrPiece; it tells of pieces and structures
// that are not known, too.
func (s *System) ReadStart(c nbt.Compound, readers map[string]Reader) (*Start, error) {
	f := NewFields(c)
	id := f.Text("id")
	if id == invalidID {
		return nil, nil
	}
	known := s.byID[id]
	if known == nil {
		return nil, fmt.Errorf("%w: structure %q is none of the dimension", ErrPiece, id)
	}
	children, _ := f.Get("Children").(nbt.List)
	if len(children.Items) == 0 {
		return nil, nil
	}
	if len(children.Items) > MaxPieces {
		return nil, fmt.Errorf("%w: %d pieces", ErrPiece, len(children.Items))
	}
	pieces := make([]Piece, len(children.Items))
	for i, item := range children.Items {
		child, ok := item.(nbt.Compound)
		if !ok {
			return nil, fmt.Errorf("%w: piece %d of %s is no compound", ErrPiece, i, id)
		}
		var err error
		if pieces[i], err = readPiece(child, readers); err != nil {
			return nil, fmt.Errorf("%s: piece %d: %w", id, i, err)
		}
	}
	return NewStart(known, f.Int("ChunkX"), f.Int("ChunkZ"), f.Int("references"), pieces), nil
}

func readPiece(c nbt.Compound, readers map[string]Reader) (Piece, error) {
	f := NewFields(c)
	base := f.ReadBase()
	if err := f.Err(); err != nil {
		return nil, err
	}
	read := readers[base.ID]
	if read == nil {
		return nil, fmt.Errorf("%w: unknown piece %q", ErrPiece, base.ID)
	}
	return read(base, f)
}
