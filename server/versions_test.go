package server

import (
	"fmt"
	"math"
	"testing"
	"time"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/blocks"
	"strata/server/client"
	"strata/server/protocol"
)

// newBlocks are the blocks that 26.1 lacks.
func newBlocks() (all []block.State) {
	old := block.ForProtocol(registry.V26_1.Protocol())
	for id := range block.State(block.StateCount) {
		if s := id.Block().Default(); s == id && !old.HasState(s) {
			all = append(all, s)
		}
	}
	return all
}

// inTick runs f on the tick goroutine and waits for it.
func (s *Server) inTick(f func()) {
	done := make(chan struct{})
	s.later(func() {
		f()
		close(done)
	})
	<-done
}

// TestAnOldClientLivesWithNewBlocks: a client of 26.1 stands on, walks over and breaks
// each block that only 26.2 has, in creative and, by the time that the block takes it
// to break, in survival mode, and is never set back.
func TestAnOldClientLivesWithNewBlocks(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	all := newBlocks()
	if len(all) < 20 {
		t.Fatalf("26.2 has %d new blocks", len(all))
	}
	const pickaxe = "minecraft:iron_pickaxe"
	s.Console("give Walker_1 " + pickaxe)
	c.until("a pickaxe", func(protocol.Packet) bool { return c.carries(pickaxe) == 1 })
	y := int32(c.Position.Y)
	home := c.Position
	sequence := int32(0)
	for _, b := range all {
		at := chunk.BlockPos{X: int32(math.Floor(home.X)) + 1, Y: y, Z: int32(math.Floor(home.Z))}
		s.inTick(func() { s.worlds[0].SetBlock(at, b) })
		c.until(b.String(), func(protocol.Packet) bool {
			id, ok := c.StateID(protocol.BlockPos(at))
			return ok && id == int32(block.ForProtocol(registry.V26_1.Protocol()).ID(b))
		})
		seen, _ := c.Block(at)
		teleports := c.Teleports
		onto := float64(y)
		for _, box := range seen.Collision() {
			onto = max(onto, float64(y)+box.MaxY)
		}
		for _, to := range []client.Position{
			{X: home.X, Y: onto, Z: home.Z}, {X: home.X + 1, Y: onto, Z: home.Z}, {X: home.X + 1.2, Y: onto, Z: home.Z},
			{X: home.X + 1, Y: onto, Z: home.Z}, {X: home.X, Y: onto, Z: home.Z}, {X: home.X, Y: home.Y, Z: home.Z},
		} {
			if err := c.MoveTo(to.X, to.Y, to.Z); err != nil {
				t.Fatal(err)
			}
		}
		act := func(action int32) {
			sequence++
			c.send(&protocol.PlayerAction{Action: action, Pos: protocol.BlockPos(at), Face: int8(block.Up), Sequence: sequence})
			c.until(fmt.Sprintf("an answer about %v", b), func(protocol.Packet) bool { return c.Acknowledged >= sequence })
		}
		const start, finish = 0, 2
		need := blocks.DigTicks(seen, pickaxe, 1)
		if need < 0 {
			t.Fatalf("%v is shown as %v, which nobody breaks", b, seen)
		}
		act(start)
		if need > 0 {
			time.Sleep(time.Duration(need) * tickTime)
			act(finish)
		}
		if now, ok := c.Block(at); !ok || !now.Air() {
			t.Errorf("%v is not broken after %d ticks, as the client thinks", b, need)
		}
		s.inTick(func() {
			s.game.SetGameMode(s.game.Online()[0], protocol.GameModeCreative)
			s.worlds[0].SetBlock(at, b)
		})
		act(start)
		if now, ok := c.Block(at); !ok || !now.Air() {
			t.Errorf("%v is not broken at once", b)
		}
		s.inTick(func() { s.game.SetGameMode(s.game.Online()[0], protocol.GameModeSurvival) })
		if c.Teleports != teleports {
			t.Errorf("%v: set back %d times", b, c.Teleports-teleports)
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// TestWhatAnOldClientLooksAtStays: states and items of 26.2 are what they were after a
// client of 26.1 had them.
func TestWhatAnOldClientLooksAtStays(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	y := int32(c.Position.Y)
	all := newBlocks()
	at := func(i int) chunk.BlockPos { return chunk.BlockPos{X: 3 + int32(i%10), Y: y, Z: 2 + int32(i/10)} }
	s.inTick(func() {
		for i, b := range all {
			s.worlds[0].SetBlock(at(i), b)
		}
	})
	const item = "minecraft:sulfur"
	old := registry.Of("minecraft:item", registry.V26_1)
	if _, has := old.ID(item); has {
		t.Fatalf("26.1 has %s", item)
	}
	s.Console("give Walker_1 " + item + " 7")
	c.until("seven of something", func(protocol.Packet) bool {
		_, n := c.Slot(0, 36)
		return n == 7
	})
	c.send(&protocol.PlayerAction{Action: 6}) // into the other hand
	c.until("it there", func(protocol.Packet) bool {
		_, n := c.Slot(0, 45)
		return n == 7
	})
	_ = c.Close()
	again := join(t, s, registry.V26_2, "Walker_1")
	again.until("the real item", func(protocol.Packet) bool {
		name, n := again.Slot(0, 45)
		return name == item && n == 7
	})
	for i, b := range all {
		if got, ok := again.Block(at(i)); !ok || got != b {
			t.Errorf("%v is %v", b, got)
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// TestOldClientsSeeBlocksOfEqualShape: what 26.1 has in the place of each state
// collides as that does.
func TestOldClientsSeeBlocksOfEqualShape(t *testing.T) {
	t.Parallel()
	old := block.ForProtocol(registry.V26_1.Protocol())
	for s := range block.State(block.StateCount) {
		shown, ok := old.State(old.ID(s))
		if !ok || s.CollisionShape() != shown.CollisionShape() {
			t.Errorf("%v is shown as %v (%v)", s, shown, ok)
		}
	}
}
