package level

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"strata/nbt"
)

// ErrPreset says that there is no preset of that name.
var ErrPreset = errors.New("no such preset")

// flatPresets are the flat worlds that the game offers, by the names of the
// 26.2 data pack.
var flatPresets = map[string]Flat{
	"classic_flat": {
		Biome:     "minecraft:plains",
		Layers:    stack("bedrock", 1, "dirt", 2, "grass_block", 1),
		Overrides: sets("villages"),
	},
	"tunnelers_dream": {
		Biome: "minecraft:windswept_hills", Features: true,
		Layers:    stack("bedrock", 1, "stone", 230, "dirt", 5, "grass_block", 1),
		Overrides: sets("mineshafts", "strongholds"),
	},
	"water_world": {
		Biome:     "minecraft:deep_ocean",
		Layers:    stack("bedrock", 1, "deepslate", 64, "stone", 5, "dirt", 5, "gravel", 5, "water", 90),
		Overrides: sets("ocean_ruins", "shipwrecks", "ocean_monuments"),
	},
	"overworld": {
		Biome: "minecraft:plains", Features: true, Lakes: true,
		Layers:    stack("bedrock", 1, "stone", 59, "dirt", 3, "grass_block", 1),
		Overrides: sets("villages", "mineshafts", "pillager_outposts", "ruined_portals", "strongholds"),
	},
	"snowy_kingdom": {
		Biome:     "minecraft:snowy_plains",
		Layers:    stack("bedrock", 1, "stone", 59, "dirt", 3, "grass_block", 1, "snow", 1),
		Overrides: sets("villages", "igloos"),
	},
	"bottomless_pit": {
		Biome:     "minecraft:plains",
		Layers:    stack("cobblestone", 2, "dirt", 3, "grass_block", 1),
		Overrides: sets("villages"),
	},
	"desert": {
		Biome: "minecraft:desert", Features: true,
		Layers:    stack("bedrock", 1, "stone", 3, "sandstone", 52, "sand", 8),
		Overrides: sets("villages", "desert_pyramids", "mineshafts", "strongholds"),
	},
	"redstone_ready": {
		Biome:     "minecraft:desert",
		Layers:    stack("bedrock", 1, "stone", 3, "sandstone", 116),
		Overrides: sets(),
	},
	"the_void": {
		Biome: "minecraft:the_void", Features: true,
		Layers:    stack("air", 1),
		Overrides: sets(),
	},
}

// flatDefault is the flat world of the preset "flat", which has strongholds
// beside what classic_flat has.
func flatDefault() Flat {
	return Flat{
		Biome:     "minecraft:plains",
		Layers:    stack("bedrock", 1, "dirt", 2, "grass_block", 1),
		Overrides: sets("strongholds", "villages"),
	}
}

// stack takes blocks and how many of them, from the bottom up.
func stack(pairs ...any) []Layer {
	layers := make([]Layer, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		layers = append(layers, Layer{fullID(pair[0].(string)), int32(pair[1].(int))})
	}
	return layers
}

func sets(names ...string) StructureSets {
	ids := make(StructureSets, len(names))
	for i, name := range names {
		ids[i] = fullID(name)
	}
	return ids
}

// FlatPresets lists the names of the flat worlds that the game offers.
func FlatPresets() []string { return slices.Sorted(maps.Keys(flatPresets)) }

// FlatPreset returns the flat world of that name, ErrPreset if there is none.
func FlatPreset(name string) (Flat, error) {
	f, ok := flatPresets[name]
	if !ok {
		return Flat{}, fmt.Errorf("%w: flat world %q", ErrPreset, name)
	}
	f.Layers, f.Overrides = slices.Clone(f.Layers), slices.Clone(f.Overrides)
	return f, nil
}

// DefaultPreset is the name of the world that the game makes unless told
// otherwise.
const DefaultPreset = "normal"

// presets are the generators of the overworld by the names of the presets of
// the 26.2 data pack.
var presets = map[string]func() Generator{
	DefaultPreset:            func() Generator { return noise("overworld", multiNoise("overworld")) },
	"large_biomes":           func() Generator { return noise("large_biomes", multiNoise("overworld")) },
	"amplified":              func() Generator { return noise("amplified", multiNoise("overworld")) },
	"single_biome_surface":   func() Generator { return SingleBiome("minecraft:plains") },
	"flat":                   func() Generator { return FlatGenerator(flatDefault()) },
	"debug_all_block_states": func() Generator { return Generator{Type: "minecraft:debug"} },
}

// Presets lists the names of the presets.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// Preset returns the dimensions of a new world: the overworld by the preset of
// that name, the nether and the end as always. ErrPreset if there is none.
func Preset(name string) (map[string]Dimension, error) {
	generator, ok := presets[name]
	if !ok {
		return nil, fmt.Errorf("%w: world %q", ErrPreset, name)
	}
	return Dimensions(generator()), nil
}

// Dimensions returns the dimensions of a new world whose overworld has that
// generator.
func Dimensions(overworld Generator) map[string]Dimension {
	return map[string]Dimension{
		"minecraft:overworld":  {mustRaw("minecraft:overworld"), overworld},
		"minecraft:the_nether": {mustRaw("minecraft:the_nether"), noise("nether", multiNoise("nether"))},
		"minecraft:the_end":    {mustRaw("minecraft:the_end"), noise("end", map[string]string{"type": "minecraft:the_end"})},
	}
}

// FlatGenerator returns the generator of a flat world.
func FlatGenerator(f Flat) Generator {
	return Generator{Type: "minecraft:flat", Settings: mustRaw(f)}
}

// SingleBiome returns a generator with the overworld's terrain and one biome.
func SingleBiome(biome string) Generator {
	return noise("overworld", map[string]string{"type": "minecraft:fixed", "biome": biome})
}

func noise(settings string, source map[string]string) Generator {
	return Generator{
		Type:        "minecraft:noise",
		Settings:    mustRaw(fullID(settings)),
		BiomeSource: mustRaw(source),
	}
}

func multiNoise(preset string) map[string]string {
	return map[string]string{"type": "minecraft:multi_noise", "preset": fullID(preset)}
}

// mustRaw is for values of types that nbt.Marshal takes. A string of more than
// 65,535 bytes, which it refuses, makes a tag that does not exist: every id
// given from outside is checked before.
func mustRaw(v any) nbt.Raw {
	raw, err := nbt.MarshalRaw(v)
	if err != nil {
		return nbt.Raw{}
	}
	return raw
}
