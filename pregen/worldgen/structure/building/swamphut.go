package building

import (
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

func newSwampHut(*structure.Loader, provider.Value) (structure.Layout, error) {
	return &single{piece: func(l *structure.Layouter) structure.Piece {
		return &hutPiece{scattered: newScattered(l, "minecraft:tesh", 7, 7, 9)}
	}}, nil
}

// hutPiece is a swamp hut.
type hutPiece struct {
	scattered
	witch, cat bool // there already
}

// Save implements structure.Piece.
func (h *hutPiece) Save() nbt.Compound {
	c := h.scattered.Save()
	c.Set("Witch", h.witch)
	c.Set("Cat", h.cat)
	return c
}

func readHut(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	common, err := readScattered(b, f, 7, 7, 9)
	return &hutPiece{scattered: common, witch: f.Bool("Witch"), cat: f.Bool("Cat")}, err
}

var hutPlans = loadPlans("swamp_hut")

// Place implements structure.Piece.
func (h *hutPiece) Place(p *structure.Placer) {
	if !h.settleOnAverage(p) {
		return
	}
	w := &builder{p: p, b: &h.Base, mark: func(_ string, x, y, z int32) { h.mobs(p, x, y, z) }}
	w.run(hutPlans()["hut"], 0, 0, 0)
}

// mobs places the witch and her cat.
func (h *hutPiece) mobs(p *structure.Placer, x, y, z int32) {
	if x, y, z = h.World(x, y, z); !p.Inside(x, y, z) {
		return
	}
	if !h.witch {
		h.witch = true
		addMob(p, "minecraft:witch", spot{x, y, z})
	}
	if !h.cat {
		h.cat = true
		addMob(p, "minecraft:cat", spot{x, y, z}, feature.Member{Name: "variant", Value: raw("minecraft:all_black")})
	}
}
