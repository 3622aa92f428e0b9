package chunk

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/nbt"
)

// small writes a chunk of today with two sections; change may write other
// members over those of a section or of the root.
type small struct {
	sectionY   func(w *nbt.Writer)
	blocks     func(w *nbt.Writer)
	section    func(w *nbt.Writer)
	root       func(w *nbt.Writer)
	withoutPos bool
}

func (s small) document(t testing.TB) []byte {
	t.Helper()
	var w nbt.Writer
	w.Reset(nil)
	w.Name("").BeginCompound()
	w.Name("DataVersion").Int(4903)
	if !s.withoutPos {
		w.Name("xPos").Int(4)
		w.Name("zPos").Int(-5)
	}
	w.Name("yPos").Int(-1)
	w.Name("Status").String("minecraft:full")
	w.Name("sections").BeginList(nbt.TypeCompound, 2)
	for i := range 2 {
		w.BeginCompound()
		if i == 1 && s.sectionY != nil {
			s.sectionY(&w)
		} else {
			w.Name("Y").Byte(int8(i - 1))
		}
		if i == 1 && s.blocks != nil {
			s.blocks(&w)
		} else {
			blocksOf(&w, 2, 256)
		}
		if i == 1 && s.section != nil {
			s.section(&w)
		}
		w.End()
	}
	w.End()
	if s.root != nil {
		s.root(&w)
	}
	w.End()
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// blocksOf writes block_states with so many entries and longs of zero.
func blocksOf(w *nbt.Writer, entries, longs int) {
	w.Name("block_states").BeginCompound()
	w.Name("palette").BeginList(nbt.TypeCompound, entries)
	for i := range entries {
		writeEntry(w, block.State(i))
	}
	w.End()
	w.Name("data").LongArray(make([]int64, longs))
	w.End()
}

func TestDamageIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		small
		path string
		err  error
	}{
		"no position":         {small{withoutPos: true}, "xPos", ErrMissing},
		"Y out of range":      {small{sectionY: func(w *nbt.Writer) { w.Name("Y").Int(128) }}, "sections[1].Y", ErrSectionY},
		"Y of another type":   {small{sectionY: func(w *nbt.Writer) { w.Name("Y").String("0") }}, "sections[1].Y", ErrType},
		"no Y":                {small{sectionY: func(*nbt.Writer) {}}, "sections[1].Y", ErrMissing},
		"Y twice":             {small{sectionY: func(w *nbt.Writer) { w.Name("Y").Byte(-1) }}, "sections[1].Y", ErrDuplicate},
		"too few longs":       {small{blocks: func(w *nbt.Writer) { blocksOf(w, 3, 255) }}, "sections[1].block_states.data", ErrDataLength},
		"too many longs":      {small{blocks: func(w *nbt.Writer) { blocksOf(w, 17, 343) }}, "sections[1].block_states.data", ErrDataLength},
		"palette of nothing":  {small{blocks: func(w *nbt.Writer) { blocksOf(w, 0, 256) }}, "sections[1].block_states.palette", ErrPalette},
		"palette of too much": {small{blocks: func(w *nbt.Writer) { blocksOf(w, 4097, 1024) }}, "sections[1].block_states.palette", ErrPalette},
		"no palette": {small{blocks: func(w *nbt.Writer) {
			w.Name("block_states").BeginCompound()
			w.End()
		}}, "sections[1].block_states.palette", ErrMissing},
		"no data": {small{blocks: func(w *nbt.Writer) {
			w.Name("block_states").BeginCompound()
			w.Name("palette").BeginList(nbt.TypeCompound, 2)
			writeEntry(w, 1)
			writeEntry(w, 2)
			w.End()
			w.End()
		}}, "sections[1].block_states.data", ErrMissing},
		"blocks of another type":  {small{blocks: func(w *nbt.Writer) { w.Name("block_states").Int(1) }}, "sections[1].block_states", ErrType},
		"light of another length": {small{section: func(w *nbt.Writer) { w.Name("SkyLight").ByteArray(make([]byte, 2047)) }}, "sections[1].SkyLight", ErrDataLength},
		"light of another type":   {small{section: func(w *nbt.Writer) { w.Name("BlockLight").LongArray(nil) }}, "sections[1].BlockLight", ErrType},
		"biomes of another length": {small{section: func(w *nbt.Writer) {
			w.Name("biomes").BeginCompound()
			w.Name("palette").BeginList(nbt.TypeString, 3)
			w.String("a")
			w.String("b")
			w.String("c")
			w.End()
			w.Name("data").LongArray(make([]int64, 1))
			w.End()
		}}, "sections[1].biomes.data", ErrDataLength},
		"index out of range": {small{blocks: func(w *nbt.Writer) {
			w.Name("block_states").BeginCompound()
			w.Name("palette").BeginList(nbt.TypeCompound, 3)
			for i := range 3 {
				writeEntry(w, block.State(i))
			}
			w.End()
			longs := make([]int64, 256)
			longs[200] = 3 << 20
			w.Name("data").LongArray(longs)
			w.End()
		}}, "sections[1].block_states.data", ErrIndex},
		"biome index out of range": {small{section: func(w *nbt.Writer) {
			w.Name("biomes").BeginCompound()
			w.Name("palette").BeginList(nbt.TypeString, 3)
			w.String("a")
			w.String("b")
			w.String("c")
			w.End()
			w.Name("data").LongArray([]int64{0, -1 << 62})
			w.End()
		}}, "sections[1].biomes.data", ErrIndex},
		"status of another type":   {small{root: func(w *nbt.Writer) { w.Name("Status").Int(1) }}, "Status", ErrType},
		"heights of another type":  {small{root: func(w *nbt.Writer) { w.Name("Heightmaps").Int(1) }}, "Heightmaps", ErrType},
		"sections of another type": {small{root: func(w *nbt.Writer) { w.Name("sections").Int(1) }}, "sections", ErrType},
		"lowest section too low":   {small{root: func(w *nbt.Writer) { w.Name("yPos").Int(-129) }}, "yPos", ErrSectionY},
	} {
		t.Run(name, func(t *testing.T) {
			data := test.document(t)
			_, err := NewDecoder(NewTables()).Decode(data)
			var damage *DamageError
			if !errors.As(err, &damage) || !errors.Is(err, test.err) || damage.Path != test.path {
				t.Fatalf("%v, want %v at %s", err, test.err, test.path)
			}
			if damage.HasPos == test.withoutPos || damage.Offset >= len(data) {
				t.Errorf("position known %v, offset %d of %d", damage.HasPos, damage.Offset, len(data))
			}
			if !strings.Contains(err.Error(), test.path) {
				t.Errorf("%v does not say where", err)
			}
		})
	}
}

