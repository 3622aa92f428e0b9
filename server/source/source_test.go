package source

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/pregen"
	"strata/pregen/plan"
	"strata/region"
)

// encoded is the NBT of a chunk of a store.
func encoded(t *testing.T, s *store.Store, pos region.ChunkPos) []byte {
	t.Helper()
	h, err := s.Load(t.Context(), 0, pos, store.Normal)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	var out []byte
	var e chunk.Encoder
	if rerr := h.Read(func(c *chunk.Chunk) { out, err = e.Encode(nil, c) }); rerr != nil || err != nil {
		t.Fatal(rerr, err)
	}
	return out
}

func TestAJobMakesWhatPregenMakes(t *testing.T) {
	options := anvil.CreateOptions{Seed: 8}
	r := newRig(t, options)
	s := r.source(t, Options{Workers: 2})
	list := around(region.ChunkPos{X: 3, Z: 5}, 1)
	s.Want(list)
	got, relit := collect(t, s, len(list))
	release(got, relit)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for pos, res := range got {
		if res.Err != nil || !res.Generated {
			t.Fatalf("chunk %v: %+v", pos, res)
		}
	}
	if m := s.Metrics(); m.Generated != 9 || m.Jobs != 1 || m.Rim == 0 {
		t.Errorf("metrics %+v, want 9 chunks of one job and some around them", m)
	}

	want := newRig(t, options)
	g, err := want.gens.Generator(anvil.Overworld, want.store.Tables())
	if err != nil {
		t.Fatal(err)
	}
	area, err := plan.NewBox(plan.Block{X: 2 * 16, Z: 4 * 16}, plan.Block{X: 4*16 + 15, Z: 6*16 + 15})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pregen.Run(t.Context(), want.store, pregen.Options{
		Until: chunk.StatusFull, Tables: want.store.Tables(), Seed: options.Seed,
		Targets: []pregen.Target{{Dimension: anvil.Overworld, Area: area, Generator: g}},
	}); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for z := int32(1); z <= 9; z++ {
		for x := int32(-1); x <= 7; x++ {
			pos := region.ChunkPos{X: x, Z: z}
			h, err := want.store.Load(t.Context(), 0, pos, store.Normal)
			if errors.Is(err, store.ErrAbsent) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			h.Release()
			compared++
			if !bytes.Equal(encoded(t, want.store, pos), encoded(t, r.store, pos)) {
				t.Errorf("chunk %v is another than pregen's", pos)
			}
		}
	}
	if compared <= 9 {
		t.Errorf("%d chunks of pregen compared, want some of the rim too", compared)
	}
}

func TestWhatIsStoredIsLoadedAndNotMadeAgain(t *testing.T) {
	r := newRig(t, anvil.CreateOptions{Seed: 8})
	list := around(region.ChunkPos{}, 1)
	made := make(map[region.ChunkPos][]byte)
	for round := range 2 {
		s := r.source(t, Options{})
		s.Want(list)
		got, relit := collect(t, s, len(list))
		release(got, relit)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for pos, res := range got {
			if res.Err != nil || res.Generated != (round == 0) {
				t.Fatalf("round %d: chunk %v: %+v", round, pos, res)
			}
			if round == 0 {
				made[pos] = encoded(t, r.store, pos)
			} else if !bytes.Equal(made[pos], encoded(t, r.store, pos)) {
				t.Errorf("chunk %v has changed", pos)
			}
		}
		r.close(t)
		r.open(t)
	}
}

// cells are the blocks of a chunk, and its sky light.
func cells(c *chunk.Chunk) (blocks []block.State, sky []byte) {
	low, high := c.Range()
	for y := low; y < high; y++ {
		var states [chunk.SectionCells]block.State
		var light [chunk.LightBytes]byte
		c.SectionBlocks(y, &states)
		c.SectionLight(chunk.SkyLight, y, &light)
		blocks, sky = append(blocks, states[:]...), append(sky, light[:]...)
	}
	return blocks, sky
}

func TestNewLightIsForTheOwnerToApply(t *testing.T) {
	if testing.Short() {
		t.Skip("generates 49 chunks")
	}
	r := newRig(t, anvil.CreateOptions{Seed: 2})
	s := r.source(t, Options{Tile: 4})
	list := around(region.ChunkPos{X: -2}, 3) // trees over borders of tiles
	s.Want(list)
	got, relit := collect(t, s, len(list))
	if len(relit) == 0 {
		t.Fatal("no chunk got new light")
	}
	for i := range relit {
		res := &relit[i]
		var blocks, after []block.State
		var sky, lit []byte
		if err := res.Hold.Read(func(c *chunk.Chunk) { blocks, sky = cells(c) }); err != nil {
			t.Fatal(err)
		}
		applied, err := res.ApplyLight()
		if err != nil || i == 0 && !applied {
			t.Fatalf("chunk %v: %v, %v", res.Pos, applied, err)
		}
		if err := res.Hold.Read(func(c *chunk.Chunk) { after, lit = cells(c) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(blocks, after) {
			t.Errorf("chunk %v: blocks have changed", res.Pos)
		}
		if applied == bytes.Equal(sky, lit) {
			t.Errorf("chunk %v: applied %v, light is the same: %v", res.Pos, applied, !applied)
		}
		// Once more it is not right: the chunk is another one than it was.
		if again, err := res.ApplyLight(); again || err != nil {
			t.Errorf("chunk %v: applied twice, %v", res.Pos, err)
		}
	}
	release(got, relit)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
