package blocks

import (
	"strings"
	"sync"

	"strata/anvil/block"
	"strata/anvil/registry"
)

// otherNames are the blocks of items that are not called as their block.
var otherNames = map[string]string{
	"redstone": "redstone_wire", "string": "tripwire",
	"wheat_seeds": "wheat", "beetroot_seeds": "beetroots",
	"carrot": "carrots", "potato": "potatoes",
	"melon_seeds": "melon_stem", "pumpkin_seeds": "pumpkin_stem",
	"torchflower_seeds": "torchflower_crop", "pitcher_pod": "pitcher_crop",
	"sweet_berries": "sweet_berry_bush", "glow_berries": "cave_vines",
	"cocoa_beans": "cocoa", "bamboo": "bamboo",
	"powder_snow_bucket": "powder_snow",
	"water_bucket":       "water", "lava_bucket": "lava",
}

// goods are items with the name of a block that do not place it.
var goods = map[string]bool{"air": true, "wheat": true}

// pair is the blocks of an item.
type pair struct {
	block block.ID
	// side is the form on a wall, Air if there is none.
	side block.ID
	// hangs says that the first form hangs from above.
	hangs bool
}

var blocksOfItems = sync.OnceValue(func() map[string]pair {
	m := map[string]pair{}
	for _, it := range registry.Items(registry.V26_2) {
		short := strings.TrimPrefix(it.Name, "minecraft:")
		b, ok := otherNames[short]
		if !ok {
			b = short
		}
		id, ok := find(b)
		if !ok || goods[short] {
			continue
		}
		p := pair{block: id, hangs: strings.HasSuffix(short, "_hanging_sign")}
		if side, ok := find(sideName(b)); ok {
			p.side = side
		}
		m[it.Name] = p
	}
	return m
})

// sideName returns the name that the wall form of a block would have.
func sideName(b string) string {
	for _, end := range []string{
		"hanging_sign", "sign", "banner", "skull", "head", "coral_fan", "torch",
	} {
		if start, ok := strings.CutSuffix(b, end); ok {
			if end == "coral_fan" {
				return start + "coral_wall_fan"
			}
			return start + "wall_" + end
		}
	}
	return ""
}

// BlockOf returns the block that an item places, and false if it places none.
// Those with a form for walls have that as well.
func BlockOf(item string) (id block.ID, ok bool) {
	p, ok := blocksOfItems()[item]
	return p.block, ok
}

// ItemOf returns the item that stands for a block, "" if none does.
func ItemOf(id block.ID) string { return itemsOfBlocks()[id] }

var itemsOfBlocks = sync.OnceValue(func() map[block.ID]string {
	m := map[block.ID]string{}
	for _, it := range registry.Items(registry.V26_2) {
		p, ok := blocksOfItems()[it.Name]
		if !ok || strings.HasSuffix(it.Name, "_bucket") {
			continue
		}
		m[p.block] = it.Name
		if p.side != block.Air {
			m[p.side] = it.Name
		}
	}
	return m
})
