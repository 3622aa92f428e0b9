package underground

import (
	"strata/nbt"
	"strata/pregen/worldgen/structure"
)

// with appends a truth value to what is stored.
func with(c nbt.Compound, name string, v bool) nbt.Compound {
	return append(c, nbt.Member{Name: name, Value: truth(v)})
}

// Save implements structure.Piece.
func (s *strongStraight) Save() nbt.Compound {
	return with(with(s.strongBase.Save(), "Left", s.left), "Right", s.right)
}

// Save implements structure.Piece.
func (s *strongRoom) Save() nbt.Compound {
	return append(s.strongBase.Save(), nbt.Member{Name: "Type", Value: s.kind})
}

// Save implements structure.Piece.
func (s *strongStairs) Save() nbt.Compound { return with(s.strongBase.Save(), "Source", s.source) }

// Save implements structure.Piece.
func (s *strongCrossing) Save() nbt.Compound {
	c := with(with(s.strongBase.Save(), "leftLow", s.leftLow), "leftHigh", s.leftHigh)
	return with(with(c, "rightLow", s.rightLow), "rightHigh", s.rightHigh)
}

// Save implements structure.Piece.
func (s *strongChest) Save() nbt.Compound { return with(s.strongBase.Save(), "Chest", s.chest) }

// Save implements structure.Piece.
func (s *strongLibrary) Save() nbt.Compound { return with(s.strongBase.Save(), "Tall", s.tall) }

// Save implements structure.Piece.
func (s *strongPortal) Save() nbt.Compound { return with(s.strongBase.Save(), "Mob", s.spawner) }

// Save implements structure.Piece.
func (s *strongFiller) Save() nbt.Compound {
	return append(s.strongBase.Save(), nbt.Member{Name: "Steps", Value: s.length})
}

// maxFiller is how long a corridor that fills a gap may be.
const maxFiller = 4

// strongReaders read halls of strongholds.
var strongReaders = map[string]func(s strongBase, f *structure.Fields) structure.Piece{
	strongStartID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongStairs{s, f.Bool("Source")}
	},
	strongStairsID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongStairs{s, f.Bool("Source")}
	},
	strongStraightID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongStraight{s, f.Bool("Left"), f.Bool("Right")}
	},
	strongPrisonID: func(s strongBase, _ *structure.Fields) structure.Piece { return &strongPrison{s} },
	strongLeftID:   func(s strongBase, _ *structure.Fields) structure.Piece { return &strongLeft{s} },
	strongRightID:  func(s strongBase, _ *structure.Fields) structure.Piece { return &strongRight{s} },
	strongSlopeID:  func(s strongBase, _ *structure.Fields) structure.Piece { return &strongSlope{s} },
	strongRoomID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongRoom{s, f.Int("Type")}
	},
	strongCrossingID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongCrossing{s, f.Bool("leftLow"), f.Bool("leftHigh"), f.Bool("rightLow"), f.Bool("rightHigh")}
	},
	strongChestID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongChest{s, f.Bool("Chest")}
	},
	strongLibraryID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongLibrary{s, f.Bool("Tall")}
	},
	strongPortalID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongPortal{s, f.Bool("Mob")}
	},
	strongFillerID: func(s strongBase, f *structure.Fields) structure.Piece {
		return &strongFiller{s, min(max(f.Int("Steps"), 0), maxFiller)}
	},
}
