package client

import (
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
)

func TestKeepsBlocksAsTheyChange(t *testing.T) {
	stone := int32(block.ForProtocol(775).ID(block.Stone.Default()))
	// All of the lowest section's cells are of a palette: air, but for stone at 5, -64, 3.
	lowest := protocol.Section{
		Blocks: 1, Biomes: protocol.Container{Palette: []int32{2}},
		States: protocol.Container{Bits: 4, Palette: []int32{0, stone}, Data: make([]byte, 4096/2)},
	}
	cell := 3<<4 | 5
	lowest.States.Data[cell/16*8+7-cell%16/2] |= 1 << (cell % 2 * 4)
	c := play(t, Options{}, func(p *peer) {
		p.send(
			&protocol.LevelChunkWithLight{ChunkData: column(t, &lowest)},
			&protocol.LevelChunkWithLight{X: -1, Z: 1, ChunkData: column(t, nil)},
			&protocol.LevelChunkWithLight{X: 3, Z: 3, ChunkData: column(t, nil)},
			&protocol.LevelChunkWithLight{X: 3, Z: 3, ChunkData: []byte{1, 2, 3}}, // not whole
			&protocol.LevelChunkWithLight{X: 4, Z: 4, ChunkData: column(t, nil)},
			&protocol.SetChunkCacheCenter{ChunkX: 2, ChunkZ: -2},
			&protocol.BlockUpdate{Pos: protocol.BlockPos{X: -1, Y: 319, Z: 16}, State: stone},
			&protocol.BlockUpdate{Pos: protocol.BlockPos{X: 1000, Y: 0, Z: 0}, State: stone}, // of no chunk that was sent
			&protocol.SectionBlocksUpdate{Section: protocol.SectionPos{X: -1, Y: -1, Z: 1}, Blocks: []int32{stone<<12 | 2<<8 | 3<<4 | 4}},
			&protocol.ForgetLevelChunk{ChunkX: 4, ChunkZ: 4},
		)
	})
	toEnd(t, c)
	for pos, want := range map[chunk.BlockPos]block.State{
		{X: 5, Y: -64, Z: 3}:    block.Stone.Default(),
		{X: 4, Y: -64, Z: 3}:    block.Air.Default(),
		{X: 15, Y: 319, Z: 15}:  block.Air.Default(),
		{X: -1, Y: 319, Z: 16}:  block.Stone.Default(),
		{X: -14, Y: -12, Z: 19}: block.Stone.Default(),
		{X: -14, Y: -12, Z: 20}: block.Air.Default(),
		{X: -16, Y: -64, Z: 31}: block.Air.Default(),
	} {
		if got, ok := c.Block(pos); !ok || got != want {
			t.Errorf("%v is %v, %v, want %v", pos, got, ok, want)
		}
	}
	for _, pos := range []chunk.BlockPos{{X: 5, Y: 320}, {Y: -65}, {X: 1000}, {X: 48, Z: 48}, {X: 64, Z: 64}, {X: 16}} {
		if got, ok := c.Block(pos); ok {
			t.Errorf("%v is %v", pos, got)
		}
	}
	if h, ok := c.Surface(5, 3); !ok || h != -63 {
		t.Errorf("the surface is at %d, %v", h, ok)
	}
	if h, ok := c.Surface(6, 3); !ok || h != -64 {
		t.Errorf("the surface of nothing is at %d, %v", h, ok)
	}
	if in := c.Chunk(region.ChunkPos{X: 3, Z: 3}); in == nil || in.Times != 2 {
		t.Errorf("chunk 3 3 is %+v", in)
	}
	if c.Chunks() != 3 || c.Center() != (region.ChunkPos{X: 2, Z: -2}) {
		t.Errorf("%d chunks around %v", c.Chunks(), c.Center())
	}
	biomes := c.Registries["minecraft:worldgen/biome"]
	for pos, want := range map[chunk.BlockPos]string{{X: 5, Y: -64, Z: 3}: biomes[2], {X: 5, Y: 100, Z: 3}: biomes[1]} {
		if got, ok := c.BiomeName(pos); !ok || got != want {
			t.Errorf("the biome at %v is %q, %v, want %q", pos, got, ok, want)
		}
	}
}

