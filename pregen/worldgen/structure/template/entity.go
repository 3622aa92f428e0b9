package template

import (
	"strings"
	"sync"

	"strata/anvil/block"
)

// entityKinds are the block entities of kinds of blocks whose names differ
// from the kind's.
var entityKinds = map[string]string{
	"banner": "banner", "wall_banner": "banner", "brushable": "brushable_block",
	"ceiling_hanging_sign": "hanging_sign", "wall_hanging_sign": "hanging_sign",
	"standing_sign": "sign", "wall_sign": "sign",
	"chiseled_book_shelf": "chiseled_bookshelf", "command": "command_block",
	"copper_chest": "chest", "weathering_copper_chest": "chest",
	"weathering_copper_golem_statue": "copper_golem_statue",
	"enchantment_table":              "enchanting_table", "moving_piston": "piston",
	"skull": "skull", "wall_skull": "skull", "wither_skull": "skull", "wither_wall_skull": "skull",
	"piglinwallskull": "skull", "player_head": "skull", "player_wall_head": "skull",
	"spawner": "mob_spawner", "structure": "structure_block", "test": "test_block",
	"test_instance": "test_instance_block",
}

// entityNames are those that are named as the kind of block.
var entityNames = strings.Fields(`barrel beacon beehive bell blast_furnace brewing_stand
	calibrated_sculk_sensor campfire chest comparator conduit copper_golem_statue crafter creaking_heart
	daylight_detector decorated_pot dispenser dropper end_gateway end_portal ender_chest furnace hopper
	jigsaw jukebox lectern potent_sulfur sculk_catalyst sculk_sensor sculk_shrieker shelf shulker_box
	smoker trapped_chest trial_spawner vault`)

var entities = sync.OnceValue(func() []string {
	kinds := map[string]string{}
	for kind, name := range entityKinds {
		kinds[kind] = "minecraft:" + name
	}
	for _, name := range entityNames {
		kinds[name] = "minecraft:" + name
	}
	of := make([]string, block.BlockCount)
	for id := range of {
		of[id] = kinds[block.ID(id).Kind()]
	}
	return of
})

// EntityOf returns the id of the block entity that a block has, empty for none.
func EntityOf(id block.ID) string {
	if of := entities(); int(id) < len(of) {
		return of[id]
	}
	return ""
}
