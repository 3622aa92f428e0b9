package server

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// soundAt is the name of a sound that a packet plays at a block, "" for others.
func (p *testClient) soundAt(packet protocol.Packet, at protocol.BlockPos) string {
	s, ok := packet.(*protocol.Sound)
	if !ok || s.X>>3 != at.X || s.Y>>3 != at.Y || s.Z>>3 != at.Z {
		return ""
	}
	name, _ := registry.Of("minecraft:sound_event", p.Version()).Name(s.Sound.ID)
	return name
}

func TestOthersHearWhatAPlayerDoes(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	at := protocol.BlockPos{X: int32(a.Position.X), Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 2}
	below, gate, lever := at, at, at
	below.Y--
	gate.X++
	lever.X--
	s.Console(fmt.Sprintf("setblock %s minecraft:cherry_fence_gate", place(gate)))
	s.Console(fmt.Sprintf("setblock %s minecraft:lever[face=floor]", place(lever)))
	s.Console("give Walker_1 minecraft:oak_planks")
	a.until("what it needs", func(protocol.Packet) bool {
		now, _ := a.Block(blockPos(lever))
		return a.carries("minecraft:oak_planks") == 1 && now.Block() == block.Lever
	})
	own := map[string]bool{}
	click := func(on protocol.BlockPos, sequence int32) {
		t.Helper()
		a.send(&protocol.UseItemOn{Pos: on, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: sequence})
		a.until("an answer", func(p protocol.Packet) bool {
			for _, pos := range []protocol.BlockPos{at, gate, lever} {
				own[a.soundAt(p, pos)] = true
			}
			return a.Acknowledged >= sequence
		})
	}
	hears := func(pos protocol.BlockPos, want string) {
		t.Helper()
		b.until(want, func(p protocol.Packet) bool { return b.soundAt(p, pos) == want })
	}
	click(below, 1)
	hears(at, "minecraft:block.wood.place")
	click(gate, 2)
	hears(gate, "minecraft:block.cherry_wood_fence_gate.open")
	click(lever, 3)
	hears(lever, "minecraft:block.lever.click")
	if own["minecraft:block.wood.place"] || own["minecraft:block.cherry_wood_fence_gate.open"] {
		t.Error("a client is told of sounds that it plays itself")
	}
	if !own["minecraft:block.lever.click"] {
		t.Error("a client does not hear its lever, which it does not play itself")
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
