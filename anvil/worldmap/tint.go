package worldmap

import (
	"strconv"
	"strings"
	"sync"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
)

// rgb is 0xRRGGBB.
type rgb uint32

func (c rgb) parts() (r, g, b int) { return int(c >> 16 & 255), int(c >> 8 & 255), int(c & 255) }

func toRGB(r, g, b int) rgb {
	return rgb(min(max(r, 0), 255)<<16 | min(max(g, 0), 255)<<8 | min(max(b, 0), 255))
}

// scaled is the color at a brightness of n of 255.
func (c rgb) scaled(n int) rgb {
	r, g, b := c.parts()
	return toRGB(r*n/255, g*n/255, b*n/255)
}

// mixed is the color with share of 255 of another one over it.
func (c rgb) mixed(over rgb, share int) rgb {
	r, g, b := c.parts()
	r2, g2, b2 := over.parts()
	mix := func(a, b int) int { return (a*(255-share) + b*share + 127) / 255 }
	return toRGB(mix(r, r2), mix(g, g2), mix(b, b2))
}

// tintKind says which color of the biome a block takes.
type tintKind uint8

const (
	untinted tintKind = iota
	grassTint
	foliageTint
	dryFoliageTint
	waterTint

	tintKinds
)

// tints are a biome's colors by kind.
type tints [tintKinds]rgb

// defaultBiome lends its tints to biomes that are not known.
const defaultBiome = "minecraft:plains"

const (
	defaultWater      rgb = 0x3f76e4
	defaultDryFoliage rgb = 0xa48047 // assumed
)

// climates are the colors of plants by climate: a triangle between three
// colors, which is bent where cold and wet meet.
type climates struct {
	hotDry, cold, hotWet rgb
	bend                 [3]float32 // of red, green and blue
}

// The bends were fitted to the colors that are known of biomes.
var (
	grassClimates   = climates{0xbfb755, 0x80b497, 0x47cd33, [3]float32{95, -15, 25}}
	foliageClimates = climates{0xaea42a, 0x60a17b, 0x1abf00, [3]float32{122, -21, 37}}
)

// at is the color of a climate.
func (c climates) at(temperature, downfall float32) rgb {
	t := min(max(temperature, 0), 1)
	wet := min(max(downfall, 0), 1) * t
	cold, dry := 1-t, t-wet
	mix := func(channel int) int {
		part := func(v rgb) float32 { return float32(v >> (16 - 8*channel) & 255) }
		return int(part(c.hotDry)*dry + part(c.cold)*cold + part(c.hotWet)*wet + c.bend[channel]*cold*wet + 0.5)
	}
	return toRGB(mix(0), mix(1), mix(2))
}

// oldBiomes are biomes that 1.18 gave another name.
var oldBiomes = map[string]string{
	"mountains": "windswept_hills", "wooded_mountains": "windswept_forest", "gravelly_mountains": "windswept_gravelly_hills",
	"snowy_tundra": "snowy_plains", "snowy_mountains": "snowy_plains", "snowy_taiga_hills": "snowy_taiga", "taiga_hills": "taiga",
	"giant_tree_taiga": "old_growth_pine_taiga", "giant_spruce_taiga": "old_growth_spruce_taiga",
	"giant_tree_taiga_hills": "old_growth_pine_taiga", "tall_birch_forest": "old_growth_birch_forest",
	"birch_forest_hills": "birch_forest", "wooded_hills": "forest", "dark_forest_hills": "dark_forest",
	"jungle_hills": "jungle", "jungle_edge": "sparse_jungle", "bamboo_jungle_hills": "bamboo_jungle", "modified_jungle": "jungle",
	"shattered_savanna": "windswept_savanna", "desert_hills": "desert", "desert_lakes": "desert", "swamp_hills": "swamp",
	"badlands_plateau": "badlands", "wooded_badlands_plateau": "wooded_badlands", "stone_shore": "stony_shore",
	"mushroom_field_shore": "mushroom_fields", "deep_warm_ocean": "warm_ocean", "nether": "nether_wastes",
}

// biomeTints are the tints of the game's biomes by name.
var biomeTints = sync.OnceValue(func() map[string]*tints {
	biomes := make(map[string]registry.Biome)
	for _, b := range registry.Biomes(registry.Native) {
		biomes[b.Name] = b
	}
	all := make(map[string]*tints)
	for _, r := range registry.SyncedRegistries(registry.Native) {
		if r.ID != "minecraft:worldgen/biome" {
			continue
		}
		for _, e := range r.Entries {
			all[e.ID] = tintsOf(biomes[e.ID], e.NBT)
		}
	}
	for old, name := range oldBiomes {
		all["minecraft:"+old] = all["minecraft:"+name]
	}
	return all
})

// tintsOf are the tints of a biome, given its entry in the synced registry.
func tintsOf(b registry.Biome, entry []byte) *tints {
	t := &tints{
		grassTint: grassClimates.at(b.Temperature, b.Downfall), foliageTint: foliageClimates.at(b.Temperature, b.Downfall),
		dryFoliageTint: defaultDryFoliage, waterTint: defaultWater,
	}
	var tape nbt.Tape
	if err := tape.ParseNetwork(entry); err != nil {
		panic("worldmap: the registry of biomes: " + err.Error()) // our own table
	}
	effects := tape.Root().Get("effects")
	for name, kind := range map[string]tintKind{
		"grass_color": grassTint, "foliage_color": foliageTint, "dry_foliage_color": dryFoliageTint, "water_color": waterTint,
	} {
		if text, ok := effects.Get(name).Text(); ok {
			if n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24); err == nil {
				t[kind] = rgb(n)
			}
		}
	}
	switch modifier, _ := effects.Get("grass_color_modifier").Text(); modifier {
	case "swamp":
		t[grassTint] = 0x6a7039 // the more frequent of two
	case "dark_forest":
		t[grassTint] = (t[grassTint]&0xfefefe + 0x28340a) >> 1
	}
	return t
}

// palette remembers the tints of the biomes of one chunk.Biomes. One goroutine
// at a time may use it.
type palette struct {
	biomes *chunk.Biomes
	known  []*tints
}

func (p *palette) of(b chunk.Biome) *tints {
	for int(b) >= len(p.known) {
		p.known = append(p.known, nil)
	}
	if p.known[b] == nil {
		p.known[b] = biomeTints()[p.biomes.Name(b)]
		if p.known[b] == nil {
			p.known[b] = biomeTints()[defaultBiome]
		}
	}
	return p.known[b]
}
