package light

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/bench/testbed"
	"strata/region"
)

// TestStoreGivesAChunkTheLightOfTheGame takes the light from real chunks and
// computes it anew. Those that hold stale light are passed over, see judge.
func TestStoreGivesAChunkTheLightOfTheGame(t *testing.T) {
	r := newRealReader()
	r.keep = true
	saved := r.folder(t, testbed.Shared(t, "oracle", "vanilla-a", "overworld", "full"))
	decoder := chunk.NewDecoder(chunk.NewTables())
	var e Engine
	var light Chunk
	same := 0
	for at, c := range saved {
		if !neighbored(saved, at) {
			continue
		}
		a := Area{Width: 3, Depth: 3, Sky: true}
		var want *chunk.Chunk
		for i := range 9 {
			c, err := decoder.Decode(saved[chunkAt{at.x + i%3 - 1, at.z + i/3 - 1}].nbt)
			if err != nil {
				t.Fatal(err)
			}
			if i == 4 {
				want = c
			}
			low, high := c.Range()
			a.Columns = append(a.Columns, new(Column))
			if err := a.Columns[i].Set(low, high, ChunkBlocks{c}, c.Tables().States); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Light(a); err != nil {
			t.Fatal(err)
		}
		if err := e.Result(1, 1, &light); err != nil {
			t.Fatal(err)
		}
		if newJudge().chunk(c, &light, nil) > 0 {
			continue
		}
		same++
		got := want.Clone()
		got.RemoveLight()
		if err := light.Store(got); err != nil {
			t.Fatal(err)
		}
		sameLight(t, want, got)
	}
	t.Logf("%d chunks", same)
	if same == 0 {
		t.Error("no chunk was compared")
	}
}

func sameLight(t *testing.T, want, got *chunk.Chunk) {
	t.Helper()
	if !got.LightOn() {
		t.Errorf("chunk %v does not say that it has light", got.Pos())
	}
	for y := chunk.SectionY(-6); y < 22; y++ {
		for _, kind := range []chunk.Light{chunk.BlockLight, chunk.SkyLight} {
			var a, b Array
			is, level := want.LightState(kind, y)
			has, is2 := got.LightState(kind, y)
			want.SectionLight(kind, y, &a)
			got.SectionLight(kind, y, &b)
			if is != has || level != is2 || a != b {
				t.Errorf("chunk %v, section %d: %v is of state %d, want %d", got.Pos(), y, kind, has, is)
			}
		}
	}
}

// TestUpdateOfChunks edits chunks of the chunk model.
func TestUpdateOfChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 10))
	b := newBrush(r)
	plain := newMemoryWorld(3, 3, Dimension{Low: -1, High: 3, Sky: true})
	b.landscape(plain)
	var e Engine
	chunks := map[region.ChunkPos]*chunk.Chunk{}
	tables := chunk.NewTables()
	results := plain.relight(t, &e)
	for i, c := range plain.chunks {
		pos := region.ChunkPos{X: int32(i % 3), Z: int32(i / 3)}
		made, err := chunk.New(tables, pos, chunk.Options{DataVersion: 4903, MinSection: -1, Sections: 4})
		if err != nil {
			t.Fatal(err)
		}
		for y := range c.blocks {
			if err := made.SetSectionBlocks(plain.Low+chunk.SectionY(y), &c.blocks[y]); err != nil {
				t.Fatal(err)
			}
		}
		if err := results[i].Store(made); err != nil {
			t.Fatal(err)
		}
		chunks[pos] = made
	}
	changed := map[SectionPos]bool{}
	w := &ChunkWorld{
		At:      func(pos region.ChunkPos) *chunk.Chunk { return chunks[pos] },
		Changed: func(at SectionPos, _ chunk.Light) { changed[at] = true },
	}
	readAll(t, w, plain, results, "at first")
	for batch := range runs(t, 20) {
		list := b.edit(plain, 30)
		for _, p := range list {
			c := chunks[p.Chunk()]
			if from := plain.chunk(p.X>>4, p.Z>>4); c != nil && chunk.SectionY(p.Y>>4) >= plain.Low && chunk.SectionY(p.Y>>4) < plain.High {
				c.SetBlock(int(p.X), int(p.Y), int(p.Z), from.blocks[chunk.SectionY(p.Y>>4)-plain.Low][p.Y&15<<8|p.Z&15<<4|p.X&15])
			}
		}
		if err := e.Update(w, Dimension{Low: -1, High: 3, Sky: true, Foreign: tables.States}, list); err != nil {
			t.Fatal(err)
		}
		readAll(t, w, plain, plain.relight(t, new(Engine)), fmt.Sprint("batch ", batch))
	}
	if len(changed) == 0 {
		t.Error("no change was told of")
	}
}

// readAll compares what a world says with light computed anew.
func readAll(t *testing.T, w World, plain *memoryWorld, results []*Chunk, what string) {
	t.Helper()
	var scratch Array
	for i, r := range results {
		for kind, layers := range [2][]Layer{r.Block, r.Sky} {
			for y := range layers {
				at := SectionPos{int32(i % 3), plain.Low - 1 + chunk.SectionY(y), int32(i / 3)}
				array, level := w.Light(at, kind == 1, &scratch)
				got := Layer{Array: array, Level: level}
				for cell := range cells {
					if got.At(cell) != layers[y].At(cell) {
						t.Fatalf("%s: light %d at %v, cell %03x is %d, want %d", what, kind, at, cell, got.At(cell), layers[y].At(cell))
					}
				}
			}
		}
	}
}

// TestLightBelowAGapIsReadAsTheGameDoes is about sections that have no light
// saved, between some that have.
func TestLightBelowAGapIsReadAsTheGameDoes(t *testing.T) {
	c, err := chunk.New(chunk.NewTables(), region.ChunkPos{}, chunk.Options{DataVersion: 4903, Sections: 12})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.FillSection(10, block.Stone.Default()); err != nil {
		t.Fatal(err)
	}
	if err := c.FillSection(0, block.Stone.Default()); err != nil {
		t.Fatal(err)
	}
	var array Array
	for i := range array {
		array[i] = uint8(i / 128)
	}
	array[5] = 0x73 // in the lowest layer
	if err := c.SetSectionLight(chunk.SkyLight, 9, &array); err != nil {
		t.Fatal(err)
	}
	w := &ChunkWorld{At: func(pos region.ChunkPos) *chunk.Chunk {
		if pos == (region.ChunkPos{}) {
			return c
		}
		return nil
	}}
	var scratch Array
	for y, want := range map[chunk.SectionY]uint8{11: 15, 10: 15, 1: 0, 0: 0} {
		if got, level := w.Light(SectionPos{Y: y}, true, &scratch); got != nil || level != want {
			t.Errorf("section %d: %d", y, level)
		}
	}
	got, _ := w.Light(SectionPos{Y: 4}, true, &scratch)
	if got == nil {
		t.Fatal("the gap has no light")
	}
	for i := range got {
		if got[i] != array[i%128] {
			t.Fatalf("byte %d is %x", i, got[i])
		}
	}
	if _, level := w.Light(SectionPos{Y: 4}, false, &scratch); level != 0 {
		t.Errorf("block light %d", level)
	}
}