func TestALeanClientKeepsNoBlocks(t *testing.T) {
	c := play(t, Options{Lean: true}, func(p *peer) {
		p.send(&protocol.LevelChunkWithLight{ChunkData: column(t, nil)}, &protocol.BlockUpdate{State: 1})
	})
	toEnd(t, c)
	if _, ok := c.StateID(protocol.BlockPos{}); ok || c.Chunks() != 1 {
		t.Errorf("%d chunks, blocks %v", c.Chunks(), ok)
	}
}

func TestAnotherDimensionBeginsWithNothing(t *testing.T) {
	c := play(t, Options{}, func(p *peer) {
		nether := int32(slices.Index(dimensionTypes(p.Version()), "minecraft:the_nether"))
		p.send(
			&protocol.LevelChunkWithLight{ChunkData: column(t, nil)},
			&protocol.AddEntity{EntityID: 9},
			&protocol.Respawn{Spawn: protocol.SpawnInfo{Dimension: nether, Name: "minecraft:the_nether", PreviousGameMode: -1}},
			&protocol.LevelChunkWithLight{X: 1, ChunkData: column(t, nil)},
		)
	})
	toEnd(t, c)
	_, below := c.Block(chunk.BlockPos{X: 16, Y: -1})
	_, at := c.Block(chunk.BlockPos{X: 16, Y: 0})
	if c.Dimension != "minecraft:the_nether" || c.Chunks() != 1 || len(c.Entities) != 0 || below || !at {
		t.Errorf("in %s, %d chunks, %d entities, a block below the lowest: %v, at it: %v", c.Dimension, c.Chunks(), len(c.Entities), below, at)
	}
}

func dimensionTypes(v registry.Version) (names []string) {
	for _, r := range registry.SyncedRegistries(v) {
		if r.ID == "minecraft:dimension_type" {
			for _, e := range r.Entries {
				names = append(names, e.ID)
			}
		}
	}
	return names
}

func TestKeepsWhereOthersAre(t *testing.T) {
	c := play(t, Options{}, func(p *peer) {
		kind, _ := registry.Of("minecraft:entity_type", p.Version()).ID("minecraft:pig")
		p.send(
			&protocol.AddEntity{EntityID: 9, Type: kind, X: 1, Y: 2, Z: 3.0001, Yaw: 64, Pitch: -32},
			&protocol.AddEntity{EntityID: 10, Type: 1 << 20},
			&protocol.AddEntity{EntityID: 11, Type: kind},
			&protocol.MoveEntityPos{EntityID: 9, DX: 4096, DY: -2048, DZ: 1, OnGround: true},
			&protocol.MoveEntityPosRot{EntityID: 9, DX: -1, Yaw: -64, Pitch: 32, OnGround: true},
			&protocol.RotateHead{EntityID: 9, HeadYaw: 32},
			&protocol.MoveEntityPos{EntityID: 12, DX: 1}, // of nobody
			&protocol.EntityPositionSync{EntityID: 11, X: -5, Y: 6, Z: 7, Yaw: 45, OnGround: true},
			&protocol.MoveEntityRot{EntityID: 11, Yaw: 32, Pitch: 16},
			&protocol.RemoveEntities{EntityIDs: []int32{10, 99}},
		)
	})
	toEnd(t, c)
	want := Position{X: 2 - 1.0/4096, Y: 1.5, Z: 3 + 1.0/4096, Yaw: -90, Pitch: 45}
	if e := c.Entities[9]; e == nil || e.Type != "minecraft:pig" || e.Position != want || e.HeadYaw != 45 || !e.OnGround {
		t.Errorf("the pig is %+v, want it at %+v", e, want)
	}
	if e := c.Entities[11]; e == nil || e.Position != (Position{-5, 6, 7, 45, 22.5}) {
		t.Errorf("the other is %+v", e)
	}
	if len(c.Entities) != 2 {
		t.Errorf("%d entities", len(c.Entities))
	}
}

