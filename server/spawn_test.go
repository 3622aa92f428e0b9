package server

import (
	"fmt"
	"strings"
	"testing"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// appears joins somebody new, and returns the place.
func appears(t *testing.T, s *Server, name string) *testClient {
	t.Helper()
	c := dial(t, s.Addr(), registry.V26_1, name)
	placed := false
	c.until("a place", func(p protocol.Packet) bool {
		_, is := p.(*protocol.PlayerPosition)
		placed = placed || is
		return placed
	})
	return c
}

func TestNewPlayersAppearAroundTheSpawn(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	first := join(t, s, registry.V26_1, "Walker_0") // keeps the chunks there
	ground := first.Position.Y
	answers(t, s, "gamerule respawn_radius 5", "5")
	places := map[[2]float64]bool{}
	for i := range 6 {
		c := appears(t, s, fmt.Sprintf("Walker_%d", i+1))
		at := c.Position
		if at.X < 3 || at.X > 14 || at.Z < 3 || at.Z > 14 || at.Y != ground {
			t.Errorf("appeared at %+v, the ground is at %v", at, ground)
		}
		places[[2]float64{at.X, at.Z}] = true
	}
	if len(places) < 3 { // of 121
		t.Errorf("6 players have %d places", len(places))
	}
	answers(t, s, "defaultgamemode adventure", "")
	if at := appears(t, s, "Walker_7").Position; at.X != 8.5 || at.Z != 8.5 || at.Y != ground {
		t.Errorf("in adventure mode at %+v", at)
	}
}

func TestNobodyAppearsInFluidsOrBlocks(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	y := int(join(t, s, registry.V26_1, "Walker_0").Position.Y)
	fill := func(what string, from, to, y1, y2 int) {
		t.Helper()
		answers(t, s, fmt.Sprintf("fill %d %d %d %d %d %d minecraft:%s", from, y1, from, to, y2, to, what), "Successfully filled")
	}
	answers(t, s, "gamerule respawn_radius 1", "1")
	// Water, with stones and a fence in it, and one stone that is not under any.
	fill("glass", 5, 11, y, y)
	fill("water", 6, 10, y, y)
	answers(t, s, fmt.Sprintf("setblock 7 %d 7 minecraft:stone", y-1), "Changed",
		fmt.Sprintf("setblock 7 %d 8 minecraft:oak_fence", y), "Changed", fmt.Sprintf("setblock 9 %d 9 minecraft:stone", y), "Changed")
	for i := range 3 {
		if at := appears(t, s, fmt.Sprintf("Walker_%d", i+1)).Position; at.X != 9.5 || at.Z != 9.5 || at.Y != float64(y+1) {
			t.Errorf("appeared at %+v", at)
		}
	}
	// There is nothing but water, and a roof over the spawn: it is the spawn all the
	// same, on top of both.
	fill("water", 6, 10, y, y)
	fill("stone_slab", 8, 8, y+1, y+1)
	if at := appears(t, s, "Walker_5").Position; at.X != 8.5 || at.Z != 8.5 || at.Y != float64(y+2) {
		t.Errorf("appeared at %+v", at)
	}
	answers(t, s, fmt.Sprintf("setblock 8 %d 8 minecraft:air", y+1), "Changed")
	if at := appears(t, s, "Walker_6").Position; at.X != 8.5 || at.Z != 8.5 || at.Y != float64(y+1) {
		t.Errorf("appeared at %+v, over water", at)
	}
}

func TestTheDeadComeBackOnTheGroundAlsoFarFromTheSpawn(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	ground := c.Position.Y
	answers(t, s, "tp Walker_1 1000 100 1000", "Teleported")
	c.until("the far place", func(protocol.Packet) bool { return c.Position.X > 900 })
	poll(t, "the spawn to be let go of", func() bool {
		said, err := s.Remote(t.Context(), "execute if loaded 8 0 8", false)
		return err == nil && strings.Contains(said, "failed")
	})
	answers(t, s, "kill Walker_1", "Killed")
	c.until("death", func(p protocol.Packet) bool {
		_, is := p.(*protocol.PlayerCombatKill)
		return is
	})
	c.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn})
	c.until("the ground", func(protocol.Packet) bool {
		return c.Position.X == 8.5 && c.Position.Z == 8.5 && c.Position.Y == ground
	})
}
