package underground

import (
	"strata/nbt"
	"strata/pregen/worldgen/structure"
)

// The halls of fortresses.
type (
	fortCrossing struct{ fortBase } // of bridges
	fortBridge   struct{ fortBase }
	fortEnd      struct {
		fortBase
		seed int32 // of how it is ruined
	}
	fortRoom   struct{ fortBase }
	fortStairs struct{ fortBase }
	fortThrone struct {
		fortBase
		spawner bool // whether it has been placed
	}
	fortEntrance  struct{ fortBase } // of the castle
	fortCorridor  struct{ fortBase }
	fortCorridors struct{ fortBase } // a crossing of corridors
	fortTurn      struct {           // a corridor's corner
		fortBase
		right bool
		chest bool // whether one is still to be placed
	}
	fortSlope   struct{ fortBase }
	fortBalcony struct{ fortBase }
	fortGarden  struct{ fortBase } // where nether wart grows
)

const (
	fortCrossingID  = "minecraft:nebcr"
	fortBridgeID    = "minecraft:nebs"
	fortEndID       = "minecraft:nebef"
	fortRoomID      = "minecraft:nerc"
	fortStairsID    = "minecraft:nesr"
	fortThroneID    = "minecraft:nemt"
	fortEntranceID  = "minecraft:nece"
	fortCorridorID  = "minecraft:nesc"
	fortCorridorsID = "minecraft:nescsc"
	fortLeftID      = "minecraft:nesclt"
	fortRightID     = "minecraft:nescrt"
	fortSlopeID     = "minecraft:neccs"
	fortBalconyID   = "minecraft:nectb"
	fortGardenID    = "minecraft:necsr"
)

func buildFortCrossing(h *halls, e entry) hall {
	if b, ok := h.fit(e, 8, 3, 19, 10, 19); ok {
		return &fortCrossing{fortBase{e.base(fortCrossingID, b)}}
	}
	return nil
}

func (f *fortCrossing) branch(h *halls) {
	h.ahead(&f.Base, 8, 3, false)
	h.left(&f.Base, 3, 8, false)
	h.right(&f.Base, 3, 8, false)
}

func buildFortBridge(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 3, 5, 10, 19); ok {
		return &fortBridge{fortBase{e.base(fortBridgeID, b)}}
	}
	return nil
}

func (f *fortBridge) branch(h *halls) { h.ahead(&f.Base, 1, 3, false) }

func buildFortEnd(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 3, 5, 10, 8); ok {
		return &fortEnd{fortBase{e.base(fortEndID, b)}, h.random.Int()}
	}
	return nil
}

// Save implements structure.Piece.
func (f *fortEnd) Save() nbt.Compound { return nbt.Compound{{Name: "Seed", Value: f.seed}} }

func buildFortRoom(h *halls, e entry) hall {
	if b, ok := h.fit(e, 2, 0, 7, 9, 7); ok {
		return &fortRoom{fortBase{e.base(fortRoomID, b)}}
	}
	return nil
}

func (f *fortRoom) branch(h *halls) {
	h.ahead(&f.Base, 2, 0, false)
	h.left(&f.Base, 0, 2, false)
	h.right(&f.Base, 0, 2, false)
}

func buildFortStairs(h *halls, e entry) hall {
	if b, ok := h.fit(e, 2, 0, 7, 11, 7); ok {
		return &fortStairs{fortBase{e.base(fortStairsID, b)}}
	}
	return nil
}

func (f *fortStairs) branch(h *halls) { h.right(&f.Base, 6, 2, false) }

func buildFortThrone(h *halls, e entry) hall {
	if b, ok := h.fit(e, 2, 0, 7, 8, 9); ok {
		return &fortThrone{fortBase: fortBase{e.base(fortThroneID, b)}}
	}
	return nil
}

// Save implements structure.Piece.
func (f *fortThrone) Save() nbt.Compound { return with(nil, "Mob", f.spawner) }

func buildFortEntrance(h *halls, e entry) hall {
	if b, ok := h.fit(e, 5, 3, 13, 14, 13); ok {
		return &fortEntrance{fortBase{e.base(fortEntranceID, b)}}
	}
	return nil
}

func (f *fortEntrance) branch(h *halls) { h.ahead(&f.Base, 5, 3, true) }

func buildFortCorridor(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 0, 5, 7, 5); ok {
		return &fortCorridor{fortBase{e.base(fortCorridorID, b)}}
	}
	return nil
}

