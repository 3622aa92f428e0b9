package settings_test

import (
	"fmt"
	"log"

	"strata/pregen/worldgen/settings"
)

func ExampleBuiltin() {
	s, err := settings.Builtin(4903) // 26.2
	if err != nil {
		log.Fatal(err)
	}
	text, err := s.Document("worldgen/noise", "minecraft:surface")
	if err != nil {
		log.Fatal(err)
	}
	members, err := s.Tag("worldgen/biome", "minecraft:is_nether")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	fmt.Println(members)
	// Output:
	// {"amplitudes":[1.0,1.0,1.0],"firstOctave":-6}
	// [minecraft:nether_wastes minecraft:soul_sand_valley minecraft:crimson_forest minecraft:warped_forest minecraft:basalt_deltas]
}
