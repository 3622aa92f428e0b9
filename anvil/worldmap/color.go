package worldmap

import (
	"strings"
	"sync"

	"strata/anvil/block"
)

// class is what a state is to somebody who looks down.
type class uint8

const (
	clearClass class = iota // not drawn
	waterClass              // what lies under it is seen
	solidClass
)

// look is how a state is drawn.
type look struct {
	color      rgb // without the tint
	class      class
	tint       tintKind
	brightness uint8 // of the tint, of 255
}

// smallPlants are seen through: they would make meadows noise.
const smallPlants = `short_grass tall_grass fern large_fern bush short_dry_grass tall_dry_grass dead_bush firefly_bush
dandelion golden_dandelion torchflower poppy blue_orchid allium azure_bluet red_tulip orange_tulip white_tulip pink_tulip
oxeye_daisy cornflower wither_rose lily_of_the_valley sunflower lilac rose_bush peony open_eyeblossom closed_eyeblossom
brown_mushroom red_mushroom crimson_roots warped_roots nether_sprouts glow_lichen hanging_roots`

// tinted are the blocks with a color of their biome, and the brightness of
// their texture, roughly.
var tinted = []struct {
	names      string
	tint       tintKind
	brightness uint8
}{
	{"grass_block", grassTint, 205},
	{"sugar_cane", grassTint, 220},
	{"oak_leaves jungle_leaves acacia_leaves dark_oak_leaves mangrove_leaves vine", foliageTint, 165},
	{"leaf_litter", dryFoliageTint, 205},
}

// fixed are the blocks whose color on maps says less than it could.
var fixed = map[string]rgb{
	"lava": 0xd8641a, "birch_leaves": 0x5b7839, "spruce_leaves": 0x3d5f3d, "lily_pad": 0x208030,
	"azalea_leaves": 0x5a732c, "flowering_azalea_leaves": 0x6f6f46,
}

// looks are those of the native states.
var looks = sync.OnceValue(func() *[block.StateCount]look {
	table := new([block.StateCount]look)
	for s := range block.State(block.StateCount) {
		table[s] = plainLook(s)
	}
	each := func(name string, change func(*look)) {
		first := block.MustParse(name).Block()
		for s := range block.State(block.StateCount) {
			if s.Block() == first && table[s].class == solidClass {
				change(&table[s])
			}
		}
	}
	for _, name := range strings.Fields(smallPlants) {
		each(name, func(l *look) { *l = look{} })
	}
	for _, t := range tinted {
		for _, name := range strings.Fields(t.names) {
			each(name, func(l *look) { l.tint, l.brightness = t.tint, t.brightness })
		}
	}
	for name, color := range fixed {
		each(name, func(l *look) { l.color = color })
	}
	return table
})

// plainLook is a state's look by its facts alone. What holds water and stops
// nobody is water.
func plainLook(s block.State) look {
	color := s.MapColor()
	switch {
	case s.Fluid() == block.WaterFluid && !s.BlocksMotion():
		return look{class: waterClass}
	case color == 0:
		return look{}
	}
	return look{color: rgb(color.RGB()), class: solidClass}
}

// relief is the brightness of ground, of 255, by how much higher it is than
// the ground north of it, in blocks from -3 to 3.
var relief = [...]int{166, 178, 194, 220, 238, 248, 255}

// shade is the brightness by a difference of heights.
func shade(difference int) int {
	return relief[min(max(difference, -3), 3)+3]
}

// maxDepth is where water does not get darker any more.
const maxDepth = 40

// under is the color of ground seen through water of that depth.
func under(ground, water rgb, depth int) rgb {
	depth = min(depth, maxDepth)
	share := min(100+11*depth, 232)
	return ground.mixed(water.scaled(235-3*depth), share)
}

// voidColor is that of columns without blocks.
const voidColor rgb = 0x0d0d16
