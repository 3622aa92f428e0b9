package proto

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
)

// Form is what a chunk needs beside its content to be stored.
type Form struct {
	Tables      *chunk.Tables
	Biomes      []chunk.Biome // the number in Tables of each Biome
	DataVersion int32
}

// stored are the heightmaps that exist before decoration. The game ignores them
// in chunks at StatusCarvers, and has none there until something is built;
// Strata goes on from them.
var stored = [heightmaps]chunk.Heightmap{chunk.WorldSurfaceWG, chunk.OceanFloorWG}

// Store returns the chunk in the form in which it is stored. What later stages
// make is not in a chunk at an earlier one, whatever it holds; what those after
// StatusCarvers add beside blocks is the caller's business.
func (c *Chunk) Store(form Form, status chunk.Status) (*chunk.Chunk, error) {
	to, err := chunk.New(form.Tables, c.pos(), chunk.Options{
		DataVersion: form.DataVersion,
		MinSection:  chunk.SectionY(c.MinY >> 4),
		Sections:    c.Height >> 4,
		Status:      status,
	})
	if err != nil {
		return nil, err
	}
	for _, m := range empty {
		if err := to.SetMember(m.name, m.value); err != nil {
			return nil, err
		}
	}
	return to, c.Update(to, form, status)
}

// Update makes a stored chunk what the chunk is, at a status as in Store, and
// leaves all else in it alone: structures, ticks and what nobody knows.
func (c *Chunk) Update(to *chunk.Chunk, form Form, status chunk.Status) error {
	to.SetStatus(status)
	if status >= chunk.StatusBiomes {
		if err := c.storeBiomes(to, form.Biomes); err != nil {
			return err
		}
	}
	if status < chunk.StatusNoise {
		return nil
	}
	if err := c.storeBlocks(to); err != nil {
		return err
	}
	if err := c.storeHeights(to, status); err != nil {
		return err
	}
	if err := to.SetMarks(chunk.PostProcessing, c.marks()); err != nil {
		return err
	}
	switch {
	case status >= chunk.StatusFull:
		return to.SetCarvingMask(nil)
	case status >= chunk.StatusCarvers:
		return to.SetCarvingMask(chunk.CarvingMask(c.Carved))
	}
	return nil
}

// empty are members that every chunk which is not full has, as long as they are
// empty.
var empty = []struct {
	name  string
	value nbt.Raw
}{
	{"block_entities", raw([]string{})},
	{"block_ticks", raw([]string{})},
	{"entities", raw([]string{})},
	{"fluid_ticks", raw([]string{})},
	{"structures", raw(map[string]any{"References": map[string]any{}, "starts": map[string]any{}})},
}

// raw makes NBT of a constant.
func raw(v any) nbt.Raw {
	value, err := nbt.MarshalRaw(v)
	if err != nil {
		panic(err)
	}
	return value
}

func (c *Chunk) pos() region.ChunkPos { return region.ChunkPos{X: c.X, Z: c.Z} }

