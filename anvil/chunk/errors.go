package chunk

import (
	"errors"
	"fmt"

	"strata/region"
)

// What is wrong with a chunk's NBT. A [*DamageError] says where.
var (
	// ErrMissing: a member that a chunk must have.
	ErrMissing = errors.New("member is missing")
	// ErrType: a member of another type than the game's.
	ErrType = errors.New("member of another type")
	// ErrSectionY: a section's Y out of the range of a byte.
	ErrSectionY = errors.New("section Y out of range")
	// ErrDuplicate: two sections of one Y.
	ErrDuplicate = errors.New("two sections of one Y")
	// ErrPalette: a palette without entries, or with more than there are cells.
	ErrPalette = errors.New("palette size out of range")
	// ErrDataLength: an array of indices, light or biomes of another length.
	ErrDataLength = errors.New("array of another length")
	// ErrIndex: an index outside its palette.
	ErrIndex = errors.New("index outside its palette")
	// ErrElement: an element of a list that is not what belongs there.
	ErrElement = errors.New("element that does not belong there")
)

// ErrTooOld says that a chunk is from before DataVersion [MinDataVersion]. A
// [*TooOldError] wraps it.
var ErrTooOld = errors.New("chunk from before 1.13")

// ErrBiomesFull says that a [Biomes] has no room for another name.
var ErrBiomesFull = errors.New("biome table is full")

// What a chunk refuses to do.
var (
	// ErrRange: a position or section outside the chunk.
	ErrRange = errors.New("outside the chunk")
	// ErrNBT: a value that is not one whole tag of the type it should have.
	ErrNBT = errors.New("not a whole tag of that type")
	// ErrForm: something that chunks of this DataVersion do not have.
	ErrForm = errors.New("not in chunks of this version")
	// ErrNoConversion: a DataVersion that no list of conversions leads to.
	ErrNoConversion = errors.New("no conversion leads there")
)

// DamageError is a defect of a chunk's NBT.
type DamageError struct {
	// Pos is the chunk's position as it says itself; 0,0 if HasPos is false,
	// because the defect was found before it.
	Pos    region.ChunkPos
	HasPos bool
	// Path of the tag in the document, such as sections[3].block_states.data.
	Path string
	// Offset of the tag in the document, in bytes; -1 if there is none.
	Offset int
	// Err is one of the sentinels of this package, or of packages block (a
	// palette entry that does not fit in) and nbt.
	Err error
}

func (e *DamageError) Error() string {
	where := "chunk"
	if e.HasPos {
		where = "chunk " + e.Pos.String()
	}
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %s: %v", where, e.Path, e.Err)
	}
	return fmt.Sprintf("%s: %s at byte %d: %v", where, e.Path, e.Offset, e.Err)
}

// Unwrap returns the reason.
func (e *DamageError) Unwrap() error { return e.Err }

// TooOldError is a chunk that only its header can be read of.
type TooOldError struct{ Header Header }

func (e *TooOldError) Error() string {
	return fmt.Sprintf("chunk %v of DataVersion %d: %v", e.Header.Pos, e.Header.DataVersion, ErrTooOld)
}

// Unwrap returns [ErrTooOld].
func (e *TooOldError) Unwrap() error { return ErrTooOld }
