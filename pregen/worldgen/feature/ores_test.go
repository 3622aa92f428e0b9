package feature_test

import (
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
)

// Of ores alone a chunk gets the ores that it gets among all features.
func TestOresAloneAreThoseOfTheWhole(t *testing.T) {
	const feature1 = `{"feature": {"type": "minecraft:ore", "config": {"size": 20, "discard_chance_on_air_exposure": 0,
		"targets": [{"target": {"predicate_type": "minecraft:block_match", "block": "minecraft:stone"}, "state": {"Name": "minecraft:gold_ore"}}]}},
		"placement": [{"type": "minecraft:in_square"}, {"type": "minecraft:height_range", "height": {"type": "minecraft:uniform",
		"min_inclusive": {"absolute": 8}, "max_inclusive": {"absolute": 24}}}]}`
	const feature0 = `{"feature": {"type": "minecraft:simple_block", "config": {"to_place": {"type": "minecraft:simple_state_provider",
		"state": {"Name": "minecraft:glass"}}}}, "placement": [{"type": "minecraft:heightmap", "heightmap": "WORLD_SURFACE"}]}`
	source := newPack(t, map[string]string{
		"worldgen/biome a:b": `{"has_precipitation": true, "temperature": 0.8, "downfall": 0.4, "features": [[` + feature0 + `, ` + feature1 + `]]}`,
	})
	whole, err := feature.Load(feature.NewLoader(source, feature.Core(), nil), feature.Settings{
		Biomes: []string{"a:b"}, Seed: 5, Zoom: climate.NewZoom(5), Height: 128, SeaLevel: 32, Span: provider.Span{Height: 128},
	})
	if err != nil {
		t.Fatal(err)
	}
	decorate := func(s *feature.System) (glass, gold map[int]bool) {
		var chunks [9]*feature.Chunk
		for i := range chunks {
			c := proto.New(0, 128)
			c.Reset(int32(i%3)-1, int32(i/3)-1)
			for j := range 40 * 256 {
				c.Blocks[j] = block.MustParse("stone")
			}
			c.ComputeHeights()
			chunks[i] = feature.NewChunk(c)
		}
		s.NewDecorator(func(x, z int32) *proto.Chunk { return chunks[(z+1)*3+x+1].Chunk }).Decorate(chunks, nil)
		glass, gold = make(map[int]bool), make(map[int]bool)
		for n, c := range chunks {
			for i, state := range c.Blocks {
				switch state.Block() {
				case block.Glass:
					glass[n<<20|i] = true
				case block.GoldOre:
					gold[n<<20|i] = true
				}
			}
		}
		return glass, gold
	}
	glass, gold := decorate(whole)
	noGlass, same := decorate(whole.Ores())
	if len(glass) != 1 || len(gold) < 10 {
		t.Fatalf("the whole has %d blocks of glass and %d of ore", len(glass), len(gold))
	}
	for at := range gold {
		if !same[at] {
			t.Fatal("an ore is elsewhere")
		}
	}
	if len(noGlass) > 0 || len(same) != len(gold) {
		t.Errorf("ores alone are %d blocks and %d of glass, want %d", len(same), len(noGlass), len(gold))
	}
}