func TestKeepsStacksChatAndState(t *testing.T) {
	id := protocol.UUID{1}
	c := play(t, Options{Version: registry.V26_2}, func(p *peer) {
		stone, _ := registry.Of("minecraft:item", p.Version()).ID("minecraft:stone")
		chest, _ := registry.Of("minecraft:menu", p.Version()).ID("minecraft:generic_9x3")
		own := make([]protocol.ItemStack, 46)
		own[36] = protocol.ItemStack{Count: 3, ID: stone}
		p.send(
			&protocol.ContainerSetContent{StateID: 1, Items: own, CarriedItem: protocol.ItemStack{Count: 1, ID: stone}},
			&protocol.ContainerSetSlot{StateID: 2, Slot: 37, Item: protocol.ItemStack{Count: 64, ID: stone}},
			&protocol.ContainerSetSlot{StateID: 3, Slot: -1}, // of no slot
			&protocol.OpenScreen{ContainerID: 5, InventoryType: chest, WindowTitle: protocol.NBT{8, 0, 0}},
			&protocol.ContainerSetSlot{ContainerID: 5, StateID: 9, Slot: 2, Item: protocol.ItemStack{Count: 2, ID: stone}},
			&protocol.OpenScreen{ContainerID: 6, InventoryType: chest, WindowTitle: protocol.NBT{8, 0, 0}},
			&protocol.ContainerClose{ContainerID: 6},
			&protocol.SetCursorItem{},
			&protocol.SetHeldSlot{Slot: 4},
			&protocol.SystemChat{Content: protocol.NBT("\x08\x00\x02hi")},
			&protocol.SystemChat{Content: protocol.NBT("\x08\x00\x02no"), Overlay: true},
			&protocol.DisguisedChat{Name: protocol.NBT("\x08\x00\x01A"), Message: protocol.NBT("\x08\x00\x02ho")},
			&protocol.SetHealth{Health: 7.5, Food: 11},
			&protocol.SetTime{GameTime: 4711},
			&protocol.GameEvent{Event: protocol.GameEventKindChangeGameMode, Value: 3},
			&protocol.BlockChangedAck{SequenceID: 8},
			&protocol.PlayerInfoUpdate{Actions: protocol.AddPlayer, Players: []protocol.PlayerInfo{{UUID: id, Name: "A"}, {Name: "B"}}},
			&protocol.PlayerInfoRemove{Players: []protocol.UUID{{}}},
		)
	})
	toEnd(t, c)
	for _, want := range []struct {
		window int32
		slot   int
		name   string
		count  int
	}{
		{0, 36, "minecraft:stone", 3}, {0, 37, "minecraft:stone", 64}, {0, 38, "", 0}, {0, 99, "", 0},
		{5, 2, "minecraft:stone", 2}, {5, 1, "", 0}, {6, 0, "", 0},
	} {
		if name, count := c.Slot(want.window, want.slot); name != want.name || count != want.count {
			t.Errorf("slot %d of window %d is %d %s, want %d %s", want.slot, want.window, count, name, want.count, want.name)
		}
	}
	if w := c.Windows[5]; w.Type != "minecraft:generic_9x3" || w.State != 9 || c.Windows[0].State != 2 || c.Windows[6] != nil {
		t.Errorf("window 5 is %+v, the own has state %d, closed is %v", w, c.Windows[0].State, c.Windows[6])
	}
	if c.Cursor.Count != 0 || c.Held != 4 || c.Health != 7.5 || c.Food != 11 || c.Time != 4711 || c.GameMode != protocol.GameModeSpectator || c.Acknowledged != 8 {
		t.Errorf("%+v on the cursor, slot %d held, health %v, food %d, time %d, mode %v, sequence %d",
			c.Cursor, c.Held, c.Health, c.Food, c.Time, c.GameMode, c.Acknowledged)
	}
	if want := []string{"hi", "<A> ho"}; !slices.Equal(c.Chat, want) {
		t.Errorf("heard %q, want %q", c.Chat, want)
	}
	if len(c.Players) != 1 || c.Players[id] != "A" {
		t.Errorf("players %v", c.Players)
	}
}

func TestTheChatThatIsKeptHasAnEnd(t *testing.T) {
	var c Client
	for i := range keptLines + 7 {
		c.hear(string(rune('a' + i%26)))
	}
	if len(c.Chat) != keptLines || c.Chat[0] != string(rune('a'+7)) {
		t.Errorf("%d lines, the first %q", len(c.Chat), c.Chat[0])
	}
}
