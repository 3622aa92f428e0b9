package server

import (
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/anvil/store"
	"strata/server/protocol"
	"strata/server/stream"
)

// give puts a stack into the hotbar of a client in creative mode, and holds it.
func (p *testClient) give(slot int16, name string) {
	p.t.Helper()
	id, ok := registry.Of("minecraft:item", p.Version()).ID(name)
	if !ok {
		p.t.Fatalf("no item %s", name)
	}
	p.send(&protocol.SetCreativeModeSlot{Slot: 36 + slot, Item: protocol.UntrustedItem{Count: 1, ID: id}})
	p.send(&protocol.SetCarriedItem{SlotID: slot})
}

// sees waits until the client is told of a block and of the answer to a sequence.
func (p *testClient) sees(pos chunk.BlockPos, want string, sequence int32) {
	p.t.Helper()
	state, err := block.Parse(want)
	if err != nil {
		p.t.Fatal(err)
	}
	id := stream.NumberingOf(p.Version()).State(state, chunk.NewTables())
	told, answered := false, sequence < 0
	p.until(want, func(packet protocol.Packet) bool {
		switch u := packet.(type) {
		case *protocol.BlockUpdate:
			if u.Pos == protocol.BlockPos(pos) {
				told = u.State == id
			}
		case *protocol.SectionBlocksUpdate:
			if u.Section != (protocol.SectionPos{X: pos.X >> 4, Y: pos.Y >> 4, Z: pos.Z >> 4}) {
				break
			}
			for _, b := range u.Blocks {
				if b&0xfff == (pos.X&15)<<8|(pos.Z&15)<<4|pos.Y&15 {
					told = b>>12 == id
				}
			}
		case *protocol.BlockChangedAck:
			answered = answered || u.SequenceID == sequence
		}
		return told && answered
	})
}

func creative(o *Options) { o.GameMode = protocol.GameModeCreative }

func TestBlocksThatPlayersPlaceAreSeenAndKept(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	x, y, z := int32(a.Position.X)+2, int32(a.Position.Y)-1, int32(a.Position.Z)
	ground := chunk.BlockPos{X: x, Y: y, Z: z}
	place := chunk.BlockPos{X: x, Y: y + 1, Z: z}
	a.give(0, "minecraft:oak_log")
	a.send(&protocol.UseItemOn{Pos: protocol.BlockPos(ground), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 5})
	a.sees(place, "minecraft:oak_log[axis=y]", 5)
	b.sees(place, "minecraft:oak_log[axis=y]", -1)
	// A torch on its side falls with it.
	a.give(1, "minecraft:torch")
	a.send(&protocol.UseItemOn{Pos: protocol.BlockPos(place), Direction: int32(block.West), CursorX: 0, CursorY: 0.5, CursorZ: 0.5, Sequence: 6})
	torch := chunk.BlockPos{X: x - 1, Y: y + 1, Z: z}
	a.sees(torch, "minecraft:wall_torch[facing=west]", 6)
	lit := false
	b.until("the light of the torch", func(p protocol.Packet) bool {
		_, is := p.(*protocol.LightUpdate)
		lit = lit || is
		return lit
	})
	b.send(&protocol.PlayerAction{Action: 0, Pos: protocol.BlockPos(place), Face: 1, Sequence: 1})
	b.sees(place, "minecraft:air", 1)
	a.sees(torch, "minecraft:air", -1)

	// Out of reach, and into a player: both are told how it is.
	far := chunk.BlockPos{X: x + 20, Y: y, Z: z}
	a.send(&protocol.PlayerAction{Action: 0, Pos: protocol.BlockPos(far), Face: 1, Sequence: 7})
	a.sees(far, "minecraft:grass_block", 7)
	below := chunk.BlockPos{X: int32(a.Position.X), Y: y, Z: z}
	a.give(2, "minecraft:stone")
	a.send(&protocol.UseItemOn{Pos: protocol.BlockPos(below), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 8})
	a.sees(chunk.BlockPos{X: below.X, Y: y + 1, Z: z}, "minecraft:air", 8)

	a.send(&protocol.UseItemOn{Pos: protocol.BlockPos(ground), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 9})
	a.sees(place, "minecraft:stone", 9)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(s.options.World, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	where, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.OpenRead(where, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	hold, err := kept.Load(t.Context(), 0, place.Chunk(), store.Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	if err := hold.Read(func(c *chunk.Chunk) {
		if got := c.Block(int(place.X), int(place.Y), int(place.Z)); got != block.Stone.Default() {
			t.Errorf("%v was kept", got)
		}
	}); err != nil {
		t.Error(err)
	}
}

func TestDiggingTakesItsTime(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	c.send(&protocol.MovePlayerStatusOnly{Flags: protocol.MoveFlagsOnGround})
	pos := chunk.BlockPos{X: int32(c.Position.X) + 1, Y: int32(c.Position.Y) - 1, Z: int32(c.Position.Z)}
	at := protocol.BlockPos(pos)
	c.send(&protocol.PlayerAction{Action: 0, Pos: at, Face: 1, Sequence: 1})
	c.send(&protocol.PlayerAction{Action: 2, Pos: at, Face: 1, Sequence: 2})
	c.sees(pos, "minecraft:grass_block", 2)
	c.send(&protocol.PlayerAction{Action: 0, Pos: at, Face: 1, Sequence: 3})
	time.Sleep(time.Second) // grass takes 0.9 s by hand
	c.send(&protocol.PlayerAction{Action: 2, Pos: at, Face: 1, Sequence: 4})
	c.sees(pos, "minecraft:air", 4)
}

func TestFluidsFlowAndItemsAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	s, _ := start(t, creative)
	c := join(t, s, registry.V26_1, "Walker_1")
	y, z := int32(c.Position.Y)-1, int32(c.Position.Z)
	ground := chunk.BlockPos{X: int32(c.Position.X) + 3, Y: y, Z: z}
	c.give(0, "minecraft:water_bucket")
	c.send(&protocol.UseItemOn{Pos: protocol.BlockPos(ground), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
	c.sees(chunk.BlockPos{X: ground.X, Y: y + 1, Z: z}, "minecraft:water[level=0]", 1)
	flown := chunk.BlockPos{X: ground.X, Y: y + 1, Z: z + 1}
	c.sees(flown, "minecraft:water[level=1]", -1)
	// A slot that there is not, and a stack that cannot be, change nothing.
	id, _ := registry.Of("minecraft:item", registry.V26_1).ID("minecraft:stone")
	c.send(&protocol.SetCreativeModeSlot{Slot: 500, Item: protocol.UntrustedItem{Count: 1, ID: id}})
	c.send(&protocol.SetCreativeModeSlot{Slot: 37, Item: protocol.UntrustedItem{Count: 99, ID: id}})
	c.until("the truth", func(p protocol.Packet) bool {
		set, ok := p.(*protocol.ContainerSetContent)
		return ok && set.Items[37].Count == 0 && set.Items[36].Count != 0
	})
}
