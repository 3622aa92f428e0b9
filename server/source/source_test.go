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

// box is a rectangle of chunks, both ends included.
type box struct{ minX, minZ, maxX, maxZ int32 }

// requests are for its chunks, from the middle.
func (b box) requests() (list []Request) {
	middleX, middleZ := (b.minX+b.maxX)/2, (b.minZ+b.maxZ)/2
	for z := b.minZ; z <= b.maxZ; z++ {
		for x := b.minX; x <= b.maxX; x++ {
			dx, dz := x-middleX, z-middleZ
			list = append(list, Request{region.ChunkPos{X: x, Z: z}, dx*dx + dz*dz})
		}
	}
	return list
}

// pregenerate runs pregen in a box.
func (r *rig) pregenerate(t *testing.T, b box, seed int64) {
	t.Helper()
	g, err := r.gens.Generator(anvil.Overworld, r.store.Tables())
	if err != nil {
		t.Fatal(err)
	}
	area, err := plan.NewBox(plan.Block{X: b.minX * 16, Z: b.minZ * 16}, plan.Block{X: b.maxX*16 + 15, Z: b.maxZ*16 + 15})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pregen.Run(t.Context(), r.store, pregen.Options{
		Until: chunk.StatusFull, Tables: r.store.Tables(), Seed: seed,
		Targets: []pregen.Target{{Dimension: anvil.Overworld, Area: area, Generator: g}},
	}); err != nil {
		t.Fatal(err)
	}
}

// A job is what a run of pregen in its area is, and the next one what a run that
// extends it is: what lies around is saved and gone on from in the same way.
func TestJobsMakeWhatRunsOfPregenMake(t *testing.T) {
	options := anvil.CreateOptions{Seed: 8}
	r, want := newRig(t, options), newRig(t, options)
	s := r.source(t, Options{Workers: 2})
	made, kept := 0, 0
	for _, b := range []box{{2, 4, 4, 6}, {5, 4, 6, 7}} {
		list := b.requests()
		s.Want(list)
		got, relit := collect(t, s, len(list))
		for pos, res := range got {
			if res.Err != nil || !res.Generated {
				t.Fatalf("chunk %v: %+v", pos, res)
			}
		}
		for i := range relit {
			if applied, err := relit[i].ApplyLight(); !applied || err != nil {
				t.Errorf("light of chunk %v: %v, %v", relit[i].Pos, applied, err)
			}
		}
		release(got, relit)
		want.pregenerate(t, b, options.Seed)
		made += len(list)
		kept = 0
		for _, q := range (box{-3, -1, 11, 12}).requests() {
			h, err := want.store.Load(t.Context(), 0, q.Pos, store.Normal)
			if errors.Is(err, store.ErrAbsent) {
				if h, err := r.store.Load(t.Context(), 0, q.Pos, store.Normal); !errors.Is(err, store.ErrAbsent) {
					t.Errorf("chunk %v, which pregen leaves absent: %v", q.Pos, err)
					h.Release()
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			h.Release()
			kept++
			if !bytes.Equal(encoded(t, want.store, q.Pos), encoded(t, r.store, q.Pos)) {
				t.Errorf("after %+v: chunk %v is another than pregen's", b, q.Pos)
			}
		}
	}
	if kept <= made {
		t.Errorf("%d chunks of pregen compared, want some of the rim too", kept)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if m := s.Metrics(); m.Generated != int64(made) || m.Jobs != 2 || m.Rim == 0 || m.Failed != 0 {
		t.Errorf("metrics %+v, want %d chunks of two jobs and some around them", m, made)
	}
}

func TestWhatIsStoredIsLoadedAndNotMadeAgain(t *testing.T) {
	r := newRig(t, anvil.CreateOptions{Seed: 8})
	list := around(region.ChunkPos{}, 0)
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
