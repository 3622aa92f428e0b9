package stream

import (
	"bytes"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/region"
	"strata/server/protocol"
)

func TestChangesOfBlocksHaveTheNumbersOfTheVersion(t *testing.T) {
	tables := chunk.NewTables()
	spike := block.MustParse("sulfur_spike")
	for _, v := range registry.Versions() {
		blocks := block.ForProtocol(v.Info().Protocol)
		e := newEncoder(t, v, tables)
		data, err := e.AppendBlock(nil, chunk.BlockPos{X: -5, Y: -60, Z: 1000}, spike)
		if err != nil {
			t.Fatal(err)
		}
		var one protocol.BlockUpdate
		decode(t, v, data, &one)
		if one.Pos != (protocol.BlockPos{X: -5, Y: -60, Z: 1000}) || one.State != int32(blocks.ID(spike)) {
			t.Errorf("%v: %+v", v, one)
		}
		data, err = e.AppendBlocks(nil, region.ChunkPos{X: -1, Z: 62}, -4, []Change{{11<<8 | 4<<4 | 7, spike}, {0, block.Air.Default()}})
		if err != nil {
			t.Fatal(err)
		}
		var some protocol.SectionBlocksUpdate
		decode(t, v, data, &some)
		if want := int32(blocks.ID(spike))<<12 | 7<<8 | 4<<4 | 11; some.Section != (protocol.SectionPos{X: -1, Y: -4, Z: 62}) || len(some.Blocks) != 2 || some.Blocks[0] != want || some.Blocks[1] != 0 {
			t.Errorf("%v: %+v, want %d", v, some, want)
		}
	}
	if v1, v2 := NumberingOf(registry.V26_1), NumberingOf(registry.V26_2); v1.State(spike, tables) == v2.State(spike, tables) || v2.State(spike, nil) != int32(spike) {
		t.Error("26.1 has a substitute for what it lacks")
	}
}

func TestPacketsAboutViewsAndBatches(t *testing.T) {
	e := newEncoder(t, registry.V26_2, chunk.NewTables())
	pos := region.ChunkPos{X: -9, Z: 30}
	data, err := e.AppendForget(nil, pos)
	if err != nil {
		t.Fatal(err)
	}
	var forget protocol.ForgetLevelChunk
	decode(t, registry.V26_2, data, &forget)
	data, err = e.AppendCenter(nil, pos)
	if err != nil {
		t.Fatal(err)
	}
	var centre protocol.SetChunkCacheCenter
	decode(t, registry.V26_2, data, &centre)
	if forget.ChunkX != -9 || forget.ChunkZ != 30 || centre.ChunkX != -9 || centre.ChunkZ != 30 {
		t.Errorf("%+v %+v", forget, centre)
	}
	data, _ = e.AppendBatchStart(nil)
	decode(t, registry.V26_2, data, &protocol.ChunkBatchStart{})
	data, _ = e.AppendBatchFinished(nil, 9)
	var finished protocol.ChunkBatchFinished
	decode(t, registry.V26_2, data, &finished)
	if finished.BatchSize != 9 {
		t.Errorf("%+v", finished)
	}
}

