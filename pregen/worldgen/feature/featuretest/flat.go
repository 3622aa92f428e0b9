package featuretest

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

// FlatTop is the y above the ground of a flat context.
const FlatTop = 40

// Flat returns a context in the chunk 0,0 among its neighbours, which are filled
// with a block below FlatTop and have 128 blocks of height from y 0; the sea is
// at 32. All is of one biome.
func Flat(ground block.State, seed int64) (*feature.Context, [9]*feature.Chunk) {
	const height = 128
	cells := func(x, z int32) *proto.Chunk {
		c := proto.New(0, height)
		c.Reset(x, z)
		return c
	}
	v := feature.NewView(0, height, 32, climate.NewZoom(seed), cells)
	var chunks [9]*feature.Chunk
	for i := range chunks {
		c := cells(int32(i%3)-1, int32(i/3)-1)
		for j := range FlatTop * 256 {
			c.Blocks[j] = ground
		}
		c.ComputeHeights()
		chunks[i] = feature.NewChunk(c)
	}
	v.Reset(chunks)
	random := rng.NewWorldgenXoroshiro(seed)
	return &feature.Context{View: v, Random: &random, Seed: seed, Span: provider.Span{Height: height}}, chunks
}

// Feature reads a configured feature: the text of one, or an id of the game's in
// quotes.
func Feature(t testing.TB, factories map[string]feature.Factory, text string) (feature.Feature, error) {
	t.Helper()
	source, err := settings.Builtin(Native)
	if err != nil {
		t.Fatal(err)
	}
	v, err := provider.Parse("test", "x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return feature.NewLoader(source, factories, nil).Feature(v)
}
