package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// Radius is how far a shape reaches from its centre, east and west, and north
// and south. Only rectangles and ellipses may have two lengths.
type Radius struct {
	X, Z   int32
	Blocks bool // the lengths are in blocks, otherwise in chunks
}

// ParseRadius reads "24" (chunks), "400b" (blocks), "24,12" or "400b,200b".
// The error wraps ErrRadius.
func ParseRadius(text string) (Radius, error) {
	var r Radius
	x, z, two := strings.Cut(text, ",")
	if !two {
		z = x
	}
	var zBlocks bool
	var err error
	if r.X, r.Blocks, err = parseLength(x); err != nil {
		return Radius{}, err
	}
	if r.Z, zBlocks, err = parseLength(z); err != nil {
		return Radius{}, err
	}
	if r.Blocks != zBlocks {
		return Radius{}, fmt.Errorf("%w %q: one length in blocks and one in chunks", ErrRadius, text)
	}
	return r, nil
}

func parseLength(text string) (n int32, blocks bool, err error) {
	digits, blocks := strings.CutSuffix(strings.TrimSpace(text), "b")
	v, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0, false, fmt.Errorf("%w %q: want chunks (24), blocks (400b), or two of them (24,12)", ErrRadius, text)
	}
	return int32(v), blocks, nil
}

// String is the form that ParseRadius reads.
func (r Radius) String() string {
	unit := ""
	if r.Blocks {
		unit = "b"
	}
	if r.X == r.Z {
		return fmt.Sprint(r.X, unit)
	}
	return fmt.Sprint(r.X, unit, ",", r.Z, unit)
}

// MaxBlock is how far from the middle of the world a coordinate may be, in
// blocks: the game's own limit.
const MaxBlock = 30_000_000

// MaxBounds is how many chunks the bounding box of an area may have.
const MaxBounds = 1 << 34
