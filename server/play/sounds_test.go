package play

import (
	"strings"
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/server/blocks"
)

func stateNamed(t *testing.T, name string) block.State {
	t.Helper()
	id, ok := block.Find("minecraft:" + name)
	if !ok {
		t.Fatalf("no block %s", name)
	}
	return id.Default()
}

func TestEventsSoundAsTheirBlocks(t *testing.T) {
	for _, c := range []struct {
		event blocks.Event
		block string
		want  string
	}{
		{blocks.EventPlace, "stone", "block.stone.place"},
		{blocks.EventPlace, "oak_planks", "block.wood.place"},
		{blocks.EventPlace, "oak_stairs", "block.wood.place"},
		{blocks.EventPlace, "grass_block", "block.grass.place"},
		{blocks.EventPlace, "dandelion", "block.grass.place"},
		{blocks.EventPlace, "oak_leaves", "block.grass.place"},
		{blocks.EventPlace, "cherry_leaves", "block.cherry_leaves.place"},
		{blocks.EventPlace, "dirt", "block.gravel.place"},
		{blocks.EventPlace, "red_sand", "block.sand.place"},
		{blocks.EventPlace, "sandstone_stairs", "block.stone.place"},
		{blocks.EventPlace, "glass_pane", "block.glass.place"},
		{blocks.EventPlace, "red_wool", "block.wool.place"},
		{blocks.EventPlace, "moss_carpet", "block.moss_carpet.place"},
		{blocks.EventPlace, "deepslate_brick_wall", "block.deepslate_bricks.place"},
		{blocks.EventPlace, "bamboo_sapling", "block.bamboo_sapling.place"},
		{blocks.EventPlace, "bamboo_slab", "block.bamboo_wood.place"},
		{blocks.EventPlace, "warped_planks", "block.nether_wood.place"},
		{blocks.EventPlace, "cherry_wall_hanging_sign", "block.cherry_wood_hanging_sign.place"},
		{blocks.EventPlace, "white_concrete_powder", "block.sand.place"},
		{blocks.EventPlace, "redstone_wire", "block.stone.place"},
		{blocks.EventPlace, "wall_torch", "block.wood.place"},
		{blocks.EventPlace, "wheat", "item.crop.plant"},
		{blocks.EventPlace, "waxed_exposed_cut_copper_stairs", "block.copper.place"},
		{blocks.EventOpen, "oak_door", "block.wooden_door.open"},
		{blocks.EventClose, "iron_door", "block.iron_door.close"},
		{blocks.EventOpen, "waxed_oxidized_copper_trapdoor", "block.copper_trapdoor.open"},
		{blocks.EventOpen, "spruce_fence_gate", "block.fence_gate.open"},
		{blocks.EventClose, "bamboo_fence_gate", "block.bamboo_wood_fence_gate.close"},
		{blocks.EventOpen, "trapped_chest", "block.chest.open"},
		{blocks.EventOpen, "exposed_copper_chest", "block.copper_chest.open"},
		{blocks.EventClose, "waxed_oxidized_copper_chest", "block.copper_chest_oxidized.close"},
		{blocks.EventClose, "ender_chest", "block.ender_chest.close"},
		{blocks.EventOpen, "lime_shulker_box", "block.shulker_box.open"},
		{blocks.EventOpen, "barrel", "block.barrel.open"},
		{blocks.EventClickOn, "crimson_button", "block.nether_wood_button.click_on"},
		{blocks.EventClickOff, "oak_button", "block.wooden_button.click_off"},
		{blocks.EventClickOn, "polished_blackstone_button", "block.stone_button.click_on"},
		{blocks.EventClickOn, "lever", "block.lever.click"},
		{blocks.EventFill, "lava", "item.bucket.fill_lava"},
		{blocks.EventEmpty, "water", "item.bucket.empty"},
		{blocks.EventTill, "dirt", "item.hoe.till"},
	} {
		if got := noiseOf(c.event, stateNamed(t, c.block)); got.name != c.want {
			t.Errorf("%s of %s: %q, want %q", c.event, c.block, got.name, c.want)
		}
	}
}

// Whatever the block, its sounds are of those that clients of both versions know.
func TestSoundsOfAllBlocksAreInTheRegistries(t *testing.T) {
	events := []blocks.Event{
		blocks.EventPlace, blocks.EventOpen, blocks.EventClose, blocks.EventClickOn, blocks.EventClickOff, blocks.EventIgnite,
		blocks.EventExtinguish, blocks.EventFill, blocks.EventEmpty, blocks.EventStrip, blocks.EventScrape, blocks.EventWaxOff,
		blocks.EventFlatten, blocks.EventTill,
	}
	heard := map[string]bool{}
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		all, sounds := registry.Of("minecraft:block", v), registry.Of("minecraft:sound_event", v)
		for i := range int32(all.Len()) {
			name, _ := all.Name(i)
			id, ok := block.Find(name)
			if !ok {
				continue
			}
			for _, e := range events {
				n := noiseOf(e, id.Default())
				if n.name == "" {
					continue
				}
				heard[n.name] = true
				if _, ok := sounds.ID("minecraft:" + n.name); !ok {
					t.Errorf("%v: %s of %s is no sound: %s", v, e, name, n.name)
				}
				if n.volume <= 0 || n.pitch <= 0 || strings.Contains(n.name, ":") {
					t.Errorf("%s of %s: %+v", e, name, n)
				}
			}
		}
	}
	if len(heard) < 100 {
		t.Errorf("only %d sounds", len(heard))
	}
}