func (c *Chunk) storeBiomes(to *chunk.Chunk, numbers []chunk.Biome) error {
	var cells [chunk.BiomeCells]chunk.Biome
	for section := range c.Height >> 4 {
		for i, biome := range c.Biomes[section*chunk.BiomeCells:][:chunk.BiomeCells] {
			if int(biome) >= len(numbers) {
				return fmt.Errorf("chunk %d,%d: biome %d of %d", c.X, c.Z, biome, len(numbers))
			}
			cells[i] = numbers[biome]
		}
		if err := to.SetSectionBiomes(chunk.SectionY(c.MinY>>4+section), &cells); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chunk) storeBlocks(to *chunk.Chunk) error {
	for section := range c.Height >> 4 {
		cells := (*[chunk.SectionCells]block.State)(c.Blocks[section*chunk.SectionCells:])
		y := chunk.SectionY(c.MinY>>4 + section)
		var err error
		if Uniform(cells) {
			err = to.FillSection(y, cells[0])
		} else {
			err = to.SetSectionBlocks(y, cells)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Uniform reports whether all blocks of a section are of one state.
func Uniform(cells *[chunk.SectionCells]block.State) bool {
	first := cells[0]
	for i := 0; i < len(cells); i += 8 {
		c := cells[i : i+8 : i+8]
		if (c[0]^first)|(c[1]^first)|(c[2]^first)|(c[3]^first)|(c[4]^first)|(c[5]^first)|(c[6]^first)|(c[7]^first) != 0 {
			return false
		}
	}
	return true
}

// storeHeights gives a chunk the heightmaps of generation, which go when it is
// decorated.
func (c *Chunk) storeHeights(to *chunk.Chunk, status chunk.Status) error {
	if status >= chunk.StatusFeatures {
		for _, name := range stored {
			to.RemoveHeightmap(name)
		}
		return nil
	}
	to.ComputeHeightmaps(stored[:]...)
	for kind, name := range stored {
		for column := range 256 {
			x, z := column&15, column>>4
			if err := to.SetHeight(name, x, z, c.HeightAt(Heightmap(kind), x, z)); err != nil {
				return err
			}
		}
	}
	return nil
}

// marks are the positions of Marks.
func (c *Chunk) marks() []chunk.BlockPos {
	list := make([]chunk.BlockPos, len(c.Marks))
	for i, index := range c.Marks {
		list[i] = chunk.BlockPos{X: c.X<<4 | index&15, Y: int32(c.MinY) + index>>8, Z: c.Z<<4 | index>>4&15}
	}
	return list
}

// Load makes the chunk equal to a stored one that is at StatusNoise to
// StatusCarvers, so that generation goes on from there. biomes gives the
// number of a biome by that in the tables of from. Heights are those that are
// stored, or where there are none those of the blocks.
func (c *Chunk) Load(from *chunk.Chunk, biomes func(chunk.Biome) (Biome, error)) error {
	pos := from.Pos()
	c.Reset(pos.X, pos.Z)
	low, high := chunk.SectionY(c.MinY>>4), chunk.SectionY((c.MinY+c.Height)>>4-1)
	for y := low; y <= high; y++ {
		cells := (*[chunk.SectionCells]block.State)(c.Blocks[int(y-low)*chunk.SectionCells:])
		from.SectionBlocks(y, cells)
		var numbers [chunk.BiomeCells]chunk.Biome
		if !from.SectionBiomes(y, &numbers) {
			return fmt.Errorf("chunk %d,%d: section %d has no biomes", pos.X, pos.Z, y)
		}
		for i, number := range numbers {
			biome, err := biomes(number)
			if err != nil {
				return fmt.Errorf("chunk %d,%d: section %d: %w", pos.X, pos.Z, y, err)
			}
			c.Biomes[int(y-low)*chunk.BiomeCells+i] = biome
		}
	}
	c.loadHeights(from)
	return c.loadLists(from)
}

// CopyHeights takes the heights of another chunk.
func (c *Chunk) CopyHeights(from *Chunk) { c.heights = from.heights }

func (c *Chunk) loadHeights(from *chunk.Chunk) {
	c.ComputeHeights()
	for kind, name := range stored {
		if !from.HasHeightmap(name) {
			continue
		}
		for column := range 256 {
			if y, ok := from.HeightAt(name, column&15, column>>4); ok {
				c.SetHeight(Heightmap(kind), column&15, column>>4, y)
			}
		}
	}
}

func (c *Chunk) loadLists(from *chunk.Chunk) error {
	mask, err := from.CarvingMask()
	if err != nil {
		return err
	}
	copy(c.Carved, mask)
	marks, err := from.Marks(chunk.PostProcessing)
	if err != nil {
		return err
	}
	for _, pos := range marks {
		if y := int(pos.Y); y >= c.MinY && y < c.MinY+c.Height {
			c.Mark(c.Index(int(pos.X&15), y, int(pos.Z&15)))
		}
	}
	return nil
}
