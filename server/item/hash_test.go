package item

import (
	"testing"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/server/protocol"
)

// Hashes that games of 1.21.5 and later gave, as tests of the Geyser and Botcraft
// projects have them.
func TestHashesAreTheGamesOwn(t *testing.T) {
	for _, c := range []struct {
		kind  string
		value string
		hash  int32
	}{
		{"custom_data", `{hello:"g'day","nice?":0b,coolness:100b,geyser:{is:"very cool"},"a list":[["in a list"]]}`, -385053299},
		{"max_stack_size", `64`, 733160003},
		{"max_stack_size", `10`, -919192125},
		{"max_damage", `13`, -801733367},
		{"damage", `459`, 1211405277},
		{"damage", `5`, 645064431},
		{"unbreakable", `{}`, -982207288},
		{"item_name", `"test"`, 1541493536},
		{"custom_name", `"simple component test!"`, 950545066},
		{"custom_name", `{translate:"a.translatable"}`, 1983484873},
		{"custom_name", `{text:"component with *style*",color:"red",italic:1b}`, -886479206},
		{"custom_name", `{text:"component with more stuff",extra:[{translate:"a.translate.string",fallback:"fallback!",color:"#446688",bold:1b}]}`, -1591253390},
		{"item_model", `"testing"`, -689946239},
		{"rarity", `"common"`, 75150990},
		{"rarity", `"rare"`, -1420566726},
		{"rarity", `"epic"`, -292715907},
		{"attribute_modifiers", `[{type:"attack_damage",id:"test_modifier_1",amount:2d,operation:"add_value"},
			{type:"jump_strength",id:"test_modifier_2",amount:4.2d,operation:"add_multiplied_total",slot:"head",display:{type:"hidden"}},
			{type:"waypoint_receive_range",id:"geyser_mc:test_modifier_3",amount:5.4d,operation:"add_multiplied_base",slot:"feet"}]`, 1889444548},
		{"attribute_modifiers", `[{type:"waypoint_transmit_range",id:"geyser_mc:test_modifier_4",amount:2d,operation:"add_value",
			display:{type:"override",value:"give me a test"}}]`, 1375953017},
		{"custom_model_data", `{floats:[5f,3f,-1f],flags:[B;0b,1b,0b],strings:["1","3","2"],colors:[I;3424,-123,345]}`, 1947635619},
		{"custom_model_data", `{floats:[5.03f,3f,-1.11f],flags:[B;1b,1b,0b],strings:["2","5","7"]}`, -512419908},
		{"tooltip_display", `{hidden_components:["consumable","damage"]}`, -816418453},
		{"tooltip_display", `{hide_tooltip:1b}`, 14016722},
		{"tooltip_display", `{hide_tooltip:0b}`, -982207288},
		{"enchantment_glint_override", `1b`, -1019818302},
		{"enchantment_glint_override", `0b`, 828198337},
		{"food", `{nutrition:5,saturation:1.4f}`, 445786378},
		{"food", `{nutrition:3,saturation:5.7f,can_always_eat:1b}`, 1917653498},
		{"food", `{nutrition:7,saturation:0.15f,can_always_eat:0b}`, -184166204},
		{"consumable", `{consume_seconds:2f,sound:"item.ominous_bottle.dispose",on_consume_effects:[
			{type:"remove_effects",effects:["bad_omen","regeneration"]},{type:"teleport_randomly",diameter:3f}]}`, 1742669333},
		{"use_remainder", `{id:"melon",count:52}`, -1279684916},
		{"use_remainder", `{id:"pumpkin",count:32,components:{item_model:"testing",max_stack_size:44}}`, 1991032843},
		{"tool", `{rules:[],default_mining_speed:5f,damage_per_block:3,can_destroy_blocks_in_creative:0b}`, -1789071928},
		{"tool", `{rules:[],default_mining_speed:3f}`, -7422944},
		{"tool", `{rules:[{blocks:"#acacia_logs"},{blocks:["jack_o_lantern","wall_torch"],speed:4.2f,correct_for_drops:1b},
			{blocks:"pumpkin",speed:7f,correct_for_drops:0b}]}`, 2103678261},
		{"weapon", `{item_damage_per_attack:5,disable_blocking_for_seconds:2f}`, -154556976},
		{"weapon", `{disable_blocking_for_seconds:7.3f}`, 885347995},
		{"enchantable", `{value:3}`, -1834983819},
		{"equippable", `{slot:"body"}`, 1294431019},
		{"equippable", `{slot:"body",equip_sound:"item.armor.equip_chain",asset_id:"testing",can_be_sheared:1b,shearing_sound:"item.bone_meal.use"}`, -801616214},
		{"equippable", `{slot:"body",equip_sound:"ambient.cave",dispensable:0b,damage_on_hurt:0b,shearing_sound:{sound_id:"testing_equippable",range:10f}}`, -1145684769},
		{"equippable", `{slot:"body",equip_sound:"entity.breeze.wind_burst",camera_overlay:"testing",allowed_entities:"acacia_boat",
			dispensable:0b,damage_on_hurt:0b,can_be_sheared:1b,shearing_sound:"block.netherite_block.place"}`, -115079770},
		{"equippable", `{slot:"head"}`, 497790992},
		{"equippable", `{slot:"head",allowed_entities:"#aquatic"}`, 264760955},
		{"repairable", `{items:["amethyst_block","pumpkin"]}`, -36715567},
		{"map_decorations", `{test_decoration:{type:"minecraft:player",x:45d,z:67.4d,rotation:39.5f}}`, -625782954},
		{"potion_contents", `"fire_resistance"`, -772576502},
		{"potion_contents", `{custom_color:20,custom_effects:[{id:"conduit_power"}]}`, -902075187},
		{"potion_contents", `{custom_color:96,custom_effects:[{id:"jump_boost",amplifier:57b,duration:17,ambient:1b,show_particles:0b}]}`, -17231244},
		{"potion_contents", `{custom_color:87,custom_effects:[{id:"speed",amplifier:29b,duration:1004}],custom_name:"testing"}`, 2007296036},
		{"lodestone_tracker", `{target:{dimension:"overworld",pos:[I;5,6,7]}}`, 63561894},
		{"lodestone_tracker", `{tracked:0b}`, 1595667667},
	} {
		for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
			raw, err := snbt.Parse(c.value, nbt.Limits{})
			if err != nil {
				t.Fatalf("%s: %v", c.value, err)
			}
			kind, _ := registry.Of("data_component_type", registry.Native).ID(c.kind)
			packet, ok := toPacket(protocol.ComponentType(kind), generic(raw), v, 0)
			if !ok {
				t.Errorf("%v: %s %s is not converted", v, c.kind, c.value)
				continue
			}
			if got, ok := hashComponent(packet, v); !ok || int32(got) != c.hash {
				t.Errorf("%v: %s %s: %d, want %d", v, c.kind, c.value, int32(got), c.hash)
			}
		}
	}
}

// A game of 1.21.5 writes a count of 1, those of 26.x leave it out, as their
// reports show.
func TestHashOfStacksInAList(t *testing.T) {
	raw, err := snbt.Parse(`[{id:"minecraft:pumpkin",count:1},{id:"minecraft:melon",count:24},
		{id:"minecraft:potato",count:30,components:{"minecraft:custom_name":"magic potato!"}}]`, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := int32(hashValue(generic(raw))); got != 1817891504 {
		t.Errorf("%d", got)
	}
}
