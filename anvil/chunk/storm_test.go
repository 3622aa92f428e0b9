package chunk

import (
	"bytes"
	"math/rand"
	"sync"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/region"
)

// naive is a chunk as a map.
type naive struct {
	c      *Chunk
	blocks map[[3]int]block.State
	biomes map[[3]int]Biome
	light  map[[4]int]uint8
}

func (m *naive) clone() *naive {
	n := &naive{c: m.c.Clone(), blocks: map[[3]int]block.State{}, biomes: map[[3]int]Biome{}, light: map[[4]int]uint8{}}
	for k, v := range m.blocks {
		n.blocks[k] = v
	}
	for k, v := range m.biomes {
		n.biomes[k] = v
	}
	for k, v := range m.light {
		n.light[k] = v
	}
	return n
}

// check compares everything with the map, and the heightmaps with a search.
func (m *naive) check(t *testing.T) {
	t.Helper()
	low, high := m.c.MinY(), m.c.MinY()+m.c.Height()
	for x := range 16 {
		for z := range 16 {
			var tops [heightmapCount]int
			for k := range tops {
				tops[k] = low
			}
			for y := low; y < high; y++ {
				want := m.blocks[[3]int{x, y, z}]
				if got := m.c.Block(x, y, z); got != want {
					t.Fatalf("block %d,%d,%d is %v, not %v", x, y, z, got, want)
				}
				base, _ := m.c.tables.States.Base(want)
				for k, counts := range map[Heightmap]bool{
					WorldSurfaceWG: base.WorldSurface(), WorldSurface: base.WorldSurface(),
					OceanFloorWG: base.OceanFloor(), OceanFloor: base.OceanFloor(),
					MotionBlocking: base.MotionBlocking(), MotionBlockingNoLeaves: base.MotionBlockingNoLeaves(),
				} {
					if counts {
						tops[k] = y + 1
					}
				}
			}
			for k := range heightmapCount {
				if got, ok := m.c.HeightAt(k, x, z); ok && got != tops[k] {
					t.Fatalf("%v of %d,%d is %d, not %d", k, x, z, got, tops[k])
				}
			}
		}
	}
	for p, want := range m.biomes {
		if got, ok := m.c.Biome(p[0]*4, p[1]*4, p[2]*4); !ok || got != want {
			t.Fatalf("biome %v is %d, not %d", p, got, want)
		}
	}
	for p, want := range m.light {
		if got, ok := m.c.Light(Light(p[3]), p[0], p[1], p[2]); !ok || got != want {
			t.Fatalf("light %v is %d, not %d", p, got, want)
		}
	}
	if n := m.c.CheckHeightmaps(); n != 0 {
		t.Fatalf("%d heights differ from the blocks", n)
	}
}

