package stream

import (
	"bytes"
	"errors"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/bench/testbed"
	"strata/region"
	"strata/server/protocol"
)

// mustEqualChunk compares a packet, read by package protocol, with the chunk
// that it was made of, cell by cell.
func mustEqualChunk(t *testing.T, v registry.Version, c *chunk.Chunk, p *protocol.LevelChunkWithLight) {
	t.Helper()
	shape := shapeOf(c)
	blocks := block.ForProtocol(v.Info().Protocol)
	biomes := registry.Of("minecraft:worldgen/biome", v)
	if (region.ChunkPos{X: p.X, Z: p.Z}) != c.Pos() {
		t.Fatalf("packet of chunk %d,%d, want %v", p.X, p.Z, c.Pos())
	}
	r := protocol.NewReader(p.ChunkData)
	for y := shape.Low; y < shape.High; y++ {
		s := r.Section()
		if r.Err() != nil {
			t.Fatalf("chunk %v section %d: %v", c.Pos(), y, r.Err())
		}
		filled, fluids := int16(0), int16(0)
		for cell := range chunk.SectionCells {
			x, by, z := cell&15, int(y)<<4|cell>>8, cell>>4&15
			state, _ := c.Tables().States.Base(c.Block(x, by, z))
			if !state.Air() {
				filled++
			}
			if state.Fluid() != block.NoFluid {
				fluids++
			}
			if got, ok := s.States.At(cell); !ok || got != int32(blocks.ID(state)) {
				t.Fatalf("chunk %v block %d,%d,%d: state %d, want %d for %v", c.Pos(), x, by, z, got, blocks.ID(state), state)
			}
		}
		if s.Blocks != filled || s.Fluids != fluids {
			t.Fatalf("chunk %v section %d: counts %d and %d, want %d and %d", c.Pos(), y, s.Blocks, s.Fluids, filled, fluids)
		}
		for cell := range chunk.BiomeCells {
			b, _ := c.Biome(cell&3<<2, int(y)<<4|cell>>4<<2, cell>>2&3<<2)
			id, _ := s.Biomes.At(cell)
			want := c.Tables().Biomes.Name(b)
			if name, _ := biomes.Name(id); name != want {
				if _, lacks := biomes.ID(want); lacks {
					t.Fatalf("chunk %v section %d cell %d: biome %s, want %s", c.Pos(), y, cell, name, want)
				}
			}
		}
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	mustEqualHeights(t, c, p.Heightmaps)
	mustEqualLight(t, c, chunk.SkyLight, p.Light.SkyMask, p.Light.EmptySkyMask, p.Light.Sky)
	mustEqualLight(t, c, chunk.BlockLight, p.Light.BlockMask, p.Light.EmptyBlockMask, p.Light.Block)
}

func mustEqualHeights(t *testing.T, c *chunk.Chunk, maps []protocol.Heightmap) {
	t.Helper()
	if len(maps) != 3 {
		t.Fatalf("%d heightmaps, want 3", len(maps))
	}
	kinds := map[protocol.HeightmapType]chunk.Heightmap{1: chunk.WorldSurface, 4: chunk.MotionBlocking, 5: chunk.MotionBlockingNoLeaves}
	width := 9
	if c.Height() == 256 {
		width = 9 // 0 to 256
	}
	for _, m := range maps {
		for column := range 256 {
			want, ok := c.HeightAt(kinds[m.Type], column&15, column>>4)
			if !ok {
				continue
			}
			got := int(uint64(m.Data[column/7])>>(column%7*width)&(1<<width-1)) + c.MinY()
			if got != want {
				t.Fatalf("chunk %v heightmap %d column %d: %d, want %d", c.Pos(), m.Type, column, got, want)
			}
		}
	}
}

func mustEqualLight(t *testing.T, c *chunk.Chunk, kind chunk.Light, mask, dark []int64, arrays [][]byte) {
	t.Helper()
	bit := func(set []int64, i int) bool { return i>>6 < len(set) && set[i>>6]>>(i&63)&1 != 0 }
	shape := shapeOf(c)
	for i := range shape.Sections() + 2 {
		y := shape.Low + chunk.SectionY(i) - 1
		var want [chunk.LightBytes]byte
		has := c.SectionLight(kind, y, &want)
		empty := want == [chunk.LightBytes]byte{}
		if bit(mask, i) != (has && !empty) || bit(dark, i) != (has && empty) {
			t.Fatalf("chunk %v %v section %d: sent %v, dark %v; the chunk has it: %v, dark: %v", c.Pos(), kind, y, bit(mask, i), bit(dark, i), has, empty)
		}
		if bit(mask, i) {
			if !bytes.Equal(arrays[0], want[:]) {
				t.Fatalf("chunk %v %v section %d differs", c.Pos(), kind, y)
			}
			arrays = arrays[1:]
		}
	}
	if len(arrays) != 0 {
		t.Fatalf("chunk %v %v: %d arrays too many", c.Pos(), kind, len(arrays))
	}
}

func TestRealChunksAreReadAsTheyAre(t *testing.T) {
	tables := chunk.NewTables()
	chunks := corpusChunks(t, tables, max(1, 998/testbed.Runs(t, 50)))
	for _, v := range registry.Versions() {
		e := newEncoder(t, v, tables)
		var data []byte
		for _, c := range chunks {
			var err error
			if data, err = e.AppendChunk(data[:0], c, shapeOf(c)); err != nil {
				t.Fatal(err)
			}
			var p protocol.LevelChunkWithLight
			decode(t, v, data, &p)
			mustEqualChunk(t, v, c, &p)
		}
	}
}

func TestUnknownStatesAreSentAsWhatTheyAreTreatedAs(t *testing.T) {
	tables := chunk.NewTables()
	c, err := chunk.New(tables, region.ChunkPos{X: -3, Z: 9}, chunk.Options{DataVersion: 4903, MinSection: -4, Sections: 24})
	if err != nil {
		t.Fatal(err)
	}
	entry := []byte{8, 0, 4, 'N', 'a', 'm', 'e', 0, 5, 'a', ':', 'b', 'c', 'd', 0}
	unknown, err := tables.States.Intern(entry, []byte("a:bcd"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetBlock(1, 2, 3, unknown)
	for i := range 2000 { // so many that there is no palette
		c.SetBlock(i&15, 16+i>>8, i>>4&15, block.State(i*7))
	}
	c.SetBlock(0, 31, 0, unknown)
	for _, v := range registry.Versions() {
		data, err := newEncoder(t, v, tables).AppendChunk(nil, c, Shape{-4, 20})
		if err != nil {
			t.Fatal(err)
		}
		var p protocol.LevelChunkWithLight
		decode(t, v, data, &p)
		mustEqualChunk(t, v, c, &p)
	}
}

func TestEveryWidthOfMemoryIsSentRight(t *testing.T) {
	tables := chunk.NewTables()
	for _, kinds := range []int{1, 2, 3, 4, 5, 9, 16, 17, 33, 65, 129, 256, 257, 600, 1100, 4096} {
		c, err := chunk.New(tables, region.ChunkPos{}, chunk.Options{DataVersion: 4903, MinSection: 0, Sections: 16})
		if err != nil {
			t.Fatal(err)
		}
		var cells [chunk.SectionCells]block.State
		for i := range cells {
			cells[i] = block.State(i * 31 % kinds * 7)
		}
		if err := c.SetSectionBlocks(3, &cells); err != nil {
			t.Fatal(err)
		}
		var biomes [chunk.BiomeCells]chunk.Biome
		for i := range biomes {
			biomes[i] = chunk.Biome(i % min(kinds, 60))
		}
		if err := c.SetSectionBiomes(5, &biomes); err != nil {
			t.Fatal(err)
		}
		for _, v := range registry.Versions() {
			data, err := newEncoder(t, v, tables).AppendChunk(nil, c, Shape{0, 16})
			if err != nil {
				t.Fatal(err)
			}
			var p protocol.LevelChunkWithLight
			decode(t, v, data, &p)
			mustEqualChunk(t, v, c, &p)
		}
	}
}

func TestAShapeThatCannotBeIsAnError(t *testing.T) {
	tables := chunk.NewTables()
	c, _ := chunk.New(tables, region.ChunkPos{}, chunk.Options{DataVersion: 4903, MinSection: 0, Sections: 16})
	e := newEncoder(t, registry.V26_1, tables)
	for _, s := range []Shape{{}, {4, 4}, {5, 4}, {-200, 10}, {0, 300}} {
		if got, err := e.AppendChunk([]byte{1}, c, s); !errors.Is(err, ErrShape) || len(got) != 1 {
			t.Errorf("shape %v: %d bytes, %v", s, len(got), err)
		}
	}
	if _, err := NewEncoder(99, EncoderOptions{}); !errors.Is(err, ErrVersion) {
		t.Errorf("version 99: %v", err)
	}
}
