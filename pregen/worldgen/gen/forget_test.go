package gen_test

import (
	"bytes"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/pregen/worldgen/gen"
	"strata/region"
)

// tiles makes all chunks of an area and its rim with one worker, and returns
// them as NBT.
func tiles(t *testing.T, radius int32) map[region.ChunkPos][]byte {
	t.Helper()
	g, err := worldOf(t, 1234, native).NewGenerator(anvil.End, chunk.StatusFull, chunk.NewTables())
	if err != nil {
		t.Fatal(err)
	}
	area, err := plan.NewArea(plan.Square, plan.Block{}, plan.Radius{X: radius, Z: radius})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(area, plan.Options{Side: g.Facts().Tile, Rim: g.Facts().Rim})
	if err != nil {
		t.Fatal(err)
	}
	w, err := g.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	all := make(map[region.ChunkPos][]byte)
	var encode chunk.Encoder
	for tile := range p.Tiles() {
		b := &pregen.Batch{At: tile.At, Side: tile.Side, Area: area}
		both := tile.Want.Or(tile.Rim)
		both.Slots(func(s region.Slot) {
			b.Chunks = append(b.Chunks, pregen.Wanted{Pos: tile.Region.Chunk(s), Rim: tile.Rim.Has(s)})
		})
		err := w.Generate(t.Context(), b, func(m pregen.Made) error {
			if m.Chunk == nil {
				return m.Err
			}
			data, err := encode.Encode(nil, m.Chunk)
			all[m.Pos] = append(data, m.Entities...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// What is forgotten for want of memory, and of a place to put it aside, is made
// again.
func TestForgottenChunksAreMadeAgain(t *testing.T) {
	const radius = 9
	want := tiles(t, radius)
	gen.SetKeep(t, 128<<10)
	got := tiles(t, radius)
	for p, data := range want {
		if !bytes.Equal(got[p], data) {
			t.Errorf("chunk %v is another one", p)
		}
	}
	if len(got) != len(want) || len(want) <= (2*radius+1)*(2*radius+1) {
		t.Errorf("%d chunks, want %d", len(got), len(want))
	}
}