func stormStates(t *testing.T, tables *Tables) []block.State {
	states := []block.State{
		block.Air.Default(), block.Air.Default(), block.CaveAir.Default(), block.Stone.Default(), block.Water.Default(),
		block.OakLeaves.Default(), block.Torch.Default(), block.ShortGrass.Default(), block.Snow.Default(), block.OakSlab.Default(),
	}
	foreign, err := tables.States.Intern([]byte("\x08\x00\x04Name\x00\x08mod:lamp\x00"), []byte("mod:lamp"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(states, foreign)
}

// TestEditsAgreeWithAMap edits chunks at random, clones them now and then,
// edits both, and compares all of them with maps.
func TestEditsAgreeWithAMap(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	tables := NewTables()
	states := stormStates(t, tables)
	dec := NewDecoder(tables)
	var enc Encoder
	for range testbed.Runs(t, 12) {
		low := SectionY(r.Intn(6) - 5)
		c, err := New(tables, region.ChunkPos{X: -3, Z: 7}, Options{DataVersion: 4903, MinSection: low, Sections: 1 + r.Intn(6)})
		if err != nil {
			t.Fatal(err)
		}
		c.ComputeHeightmaps(WorldSurfaceWG, WorldSurface, OceanFloorWG, OceanFloor, MotionBlocking, MotionBlockingNoLeaves)
		models := []*naive{{c: c, blocks: map[[3]int]block.State{}, biomes: map[[3]int]Biome{}, light: map[[4]int]uint8{}}}
		for range 3000 {
			m := models[r.Intn(len(models))]
			m.step(t, r, states)
			if r.Intn(800) == 0 && len(models) < 4 {
				models = append(models, m.clone())
			}
		}
		for _, m := range models {
			m.check(t)
			out, err := enc.Encode(nil, m.c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := dec.Decode(out)
			if err != nil {
				t.Fatal(err)
			}
			if err := sameModel(m.c, again); err != nil {
				t.Fatal(err)
			}
			(&naive{c: again, blocks: m.blocks, biomes: m.biomes, light: m.light}).check(t)
		}
	}
}

// step makes one edit in chunk and map.
func (m *naive) step(t *testing.T, r *rand.Rand, states []block.State) {
	low, height := m.c.MinY(), m.c.Height()
	x, y, z := r.Intn(16), low+r.Intn(height), r.Intn(16)
	state := states[r.Intn(len(states))]
	if r.Intn(20) == 0 {
		state = block.State(r.Intn(block.StateCount))
	}
	revision := m.c.Revision()
	switch k := r.Intn(300); {
	case k < 240:
		old, ok := m.c.SetBlock(x-32, y, z+160, state)
		if was := m.blocks[[3]int{x, y, z}]; !ok || old != was {
			t.Fatalf("set %d,%d,%d: was %v, not %v", x, y, z, old, was)
		}
		m.set(x, y, z, state)
		if _, ok := m.c.SetBlock(x, low+height, z, state); ok {
			t.Fatal("a block above the chunk was set")
		}
	case k < 260:
		kind, level := Light(r.Intn(2)), uint8(r.Intn(16))
		if err := m.c.SetLight(kind, x, y, z, level); err != nil {
			t.Fatal(err)
		}
		m.light[[4]int{x, y, z, int(kind)}] = level
	case k < 285:
		b := Biome(r.Intn(len(vanillaBiomes)))
		if err := m.c.SetBiome(x, y, z, b); err != nil {
			t.Fatal(err)
		}
		m.biomes[[3]int{x >> 2, y >> 2, z >> 2}] = b
	case k < 292:
		x1, y1, z1 := x+r.Intn(16-x), y+r.Intn(low+height-y), z+r.Intn(16-z)
		if r.Intn(3) == 0 {
			x, y, z, x1, y1, z1 = 0, low, 0, 15, low+height-1, 15
		}
		if err := m.c.Fill(x, y, z, x1, y1, z1, state); err != nil {
			t.Fatal(err)
		}
		for ; y <= y1; y++ {
			for z := z; z <= z1; z++ {
				for x := x; x <= x1; x++ {
					m.set(x, y, z, state)
				}
			}
		}
	case k < 296:
		m.flat(t, r, SectionY(y>>4), states)
	default:
		m.replace(SectionY(y>>4), states[r.Intn(len(states))], state)
	}
	if m.c.Revision() < revision {
		t.Fatal("the revision went back")
	}
}

func (m *naive) set(x, y, z int, s block.State) { m.blocks[[3]int{x, y, z}] = s }

func (m *naive) flat(t *testing.T, r *rand.Rand, y SectionY, states []block.State) {
	var cells [SectionCells]block.State
	for i := range cells {
		cells[i] = states[r.Intn(len(states))]
		m.set(i&15, int(y)*16+i>>8, i>>4&15, cells[i])
	}
	if err := m.c.SetSectionBlocks(y, &cells); err != nil {
		t.Fatal(err)
	}
	var got [SectionCells]block.State
	if !m.c.SectionBlocks(y, &got) || got != cells {
		t.Fatal("a section came back otherwise")
	}
	m.c.ComputeHeightmaps(WorldSurfaceWG, WorldSurface, OceanFloorWG, OceanFloor, MotionBlocking, MotionBlockingNoLeaves)
}

func (m *naive) replace(y SectionY, from, to block.State) {
	m.c.Replace(y, func(s block.State) block.State {
		if s == from {
			return to
		}
		return s
	})
	for i := range SectionCells {
		if p := [3]int{i & 15, int(y)*16 + i>>8, i >> 4 & 15}; m.blocks[p] == from {
			m.blocks[p] = to
		}
	}
	m.c.ComputeHeightmaps(WorldSurfaceWG, WorldSurface, OceanFloorWG, OceanFloor, MotionBlocking, MotionBlockingNoLeaves)
}

// TestClonesStayAsTheyWere edits real chunks after a clone was taken; the
// clone must still encode to what the chunk was.
func TestClonesStayAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	chunks := corpusChunks(t)
	d := NewDecoder(NewTables())
	states := stormStates(t, d.tables)
	var e Encoder
	for range testbed.Runs(t, 40) {
		c, err := d.Decode(chunks[r.Intn(len(chunks))])
		if err != nil {
			t.Fatal(err)
		}
		before, err := e.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		clone := c.Clone()
		edited := c
		if r.Intn(2) == 0 {
			edited, clone = clone, edited
		}
		for range 400 {
			x, y, z := r.Intn(16), r.Intn(384)-64, r.Intn(16)
			edited.SetBlock(x, y, z, states[r.Intn(len(states))])
			if err := edited.SetLight(Light(r.Intn(2)), x, y, z, uint8(r.Intn(16))); err != nil {
				t.Fatal(err)
			}
			if err := edited.SetBiome(x, y, z, Biome(r.Intn(60))); err != nil {
				t.Fatal(err)
			}
		}
		if err := edited.SetHeight(MotionBlocking, 3, 3, edited.MinY()+5); err != nil {
			t.Fatal(err)
		}
		edited.RemoveMember("structures")
		after, err := e.Encode(nil, clone)
		if err != nil || !bytes.Equal(before, after) {
			t.Fatalf("the clone changed: %v", err)
		}
	}
}

// TestClonesEncodeWhileTheOwnerEdits is for the race detector: an owner edits
// and hands out clones, which other goroutines read and encode.
func TestClonesEncodeWhileTheOwnerEdits(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	chunks := corpusChunks(t)
	d := NewDecoder(NewTables())
	states := stormStates(t, d.tables)
	c, err := d.Decode(chunks[r.Intn(len(chunks))])
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 12 {
		clone := c.Clone()
		wg.Go(func() {
			var e Encoder
			first, err := e.Encode(nil, clone)
			if err != nil {
				t.Error(err)
			}
			second, err := e.Encode(nil, clone.Clone())
			if err != nil || !bytes.Equal(first, second) {
				t.Errorf("a clone changed while it was encoded: %v", err)
			}
		})
		for range 300 {
			x, y, z := r.Intn(16), r.Intn(384)-64, r.Intn(16)
			c.SetBlock(x, y, z, states[r.Intn(len(states))])
			if err := c.SetLight(Light(r.Intn(2)), x, y, z, uint8(r.Intn(16))); err != nil {
				t.Fatal(err)
			}
			if err := c.SetBiome(x, y, z, Biome(r.Intn(60))); err != nil {
				t.Fatal(err)
			}
		}
		c.RemoveLight()
	}
	wg.Wait()
}

// TestPackedSectionsHoldTheBlocks unpacks what PackedBlocks and PackedBiomes
// return, cell by cell.
func TestPackedSectionsHoldTheBlocks(t *testing.T) {
	d := NewDecoder(NewTables())
	for _, data := range corpusChunks(t)[:20] {
		c, err := d.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3000 {
			c.SetBlock(i, i%16, i>>4, block.State(i%290))
		}
		for y := SectionY(-6); y < 21; y++ {
			width, palette, longs := c.PackedBlocks(y, nil, nil)
			var cells [SectionCells]block.State
			c.SectionBlocks(y, &cells)
			for i, want := range cells {
				if got := packedCell(width, palette, longs, i); got != want {
					t.Fatalf("section %d, cell %d of %d bits: %v, not %v", y, i, width, got, want)
				}
			}
			width, biomes, longs, ok := c.PackedBiomes(y, nil, nil)
			var quarters [BiomeCells]Biome
			if c.SectionBiomes(y, &quarters) != ok {
				t.Fatal("biomes or none")
			}
			for i, want := range quarters {
				if ok && packedCell(width, biomes, longs, i) != want {
					t.Fatalf("section %d, quarter cell %d", y, i)
				}
			}
		}
	}
}

func packedCell[T ~uint16](width int, palette []T, longs []uint64, i int) T {
	if width == 0 {
		return palette[0]
	}
	per := 64 / width
	v := longs[i/per] >> (i % per * width) & (1<<width - 1)
	if width == 16 {
		return T(v)
	}
	return palette[v]
}
