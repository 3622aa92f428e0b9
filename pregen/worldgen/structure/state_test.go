package structure_test

import (
	"testing"

	"strata/nbt"
	"strata/pregen/worldgen/structure"
)

// lamp is a piece that settles that it is lit.
type lamp struct {
	structure.Base
	lit bool
}

func (l *lamp) Place(*structure.Placer) { l.lit = true }

func (l *lamp) Save() nbt.Compound {
	lit := int8(0)
	if l.lit {
		lit = 1
	}
	return nbt.Compound{{Name: "lit", Value: lit}}
}

// children returns what is stored of the pieces of a start.
func children(start *structure.Start) []any {
	list, _ := start.Save().Get("Children")
	return list.(nbt.List).Items
}

// What a piece near the start's chunk has settled is stored; a far one may have
// been placed or not when that chunk is saved, and is stored as it was.
func TestOnlyNearPiecesAreStoredAsTheySettled(t *testing.T) {
	near := &lamp{Base: structure.Base{ID: "a", Box: structure.NewBox(-16, 50, 0, 31, 60, 15)}}
	far := &lamp{Base: structure.Base{ID: "b", Box: structure.NewBox(0, 50, 0, 32, 60, 15)}}
	start := structure.NewStart(&structure.Structure{ID: "c"}, 0, 0, 0, []structure.Piece{near, far})
	p := placer()
	p.Start = start
	for _, piece := range start.Pieces {
		start.PlacePiece(p, piece)
		start.PlacePiece(p, piece)
	}
	for i, want := range []int8{1, 0} {
		lit, _ := children(start)[i].(nbt.Compound).Get("lit")
		if lit != want {
			t.Errorf("piece %d is stored as %v, want %v", i, lit, want)
		}
	}
}
