package gen

import (
	"errors"
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/region"
)

// A node that has the memory of a forgotten one has nothing else of it.
func TestForgottenNodesLeaveTheirMemoryAlone(t *testing.T) {
	y := &yard{}
	old := y.newNode(region.ChunkPos{X: 1, Z: 2})
	old.state, old.turn, old.packed, old.aside = nodeAside, 3, []byte{4}, 5
	old.had, old.err = chunk.StatusFull, errors.New("made wrong")
	old.chunk.Touched, old.chunk.Frozen = true, true
	old.chunk.Entities = append(old.chunk.Entities, feature.Entity{ID: "minecraft:pig"})
	old.chunk.BlockTicks = append(old.chunk.BlockTicks, make([]feature.Tick, 100)...)
	y.dropNode(old)
	n := y.newNode(region.ChunkPos{X: 6, Z: 7})
	if n != old || cap(n.chunk.BlockTicks) < 100 {
		t.Error("the memory of a forgotten node is not used again")
	}
	if n.pos != (region.ChunkPos{X: 6, Z: 7}) || n.state != nodeEmpty || n.users != 0 || n.turn != 0 || n.packed != nil ||
		n.aside != 0 || n.had != chunk.StatusUnknown || n.err != nil {
		t.Errorf("a new node is %+v", n)
	}
	if c := &n.chunk; c.Touched || c.Frozen || len(c.Entities)+len(c.BlockTicks)+len(c.FluidTicks)+len(c.BlockEntities) != 0 {
		t.Error("a new node has what decoration added to a forgotten one")
	}
	if other := y.newNode(region.ChunkPos{}); other == n {
		t.Error("a node is used twice")
	}
}

// Arrays that come back at once are all kept while there is room for them, and
// some when there is none.
func TestArraysOfChunksAreKeptWithinTheLimit(t *testing.T) {
	const count = 3 * minSpare
	for _, c := range []struct {
		name string
		room int // for so many arrays
		want int
	}{
		{"all", count, count},
		{"two thirds", 2 * minSpare, 2 * minSpare},
		{"none", 0, minSpare},
	} {
		y := &yard{}
		var chunks [count]proto.Chunk
		for i := range chunks {
			chunks[i].Blocks = make([]block.State, 256)
			y.loose += 512
		}
		y.limit = int64(c.room) * 512
		for i := range chunks {
			y.putBuffers(&chunks[i])
		}
		if len(y.spare) != c.want || y.loose != 0 {
			t.Errorf("room for %s: %d of %d are kept, %d bytes are in use", c.name, len(y.spare), count, y.loose)
		}
	}
}
