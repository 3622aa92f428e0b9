package server

import (
	"fmt"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// things are how many entities of a type a client sees.
func (p *testClient) things(kind string) (n int) {
	for _, e := range p.Entities {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// carries is how many items of a name are in the player's storage and hands.
func (p *testClient) carries(name string) (n int) {
	for slot := range 46 {
		if at, count := p.Slot(0, slot); at == name {
			n += count
		}
	}
	return n
}

func TestWhatBlocksYieldIsPickedUp(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	at := protocol.BlockPos{X: int32(a.Position.X) + 1, Y: int32(a.Position.Y) - 1, Z: int32(a.Position.Z)}
	s.Console("gamemode spectator Walker_2") // it takes nothing
	s.Console("give Walker_1 minecraft:dirt 60")
	a.until("what was given", func(protocol.Packet) bool { return a.carries("minecraft:dirt") == 60 })
	s.Console("setblock " + place(at) + " minecraft:dirt")
	s.Console("setblock " + place(at) + " minecraft:air destroy")
	b.until("dirt on the ground", func(protocol.Packet) bool { return b.things("minecraft:item") > 0 })
	s.Console("tp @e[type=minecraft:item] Walker_1") // wherever it has jumped
	taken := false
	b.until("that it is taken", func(p protocol.Packet) bool {
		if take, ok := p.(*protocol.TakeItemEntity); ok {
			taken = taken || take.CollectorEntityID == a.EntityID
		}
		return taken && b.things("minecraft:item") == 0
	})
	a.until("the dirt", func(protocol.Packet) bool { return a.carries("minecraft:dirt") == 61 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsThrownIsThereAfterARestart(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	s.Console("give Walker_1 minecraft:diamond 3")
	a.until("what was given", func(protocol.Packet) bool { return a.carries("minecraft:diamond") == 3 })
	a.send(&protocol.PlayerAction{Action: 4}) // drop one
	a.until("one less", func(protocol.Packet) bool {
		return a.carries("minecraft:diamond") == 2 && a.things("minecraft:item") == 1
	})
	a.send(&protocol.PlayerAction{Action: 3}) // drop all
	a.until("none", func(protocol.Packet) bool {
		return a.carries("minecraft:diamond") == 0 && a.things("minecraft:item") > 0
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	a = join(t, second, registry.V26_2, "Walker_1")
	a.until("it on the ground", func(protocol.Packet) bool { return a.things("minecraft:item") > 0 })
	second.Console("tp @e[type=minecraft:item] Walker_1")
	a.until("all of it again", func(protocol.Packet) bool { return a.carries("minecraft:diamond") == 3 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestTheDeadLeaveWhatTheyCarried(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	for _, keep := range []bool{false, true} {
		s.Console("spawnpoint Walker_1 2 100 2") // out of reach
		s.Console("give Walker_1 minecraft:emerald 5")
		a.until("what was given", func(protocol.Packet) bool { return a.carries("minecraft:emerald") == 5 })
		if keep {
			s.Console("gamerule minecraft:keep_inventory true")
		}
		before := a.TeleportID
		s.Console("kill Walker_1")
		a.until("death", func(protocol.Packet) bool { return a.Health == 0 && (keep || a.things("minecraft:item") > 0) })
		a.send(&protocol.ClientCommand{Action: protocol.ClientCommandActionPerformRespawn})
		a.until("life", func(protocol.Packet) bool { return a.Health == 20 && a.TeleportID > before })
		marker := map[bool]string{false: "minecraft:stick", true: "minecraft:arrow"}[keep]
		s.Console("give Walker_1 " + marker)
		a.until(marker, func(protocol.Packet) bool { return a.carries(marker) > 0 })
		if left := a.carries("minecraft:emerald"); keep && left != 5 || !keep && left != 0 {
			t.Errorf("keep %v: %d left", keep, left)
		}
		s.Console("kill @e[type=minecraft:item]")
		a.until("nothing on the ground", func(protocol.Packet) bool { return a.things("minecraft:item") == 0 })
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

func TestSandFalls(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	a := join(t, s, registry.V26_1, "Walker_1")
	x, y, z := int32(a.Position.X)+3, int32(a.Position.Y), int32(a.Position.Z)
	high := protocol.BlockPos{X: x, Y: y + 5, Z: z}
	s.Console("setblock " + place(high) + " minecraft:sand")
	a.until("a falling block", func(protocol.Packet) bool { return a.things("minecraft:falling_block") == 1 })
	sand := block.Sand.Default()
	low := high
	low.Y = y
	a.until("sand on the ground", func(protocol.Packet) bool {
		at, _ := a.Block(blockPos(low))
		gone, _ := a.Block(blockPos(high))
		return at == sand && gone.Air() && a.things("minecraft:falling_block") == 0
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// place is a position as commands have it.
func place(p protocol.BlockPos) string { return fmt.Sprintf("%d %d %d", p.X, p.Y, p.Z) }

func blockPos(p protocol.BlockPos) chunk.BlockPos { return chunk.BlockPos(p) }
