package climate_test

import (
	"fmt"
	"log"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/settings"
)

// The biomes of a chunk of the overworld, and that of a block.
func Example() {
	const seed, dataVersion = 1234, 4903
	documents, err := settings.Builtin(dataVersion)
	if err != nil {
		log.Fatal(err)
	}
	loader := density.NewLoader(documents, noise.NewSet(seed, false, settings.Noises(documents)))
	router, shape, err := loader.Settings("minecraft:overworld")
	if err != nil {
		log.Fatal(err)
	}
	program, err := density.Compile(loader.Graph(), router, shape)
	if err != nil {
		log.Fatal(err)
	}
	source, err := climate.Load([]byte(`{"type": "minecraft:multi_noise", "preset": "minecraft:overworld"}`),
		climate.Options{Settings: documents, DataVersion: dataVersion})
	if err != nil {
		log.Fatal(err)
	}

	sampler := program.NewChunk()
	reader := source.Reader(sampler)
	c := proto.New(-64, 384)
	c.Reset(3, -2)
	sampler.Begin(3, -2)
	reader.Fill(c)
	fmt.Println(source.Biomes()[c.Biomes[c.BiomeIndex(0, 64, 0)]], "of", len(source.Biomes()))

	qx, qy, qz := climate.NewZoom(seed).Cell(50, 70, -30)
	fmt.Println(source.Biomes()[reader.At(qx, qy, qz)])
	// Output:
	// minecraft:deep_ocean of 55
	// minecraft:deep_ocean
}
