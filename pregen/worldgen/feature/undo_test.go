package feature_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
)

func TestUndoMakesChunksWhatTheyWere(t *testing.T) {
	v, chunks := flatView(t)
	v.Set(3, 20, 3, block.Chest.Default())
	v.AddBlockEntity(feature.BlockEntity{X: 3, Y: 20, Z: 3, ID: "minecraft:chest"})
	v.TickFluid(3, 20, 3, "minecraft:water", 1)
	height := v.Height(chunk.MotionBlocking, 3, 3)
	blocks := append([]block.State(nil), chunks[4].Blocks...)
	ticks := append([]feature.Tick(nil), chunks[4].FluidTicks...)
	var u feature.Undo
	if u.Restore(chunks) {
		t.Error("nothing is restored")
	}
	u.Remember(chunks)
	v.Set(3, 20, 3, block.Stone.Default())
	v.Set(3, 40, 3, block.Stone.Default())
	v.TickFluid(4, 20, 3, "minecraft:water", 1)
	v.AddEntity(feature.Entity{X: 3, Y: 20, Z: 3})
	v.Mark(3, 20, 3)
	if !u.Restore(chunks) || u.Restore(chunks) {
		t.Error("it is not restored once")
	}
	c := chunks[4]
	if diff := cmp.Diff(blocks, c.Blocks); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(ticks, c.FluidTicks); diff != "" || len(c.Entities)+len(c.Marks) != 0 {
		t.Errorf("%d entities and %d marks; ticks: %s", len(c.Entities), len(c.Marks), diff)
	}
	if e := v.BlockEntityAt(3, 20, 3); e == nil || e.ID != "minecraft:chest" {
		t.Errorf("the block entity is %+v", e)
	}
	if got := v.Height(chunk.MotionBlocking, 3, 3); got != height {
		t.Errorf("the height is %d, want %d", got, height)
	}
	// What was undone can be done again, and what was there is not done twice.
	v.TickFluid(4, 20, 3, "minecraft:water", 1)
	v.TickFluid(3, 20, 3, "minecraft:water", 1)
	if len(c.FluidTicks) != len(ticks)+1 {
		t.Errorf("%d ticks, want %d", len(c.FluidTicks), len(ticks)+1)
	}
}
