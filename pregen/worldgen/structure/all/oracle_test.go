package all_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

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
	created, err := preset.New(source, preset.Options{Seed: seed})
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

func TestStructuresInRealChunks(t *testing.T) {
	wanted := os.Getenv("STRATA_STRUCTURE")
	pairs := map[string]int{}
	for _, dimension := range oracletest.Dimensions {
		workers := map[int64]pregen.Worker{}
		pieces := map[string][]oracletest.Start{}
		for _, real := range featuretest.RealChunks(t, dimension) {
			i := slices.IndexFunc(real.Structures, func(s string) bool { return strings.Contains(s, wanted) })
			if i < 0 {
				continue
			}
			if workers[real.Seed] == nil {
				g, err := worldWith(t, real.Seed, structuretest.Templates(t)).NewGenerator("minecraft:"+dimension, chunk.StatusFeatures, chunk.NewTables())
				if err != nil {
					t.Fatal(err)
				}
				if workers[real.Seed], err = g.NewWorker(); err != nil {
					t.Fatal(err)
				}
				pieces[real.Folder] = oracletest.ReadStarts(t, real.Folder, dimension).Starts
			}
			compare(t, workers[real.Seed], &real, pieces[real.Folder], wanted, pairs)
		}
	}
	t.Log(featuretest.Top(pairs, 100))
}

func compare(t *testing.T, w pregen.Worker, real *featuretest.Real, starts []oracletest.Start, wanted string, pairs map[string]int) {
	pos := real.Pos()
	b := &pregen.Batch{
		At: region.ChunkPos{X: pos.X &^ 7, Z: pos.Z &^ 7}, Side: 8, Chunks: []pregen.Wanted{{Pos: pos}},
		Stored: func(region.ChunkPos) (*chunk.Chunk, error) { return nil, pregen.ErrNotStored },
	}
	var made *chunk.Chunk
	err := w.Generate(t.Context(), b, func(m pregen.Made) error {
		if m.Pos == pos {
			made = m.Chunk
		}
		return m.Err
	})
	if err != nil {
		t.Fatal(err)
	}
	if made == nil {
		t.Errorf("chunk %v was not made", pos)
		return
	}
	own := map[string]int{}
	wrong, inside, whole := 0, 0, 0
	low, high := made.Range()
	for y := int(low) << 4; y < int(high)<<4; y++ {
		for z := range 16 {
			for x := range 16 {
				want, got := real.Block(x, y, z), made.Block(x, y, z)
				at := int(pos.X)<<4 + x
				in := contains(starts, wanted, int32(at), int32(y), int32(int(pos.Z)<<4+z))
				if in {
					inside++
				}
				if want != got {
					whole++
				}
				if want == got || !in {
					continue
				}
				wrong++
				pair := strings.ReplaceAll(fmt.Sprintf("%v is %v", want, got), "minecraft:", "")
				own[pair]++
				pairs[pair]++
			}
		}
	}
	t.Logf("%s %v tier %s %v: %d of %d wrong, %d in the chunk: %s", real.Folder, pos, real.Tier, real.Structures, wrong, inside, whole, featuretest.Top(own, 12))
}

func contains(starts []oracletest.Start, wanted string, x, y, z int32) bool {
	for i := range starts {
		if !strings.Contains(starts[i].ID, wanted) {
			continue
		}
		for _, p := range starts[i].Pieces {
			if b := p.BB; x >= b[0] && y >= b[1] && z >= b[2] && x <= b[3] && y <= b[4] && z <= b[5] {
				return true
			}
		}
	}
	return false
}
