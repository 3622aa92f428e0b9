package gen

import (
	"errors"
	"testing"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
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
