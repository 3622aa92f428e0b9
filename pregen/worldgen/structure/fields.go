package structure

import (
	"errors"
	"fmt"

	"strata/nbt"
)

// ErrPiece is wrapped by errors about stored pieces that make no sense.
var ErrPiece = errors.New("damaged piece of a structure")

// Fields are what is stored of a piece. The first thing missing or wrong is
// remembered, for Err.
type Fields struct {
	members nbt.Compound
	err     error
}

// NewFields returns the fields of a piece.
func NewFields(c nbt.Compound) *Fields { return &Fields{members: c} }

// Err returns what was wrong with the fields that were asked for. It wraps
// ErrPiece.
func (f *Fields) Err() error { return f.err }

// fail remembers that a field is not there, or not as it should be.
func (f *Fields) fail(name string) {
	if f.err == nil {
		f.err = fmt.Errorf("%w: %s", ErrPiece, name)
	}
}

// Get returns a field, nil if it is missing.
func (f *Fields) Get(name string) any {
	v, _ := f.members.Get(name)
	return v
}

// Has reports whether there is a field.
func (f *Fields) Has(name string) bool {
	_, ok := f.members.Get(name)
	return ok
}

// Int returns a number. As in the game a missing one, or one of another type,
// is 0.
func (f *Fields) Int(name string) int32 { return int32(f.Long(name)) }

// Long is Int for numbers of 64 bits.
func (f *Fields) Long(name string) int64 {
	switch v := f.Get(name).(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case int64:
		return v
	case float32:
		return int64(v)
	case float64:
		return int64(v)
	}
	return 0
}

// Bool returns whether a number is not 0.
func (f *Fields) Bool(name string) bool { return f.Long(name) != 0 }

// Text returns a text, empty if it is missing.
func (f *Fields) Text(name string) string {
	v, _ := f.Get(name).(string)
	return v
}

// Ints returns an array of numbers of which there must be n.
func (f *Fields) Ints(name string, n int) []int32 {
	v, _ := f.Get(name).([]int32)
	if len(v) != n {
		f.fail(name)
		return make([]int32, n)
	}
	return v
}

// Box returns a box.
func (f *Fields) Box(name string) Box {
	v := f.Ints(name, 6)
	return NewBox(v[0], v[1], v[2], v[3], v[4], v[5])
}

// Ints returns the numbers that a box is stored as.
func boxInts(b Box) []int32 { return []int32{b.MinX, b.MinY, b.MinZ, b.MaxX, b.MaxY, b.MaxZ} }

// ReadBase reads what all pieces have.
func (f *Fields) ReadBase() Base {
	b := Base{ID: f.Text("id"), Box: f.Box("BB"), Depth: f.Int("GD")}
	facing := f.Int("O")
	if facing < -1 || facing > 3 {
		f.fail("O")
		facing = -1
	}
	b.Facing = Facing(facing + 1)
	return b
}

// SavePiece returns all that is stored of a piece.
func SavePiece(p Piece) nbt.Compound {
	b := p.Common()
	var c nbt.Compound
	c.Set("id", b.ID)
	c.Set("BB", boxInts(b.Box))
	c.Set("O", b.Facing.stored())
	c.Set("GD", b.Depth)
	return append(c, p.Save()...)
}