func (f *fortCorridor) branch(h *halls) { h.ahead(&f.Base, 1, 0, true) }

func buildFortCorridors(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 0, 5, 7, 5); ok {
		return &fortCorridors{fortBase{e.base(fortCorridorsID, b)}}
	}
	return nil
}

func (f *fortCorridors) branch(h *halls) {
	h.ahead(&f.Base, 1, 0, true)
	h.left(&f.Base, 0, 1, true)
	h.right(&f.Base, 0, 1, true)
}

func buildFortLeft(h *halls, e entry) hall  { return buildFortTurn(h, e, fortLeftID, false) }
func buildFortRight(h *halls, e entry) hall { return buildFortTurn(h, e, fortRightID, true) }

func buildFortTurn(h *halls, e entry, id string, right bool) hall {
	b, ok := h.fit(e, 1, 0, 5, 7, 5)
	if !ok {
		return nil
	}
	f := &fortTurn{fortBase: fortBase{e.base(id, b)}, right: right}
	f.chest = h.random.IntN(3) == 0
	return f
}

func (f *fortTurn) branch(h *halls) {
	if f.right {
		h.right(&f.Base, 0, 1, true)
	} else {
		h.left(&f.Base, 0, 1, true)
	}
}

// Save implements structure.Piece.
func (f *fortTurn) Save() nbt.Compound { return with(nil, "Chest", f.chest) }

func buildFortSlope(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 7, 5, 14, 10); ok {
		return &fortSlope{fortBase{e.base(fortSlopeID, b)}}
	}
	return nil
}

func (f *fortSlope) branch(h *halls) { h.ahead(&f.Base, 1, 0, true) }

func buildFortBalcony(h *halls, e entry) hall {
	if b, ok := h.fit(e, 3, 0, 9, 7, 9); ok {
		return &fortBalcony{fortBase{e.base(fortBalconyID, b)}}
	}
	return nil
}

func (f *fortBalcony) branch(h *halls) {
	off := int32(1)
	if turned(f.Facing) {
		off = 5
	}
	h.left(&f.Base, 0, off, h.random.IntN(8) > 0)
	h.right(&f.Base, 0, off, h.random.IntN(8) > 0)
}

func buildFortGarden(h *halls, e entry) hall {
	if b, ok := h.fit(e, 5, 3, 13, 14, 13); ok {
		return &fortGarden{fortBase{e.base(fortGardenID, b)}}
	}
	return nil
}

func (f *fortGarden) branch(h *halls) {
	h.ahead(&f.Base, 5, 3, true)
	h.ahead(&f.Base, 5, 11, true)
}

// fortReaders read halls of fortresses.
var fortReaders = map[string]func(b fortBase, f *structure.Fields) structure.Piece{
	fortCrossingID: func(b fortBase, _ *structure.Fields) structure.Piece { return &fortCrossing{b} },
	fortBridgeID:   func(b fortBase, _ *structure.Fields) structure.Piece { return &fortBridge{b} },
	fortEndID: func(b fortBase, f *structure.Fields) structure.Piece {
		return &fortEnd{b, f.Int("Seed")}
	},
	fortRoomID:   func(b fortBase, _ *structure.Fields) structure.Piece { return &fortRoom{b} },
	fortStairsID: func(b fortBase, _ *structure.Fields) structure.Piece { return &fortStairs{b} },
	fortThroneID: func(b fortBase, f *structure.Fields) structure.Piece {
		return &fortThrone{b, f.Bool("Mob")}
	},
	fortEntranceID:  func(b fortBase, _ *structure.Fields) structure.Piece { return &fortEntrance{b} },
	fortCorridorID:  func(b fortBase, _ *structure.Fields) structure.Piece { return &fortCorridor{b} },
	fortCorridorsID: func(b fortBase, _ *structure.Fields) structure.Piece { return &fortCorridors{b} },
	fortLeftID: func(b fortBase, f *structure.Fields) structure.Piece {
		return &fortTurn{b, false, f.Bool("Chest")}
	},
	fortRightID: func(b fortBase, f *structure.Fields) structure.Piece {
		return &fortTurn{b, true, f.Bool("Chest")}
	},
	fortSlopeID:   func(b fortBase, _ *structure.Fields) structure.Piece { return &fortSlope{b} },
	fortBalconyID: func(b fortBase, _ *structure.Fields) structure.Piece { return &fortBalcony{b} },
	fortGardenID:  func(b fortBase, _ *structure.Fields) structure.Piece { return &fortGarden{b} },
}
