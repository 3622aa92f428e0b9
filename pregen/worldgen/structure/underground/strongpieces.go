package underground

// The halls of strongholds.
type (
	strongStraight struct {
		strongBase
		left, right bool
	}
	strongPrison struct{ strongBase }
	strongLeft   struct{ strongBase }
	strongRight  struct{ strongBase }
	strongRoom   struct {
		strongBase
		kind int32
	}
	strongSlope  struct{ strongBase }
	strongStairs struct {
		strongBase
		source bool // the first of the stronghold
	}
	strongCrossing struct {
		strongBase
		leftLow, leftHigh, rightLow, rightHigh bool
	}
	strongChest struct {
		strongBase
		chest bool // whether it has been placed
	}
	strongLibrary struct {
		strongBase
		tall bool
	}
	strongPortal struct {
		strongBase
		spawner bool // whether it has been placed
	}
	strongFiller struct {
		strongBase
		length int32
	}
)

const (
	strongStartID    = "minecraft:shstart"
	strongStraightID = "minecraft:shs"
	strongPrisonID   = "minecraft:shph"
	strongLeftID     = "minecraft:shlt"
	strongRightID    = "minecraft:shrt"
	strongRoomID     = "minecraft:shrc"
	strongSlopeID    = "minecraft:shssd"
	strongStairsID   = "minecraft:shsd"
	strongCrossingID = "minecraft:sh5c"
	strongChestID    = "minecraft:shcc"
	strongLibraryID  = "minecraft:shli"
	strongPortalID   = "minecraft:shpr"
	strongFillerID   = "minecraft:shfc"
)

func buildStrongStraight(h *halls, e entry) hall {
	b, ok := h.fit(e, 1, 1, 5, 5, 7)
	if !ok {
		return nil
	}
	s := &strongStraight{strongBase: h.strong(strongStraightID, e, b)}
	s.left = h.random.IntN(2) == 0
	s.right = h.random.IntN(2) == 0
	return s
}

func (s *strongStraight) branch(h *halls) {
	h.ahead(&s.Base, 1, 1, false)
	if s.left {
		h.left(&s.Base, 1, 2, false)
	}
	if s.right {
		h.right(&s.Base, 1, 2, false)
	}
}

func buildStrongPrison(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 1, 9, 5, 11); ok {
		return &strongPrison{h.strong(strongPrisonID, e, b)}
	}
	return nil
}

func (s *strongPrison) branch(h *halls) { h.ahead(&s.Base, 1, 1, false) }

func buildStrongLeft(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 1, 5, 5, 5); ok {
		return &strongLeft{h.strong(strongLeftID, e, b)}
	}
	return nil
}

func (s *strongLeft) branch(h *halls) {
	if northOrEast(s.Facing) {
		h.left(&s.Base, 1, 1, false)
	} else {
		h.right(&s.Base, 1, 1, false)
	}
}

func buildStrongRight(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 1, 5, 5, 5); ok {
		return &strongRight{h.strong(strongRightID, e, b)}
	}
	return nil
}

func (s *strongRight) branch(h *halls) {
	if northOrEast(s.Facing) {
		h.right(&s.Base, 1, 1, false)
	} else {
		h.left(&s.Base, 1, 1, false)
	}
}

func buildStrongRoom(h *halls, e entry) hall {
	b, ok := h.fit(e, 4, 1, 11, 7, 11)
	if !ok {
		return nil
	}
	s := &strongRoom{strongBase: h.strong(strongRoomID, e, b)}
	s.kind = h.random.IntN(5)
	return s
}

func (s *strongRoom) branch(h *halls) {
	h.ahead(&s.Base, 4, 1, false)
	h.left(&s.Base, 1, 4, false)
	h.right(&s.Base, 1, 4, false)
}

func buildStrongSlope(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 7, 5, 11, 8); ok {
		return &strongSlope{h.strong(strongSlopeID, e, b)}
	}
	return nil
}

func (s *strongSlope) branch(h *halls) { h.ahead(&s.Base, 1, 1, false) }

func buildStrongStairs(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 7, 5, 11, 5); ok {
		return &strongStairs{strongBase: h.strong(strongStairsID, e, b)}
	}
	return nil
}

func (s *strongStairs) branch(h *halls) { h.ahead(&s.Base, 1, 1, false) }

func buildStrongCrossing(h *halls, e entry) hall {
	b, ok := h.fit(e, 4, 3, 10, 9, 11)
	if !ok {
		return nil
	}
	s := &strongCrossing{strongBase: h.strong(strongCrossingID, e, b)}
	s.leftLow = h.random.Bool()
	s.leftHigh = h.random.Bool()
	s.rightLow = h.random.Bool()
	s.rightHigh = h.random.IntN(3) > 0
	return s
}

func (s *strongCrossing) branch(h *halls) {
	low, high := int32(3), int32(5)
	if turned(s.Facing) {
		low, high = high, low
	}
	h.ahead(&s.Base, 5, 1, false)
	if s.leftLow {
		h.left(&s.Base, low, 1, false)
	}
	if s.leftHigh {
		h.left(&s.Base, high, 7, false)
	}
	if s.rightLow {
		h.right(&s.Base, low, 1, false)
	}
	if s.rightHigh {
		h.right(&s.Base, high, 7, false)
	}
}

func buildStrongChest(h *halls, e entry) hall {
	if b, ok := h.fit(e, 1, 1, 5, 5, 7); ok {
		return &strongChest{strongBase: h.strong(strongChestID, e, b)}
	}
	return nil
}

func (s *strongChest) branch(h *halls) { h.ahead(&s.Base, 1, 1, false) }

func buildStrongLibrary(h *halls, e entry) hall {
	b, tall := h.fit(e, 4, 1, 14, 11, 15)
	if !tall {
		var ok bool
		if b, ok = h.fit(e, 4, 1, 14, 6, 15); !ok {
			return nil
		}
	}
	return &strongLibrary{h.strong(strongLibraryID, e, b), tall}
}

func (s *strongLibrary) branch(*halls) {}

func buildStrongPortal(h *halls, e entry) hall {
	if b, ok := h.fit(e, 4, 1, 11, 8, 16); ok {
		return &strongPortal{strongBase: strongBase{Base: e.base(strongPortalID, b)}}
	}
	return nil
}

func (s *strongPortal) branch(h *halls) { h.portal = true }

func (s *strongFiller) branch(*halls) {}
