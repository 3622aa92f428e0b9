package blocks

import (
	"sync"

	"strata/anvil/block"
)

// entities are the types of block entities by kinds of blocks, where the two have
// other names: as the game's report of blocks and its registry of types name them.
var entities = map[string]string{
	"copper_chest": "chest", "weathering_copper_chest": "chest",
	"standing_sign": "sign", "wall_sign": "sign",
	"ceiling_hanging_sign": "hanging_sign", "wall_hanging_sign": "hanging_sign",
	"wall_banner": "banner",
	"player_head": "skull", "player_wall_head": "skull", "wall_skull": "skull", "wither_skull": "skull",
	"wither_wall_skull": "skull", "piglinwallskull": "skull",
	"spawner": "mob_spawner", "enchantment_table": "enchanting_table", "chiseled_book_shelf": "chiseled_bookshelf",
	"brushable": "brushable_block", "structure": "structure_block", "command": "command_block",
	"test": "test_block", "test_instance": "test_instance_block", "weathering_copper_golem_statue": "copper_golem_statue",
	"moving_piston": "piston",
}

// sameNamed are the kinds of blocks whose block entities are called as they are.
var sameNamed = []string{
	"furnace", "chest", "trapped_chest", "ender_chest", "jukebox", "dispenser", "dropper", "creaking_heart", "brewing_stand",
	"end_portal", "beacon", "skull", "daylight_detector", "hopper", "comparator", "banner", "end_gateway", "shulker_box",
	"conduit", "barrel", "smoker", "blast_furnace", "lectern", "bell", "jigsaw", "campfire", "beehive", "sculk_sensor",
	"calibrated_sculk_sensor", "sculk_catalyst", "sculk_shrieker", "shelf", "decorated_pot", "crafter", "trial_spawner",
	"vault", "copper_golem_statue", "potent_sulfur",
}

var entityTypes = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, k := range sameNamed {
		all[k] = "minecraft:" + k
	}
	for k, name := range entities {
		all[k] = "minecraft:" + name
	}
	return all
})

// EntityOf returns the type of the block entity that a block has, with namespace; ""
// for none.
func EntityOf(s block.State) string { return entityTypes()[kind(s)] }

// Slots returns how many slots a block stores items in that players open; 0 for one
// that is not opened here.
func Slots(s block.State) int {
	switch menus[kind(s)] {
	case MenuChest, MenuBarrel, MenuShulkerBox:
		return 27
	case MenuDispenser:
		return 9
	case MenuHopper:
		return 5
	default:
		return 0
	}
}
