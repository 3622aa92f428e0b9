package server

import (
	"testing"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Clients of the game count circles, so that a player who turns for long has many.
func TestATurnOfManyCirclesIsOneOfAPart(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	at := c.Position
	c.send(&protocol.MovePlayerPosRot{X: at.X, Y: at.Y, Z: at.Z, Yaw: 36000092, Flags: protocol.MoveFlagsOnGround})
	c.send(&protocol.CommandSuggestion{TransactionID: 7, Text: "/"})
	c.until("what was sent to be done", func(p protocol.Packet) bool {
		_, done := p.(*protocol.CommandSuggestions)
		return done
	})
	back := dial(t, s.Addr(), registry.V26_1, "Walker_1")
	back.until("its place", func(protocol.Packet) bool { return back.Teleports > 0 })
	if back.Position.Yaw != 92 {
		t.Errorf("it looks to %v", back.Position.Yaw)
	}
}
