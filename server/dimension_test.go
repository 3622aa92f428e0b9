package server

import (
	"bytes"
	"math"
	"os"
	"testing"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/player"
	"strata/anvil/registry"
	"strata/server/admin"
	"strata/server/conn"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/protocol"
)

// entered waits until the client is in a dimension, has the chunk that it stands in
// and knows where it is.
func (p *testClient) entered(dimension string, x, z float64) {
	p.t.Helper()
	before := p.TeleportID
	p.until(dimension, func(protocol.Packet) bool {
		return p.Dimension == dimension && p.TeleportID > before && p.Position.X == x && p.Position.Z == z && p.Chunk(p.Position.Chunk()) != nil
	})
}

func TestPlayersGoToOtherDimensionsAndBack(t *testing.T) {
	t.Parallel()
	_, access := withAccess(t, admin.AccessOptions{})
	s, stop := start(t, access, creative)
	c := join(t, s, registry.V26_1, "Walker_1")
	other := join(t, s, registry.V26_2, "Walker_2")
	s.Console("op Walker_1")
	c.until("the tree of an operator", func(p protocol.Packet) bool {
		_, tree := p.(*protocol.Commands)
		return tree
	})
	y := c.Position.Y
	c.send(&protocol.ChatCommand{Command: "execute in the_nether run tp 3.5 200 3.5"})
	c.entered(anvil.Nether, 3.5, 3.5)
	other.until("that it is gone", func(p protocol.Packet) bool {
		r, ok := p.(*protocol.RemoveEntities)
		return ok && len(r.EntityIDs) == 1 && r.EntityIDs[0] == c.EntityID
	})
	c.send(&protocol.ChatCommand{Command: "setblock 4 200 3 minecraft:gold_block"})
	c.until("a block of the Nether", func(p protocol.Packet) bool {
		u, ok := p.(*protocol.BlockUpdate)
		return ok && u.Pos == protocol.BlockPos{X: 4, Y: 200, Z: 3}
	})
	c.send(&protocol.ChatCommand{Command: "execute in the_end run tp 103.5 60 0.5"})
	c.entered(anvil.End, 103.5, 0.5)
	c.send(&protocol.ChatCommand{Command: "execute in overworld run tp Walker_2"})
	c.entered(anvil.Overworld, other.Position.X, other.Position.Z)
	other.until("it again", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.AddEntity)
		return ok && e.EntityID == c.EntityID
	})
	if math.Abs(c.Position.Y-y) > 64 {
		t.Errorf("it is at %+v", c.Position)
	}
	// Where somebody was is where they come back.
	c.send(&protocol.ChatCommand{Command: "execute in the_nether run tp 3.5 200 3.5"})
	c.entered(anvil.Nether, 3.5, 3.5)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	back := dial(t, second.Addr(), registry.V26_2, "Walker_1")
	var in string
	back.until("its place", func(p protocol.Packet) bool {
		if l, ok := p.(*protocol.Login); ok {
			in = l.Spawn.Name
		}
		return back.Teleports > 0 && back.Chunks() > 0
	})
	if in != anvil.Nether || back.Position.X != 3.5 || back.Position.Y != 200 {
		t.Errorf("it is in %s at %+v", in, back.Position)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestTheDeadComeBackWhereTheirSpawnIs(t *testing.T) {
	t.Parallel()
	_, access := withAccess(t, admin.AccessOptions{})
	s, stop := start(t, access)
	c := join(t, s, registry.V26_1, "Walker_1")
	s.Console("spawnpoint Walker_1 5 100 -3")
	s.Console("xp add Walker_1 50 points")
	var levels protocol.SetExperience
	c.until("experience", func(p protocol.Packet) bool {
		x, ok := p.(*protocol.SetExperience)
		if ok {
			levels = *x
		}
		return ok && x.Total == 50
	})
	if levels.Level != 4 || math.Abs(float64(levels.Bar)*15-10) > 1e-4 { // 7+9+11+13 and 10 of 15
		t.Errorf("50 points are %+v", levels)
	}
	s.Console("kill Walker_1")
	var health float32 = -1
	told := false
	c.until("death", func(p protocol.Packet) bool {
		switch p := p.(type) {
		case *protocol.SetHealth:
			health = p.Health
		case *protocol.PlayerCombatKill:
			told = p.PlayerID == c.EntityID && bytes.Contains(p.Message, []byte("death.attack.genericKill"))
		case *protocol.SystemChat:
			return bytes.Contains(p.Content, []byte("death.attack.genericKill"))
		}
		return false
	})
	if health != 0 || !told {
		t.Errorf("health %v, told %v", health, told)
	}
	c.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn})
	c.entered(anvil.Overworld, 5.5, -2.5)
	if c.Position.Y < 100 || c.Position.Y > 100.2 {
		t.Errorf("it comes back at %+v", c.Position)
	}
	c.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn}) // it lives: nothing happens
	// Who falls out of the world dies of it.
	s.Console("execute as Walker_1 run tp 5.5 -200 -2.5")
	c.until("the void", func(p protocol.Packet) bool {
		k, ok := p.(*protocol.PlayerCombatKill)
		return ok && bytes.Contains(k.Message, []byte("death.attack.outOfWorld"))
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	// Who left dead is dead when it comes back.
	second, stop := again(t, s.options)
	back := dial(t, second.Addr(), registry.V26_2, "Walker_1")
	health = -1
	back.until("its health", func(p protocol.Packet) bool {
		if h, ok := p.(*protocol.SetHealth); ok {
			health = h.Health
		}
		return health >= 0 && back.Chunks() > 0
	})
	if health != 0 {
		t.Errorf("it is back with health %v", health)
	}
	back.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn})
	back.entered(anvil.Overworld, 5.5, -2.5)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// What was taken off is not in the file any more.
func TestEquipmentThatWasTakenOffIsNotSaved(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	c := join(t, s, registry.V26_1, "Walker_1")
	helmet, _ := registry.Of("minecraft:item", registry.V26_1).ID("minecraft:iron_helmet")
	c.send(&protocol.SetCreativeModeSlot{Slot: 5, Item: protocol.UntrustedItem{Count: 1, ID: helmet}})
	s.Console("save-all")
	worn := func() item.Stack {
		t.Helper()
		done := make(chan struct{})
		var at item.Stack
		s.later(func() {
			for _, p := range s.game.Online() {
				at = p.Items().Get(inventory.Head)
			}
			close(done)
		})
		<-done
		return at
	}
	poll(t, "the helmet", func() bool { return !worn().Empty() })
	c.send(&protocol.SetCreativeModeSlot{Slot: 5})
	poll(t, "the helmet taken off", func() bool { return worn().Empty() })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(player.In(s.options.World).DataPath(player.ID(conn.OfflineUUID("Walker_1"))))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := level.ParseDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Root().Get("equipment").Len(); n != 0 {
		t.Errorf("the file has %d worn items", n)
	}
}
