package underground

import (
	"fmt"

	"strata/pregen/worldgen/structure"
)

// size is that of a piece that faces north.
type size [3]int32

// sizes are those of kinds of pieces of one size.
var sizes = map[string]size{
	mineStairsID:  {3, 8, 9},
	strongStartID: {5, 11, 5}, strongStairsID: {5, 11, 5}, strongStraightID: {5, 5, 7}, strongPrisonID: {9, 5, 11},
	strongLeftID: {5, 5, 5}, strongRightID: {5, 5, 5}, strongRoomID: {11, 7, 11}, strongSlopeID: {5, 11, 8},
	strongCrossingID: {10, 9, 11}, strongChestID: {5, 5, 7}, strongPortalID: {11, 8, 16},
	fortCrossingID: {19, 10, 19}, fortBridgeID: {5, 10, 19}, fortEndID: {5, 10, 8}, fortRoomID: {7, 9, 7},
	fortStairsID: {7, 11, 7}, fortThroneID: {7, 8, 9}, fortEntranceID: {13, 14, 13}, fortCorridorID: {5, 7, 5},
	fortCorridorsID: {5, 7, 5}, fortLeftID: {5, 7, 5}, fortRightID: {5, 7, 5}, fortSlopeID: {5, 14, 10},
	fortBalconyID: {9, 7, 9}, fortGardenID: {13, 14, 13}, treasureID: {1, 1, 1},
}

// sizeOf is the size of the box of a piece that has been read.
func sizeOf(b *structure.Base) size {
	x, y, z := b.Box.Span()
	if alongX(b.Facing) {
		x, z = z, x
	}
	return size{x, y, z}
}

// checked makes a reader refuse pieces of another size than the game's: they
// would reach into chunks that do not refer to them.
func checked(read structure.Reader) structure.Reader {
	return func(b structure.Base, f *structure.Fields) (structure.Piece, error) {
		p, err := read(b, f)
		if err != nil {
			return nil, err
		}
		if !fits(p) {
			return nil, fmt.Errorf("%w: box %v of %s", structure.ErrPiece, b.Box, b.ID)
		}
		return p, nil
	}
}

// fits reports whether a piece has a size that the game gives such a piece.
func fits(p structure.Piece) bool {
	b := p.Common()
	got := sizeOf(b)
	within := func(least, most size) bool {
		for i, n := range got {
			if n < least[i] || n > most[i] {
				return false
			}
		}
		return true
	}
	switch p := p.(type) {
	case *mineRoom:
		for _, e := range p.exits {
			if !b.Box.Grown(maxExit).Encloses(e) {
				return false
			}
		}
		return within(size{8, 5, 8}, size{13, 10, 13})
	case *mineCorridor:
		return p.sections > 0 && b.Facing != structure.FacesNone && got == size{3, 3, p.sections * sectionLength}
	case *mineCrossing:
		return got == size{5, 3, 5} && !p.high || got == size{5, 7, 5} && p.high
	case *strongLibrary:
		return got == size{14, 6, 15} && !p.tall || got == size{14, 11, 15} && p.tall
	case *strongFiller:
		return b.Facing != structure.FacesNone && got == size{5, 5, p.length}
	case *bones:
		return within(size{1, 1, 1}, size{maxFossil, maxFossil, maxFossil})
	}
	return got == sizes[b.ID] && (b.Facing != structure.FacesNone || b.ID == treasureID)
}

const (
	maxExit   = 16 // how far the entrances of a room reach beside it
	maxFossil = 48 // templates are no larger
)
