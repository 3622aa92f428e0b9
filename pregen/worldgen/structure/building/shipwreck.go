package building

import (
	"strata/nbt"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
)

// shipwreckLayout is the layout of shipwrecks.
type shipwreckLayout struct{ beached bool }

func newShipwreck(_ *structure.Loader, v provider.Value) (structure.Layout, error) {
	member, err := v.Member("is_beached")
	if err != nil {
		return nil, err
	}
	beached, err := member.Bool()
	return shipwreckLayout{beached}, err
}

// The templates of shipwrecks, in the order in which they are drawn.
var (
	beachedWrecks = []string{
		"with_mast", "sideways_full", "sideways_fronthalf", "sideways_backhalf", "rightsideup_full",
		"rightsideup_fronthalf", "rightsideup_backhalf", "with_mast_degraded", "rightsideup_full_degraded",
		"rightsideup_fronthalf_degraded", "rightsideup_backhalf_degraded",
	}
	oceanWrecks = []string{
		"with_mast", "upsidedown_full", "upsidedown_fronthalf", "upsidedown_backhalf", "sideways_full",
		"sideways_fronthalf", "sideways_backhalf", "rightsideup_full", "rightsideup_fronthalf",
		"rightsideup_backhalf", "with_mast_degraded", "upsidedown_full_degraded", "upsidedown_fronthalf_degraded",
		"upsidedown_backhalf_degraded", "sideways_full_degraded", "sideways_fronthalf_degraded",
		"sideways_backhalf_degraded", "rightsideup_full_degraded", "rightsideup_fronthalf_degraded",
		"rightsideup_backhalf_degraded",
	}
)

var wreckPivot = spot{4, 0, 15}

// heightKind is the heightmap that says how high a wreck lies.
func (s shipwreckLayout) heightKind() proto.Heightmap {
	if s.beached {
		return proto.WorldSurface
	}
	return proto.OceanFloor
}

// Find implements structure.Layout.
func (s shipwreckLayout) Find(l *structure.Layouter) (structure.Point, bool) {
	return onTop(l, s.heightKind(), func(l *structure.Layouter) []structure.Piece {
		x, z := l.MinBlock()
		rotation := randomRotation(l.Random)
		names := oceanWrecks
		if s.beached {
			names = beachedWrecks
		}
		name := "minecraft:shipwreck/" + names[l.Random.IntN(int32(len(names)))]
		t, ok := newTurned(l, "minecraft:shipwreck", name, spot{x, startHeight, z}, posture{rotation: rotation, pivot: wreckPivot})
		if !ok {
			return nil
		}
		return []structure.Piece{&shipwreckPiece{turned: t, beached: s.beached}}
	})
}

// shipwreckPiece is a shipwreck.
type shipwreckPiece struct {
	turned
	beached bool
	settled bool // its height is that of the ground
}

// Save implements structure.Piece.
func (s *shipwreckPiece) Save() nbt.Compound {
	c := s.save(s.name)
	c.Set("isBeached", s.beached)
	c.Set("Rot", s.rotation.String())
	c.Set("height_adjusted", s.settled)
	return c
}