func TestLightUpdatesHaveTheSectionsThatAreAskedFor(t *testing.T) {
	c := emptyChunk(t, chunk.NewTables(), region.ChunkPos{X: 3, Z: -3})
	shape := shapeOf(c)
	var array [chunk.LightBytes]byte
	array[17] = 0x5a
	for _, err := range []error{
		c.SetSectionLight(chunk.SkyLight, -5, &array), c.FillLight(chunk.SkyLight, 20, 15), c.FillLight(chunk.SkyLight, 3, 7), c.FillLight(chunk.BlockLight, 3, 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var sky, blocks SectionSet
	for _, y := range []chunk.SectionY{-5, 20, 4, 99} {
		sky.Add(shape, y)
	}
	blocks.Add(shape, 3)
	blocks.Add(shape, 4)
	data, err := newEncoder(t, registry.V26_1, c.Tables()).AppendLight(nil, c, shape, &sky, &blocks)
	if err != nil {
		t.Fatal(err)
	}
	var p protocol.LightUpdate
	decode(t, registry.V26_1, data, &p)
	if p.ChunkX != 3 || p.ChunkZ != -3 || len(p.Light.SkyMask) != 1 || p.Light.SkyMask[0] != 1|1<<25 || len(p.Light.EmptySkyMask) != 0 ||
		len(p.Light.BlockMask) != 0 || len(p.Light.EmptyBlockMask) != 1 || p.Light.EmptyBlockMask[0] != 3<<8 {
		t.Errorf("%+v", p)
	}
	if len(p.Light.Sky) != 2 || !bytes.Equal(p.Light.Sky[0], array[:]) || !bytes.Equal(p.Light.Sky[1], brightest[:]) {
		t.Error("arrays differ")
	}
}

// compound makes a block entity.
func compound(t *testing.T, v any) nbt.Raw {
	t.Helper()
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestBlockEntitiesAreSentWithWhatClientsDraw(t *testing.T) {
	c := emptyChunk(t, chunk.NewTables(), region.ChunkPos{X: 1, Z: -1})
	at := func(id string, x, y, z int32, more map[string]any) nbt.Raw {
		m := map[string]any{"id": id, "x": x, "y": y, "z": z}
		for k, v := range more {
			m[k] = v
		}
		return compound(t, m)
	}
	if err := c.SetBlockEntities([]nbt.Raw{
		at("minecraft:chest", 16, 5, -16, map[string]any{"Items": []map[string]any{{"id": "minecraft:diamond"}}, "LootTableSeed": int64(5)}),
		at("minecraft:skull", 17, -64, -1, map[string]any{"note_block_sound": "minecraft:x", "secret": int32(1)}),
		at("minecraft:none_such", 17, 7, -1, nil),
		at("minecraft:mob_spawner", 31, 319, -15, map[string]any{"SpawnPotentials": []int32{1}, "Delay": int16(3)}),
	}); err != nil {
		t.Fatal(err)
	}
	c.SetBlock(2, 70, 3, block.MustParse("red_bed[part=head]"))
	for _, v := range registry.Versions() {
		data, err := newEncoder(t, v, c.Tables()).AppendChunk(nil, c, shapeOf(c))
		if err != nil {
			t.Fatal(err)
		}
		var p protocol.LevelChunkWithLight
		decode(t, v, data, &p)
		types := registry.Of("minecraft:block_entity_type", v)
		want := []struct {
			name string
			col  protocol.Column
			y    int16
			nbt  any
		}{
			{"minecraft:chest", protocol.Column{X: 0, Z: 0}, 5, nil},
			{"minecraft:skull", protocol.Column{X: 1, Z: 15}, -64, map[string]any{"note_block_sound": "minecraft:x"}},
			{"minecraft:mob_spawner", protocol.Column{X: 15, Z: 1}, 319, map[string]any{"Delay": int16(3)}},
			{"minecraft:bed", protocol.Column{X: 2, Z: 3}, 70, nil},
		}
		if v == registry.V26_2 {
			want = want[:3] // whose clients draw beds as blocks
		}
		if len(p.BlockEntities) != len(want) {
			t.Fatalf("%v: %d block entities, want %d", v, len(p.BlockEntities), len(want))
		}
		for i, w := range want {
			got := p.BlockEntities[i]
			name, _ := types.Name(got.Type)
			if name != w.name || got.Column != w.col || got.Y != w.y {
				t.Errorf("%v: %s %+v, want %+v", v, name, got, w)
			}
			if w.nbt == nil {
				if got.NBT != nil {
					t.Errorf("%v: %s is sent with %x", v, name, got.NBT)
				}
				continue
			}
			expect := compound(t, w.nbt)
			if !bytes.Equal(got.NBT, append([]byte{byte(expect.Type)}, expect.Data...)) {
				t.Errorf("%v: %s is sent with %x, want %x", v, name, []byte(got.NBT), expect.Data)
			}
		}
	}
}
