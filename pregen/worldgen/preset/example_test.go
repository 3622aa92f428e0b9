package preset_test

import (
	"fmt"
	"log"

	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
)

func ExampleRead() {
	source, err := settings.Builtin(4903)
	if err != nil {
		log.Fatal(err)
	}
	created, err := preset.New(source, preset.Options{Seed: 1234, Preset: "large_biomes"})
	if err != nil {
		log.Fatal(err)
	}
	world, err := preset.Read(source, created)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range world.Dimensions {
		fmt.Println(d.ID, d.Type.MinY, d.Type.Height, d.Generator.Kind, d.Generator.SettingsID, d.Generator.BiomeSource.Kind)
	}
	for _, p := range world.Problems {
		fmt.Println(p)
	}
	// Output:
	// minecraft:overworld -64 384 minecraft:noise minecraft:large_biomes minecraft:multi_noise
	// minecraft:the_nether 0 256 minecraft:noise minecraft:nether minecraft:multi_noise
	// minecraft:the_end 0 256 minecraft:noise minecraft:end minecraft:the_end
}
