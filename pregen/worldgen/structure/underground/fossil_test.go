package underground_test

import (
	"context"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/structure/underground"
	"strata/region"
)

// finished generates a chunk to the end, with all structures.
func finished(t *testing.T, seed int64, dimension string, pos region.ChunkPos, templates *template.Library) *chunk.Chunk {
	t.Helper()
	source, err := settings.Builtin(featuretest.Native)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed, Structures: true})
	if err != nil {
		t.Fatal(err)
	}
	world, err := gen.New(gen.Options{
		Source: source, Settings: created, DataVersion: featuretest.Native, Templates: templates, Structures: all.New,
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := world.NewGenerator("minecraft:"+dimension, chunk.StatusFull, chunk.NewTables())
	if err != nil {
		t.Fatal(err)
	}
	w, err := g.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	var made *chunk.Chunk
	batch := &pregen.Batch{
		At: region.ChunkPos{X: pos.X, Z: pos.Z}, Side: 1, Chunks: []pregen.Wanted{{Pos: pos}},
		Stored: func(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored },
	}
	err = w.Generate(context.Background(), batch, func(m pregen.Made) error {
		if m.Pos == pos {
			made = m.Chunk
		}
		return m.Err
	})
	if err != nil || made == nil || made.Status() != chunk.StatusFull {
		t.Fatalf("chunk %v is not finished: %v", pos, err)
	}
	return made
}

// TestFossilsAreThoseOfRealWorlds generates the chunks of real worlds that have
// a fossil, and compares what lies in its box.
func TestFossilsAreThoseOfRealWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("makes chunks")
	}
	templates := structuretest.Templates(t)
	found := map[block.ID]int{}
	known := map[int64]*structure.Starts{}
	for _, saved := range featuretest.RealChunks(t, "the_nether") {
		if !slices.Contains(saved.Structures, "nether_fossil") {
			continue
		}
		if known[saved.Seed] == nil {
			_, known[saved.Seed] = structuretest.Load(t, saved.Seed, featuretest.Native, "the_nether", templates, underground.Factories())
		}
		pos := saved.Pos()
		var boxes []structure.Box
		known[saved.Seed].Referring(pos.X, pos.Z, func(s *structure.Start) {
			b := s.PiecesBox()
			if s.ID == "minecraft:nether_fossil" && b.MeetsColumns(pos.X<<4, pos.Z<<4, pos.X<<4+15, pos.Z<<4+15) {
				boxes = append(boxes, b)
			}
		})
		if len(boxes) == 0 {
			continue
		}
		made := finished(t, saved.Seed, "the_nether", pos, templates)
		for _, b := range boxes {
			for y := b.MinY; y <= b.MaxY; y++ {
				for z := max(b.MinZ, pos.Z<<4); z <= min(b.MaxZ, pos.Z<<4+15); z++ {
					for x := max(b.MinX, pos.X<<4); x <= min(b.MaxX, pos.X<<4+15); x++ {
						want, got := saved.Block(int(x&15), int(y), int(z&15)), made.Block(int(x&15), int(y), int(z&15))
						if want != got {
							t.Errorf("%s %d,%d,%d: %v, want %v", saved.Folder, x, y, z, got, want)
						}
						found[got.Block()]++
					}
				}
			}
		}
	}
	t.Logf("%d bones, %d dried ghasts", found[block.BoneBlock], found[block.DriedGhast])
	if found[block.BoneBlock] == 0 || found[block.DriedGhast] == 0 {
		t.Error("too few fossils were met")
	}
}
