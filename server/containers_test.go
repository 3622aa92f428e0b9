package server

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// clickOn clicks on the top of a block.
func (p *testClient) clickOn(at protocol.BlockPos, sequence int32) {
	p.t.Helper()
	p.send(&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: sequence})
	p.until("an answer to the click", func(protocol.Packet) bool { return p.Acknowledged >= sequence })
}

// opened waits for a window of a type and returns its number.
func (p *testClient) opened(kind string) (id int32) {
	p.t.Helper()
	p.until(kind, func(protocol.Packet) bool {
		for n, w := range p.Windows {
			if n != 0 && w.Type == kind && len(w.Slots) > 0 {
				id = n
				return true
			}
		}
		return false
	})
	return id
}

// quickMove clicks on a slot with shift held, believing nothing.
func (p *testClient) quickMove(window int32, slot int16) {
	p.t.Helper()
	w := p.Windows[window]
	if w == nil {
		p.t.Fatalf("no window %d", window)
	}
	p.send(&protocol.ContainerClick{ContainerID: window, StateID: w.State, Slot: slot, Mode: 1})
}

func TestAChestKeepsWhatIsPutIn(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	chest := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 1}
	s.Console("give Walker_1 minecraft:chest")
	s.Console("give Walker_1 minecraft:diamond 5")
	a.until("what was given", func(protocol.Packet) bool { return a.carries("minecraft:diamond") == 5 })
	a.clickOn(protocol.BlockPos{X: chest.X, Y: chest.Y - 1, Z: chest.Z}, 1)
	a.clickOn(chest, 2)
	window := a.opened("minecraft:generic_9x3")
	b.until("the lid", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.BlockEvent)
		return ok && e.Pos == chest && e.Parameter == 1
	})
	b.clickOn(chest, 1)
	other := b.opened("minecraft:generic_9x3")
	a.quickMove(window, 55) // the second slot of the hotbar, behind 27 and 27
	a.until("the diamonds in the chest", func(protocol.Packet) bool {
		name, n := a.Slot(window, 0)
		return name == "minecraft:diamond" && n == 5
	})
	b.until("them for the other as well", func(protocol.Packet) bool {
		name, n := b.Slot(other, 0)
		return name == "minecraft:diamond" && n == 5
	})
	b.send(&protocol.ContainerClose{ContainerID: other})
	a.send(&protocol.ContainerClose{ContainerID: window})
	b.until("the lid down", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.BlockEvent)
		return ok && e.Pos == chest && e.Parameter == 0
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	a = join(t, second, registry.V26_2, "Walker_1")
	a.clickOn(chest, 1)
	window = a.opened("minecraft:generic_9x3")
	if name, n := a.Slot(window, 0); name != "minecraft:diamond" || n != 5 {
		t.Errorf("the chest has %d %s", n, name)
	}
	// What breaks it while it is open takes the contents once.
	second.Console(fmt.Sprintf("setblock %s minecraft:air destroy", place(chest)))
	a.until("the window closed", func(p protocol.Packet) bool {
		_, ok := p.(*protocol.ContainerClose)
		return ok
	})
	second.Console("tp @e[type=minecraft:item] Walker_1")
	a.until("the diamonds and the chest", func(protocol.Packet) bool {
		return a.carries("minecraft:diamond") == 5 && a.carries("minecraft:chest") == 1
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestADoubleChestIsOne(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	left := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 1}
	right := left
	right.X++
	s.Console(fmt.Sprintf("setblock %s minecraft:chest[facing=north,type=left]{CustomName:'Mine'}", place(left)))
	s.Console(fmt.Sprintf("setblock %s minecraft:chest[facing=north,type=right]", place(right)))
	s.Console(fmt.Sprintf("item replace block %s container.0 with minecraft:emerald 3", place(right)))
	a.until("the chest", func(protocol.Packet) bool {
		at, _ := a.Block(blockPos(right))
		return at.Block() == block.Chest
	})
	a.clickOn(left, 1)
	window := a.opened("minecraft:generic_9x6")
	got := map[int]string{}
	for i := range 54 {
		if name, _ := a.Slot(window, i); name != "" {
			got[i] = name
		}
	}
	if len(got) != 1 || got[0] != "minecraft:emerald" { // the right half has the upper rows
		t.Errorf("it has %v", got)
	}
	// Who goes away has nothing open any more.
	s.Console("tp Walker_1 ~30 ~ ~")
	s.Console("execute as Walker_1 at Walker_1 run tp ~12 ~ ~")
	a.until("the window closed", func(p protocol.Packet) bool {
		_, ok := p.(*protocol.ContainerClose)
		return ok
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestShulkerBoxesKeepWhatTheyHold(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	at := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 1}
	s.Console(fmt.Sprintf("setblock %s minecraft:shulker_box{CustomName:'Box'}", place(at)))
	s.Console(fmt.Sprintf("item replace block %s container.4 with minecraft:gold_ingot 9", place(at)))
	s.Console(fmt.Sprintf("setblock %s minecraft:air destroy", place(at)))
	s.Console("tp @e[type=minecraft:item] Walker_1")
	a.until("the box", func(protocol.Packet) bool { return a.carries("minecraft:shulker_box") == 1 })
	if n := a.carries("minecraft:gold_ingot"); n != 0 {
		t.Errorf("%d ingots fell out", n)
	}
	a.clickOn(protocol.BlockPos{X: at.X, Y: at.Y - 1, Z: at.Z}, 1)
	a.clickOn(at, 2)
	window := a.opened("minecraft:shulker_box")
	if name, n := a.Slot(window, 4); name != "minecraft:gold_ingot" || n != 9 {
		t.Errorf("it has %d %s", n, name)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestAnEnderChestIsThePlayersOwn(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	at := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 1}
	s.Console(fmt.Sprintf("setblock %s minecraft:ender_chest", place(at)))
	s.Console("give Walker_1 minecraft:apple 2")
	a.until("apples", func(protocol.Packet) bool { return a.carries("minecraft:apple") == 2 })
	a.clickOn(at, 1)
	window := a.opened("minecraft:generic_9x3")
	a.quickMove(window, 54)
	a.until("apples in it", func(protocol.Packet) bool {
		_, n := a.Slot(window, 0)
		return n == 2
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	b := join(t, second, registry.V26_2, "Walker_2")
	b.clickOn(at, 1)
	if _, n := b.Slot(b.opened("minecraft:generic_9x3"), 0); n != 0 {
		t.Error("another player sees them")
	}
	a = join(t, second, registry.V26_2, "Walker_1")
	a.clickOn(at, 1)
	if name, n := a.Slot(a.opened("minecraft:generic_9x3"), 0); name != "minecraft:apple" || n != 2 {
		t.Errorf("%d %s are back", n, name)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// Loot that only the game can make is not lost: its chest neither opens nor breaks.
func TestLootThatIsNotMadeStays(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	a := join(t, s, registry.V26_1, "Walker_1")
	at := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y), Z: int32(a.Position.Z) + 1}
	s.Console(fmt.Sprintf("setblock %s minecraft:chest{LootTable:\"minecraft:chests/simple_dungeon\"}", place(at)))
	a.until("the chest", func(protocol.Packet) bool {
		b, _ := a.Block(blockPos(at))
		return b.Block() == block.Chest
	})
	told := 0
	for i, packet := range []protocol.Packet{
		&protocol.UseItemOn{Pos: at, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1},
		&protocol.PlayerAction{Action: 0, Pos: at, Face: int8(block.Up), Sequence: 2},
	} {
		a.send(packet)
		a.until("an answer", func(p protocol.Packet) bool {
			if _, ok := p.(*protocol.SetActionBarText); ok {
				told++
			}
			return a.Acknowledged >= int32(i+1)
		})
	}
	if b, _ := a.Block(blockPos(at)); b.Block() != block.Chest || told != 2 || len(a.Windows) > 1 {
		t.Errorf("it is %v, told %d times, %d windows", b, told, len(a.Windows))
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
