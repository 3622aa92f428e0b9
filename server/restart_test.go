package server

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/protocol"
)

// TestLavaFlowsOnAfterARestart: it takes 1.5 s for a step, and the server is
// stopped before the first.
func TestLavaFlowsOnAfterARestart(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	c := join(t, s, registry.V26_1, "Walker_1")
	y, z := int32(c.Position.Y)-1, int32(c.Position.Z)
	ground := chunk.BlockPos{X: int32(c.Position.X) + 3, Y: y, Z: z}
	c.give(0, "minecraft:lava_bucket")
	c.send(&protocol.UseItemOn{Pos: protocol.BlockPos(ground), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: 1})
	c.sees(chunk.BlockPos{X: ground.X, Y: y + 1, Z: z}, "minecraft:lava[level=0]", 1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	c = dial(t, second.Addr(), registry.V26_1, "Walker_1")
	c.sees(chunk.BlockPos{X: ground.X, Y: y + 1, Z: z + 1}, "minecraft:lava[level=2]", -1)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
