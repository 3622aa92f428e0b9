package chunk

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
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
	for i, data := range corpusChunks(f) {
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
