package level

import "strings"

// Rules that are true or false, with the default of 26.2, and those that are
// numbers. max_minecart_speed is not here: it exists only with the experiment
// minecart_improvements, and its default is 8.
const trueRules = `advance_time advance_weather allow_entering_nether_using_portals
block_drops block_explosion_drop_decay command_block_output command_blocks_work
drowning_damage elytra_movement_check ender_pearls_vanish_on_death entity_drops
fall_damage fire_damage forgive_dead_players freeze_damage global_sound_events
locator_bar log_admin_commands mob_drops mob_explosion_drop_decay mob_griefing
natural_health_regeneration player_movement_check projectiles_can_break_blocks
pvp raids send_command_feedback show_advancement_messages show_death_messages
spawn_mobs spawn_monsters spawn_patrols spawn_phantoms spawn_wandering_traders
spawn_wardens spawner_blocks_work spectators_generate_chunks spread_vines
tnt_explodes water_source_conversion`

const falseRules = `immediate_respawn keep_inventory lava_source_conversion
limited_crafting reduced_debug_info tnt_explosion_drop_decay universal_anger`

var numberRules = map[string]int32{
	"fire_spread_radius_around_player":     128,
	"max_block_modifications":              32768,
	"max_command_forks":                    65536,
	"max_command_sequence_length":          65536,
	"max_entity_cramming":                  24,
	"max_snow_accumulation_height":         1,
	"players_nether_portal_creative_delay": 0,
	"players_nether_portal_default_delay":  80,
	"players_sleeping_percentage":          100,
	"random_tick_speed":                    3,
	"respawn_radius":                       10,
}

// DefaultGameRules returns the rules of a new world of 26.2.
func DefaultGameRules() GameRules {
	rules := GameRules{}
	for name := range strings.FieldsSeq(trueRules) {
		rules[fullID(name)] = mustRaw(true)
	}
	for name := range strings.FieldsSeq(falseRules) {
		rules[fullID(name)] = mustRaw(false)
	}
	for name, value := range numberRules {
		rules[fullID(name)] = mustRaw(value)
	}
	return rules
}
