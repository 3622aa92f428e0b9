package play

import (
	"strata/anvil/level"
	"strata/server/protocol"
)

// Of the game's own border.
const (
	borderSize      = 5.9999968e7
	borderWarning   = 5
	borderTime      = 15
	borderTeleports = 29_999_984 // where portals lead at most
)

// borderPacket is the border of a dimension. One that is on its way is where it goes
// to.
func (g *Game) borderPacket(id string) *protocol.InitializeBorder {
	b, ok := g.options.Borders[id]
	if !ok || b.Size <= 0 {
		b = level.WorldBorder{Size: borderSize, LerpTarget: borderSize, WarningBlocks: borderWarning, WarningTime: borderTime}
	}
	size := b.Size
	if b.LerpTime > 0 && b.LerpTarget > 0 {
		size = b.LerpTarget
	}
	return &protocol.InitializeBorder{
		X: b.CenterX, Z: b.CenterZ, OldDiameter: size, NewDiameter: size, PortalTeleportBoundary: borderTeleports,
		WarningBlocks: b.WarningBlocks, WarningTime: b.WarningTime,
	}
}