func TestOddChunksSurvive(t *testing.T) {
	for name, s := range map[string]small{
		"light alone":     {blocks: func(w *nbt.Writer) { w.Name("BlockLight").ByteArray(make([]byte, LightBytes)) }},
		"unknown members": {section: func(w *nbt.Writer) { w.Name("mod:thing").BeginCompound(); w.End() }, root: func(w *nbt.Writer) { w.Name("mod:root").Double(1.5) }},
		"odd heightmaps": {root: func(w *nbt.Writer) {
			w.Name("Heightmaps").BeginCompound()
			w.Name("WORLD_SURFACE").LongArray(make([]int64, 3))
			w.Name("MOD").Int(4)
			w.End()
		}},
		"members of block_states": {blocks: func(w *nbt.Writer) {
			w.Name("block_states").BeginCompound()
			w.Name("mod:note").String("kept")
			w.Name("palette").BeginList(nbt.TypeCompound, 1)
			writeEntry(w, 1)
			w.End()
			w.End()
		}},
		"entries the game lacks": {blocks: func(w *nbt.Writer) {
			w.Name("block_states").BeginCompound()
			w.Name("palette").BeginList(nbt.TypeCompound, 1)
			w.BeginCompound()
			w.Name("Name").String("minecraft:oak_log")
			w.Name("Properties").BeginCompound()
			w.Name("axis").String("sideways")
			w.End()
			w.Name("mod:more").Int(1)
			w.End()
			w.End()
			w.End()
		}},
		"members of other types": {root: func(w *nbt.Writer) {
			w.Name("block_entities").Int(1)
			w.Name("structures").LongArray(nil)
			w.Name("carving_mask").String("")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrip(1).chunk(t, name, s.document(t))
			if name != "members of other types" {
				return
			}
			_, err1 := c.BlockEntities()
			_, err2 := c.StructureStarts()
			_, err3 := c.CarvingMask()
			if !errors.Is(err1, ErrType) || !errors.Is(err2, ErrType) || !errors.Is(err3, ErrType) {
				t.Errorf("%v, %v, %v", err1, err2, err3)
			}
		})
	}
}

func TestForeignStatesHaveTheFactsOfTheirBlock(t *testing.T) {
	s := small{blocks: func(w *nbt.Writer) {
		w.Name("block_states").BeginCompound()
		w.Name("palette").BeginList(nbt.TypeCompound, 1)
		w.BeginCompound()
		w.Name("Name").String("minecraft:oak_leaves")
		w.End()
		w.End()
		w.End()
	}}
	c, err := NewDecoder(NewTables()).Decode(s.document(t))
	if err != nil {
		t.Fatal(err)
	}
	state := c.Block(0, 3, 0)
	if base, known := c.Tables().States.Base(state); state.Native() || !known || base.Block() != block.OakLeaves {
		t.Errorf("%v stands for %v", state, base)
	}
	c.ComputeHeightmaps(FinalHeightmaps...)
	surface, _ := c.HeightAt(WorldSurface, 0, 0)
	noLeaves, _ := c.HeightAt(MotionBlockingNoLeaves, 0, 0)
	if surface != 16 || noLeaves != -16 {
		t.Errorf("heights %d and %d", surface, noLeaves)
	}
}

// TestMutatedChunksAreHandled flips bytes of real chunks.
func TestMutatedChunksAreHandled(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	chunks := corpusChunks(t)
	d := NewDecoder(NewTables())
	refused := 0
	runs := testbed.Runs(t, 1000)
	for range runs {
		data := append([]byte(nil), chunks[r.Intn(len(chunks))]...)
		for range 1 + r.Intn(3) {
			data[r.Intn(len(data))] ^= 1 << r.Intn(8)
		}
		if r.Intn(10) == 0 {
			data = data[:r.Intn(len(data))]
		}
		if err := decodeAnything(d, data); err != nil {
			t.Fatal(err)
		} else if _, err := d.Decode(data); err != nil {
			refused++
		}
	}
	t.Logf("%d of %d refused", refused, runs)
	if refused == 0 || refused == runs {
		t.Error("nothing, or everything, was refused")
	}
}
