package all_test

import (
	"testing"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/region"
)

// storedIgloo is an igloo where the seed has none, and which nothing else moves.
func storedIgloo(x, z int32) nbt.Compound {
	at := []int32{x << 4, 70, z << 4, x<<4 + 6, 74, z<<4 + 7}
	return nbt.Compound{
		{Name: "id", Value: "minecraft:igloo"}, {Name: "ChunkX", Value: x}, {Name: "ChunkZ", Value: z}, {Name: "references", Value: int32(2)},
		{Name: "Children", Value: nbt.List{Elem: nbt.TypeCompound, Items: []any{nbt.Compound{
			{Name: "id", Value: "minecraft:iglu"}, {Name: "BB", Value: at}, {Name: "O", Value: int32(2)}, {Name: "GD", Value: int32(0)},
			{Name: "Template", Value: "minecraft:igloo/top"}, {Name: "Rot", Value: "NONE"},
			{Name: "TPX", Value: at[0]}, {Name: "TPY", Value: at[1]}, {Name: "TPZ", Value: at[2]},
		}}}},
	}
}

func TestStartsOfStoredChunksWin(t *testing.T) {
	const seed, x, z = 11, 5, -9
	d, _ := structuretest.Dimension(t, seed, 4903, "overworld")
	structures, err := all.New(d)
	if err != nil {
		t.Fatal(err)
	}
	tables := chunk.NewTables()
	form, err := d.Form(tables)
	if err != nil {
		t.Fatal(err)
	}
	// made returns a chunk without structures.
	made := func(x, z int32) *chunk.Chunk {
		c := d.New()
		c.Reset(x, z)
		stored, err := c.Store(form, chunk.StatusBiomes)
		if err != nil {
			t.Fatal(err)
		}
		return stored
	}
	raw, err := nbt.MarshalRaw(storedIgloo(x, z))
	if err != nil {
		t.Fatal(err)
	}
	with := made(x, z)
	if err := with.SetStructures([]chunk.StructureStart{{Name: "minecraft:igloo", NBT: raw}}, nil); err != nil {
		t.Fatal(err)
	}
	worker := structures.NewWorker(d.NewMaker())
	for _, stored := range []bool{false, true} {
		worker.Use(structures.NewRecord(func(pos region.ChunkPos) (*chunk.Chunk, error) {
			if stored && pos == (region.ChunkPos{X: x, Z: z}) {
				return with.Clone(), nil
			}
			return nil, pregen.ErrNotStored
		}))
		if n := worker.Wanting(x, z); (n > 0) != stored {
			t.Errorf("stored %v: %d structures are wanting", stored, n)
		}
		own, beside, far := made(x, z), made(x+1, z), made(x+2, z)
		for _, c := range []*chunk.Chunk{own, beside, far} {
			if err := worker.Store(c); err != nil {
				t.Fatal(err)
			}
		}
		starts, err := own.StructureStarts()
		if err != nil {
			t.Fatal(err)
		}
		if (len(starts) == 1 && starts[0].Name == "minecraft:igloo") != stored {
			t.Errorf("stored %v: the chunk has %v", stored, starts)
		}
		for name, c := range map[string]*chunk.Chunk{"own": own, "beside": beside, "far": far} {
			references, err := c.StructureReferences()
			if err != nil {
				t.Fatal(err)
			}
			if refers := len(references) == 1 && references[0].Name == "minecraft:igloo"; refers != (stored && name == "own") {
				t.Errorf("stored %v, %s: %v", stored, name, references)
			}
		}
	}
}
