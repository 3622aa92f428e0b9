package server

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// moved moves a client, and returns whether the server lets it.
func moved(c *testClient, x, y, z float64) bool {
	c.t.Helper()
	before := c.Teleports
	if err := c.MoveTo(x, y, z); err != nil {
		c.t.Fatal(err)
	}
	c.send(&protocol.CommandSuggestion{TransactionID: 7, Text: "/"})
	c.until("what was sent to be done", func(p protocol.Packet) bool {
		_, done := p.(*protocol.CommandSuggestions)
		return done
	})
	return c.Teleports == before
}

func TestWallsAreInTheWayOfPlayers(t *testing.T) {
	for name, mode := range map[string]protocol.GameMode{"survival": protocol.GameModeSurvival, "creative": protocol.GameModeCreative} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, func(o *Options) { o.GameMode = mode })
			c := join(t, s, registry.V26_1, "Walker_1")
			y := c.Position.Y
			s.Console(fmt.Sprintf("fill 10 %v 6 10 %v 12 minecraft:stone", y, y+1))
			s.Console(fmt.Sprintf("setblock 6 %v 8 minecraft:stone_slab", y))
			c.sees(chunk.BlockPos{X: 6, Y: int32(y), Z: 8}, "minecraft:stone_slab[type=bottom,waterlogged=false]", -1)
			for _, step := range []struct {
				x, y, z float64
				want    bool
			}{
				{9.5, y, 8.5, true},
				{9.9, y, 8.5, false},
				{12, y, 8.5, false}, // beyond the wall
				{9.5, y - 3, 8.5, false},
				{9.7, y, 8.5, true},
				{8.5, y, 8.5, true},
				{7.2, y, 8.5, false}, // into the slab
				{7.2, y + 0.5, 8.5, true},
			} {
				if got := moved(c, step.x, step.y, step.z); got != step.want {
					t.Errorf("to %v %v %v: %v", step.x, step.y-y, step.z, got)
				}
			}
			if c.Position.X != 7.2 {
				t.Errorf("at %+v", c.Position)
			}
		})
	}
}

func TestSpectatorsGoThroughWalls(t *testing.T) {
	s, _ := start(t, func(o *Options) { o.GameMode = protocol.GameModeSpectator })
	c := join(t, s, registry.V26_1, "Walker_1")
	if !moved(c, c.Position.X, c.Position.Y-3, c.Position.Z) {
		t.Error("set back")
	}
}

// floats has a client hang in the air, and returns why it was disconnected, or nil
// if it is not for six seconds.
func floats(t *testing.T, change ...func(*Options)) error {
	s, _ := start(t, change...)
	c := join(t, s, registry.V26_1, "Walker_1")
	if !moved(c, c.Position.X, c.Position.Y+3, c.Position.Z) {
		t.Fatal("set back")
	}
	err := c.Until(6*time.Second, "the end", func(protocol.Packet) bool { return false })
	var why *client.Disconnected
	if errors.As(err, &why) {
		return why
	}
	return nil
}

func TestWhoFloatsWithoutFlyingIsDisconnected(t *testing.T) {
	if err := floats(t); err == nil || !strings.Contains(err.Error(), "Flying is not enabled") {
		t.Errorf("ended with %v", err)
	}
	if testing.Short() {
		t.Skip("the others stay on for six seconds")
	}
	t.Run("allowed", func(t *testing.T) {
		t.Parallel()
		if err := floats(t, func(o *Options) { o.AllowFlight = true }); err != nil {
			t.Error(err)
		}
	})
	t.Run("creative", func(t *testing.T) {
		t.Parallel()
		if err := floats(t, creative); err != nil {
			t.Error(err)
		}
	})
}

// Who falls or jumps is in the air, and not disconnected.
func TestWhoFallsIsNotFloating(t *testing.T) {
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	ground := c.Position.Y
	for fall := range 3 {
		speed := 0.42
		for y := ground + speed; y > ground; y += speed {
			if !moved(c, c.Position.X, y, c.Position.Z) {
				t.Fatalf("set back at %v in jump %d", y, fall)
			}
			speed = (speed - 0.08) * 0.98
		}
		if !moved(c, c.Position.X, ground, c.Position.Z) {
			t.Fatal("set back on the ground")
		}
	}
	if math.Abs(c.Position.Y-ground) > 1e-9 {
		t.Errorf("at %+v", c.Position)
	}
}
