package all_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/oracletest"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/all"
	"strata/pregen/worldgen/structure/structuretest"
	"strata/pregen/worldgen/structure/template"
	"strata/region"
)

// worldWith makes the generators of a normal world with its structures.
func worldWith(t testing.TB, seed int64, templates *template.Library) *gen.World {
	t.Helper()
	source, err := settings.Builtin(featuretest.Native)
	if err != nil {
		t.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: seed, Structures: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := gen.New(gen.Options{
		Source: source, Settings: created, DataVersion: featuretest.Native, Templates: templates, Structures: all.New,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// tally is how the blocks within pieces agree.
type tally struct{ blocks, wrong int }

// The blocks of structures in real chunks. Some kinds are left out by default,
// since making a chunk takes what is decorated around it:
// STRATA_STRUCTURE=mineshaft looks at those whose name holds the text, ALL at
// all.
func TestBlocksOfStructuresAreThoseOfRealChunks(t *testing.T) {
	wanted, most, dimensions := "trial_chambers", 3, oracletest.Dimensions[:1]
	if env := os.Getenv("STRATA_STRUCTURE"); env != "" {
		wanted, most, dimensions = strings.TrimPrefix(env, "ALL"), 1000, oracletest.Dimensions
	}
	tallies := map[string]*tally{}
	for _, dimension := range dimensions {
		made := map[int64]pregen.Worker{}
		known := map[string][]oracletest.Start{}
		compared := 0
		for _, saved := range featuretest.RealChunks(t, dimension) {
			if compared >= most {
				break
			}
			starts, read := known[saved.Folder]
			if !read {
				starts = oracletest.ReadStarts(t, saved.Folder, dimension).Starts
				starts = slices.DeleteFunc(starts, func(s oracletest.Start) bool { return !strings.Contains(s.ID, wanted) })
				known[saved.Folder] = starts
			}
			if !meets(starts, saved.Pos()) {
				continue
			}
			compared++
			if made[saved.Seed] == nil {
				g, err := worldWith(t, saved.Seed, structuretest.Templates(t)).NewGenerator("minecraft:"+dimension, chunk.StatusFeatures, chunk.NewTables())
				if err != nil {
					t.Fatal(err)
				}
				if made[saved.Seed], err = g.NewWorker(); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, makeOne(t, made[saved.Seed], saved.Pos()), &saved, starts, tallies)
		}
	}
	for id, n := range tallies {
		t.Logf("%s: %d of %d blocks are wrong", id, n.wrong, n.blocks)
		if wanted == "trial_chambers" && n.wrong > 0 {
			t.Errorf("%s has wrong blocks", id)
		}
	}
	if len(tallies) == 0 {
		t.Error("nothing was compared")
	}
}

// makeOne makes a chunk with its features.
func makeOne(t *testing.T, w pregen.Worker, pos region.ChunkPos) *chunk.Chunk {
	t.Helper()
	b := &pregen.Batch{
		At: region.ChunkPos{X: pos.X &^ 7, Z: pos.Z &^ 7}, Side: 8, Chunks: []pregen.Wanted{{Pos: pos}},
		Stored: func(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored },
	}
	var made *chunk.Chunk
	err := w.Generate(t.Context(), b, func(m pregen.Made) error {
		if m.Pos == pos {
			made = m.Chunk
			if m.LeftToGame {
				t.Errorf("chunk %v is left to the game at %v", pos, m.Chunk.Status())
			}
		}
		return m.Err
	})
	if err != nil {
		t.Fatal(err)
	}
	if made == nil {
		t.Fatalf("chunk %v was not made", pos)
	}
	return made
}

// growing are blocks that spread when a chunk ticks, or that features of
// chunks around put there in an order that is not known.
func growing(s block.State) bool {
	return s.Block() == block.GlowLichen || s.Block() == block.Vine
}

func compare(t *testing.T, made *chunk.Chunk, saved *featuretest.Real, starts []oracletest.Start, tallies map[string]*tally) {
	t.Helper()
	pos := saved.Pos()
	pairs := map[string]int{}
	low, high := made.Range()
	for y := int(low) << 4; y < int(high)<<4; y++ {
		for z := range 16 {
			for x := range 16 {
				id := within(starts, pos.X<<4+int32(x), int32(y), pos.Z<<4+int32(z))
				if id == "" {
					continue
				}
				if tallies[id] == nil {
					tallies[id] = &tally{}
				}
				tallies[id].blocks++
				want, got := saved.Block(x, y, z), made.Block(x, y, z)
				if want != got && !growing(want) && !growing(got) {
					tallies[id].wrong++
					pairs[strings.ReplaceAll(fmt.Sprintf("%v is %v", want, got), "minecraft:", "")]++
				}
			}
		}
	}
	t.Logf("%s %v tier %s %v: %s", saved.Folder, pos, saved.Tier, saved.Structures, featuretest.Top(pairs, 12))
}

func meets(starts []oracletest.Start, pos region.ChunkPos) bool {
	return slices.ContainsFunc(starts, func(s oracletest.Start) bool {
		return slices.ContainsFunc(s.Pieces, func(p oracletest.Piece) bool {
			return p.BB[0]>>4 <= pos.X && p.BB[3]>>4 >= pos.X && p.BB[2]>>4 <= pos.Z && p.BB[5]>>4 >= pos.Z
		})
	})
}

// within returns the structure that has a piece around a block.
func within(starts []oracletest.Start, x, y, z int32) string {
	for i := range starts {
		for _, p := range starts[i].Pieces {
			if b := p.BB; x >= b[0] && y >= b[1] && z >= b[2] && x <= b[3] && y <= b[4] && z <= b[5] {
				return starts[i].ID
			}
		}
	}
	return ""
}
