package chunk

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/nbt"
)

// decodeAnything decodes bytes from anywhere. What decodes must encode, decode
// to the same and encode to the same; what does not must say so by one of the
// documented errors.
func decodeAnything(d *Decoder, data []byte) error {
	c, err := d.Decode(data)
	if err != nil {
		var syntax *nbt.SyntaxError
		var damage *DamageError
		var old *TooOldError
		if c != nil || !errors.As(err, &syntax) && !errors.As(err, &damage) && !errors.As(err, &old) {
			return fmt.Errorf("decode: error of no documented type: %w", err)
		}
		return nil
	}
	var e Encoder
	out, err := e.Encode(nil, c)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	again, err := d.Decode(out)
	if err != nil {
		return fmt.Errorf("decode again: %w", err)
	}
	if err := sameModel(c, again); err != nil {
		return fmt.Errorf("decoded again: %w", err)
	}
	out2, err := e.Encode(nil, again.Clone())
	if err != nil || !bytes.Equal(out, out2) {
		return fmt.Errorf("encoded again: other bytes, %w", err)
	}
	useAll(c)
	return raiseAnything(d, again)
}

// raiseAnything raises a chunk. What cannot be raised stays as it is; what was
// raised decodes to the same, has no beds, and raises no more.
func raiseAnything(d *Decoder, c *Chunk) error {
	before := c.Clone()
	if _, err := c.Raise(4903); err != nil {
		return sameModel(before, c)
	}
	var e Encoder
	out, err := e.Encode(nil, c)
	if err != nil {
		return fmt.Errorf("encode what was raised: %w", err)
	}
	again, err := d.Decode(out)
	if err != nil {
		return fmt.Errorf("decode what was raised: %w", err)
	}
	if err := sameModel(c, again); err != nil {
		return fmt.Errorf("raised: %w", err)
	}
	if before.dataVersion == 4903 {
		return sameModel(before, c)
	}
	list, err := c.BlockEntities()
	if i := slices.IndexFunc(list, func(e BlockEntity) bool { return e.ID == "minecraft:bed" }); i >= 0 || err != nil {
		return fmt.Errorf("raised: block entity %d is a bed, or %w", i, err)
	}
	again.dataVersion = 4790
	if applied, err := again.Raise(4903); len(applied) > 0 || err != nil {
		return fmt.Errorf("raised once more: %q, %w", applied, err)
	}
	return nil
}

// useAll calls what reads and what edits; it may fail, not panic.
func useAll(c *Chunk) {
	low, high := c.SectionRange()
	c.BlockEntities()
	c.Entities()
	c.Ticks(BlockTicks)
	c.Ticks(FluidTicks)
	for k := range marksCount {
		c.Marks(k)
	}
	c.StructureStarts()
	c.StructureReferences()
	c.CarvingMask()
	c.Blending()
	c.Member("structures")
	c.ComputeHeightmaps(FinalHeightmaps...)
	for y := low - 1; y <= high; y++ {
		var blocks [SectionCells]block.State
		var biomes [BiomeCells]Biome
		c.SectionBlocks(y, &blocks)
		c.SectionBiomes(y, &biomes)
		c.SetBlock(3, int(y)*16+5, 9, block.Stone.Default())
		c.SetBiome(3, int(y)*16+5, 9, 1)
		c.SetLight(SkyLight, 3, int(y)*16+5, 9, 7)
		for range c.Counts(y) {
			break
		}
	}
	c.RemoveLight()
	var e Encoder
	e.Encode(nil, c)
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewSource(1))
	for i, data := range corpusIfThere(f) {
		if i%100 == 0 {
			f.Add(data)
		}
	}
	for _, v := range oldVersions {
		old := randomOld(r, v.version, v.status, v.biomes)
		delete(old.sections, 9)
		f.Add(old.document(&testing.T{}))
	}
	f.Add(small{}.document(f))
	f.Add(bedroom(f))
	tables := NewTables()
	f.Fuzz(func(t *testing.T, data []byte) {
		if tables.Biomes.Len() > 4000 || tables.States.Len() > 20000 {
			tables = NewTables()
		}
		if err := decodeAnything(NewDecoder(tables), data); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzMutated changes single bytes of whole chunks, so that most of what it
// makes is still NBT: each four bytes of edits are a place and a value.
func FuzzMutated(f *testing.F) {
	bases := [][]byte{small{}.document(f)}
	if chunks := corpusIfThere(f); len(chunks) > 0 {
		bases = append(bases, slices.MinFunc(chunks, func(a, b []byte) int { return len(a) - len(b) }))
	}
	r := rand.New(rand.NewSource(1))
	for _, v := range oldVersions {
		old := randomOld(r, v.version, v.status, v.biomes)
		for _, y := range []int{2, 4, 5, 6, 9} {
			delete(old.sections, y)
		}
		bases = append(bases, old.document(&testing.T{}))
	}
	for i := range bases {
		f.Add(byte(i), []byte{0, 0, 40, 1})
		f.Add(byte(i), []byte{0, 1, 1, 7, 0, 2, 0, 255})
	}
	tables := NewTables()
	d := NewDecoder(tables)
	f.Fuzz(func(t *testing.T, base byte, edits []byte) {
		data := append([]byte(nil), bases[int(base)%len(bases)]...)
		for ; len(edits) >= 4; edits = edits[4:] {
			at := int(edits[0])<<16 | int(edits[1])<<8 | int(edits[2])
			data[at%len(data)] = edits[3]
		}
		if tables.Biomes.Len() > 4000 || tables.States.Len() > 20000 {
			tables = NewTables()
			d = NewDecoder(tables)
		}
		if err := decodeAnything(d, data); err != nil {
			t.Fatal(err)
		}
	})
}
