package chunk

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
)

// oldChunk is a chunk as versions before 1.18 wrote them, made by hand from
// the descriptions of the format.
type oldChunk struct {
	version  int32
	status   string
	sections map[int][]block.State // by Y; nil holds light alone
	biomes   []int32
	heights  map[string][]uint16
	extraBit int // widens indices beyond need
}

func (o *oldChunk) straddling() bool { return o.version < 2529 }

func longArray(w *nbt.Writer, packed []byte) {
	longs := make([]int64, len(packed)/8)
	for i := range longs {
		longs[i] = int64(binary.BigEndian.Uint64(packed[8*i:]))
	}
	w.LongArray(longs)
}

func (o *oldChunk) document(t *testing.T) []byte {
	t.Helper()
	var w nbt.Writer
	w.Reset(nil)
	w.Name("").BeginCompound()
	w.Name("Level").BeginCompound()
	w.Name("Status").String(o.status)
	w.Name("zPos").Int(-20)
	w.Name("LastUpdate").Long(77)
	w.Name("Biomes").IntArray(o.biomes)
	w.Name("InhabitedTime").Long(1234)
	w.Name("xPos").Int(9)
	w.Name("Heightmaps").BeginCompound()
	for name, heights := range o.heights {
		w.Name(name)
		longArray(&w, naiveLongs(heights, 9, o.straddling()))
	}
	w.Name("LIGHT_BLOCKING").LongArray(make([]int64, 36))
	w.End()
	o.writeSections(&w)
	o.writeRest(&w)
	w.End()
	w.Name("DataVersion").Int(o.version)
	w.Name("mod:outside").String("kept")
	w.End()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (o *oldChunk) writeSections(w *nbt.Writer) {
	w.Name("Sections").BeginList(nbt.TypeCompound, len(o.sections))
	for y := 15; y >= -1; y-- {
		states, ok := o.sections[y]
		if !ok {
			continue
		}
		w.BeginCompound()
		if states != nil {
			palette, cells := naivePalette(states)
			w.Name("Palette").BeginList(nbt.TypeCompound, len(palette))
			for _, s := range palette {
				writeEntry(w, s)
			}
			w.End()
			w.Name("BlockStates")
			longArray(w, naiveLongs(cells, paletteWidth(len(palette), 4)+o.extraBit, o.straddling()))
		}
		w.Name("Y").Byte(int8(y))
		w.Name("SkyLight").ByteArray(make([]byte, LightBytes))
		w.Name("mod:inside").Int(int32(y))
		w.End()
	}
	w.End()
}

func (o *oldChunk) writeRest(w *nbt.Writer) {
	w.Name("TileEntities").BeginList(nbt.TypeCompound, 1)
	w.BeginCompound()
	w.Name("id").String("minecraft:chest")
	w.Name("x").Int(9*16 + 1)
	w.Name("y").Int(4)
	w.Name("z").Int(-20*16 + 2)
	w.End()
	w.End()
	w.Name("Entities").BeginList(nbt.TypeEnd, 0)
	w.End()
	w.Name("ToBeTicked").BeginList(nbt.TypeList, 2)
	w.BeginList(nbt.TypeEnd, 0)
	w.End()
	w.BeginList(nbt.TypeShort, 1)
	w.Short(0x321)
	w.End()
	w.End()
	w.Name("CarvingMasks").BeginCompound()
	w.Name("AIR").ByteArray([]byte{0, 2})
	w.End()
	w.Name("Structures").BeginCompound()
	w.Name("Starts").BeginCompound()
	w.End()
	w.Name("References").BeginCompound()
	w.Name("Village").LongArray([]int64{int64(-1)<<32 | 5})
	w.End()
	w.End()
}

func naivePalette(states []block.State) (palette []block.State, cells []uint16) {
	index := map[block.State]int{}
	for _, s := range states {
		i, ok := index[s]
		if !ok {
			i = len(palette)
			index[s] = i
			palette = append(palette, s)
		}
		cells = append(cells, uint16(i))
	}
	return palette, cells
}

func writeEntry(w *nbt.Writer, s block.State) {
	w.BeginCompound()
	open := false
	for name, value := range s.Values() {
		if !open {
			w.Name("Properties").BeginCompound()
			open = true
		}
		w.Name(name).String(value)
	}
	if open {
		w.End()
	}
	w.Name("Name").String(s.Block().Name())
	w.End()
}

// randomOld makes a chunk with sections of one, few, many and very many
// states.
func randomOld(r *rand.Rand, version int32, status string, biomes int) *oldChunk {
	o := &oldChunk{version: version, status: status, sections: map[int][]block.State{}, heights: map[string][]uint16{}}
	for y, kinds := range map[int]int{0: 1, 1: 3, 2: 17, 4: 33, 5: 70, 6: 150, 9: 700, 15: 2} {
		states := make([]block.State, SectionCells)
		first := r.Intn(block.StateCount - kinds)
		for i := range states {
			states[i] = block.State(first + r.Intn(kinds))
		}
		o.sections[y] = states
	}
	if version >= 1901 {
		o.sections[-1] = nil
	}
	for i := range biomes {
		o.biomes = append(o.biomes, []int32{0, 1, 4, 35, 129, 170, int32(200 + i%3)}[r.Intn(7)])
	}
	for _, name := range []string{"MOTION_BLOCKING", "OCEAN_FLOOR_WG"} {
		o.heights[name] = randomCells(r, 256, 257)
	}
	return o
}

var oldVersions = []struct {
	version int32
	name    string
	status  string
	want    Status
	biomes  int
}{
	{1519, "1.13", "postprocessed", StatusPostprocessed, 256},
	{1631, "1.13.2", "liquid_carved", StatusLiquidCarvers, 256},
	{1976, "1.14.4", "full", StatusFull, 256},
	{2230, "1.15.2", "full", StatusFull, 1024},
	{2586, "1.16.5", "heightmaps", StatusHeightmaps, 1024},
	{2730, "1.17.1", "full", StatusFull, 1024},
}

func TestOldFormsReadAndWrite(t *testing.T) {
	seed := testbed.Seed(t)
	for _, v := range oldVersions {
		t.Run(v.name, func(t *testing.T) {
			r := rand.New(rand.NewSource(seed))
			old := randomOld(r, v.version, v.status, v.biomes)
			data := old.document(t)
			trip := newTrip(1)
			c := trip.chunk(t, v.name, data)
			if c.Status() != v.want || c.Pos() != (region.ChunkPos{X: 9, Z: -20}) || c.InhabitedTime() != 1234 || c.LastUpdate() != 77 {
				t.Errorf("status %v, position %v, times %d %d", c.Status(), c.Pos(), c.InhabitedTime(), c.LastUpdate())
			}
			checkOld(t, c, old)
			checkOldRest(t, c)
			editOld(t, r, trip, c, old)
		})
	}
}

func checkOld(t *testing.T, c *Chunk, old *oldChunk) {
	t.Helper()
	for y := range 16 {
		for i := range SectionCells {
			want := block.State(0)
			if states := old.sections[y]; states != nil {
				want = states[i]
			}
			if got := c.Block(i&15, y*16+i>>8, i>>4&15); got != want {
				t.Fatalf("section %d, block %d is %v, not %v", y, i, got, want)
			}
		}
	}
	for name, heights := range old.heights {
		k, _ := heightmapOf([]byte(name))
		for i, h := range heights {
			if got, ok := c.HeightAt(k, i&15, i>>4); !ok || got != int(h) {
				t.Fatalf("%s of column %d is %d, not %d", name, i, got, h)
			}
		}
	}
	for i, number := range old.biomes {
		x, y, z := i&3*4, i>>4*4, i>>2&3*4
		if len(old.biomes) == 256 {
			x, y, z = i&15, 100, i>>4
		}
		want := fmt.Sprintf("#%d", number)
		if int(number) < len(legacyBiomes) {
			want = "minecraft:" + legacyBiomes[number]
		}
		if b, ok := c.Biome(x, y, z); !ok || c.tables.Biomes.Name(b) != want {
			t.Fatalf("biome %d is %s, not %s", i, c.tables.Biomes.Name(b), want)
		}
	}
}

func checkOldRest(t *testing.T, c *Chunk) {
	t.Helper()
	if low, high := c.Range(); low != 0 || high != 16 {
		t.Errorf("sections %d to %d", low, high)
	}
	if e, ok := c.BlockEntityAt(BlockPos{9*16 + 1, 4, -20*16 + 2}); !ok || e.ID != "minecraft:chest" {
		t.Errorf("block entity %v", e)
	}
	marks, err := c.Marks(BlocksToTick)
	if err != nil || len(marks) != 1 || marks[0] != (BlockPos{9*16 + 1, 18, -20*16 + 3}) {
		t.Errorf("marks %v, %v", marks, err)
	}
	mask, err := c.CarvingMask()
	if err != nil || !mask.At(9, 0, 0) || mask.At(8, 0, 0) || mask.At(9, 1, 0) {
		t.Errorf("carving mask %x, %v", mask, err)
	}
	refs, err := c.StructureReferences()
	if err != nil || len(refs) != 1 || refs[0].Name != "Village" || refs[0].Chunks[0] != (region.ChunkPos{X: 5, Z: -1}) {
		t.Errorf("references %v, %v", refs, err)
	}
}

// editOld edits and looks whether the document then holds the edits, read
// without this package.
func editOld(t *testing.T, r *rand.Rand, trip *trip, c *Chunk, old *oldChunk) {
	t.Helper()
	for range 500 {
		x, y, z := r.Intn(16), r.Intn(256), r.Intn(16)
		s := block.State(r.Intn(block.StateCount))
		if _, ok := c.SetBlock(x, y, z, s); !ok {
			t.Fatal("not set")
		}
		if old.sections[y>>4] == nil {
			old.sections[y>>4] = make([]block.State, SectionCells)
		}
		old.sections[y>>4][cellOf(x, y, z)] = s
	}
	desert, _ := c.tables.Biomes.Find("minecraft:desert")
	if err := c.SetBiome(7, 70, 9, desert); err != nil {
		t.Fatal(err)
	}
	if b, _ := c.Biome(4, 71, 11); b != desert {
		t.Error("biome was not set for its cell")
	}
	sulfur, _ := c.tables.Biomes.Find("minecraft:sulfur_caves")
	if err := c.SetBiome(7, 70, 9, sulfur); err == nil {
		t.Error("a biome without a number was taken")
	}
	out, err := trip.encoder.Encode(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]string{{"Level", "xPos"}, {"Level", "Sections"}} {
		var tape nbt.Tape
		if err := tape.Parse(out); err != nil || !tape.Root().Get(want[0]).Get(want[1]).Exists() {
			t.Fatalf("%v is missing: %v", want, err)
		}
	}
	for _, h := range []Heightmap{MotionBlocking, OceanFloorWG} {
		for i := range 256 {
			y, _ := c.HeightAt(h, i&15, i>>4)
			old.heights[h.String()][i] = uint16(y)
		}
	}
	numbers := c.biomeNumbers()
	for i := range old.biomes {
		old.biomes[i] = int32(binary.BigEndian.Uint32(numbers[4*i:]))
	}
	again, err := trip.decoder.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	checkOld(t, again, old)
	checkOldRest(t, again)
	// And once more without this package: sections that the edit added have
	// no light and no other members, so only the others can be compared whole.
	checkWithoutModel(t, out, old)
}

// checkWithoutModel reads the blocks of a document with the comparer's code.
func checkWithoutModel(t *testing.T, out []byte, old *oldChunk) {
	t.Helper()
	var tape nbt.Tape
	if err := tape.Parse(out); err != nil {
		t.Fatal(err)
	}
	c := comparer{version: int64(old.version)}
	seen := 0
	for _, s := range tape.Root().Get("Level").Get("Sections").Elements() {
		y, _ := s.Get("Y").Int()
		if old.sections[int(y)] == nil {
			continue
		}
		names, err := c.spread(SectionCells, s.Get("Palette"), s.Get("BlockStates"))
		if err != nil {
			t.Fatalf("section %d: %v", y, err)
		}
		for i, name := range names {
			var w nbt.Writer
			w.Reset(nil)
			writeEntry(&w, old.sections[int(y)][i])
			want, err := w.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			var entry nbt.Tape
			if err := entry.ParseNetwork(want); err != nil || canonical(entry.Root()) != name {
				t.Fatalf("section %d, block %d is %s: %v", y, i, name, err)
			}
			if i > 300 {
				break
			}
		}
		seen++
	}
	if seen < len(old.sections)-1 {
		t.Errorf("%d of %d sections", seen, len(old.sections))
	}
}

func TestWiderIndicesOfOldFormsAreRead(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	for _, v := range oldVersions {
		old := randomOld(r, v.version, v.status, v.biomes)
		old.extraBit = 1
		delete(old.sections, 9)
		c, err := NewDecoder(NewTables()).Decode(old.document(t))
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		checkOld(t, c, old)
	}
}

// TestSnapshotsWithLevelAndContainers reads the form of the first snapshots of
// 1.18.
func TestSnapshotsWithLevelAndContainers(t *testing.T) {
	var w nbt.Writer
	w.Reset(nil)
	w.Name("").BeginCompound()
	w.Name("DataVersion").Int(2838)
	w.Name("Level").BeginCompound()
	w.Name("xPos").Int(1)
	w.Name("zPos").Int(2)
	w.Name("Sections").BeginList(nbt.TypeCompound, 1)
	w.BeginCompound()
	w.Name("Y").Byte(-4)
	w.Name("block_states").BeginCompound()
	w.Name("palette").BeginList(nbt.TypeCompound, 1)
	writeEntry(&w, block.Stone.Default())
	w.End()
	w.End()
	w.Name("biomes").BeginCompound()
	w.Name("palette").BeginList(nbt.TypeString, 1)
	w.String("minecraft:desert")
	w.End()
	w.End()
	w.End()
	w.End()
	w.End()
	w.End()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	c := newTrip(1).chunk(t, "21w39a", data)
	if c.Block(0, -64, 0) != block.Stone.Default() || c.MinY() != -64 {
		t.Errorf("%v at the bottom, which is %d", c.Block(0, -64, 0), c.MinY())
	}
	if b, ok := c.Biome(0, -64, 0); !ok || c.tables.Biomes.Name(b) != "minecraft:desert" {
		t.Errorf("biome %d", b)
	}
}
