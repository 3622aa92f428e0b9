package building

import (
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// iglooLayout is the layout of igloos.
type iglooLayout struct{}

func newIgloo(*structure.Loader, provider.Value) (structure.Layout, error) { return iglooLayout{}, nil }

// startHeight is the y at which pieces are laid out that get their height when
// they are placed.
const startHeight = 90

// iglooPart is what the templates of igloos differ in.
type iglooPart struct {
	name   string
	pivot  spot
	offset spot // from the corner of the top
}

var (
	iglooTop    = &iglooPart{"minecraft:igloo/top", spot{3, 5, 5}, spot{}}
	iglooMiddle = &iglooPart{"minecraft:igloo/middle", spot{1, 3, 1}, spot{2, -3, 4}}
	iglooBottom = &iglooPart{"minecraft:igloo/bottom", spot{3, 6, 7}, spot{0, -3, -2}}
)

// Find implements structure.Layout.
func (iglooLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	return onTop(l, proto.WorldSurface, func(l *structure.Layouter) (pieces []structure.Piece) {
		x, z := l.MinBlock()
		rotation := randomRotation(l.Random)
		missing := false
		add := func(part *iglooPart, down int32) {
			at := spot{x, startHeight - down, z}.plus(part.offset)
			t, ok := newTurned(l, "minecraft:iglu", part.name, at, posture{rotation: rotation, pivot: part.pivot})
			missing = missing || !ok
			pieces = append(pieces, &iglooPiece{turned: t, part: part})
		}
		if l.Random.Double() < 0.5 {
			ladders := l.Random.IntN(8) + 4
			add(iglooBottom, ladders*3)
			for i := range ladders - 1 {
				add(iglooMiddle, i*3)
			}
		}
		add(iglooTop, 0)
		if missing {
			return nil
		}
		return pieces
	})
}

// iglooPiece is the snow dome of an igloo, a part of its ladder or its cellar.
type iglooPiece struct {
	turned
	part *iglooPart
}

// Save implements structure.Piece.
func (i *iglooPiece) Save() nbt.Compound {
	c := i.save(i.name)
	c.Set("Rot", i.rotation.String())
	return c
}
