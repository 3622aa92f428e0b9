package tree_test

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/settings"
)

// top is the y of the first block above the ground of a flat context.
const top = 8

// flat returns a context of nine chunks of dirt below y 8 with a layer of
// another block on it, 64 blocks high.
func flat(ground block.State, seed int64) (*feature.Context, [9]*feature.Chunk) {
	cells := func(x, z int32) *proto.Chunk {
		c := proto.New(0, 64)
		c.Reset(x, z)
		return c
	}
	var chunks [9]*feature.Chunk
	for i := range chunks {
		c := cells(int32(i%3)-1, int32(i/3)-1)
		for j := range top * 256 {
			c.Blocks[j] = block.Dirt.Default()
			if j >= (top-1)*256 {
				c.Blocks[j] = ground
			}
		}
		c.ComputeHeights()
		chunks[i] = feature.NewChunk(c)
	}
	random := rng.NewWorldgenXoroshiro(seed)
	c := &feature.Context{
		View:   feature.NewView(0, 64, 6, climate.NewZoom(1), cells),
		Random: &random, Span: provider.Span{Height: 64},
	}
	c.Reset(chunks)
	return c, chunks
}

func newLoader(t testing.TB) *feature.Loader {
	t.Helper()
	source, err := settings.Builtin(4903)
	if err != nil {
		t.Fatal(err)
	}
	return feature.NewLoader(source, factories(), nil)
}

// configured reads a configured feature of the game.
func configured(t testing.TB, id string) feature.Feature {
	t.Helper()
	v, err := provider.Parse("test", id, []byte(`"minecraft:`+id+`"`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := newLoader(t).Feature(v)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
