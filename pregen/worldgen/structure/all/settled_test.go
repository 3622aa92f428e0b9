package all_test

import (
	"testing"

	"strata/anvil/chunk"
	"strata/nbt"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/region"
)

// workerBeside makes a worker of the overworld of a seed, beside chunks that
// are there.
func workerBeside(t *testing.T, seed int64, there stored) gen.StructuresWorker {
	t.Helper()
	d, _ := structuretest.Dimension(t, seed, featuretest.Native, "overworld")
	structures, err := all.New(d)
	if err != nil {
		t.Fatal(err)
	}
	w := structures.NewWorker(nil)
	w.Use(structures.NewRecord(there.read))
	return w
}

// startsAt are the starts that a worker knows in a chunk.
func startsAt(w gen.StructuresWorker, at region.ChunkPos) []*structure.Start {
	return w.(interface {
		At(x, z int32) []*structure.Start
	}).At(at.X, at.Z)
}

// plainChunk is a chunk without anything, at a status.
func plainChunk(t *testing.T, at region.ChunkPos, status chunk.Status) *chunk.Chunk {
	t.Helper()
	c, err := chunk.New(chunk.NewTables(), at, chunk.Options{
		DataVersion: featuretest.Native, MinSection: -4, Sections: 24, Status: status,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A corridor has one spawner, also if some of its chunks are from an earlier
// run. The chunk that the mineshaft starts in is stored without it.
func TestCorridorsRecallTheSpawnersOfEarlierRuns(t *testing.T) {
	const seed = 9
	at := nearest(t, seed, "overworld", "minecraft:mineshaft")
	waiting := func(w gen.StructuresWorker) (n int, first structure.Piece) {
		for _, start := range startsAt(w, at) {
			for _, p := range start.Pieces {
				if r, ok := p.(structure.Recaller); ok && r.Recalls() {
					if n++; first == nil && !near(p.Common().Box, at) {
						first = p
					}
				}
			}
		}
		return n, first
	}
	alone := workerBeside(t, seed, stored{})
	before, corridor := waiting(alone)
	if corridor == nil {
		t.Fatal("no corridor far from the start has spiders")
	}
	for _, c := range []struct {
		status chunk.Status
		x      int32 // in the corridor: its middle, or a wall
		want   int
	}{
		{chunk.StatusFull, 1, before - 1},
		{chunk.StatusInitializeLight, 1, before - 1},
		{chunk.StatusCarvers, 1, before}, // not decorated: it cannot be the corridor's
		{chunk.StatusFull, 0, before},
	} {
		x, y, z := corridor.Common().World(c.x, 0, 2)
		pos := region.ChunkPos{X: x >> 4, Z: z >> 4}
		decorated := plainChunk(t, pos, c.status)
		var spawner nbt.Compound
		spawner.Set("id", "minecraft:mob_spawner")
		spawner.Set("x", x)
		spawner.Set("y", y)
		spawner.Set("z", z)
		raw, err := nbt.MarshalRaw(spawner)
		if err != nil {
			t.Fatal(err)
		}
		if err := decorated.SetBlockEntities([]nbt.Raw{raw}); err != nil {
			t.Fatal(err)
		}
		w := workerBeside(t, seed, stored{pos: decorated})
		if n, _ := waiting(w); n != c.want {
			t.Errorf("%v, at %d: %d corridors wait for a spawner, want %d of %d", c.status, c.x, n, c.want, before)
		}
		if a, b := startsAt(alone, at), startsAt(w, at); !nbt.Equal(a[0].Save(), b[0].Save()) {
			t.Error("what is stored of the mineshaft depends on chunks around")
		}
	}
}

// near reports whether a box lies in a chunk and those around it.
func near(b structure.Box, at region.ChunkPos) bool {
	return b.MinX>>4 >= at.X-1 && b.MaxX>>4 <= at.X+1 && b.MinZ>>4 >= at.Z-1 && b.MaxZ>>4 <= at.Z+1
}

// A chunk that was saved before its structures were placed is given what they
// settled, and keeps the rest.
func TestStoredStartsAreGivenWhatPiecesSettle(t *testing.T) {
	const seed = 5
	at := nearest(t, seed, "overworld", "minecraft:buried_treasure")
	saved := plainChunk(t, at, chunk.StatusCarvers)
	if err := workerBeside(t, seed, stored{}).Store(saved); err != nil {
		t.Fatal(err)
	}
	w := workerBeside(t, seed, stored{at: saved})
	again := saved.Clone()
	if err := w.Store(again); err != nil || !sameStarts(t, again, saved) {
		t.Fatalf("a start changes by itself: %v", err)
	}
	for _, start := range startsAt(w, at) {
		start.Pieces[0].Move(0, -7, 0) // as when it is placed
	}
	if err := w.Store(again); err != nil || sameStarts(t, again, saved) {
		t.Fatalf("the treasure's height is not stored: %v", err)
	}
	if err := workerBeside(t, seed, stored{at: again}).Store(saved); err != nil || !sameStarts(t, again, saved) {
		t.Errorf("the stored height is not that of the next run: %v", err)
	}
}

// sameStarts reports whether chunks have the same starts.
func sameStarts(t *testing.T, a, b *chunk.Chunk) bool {
	t.Helper()
	var both [2]nbt.Compound
	for i, c := range []*chunk.Chunk{a, b} {
		starts, err := c.StructureStarts()
		if err != nil || len(starts) == 0 {
			t.Fatalf("%d starts: %v", len(starts), err)
		}
		for _, s := range starts {
			var content nbt.Compound
			if err := s.NBT.Decode(&content); err != nil {
				t.Fatal(err)
			}
			both[i].Set(s.Name, content)
		}
	}
	return nbt.Equal(both[0], both[1])
}
