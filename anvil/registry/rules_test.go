package registry

import (
	"slices"
	"testing"
)

func TestBiomes(t *testing.T) {
	biomes, registry := Biomes(V26_2), Of("worldgen/biome", V26_2)
	for id, name := range registry.All() {
		if biomes[id].ID != id || biomes[id].Name != name {
			t.Errorf("biome %d is %s, want %s", id, biomes[id].Name, name)
		}
	}
	caves, _ := registry.ID("sulfur_caves")
	if b := biomes[caves]; b.Temperature != 0.8 || b.Downfall != 0.4 || !b.HasPrecipitation || b.Frozen || len(b.Spawns) != 2 ||
		b.SpawnProbability != 0.1 {
		t.Errorf("sulfur caves: %+v", b)
	}
	ocean, _ := registry.ID("frozen_ocean")
	desert, _ := registry.ID("desert")
	if !biomes[ocean].Frozen || biomes[desert].HasPrecipitation || biomes[desert].Temperature != 2 {
		t.Error("climate of frozen ocean or desert")
	}
	forest, _ := registry.ID("warped_forest")
	if len(biomes[forest].SpawnCosts) == 0 || biomes[forest].SpawnCosts[0].EnergyBudget <= 0 {
		t.Errorf("spawn costs of the warped forest: %v", biomes[forest].SpawnCosts)
	}
}

func TestEffectsPotionsAndBrewing(t *testing.T) {
	for _, v := range Versions() {
		speed := Effects(v)[0]
		if speed.Name != "minecraft:speed" || speed.Category != "beneficial" || len(speed.Modifiers) != 1 ||
			speed.Modifiers[0].Amount != 0.20000000298023224 || speed.Modifiers[0].Operation != "add_multiplied_total" {
			t.Errorf("speed: %+v", speed)
		}
		id, _ := Of("potion", v).ID("strong_healing")
		if p := Potions(v)[id]; p.BaseName != "healing" || len(p.Effects) != 1 || p.Effects[0].Amplifier != 1 {
			t.Errorf("strong healing: %+v", p)
		}
		awkward, _ := Of("potion", v).ID("awkward")
		wart, _ := Of("item", v).ID("nether_wart")
		brewing := BrewingMixes(v)
		if !slices.ContainsFunc(brewing.Potions, func(m Mix) bool {
			return m.To == awkward && slices.Contains(m.Ingredients, wart)
		}) || len(brewing.Items) != 2 {
			t.Errorf("brewing: %+v", brewing)
		}
		reach, _ := Of("attribute", v).ID("block_interaction_range")
		if a := Attributes(v)[reach]; a.Default != 4.5 || a.ID != reach {
			t.Errorf("reach: %+v", a)
		}
	}
}

func TestSmallTables(t *testing.T) {
	for _, v := range Versions() {
		id, _ := Of("game_rule", v).ID("random_tick_speed")
		rules := GameRules(v)
		if r := rules[id]; len(rules) != 59 || r.Bool || r.Default != 3 || r.Min != 0 || r.Max != 2147483647 {
			t.Errorf("random_tick_speed: %+v", r)
		}
		id, _ = Of("game_rule", v).ID("keep_inventory")
		if r := rules[id]; !r.Bool || r.Default != 0 || r.Max != 1 {
			t.Errorf("keep_inventory: %+v", r)
		}
		farmer, _ := Of("villager_profession", v).ID("farmer")
		land, _ := Of("block", v).ID("farmland")
		if p := Professions(v)[farmer]; len(p.Requested) != 4 || !slices.Contains(p.SecondaryPOI, land) ||
			len(p.TradeSets) != 5 || p.TradeSets[0] != "minecraft:farmer/level_1" || p.WorkSound < 0 {
			t.Errorf("farmer: %+v", p)
		}
		if d := Dyes(v); len(d) != 16 || d[0].Name != "white" || d[15].Name != "black" || d[0].Texture != 0xF9FFFE {
			t.Errorf("dyes: %v", d)
		}
		if slots, ok := SlotRange("armor.*", v); !ok || !slices.Equal(slots, []int32{103, 102, 101, 100, 105}) {
			t.Errorf("armor slots %v", slots)
		}
		for enum, want := range map[string]struct {
			name string
			id   int32
		}{
			"chunk_status": {"full", 11}, "entity_event": {"death", 3}, "entity_pose": {"sleeping", 2},
			"level_event": {"sound_play_jukebox_song", 1010}, "metadata_type": {"humanoid_arm", 42},
			"scoreboard_display_slot": {"below_name", 2}, "sound_category": {"blocks", 4},
		} {
			e := EnumOf(enum, v)
			got, ok := e.ID(want.name)
			if name, _ := e.Name(want.id); !ok || got != want.id || name != want.name {
				t.Errorf("%s of %s is %d (%s), want %d", want.name, enum, got, name, want.id)
			}
			n := 0
			for id, name := range e.All() {
				n++
				if back, ok := e.ID(name); !ok || back != id {
					t.Errorf("%s: %s is %d, not %d", enum, name, back, id)
				}
			}
			if n != e.Len() {
				t.Errorf("%s has %d names, not %d", enum, n, e.Len())
			}
			if _, ok := e.Name(-1); ok {
				t.Errorf("%s has a name for -1", enum)
			}
		}
	}
}
