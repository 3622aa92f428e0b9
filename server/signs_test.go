package server

import (
	"fmt"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/world"
)

// signText is what is written on a side of a sign, "|" between lines.
func signText(t *testing.T, s *Server, at protocol.BlockPos, side string) (text string) {
	t.Helper()
	s.inTick(func() {
		e, found := s.worlds[0].BlockEntity(chunk.BlockPos(at))
		if !found {
			return
		}
		v, _ := world.Members(e).Get(side)
		text = strings.ReplaceAll(fmt.Sprint(v), "\n", " ")
	})
	return text
}

func TestSignsAreWrittenOn(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	at := protocol.BlockPos{X: int32(a.Position.X), Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 2}
	below := at
	below.Y--
	s.Console("give Walker_1 minecraft:oak_sign")
	s.Console("give Walker_1 minecraft:red_dye")
	s.Console("give Walker_1 minecraft:honeycomb")
	a.until("what was given", func(protocol.Packet) bool { return a.carries("minecraft:honeycomb") == 1 })
	a.send(&protocol.SetCarriedItem{SlotID: 0})
	edits := 0
	count := func(p protocol.Packet) {
		if e, ok := p.(*protocol.OpenSignEditor); ok && e.Pos == at {
			edits++
		}
	}
	click := func(on protocol.BlockPos, sequence int32) {
		t.Helper()
		a.send(&protocol.UseItemOn{Pos: on, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: sequence})
		a.until("an answer", func(p protocol.Packet) bool {
			count(p)
			return a.Acknowledged >= sequence
		})
	}
	click(below, 1)
	if edits != 1 {
		t.Fatalf("the editor was opened %d times", edits)
	}
	// Nobody else writes what was not asked for.
	b.send(&protocol.SignUpdate{Pos: at, Front: true, Text1: "mine"})
	a.send(&protocol.SignUpdate{Pos: at, Front: true, Text1: "one §4red", Text2: strings.Repeat("x", 384), Text4: "four"})
	told := func(c *testClient, what string) {
		t.Helper()
		c.until(what, func(p protocol.Packet) bool {
			e, ok := p.(*protocol.BlockEntityData)
			return ok && e.Pos == at && strings.Contains(string(e.NBT), what)
		})
	}
	told(b, "one red")
	if text := signText(t, s, at, "front_text"); !strings.Contains(text, "one red") || !strings.Contains(text, "four") || strings.Contains(text, "mine") {
		t.Errorf("it says %s", text)
	}
	a.send(&protocol.SignUpdate{Pos: at, Front: true, Text1: "again"}) // the editor is closed
	a.send(&protocol.SetCarriedItem{SlotID: 1})
	click(at, 2)
	told(b, "red")
	a.send(&protocol.SetCarriedItem{SlotID: 2})
	click(at, 3)
	a.send(&protocol.SetCarriedItem{SlotID: 5})
	click(at, 4)
	if edits != 1 {
		t.Errorf("a waxed sign was opened: %d", edits)
	}
	if text := signText(t, s, at, "front_text"); !strings.Contains(text, "red") || strings.Contains(text, "again") {
		t.Errorf("it says %s", text)
	}
	a.until("empty hands", func(protocol.Packet) bool {
		return a.carries("minecraft:honeycomb") == 0 && a.carries("minecraft:red_dye") == 0
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	c := join(t, second, registry.V26_1, "Walker_1")
	if now, _ := c.Block(blockPos(at)); now.Block() != block.OakSign {
		t.Errorf("there is %v", now)
	}
	if text := signText(t, second, at, "front_text"); !strings.Contains(text, "one red") {
		t.Errorf("it says %s", text)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestWhoGoesAwayLeavesASignToOthers(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	at := protocol.BlockPos{X: int32(a.Position.X), Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 2}
	s.Console(fmt.Sprintf("setblock %s minecraft:oak_sign", place(at)))
	opened := func(packet protocol.Packet) bool {
		e, ok := packet.(*protocol.OpenSignEditor)
		return ok && e.Pos == at
	}
	a.until("the sign", func(protocol.Packet) bool {
		now, _ := a.Block(blockPos(at))
		return now.Block() == block.OakSign
	})
	a.send(&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
	a.until("an editor", opened)
	twice := false
	b.send(&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
	b.until("an answer", func(p protocol.Packet) bool {
		twice = twice || opened(p)
		return b.Acknowledged >= 1
	})
	if twice {
		t.Error("two write on a sign")
	}
	s.Console("execute as Walker_1 at @s run tp @s ~ ~20 ~")
	b.send(&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 2})
	b.until("an editor for the other", opened)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
