package registry

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/nbt"
)

func TestItems(t *testing.T) {
	type facts struct {
		Stack, Damage  int32
		Rarity         string
		Fuel, Compost  int32
		Remainder      string
		ComponentCount int
	}
	for name, want := range map[string]facts{
		"diamond_pickaxe":    {1, 1561, "common", 0, 0, "", 18},
		"egg":                {16, 0, "common", 0, 0, "", 13},
		"lava_bucket":        {1, 0, "common", 20000, 0, "minecraft:bucket", 12},
		"oak_log":            {64, 0, "common", 300, 0, "", 12},
		"pumpkin_pie":        {64, 0, "common", 0, 100, "", 14},
		"enchanted_book":     {1, 0, "rare", 0, 0, "", 14},
		"dragon_egg":         {64, 0, "epic", 0, 0, "", 12},
		"honey_bottle":       {16, 0, "common", 0, 0, "minecraft:glass_bottle", 15},
		"music_disc_13":      {1, 0, "uncommon", 0, 0, "", 13},
		"sulfur_spike":       {64, 0, "common", 0, 0, "", 12},
		"dried_kelp_block":   {64, 0, "common", 4001, 50, "", 12},
		"netherite_helmet":   {1, 407, "common", 0, 0, "", 18},
		"player_head":        {64, 0, "uncommon", 0, 0, "", 13},
		"wooden_sword":       {1, 59, "common", 200, 0, "", 18},
		"enchanting_table":   {64, 0, "common", 0, 0, "", 12},
		"golden_horse_armor": {1, 0, "common", 0, 0, "", 13},
	} {
		i := ItemByName(name, V26_2)
		if i == nil {
			t.Errorf("no item %s", name)
			continue
		}
		remainder, _ := Of("item", V26_2).Name(i.Remainder)
		got := facts{i.MaxStackSize, i.MaxDamage, i.Rarity, i.FuelTicks, i.CompostPercent, remainder, len(i.refs)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestItemComponentsAreTypedNBT(t *testing.T) {
	for _, v := range Versions() {
		types := Of("data_component_type", v)
		for _, item := range Items(v) {
			if item.MaxStackSize < 1 || item.Rarity == "" {
				t.Errorf("%s: stack %d, rarity %q", item.Name, item.MaxStackSize, item.Rarity)
			}
			for c := range item.Components() {
				if name, _ := types.Name(c.Type); name != c.Name {
					t.Errorf("component %d is %s, not %s", c.Type, name, c.Name)
				}
				document := append([]byte{byte(c.Value.Type)}, c.Value.Data...)
				var tape nbt.Tape
				if err := tape.ParseNetwork(document); err != nil || tape.Size() != len(document) {
					t.Errorf("%s of %s: %v", c.Name, item.Name, err)
				}
				if again, ok := item.Component(c.Name); !ok || again.Type != c.Value.Type || !bytes.Equal(again.Data, c.Value.Data) {
					t.Errorf("%s of %s is not found by its name", c.Name, item.Name)
				}
			}
		}
	}
	pickaxe := ItemByName("diamond_pickaxe", V26_2)
	model, _ := pickaxe.Component("item_model")
	if text, _ := model.Text(); text != "minecraft:diamond_pickaxe" {
		t.Errorf("model %q", text)
	}
	raw, _ := pickaxe.Component("minecraft:attribute_modifiers")
	var tape nbt.Tape
	if err := tape.ParseNetwork(append([]byte{byte(raw.Type)}, raw.Data...)); err != nil {
		t.Fatal(err)
	}
	if amount := tape.Root().At(1).Get("amount"); amount.Type() != nbt.TypeDouble {
		t.Errorf("the amount of an attribute modifier is a %v", amount.Type())
	}
	if _, ok := pickaxe.Component("minecraft:food"); ok {
		t.Error("a pickaxe is food")
	}
}

func TestEntities(t *testing.T) {
	health, _ := Of("attribute", V26_2).ID("max_health")
	zombie := EntityByName("minecraft:zombie", V26_2)
	if zombie.Width != 0.6 || zombie.Height != 1.95 || zombie.EyeHeight != 1.74 || zombie.Category != "monster" ||
		!zombie.Mob || zombie.FireImmune || zombie.Experience != 5 || zombie.MaxPerChunk != 4 {
		t.Errorf("zombie: %+v", *zombie)
	}
	if value, ok := zombie.Base(health); !ok || value != 20 {
		t.Errorf("health of a zombie: %v", value)
	}
	player := EntityByName("player", V26_2)
	if player.Mob || !player.Attackable || player.Saved || player.Width != 0.6 || player.Height != 1.8 || player.EyeHeight != 1.62 {
		t.Errorf("player: %+v", *player)
	}
	if arrow := EntityByName("arrow", V26_2); len(arrow.Attributes) != 0 || arrow.Category != "misc" {
		t.Errorf("arrow: %+v", *arrow)
	}
	if !EntityByName("blaze", V26_1).FireImmune {
		t.Error("blazes burn")
	}
}

func TestMetadata(t *testing.T) {
	types := EnumOf("metadata_type", V26_2)
	for _, test := range []struct {
		entity, field string
		old, new      int // index by version, -1 for none
		kind          string
	}{
		{"slime", "size", 16, 18, "int"},
		{"magma_cube", "size", 16, 18, "int"},
		{"slime", "baby", -1, 16, "boolean"},
		{"player", "shared_flags", 0, 0, "byte"},
		{"player", "pose", 6, 6, "pose"},
		{"player", "health", 9, 9, "float"},
		{"item", "item", 8, 8, "item_stack"},
		{"wolf", "variant", 23, 23, "wolf_variant"},
		{"villager", "villager_data", 19, 19, "villager_data"},
		{"fox", "trusted_0", 20, 20, "optional_living_entity_reference"},
	} {
		for i, want := range []int{test.old, test.new} {
			e := EntityByName(test.entity, Versions()[i])
			got, ok := e.MetadataIndex(test.field)
			if !ok {
				got = -1
			}
			if got != want {
				t.Errorf("%v: %s of %s is %d, want %d: %v", Versions()[i], test.field, test.entity, got, want, e.Metadata)
				continue
			}
			if ok {
				if kind, _ := types.Name(e.Metadata[got].Type); kind != test.kind {
					t.Errorf("%v: %s of %s is a %s, want %s", Versions()[i], test.field, test.entity, kind, test.kind)
				}
			}
		}
	}
}

func TestRecipes(t *testing.T) {
	for i, want := range []int{1515, 1585} {
		if got := len(Recipes(Versions()[i])); got != want {
			t.Errorf("%v: %d recipes, want %d", Versions()[i], got, want)
		}
	}
	find := func(name string) *Recipe {
		list := Recipes(V26_2)
		i, ok := slices.BinarySearchFunc(list, "minecraft:"+name, func(r Recipe, name string) int { return strings.Compare(r.Name, name) })
		if !ok {
			t.Fatalf("no recipe %s", name)
		}
		return &list[i]
	}
	items := Of("item", V26_2)
	id := func(name string) int32 {
		id, ok := items.ID(name)
		if !ok {
			t.Fatalf("no item %s", name)
		}
		return id
	}
	table := find("crafting_table")
	if table.Type != "minecraft:crafting_shaped" || table.Width != 2 || table.Height != 2 || len(table.Ingredients) != 4 ||
		!table.Ingredients[3].Has(id("cherry_planks")) || table.Ingredients[0].Has(id("stone")) ||
		table.Ingredients[0].Tag.Name() != "minecraft:planks" || table.Result.Item != id("crafting_table") ||
		table.Result.Count != 1 || table.ShowNotification || table.Category != "misc" {
		t.Errorf("crafting table: %+v", *table)
	}
	boat := find("oak_boat")
	if boat.Group != "boat" || boat.Width != 3 || boat.Height != 2 || len(boat.Ingredients[1].Items) != 0 || boat.Ingredients[1].Has(0) {
		t.Errorf("boat: %+v", *boat)
	}
	iron := find("iron_ingot_from_smelting_raw_iron")
	if iron.CookTicks != 200 || iron.Experience != 0.7 || iron.Result.Item != id("iron_ingot") || iron.Ingredients[0].Role != "" {
		t.Errorf("iron: %+v", *iron)
	}
	if fish := find("cooked_cod_from_campfire_cooking"); fish.CookTicks != 600 {
		t.Errorf("campfire: %d ticks", fish.CookTicks)
	}
	trim := find("wayfinder_armor_trim_smithing_template_smithing_trim")
	if name, _ := Of("trim_pattern", V26_2).Name(trim.TrimPattern); name != "minecraft:wayfinder" || trim.Result.Item != -1 ||
		len(trim.Ingredients) != 3 || table.TrimPattern != -1 {
		t.Errorf("trim: %+v", *trim)
	}
	copies := find("map_cloning")
	if copies.MinMaterial != 1 || copies.MaxMaterial != 8 || !copies.AddMaterial {
		t.Errorf("map cloning: %+v", *copies)
	}
	stew := find("suspicious_stew_from_poppy")
	if len(stew.Result.Components) != 1 || stew.Result.Components[0].Name != "minecraft:suspicious_stew_effects" {
		t.Errorf("stew: %+v", stew.Result)
	}
}

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

func TestPackets(t *testing.T) {
	for _, protocol := range []int{775, 776, 777} {
		p := PacketsOf(protocol)
		if p.Protocol() != protocol {
			t.Fatalf("protocol %d", p.Protocol())
		}
		for s := range stateCount {
			for d := range directionCount {
				for id := range int32(p.Len(s, d)) {
					name, ok := p.Name(s, d, id)
					if back, known := p.ID(s, d, name); !ok || !known || back != id {
						t.Errorf("%v %v %d is %q", s, d, id, name)
					}
				}
			}
		}
		if _, ok := p.ID(stateCount, Clientbound, "login"); ok || p.Len(Play, directionCount) != 0 {
			t.Error("packets of no state")
		}
		if _, ok := p.Name(Play, Clientbound, -1); ok {
			t.Error("packet -1")
		}
	}
	if id, ok := PacketsOf(775).ID(Configuration, Clientbound, "registry_data"); id != 7 || !ok {
		t.Errorf("registry_data is %d", id)
	}
	for protocol, want := range map[int]int{775: 141, 776: 141, 777: 144} {
		if got := PacketsOf(protocol).Len(Play, Clientbound); got != want {
			t.Errorf("%d has %d play packets, want %d", protocol, got, want)
		}
	}
	if Handshake.String() != "handshake" || Serverbound.String() != "serverbound" || State(9).String() != "unknown state" ||
		Direction(9).String() != "unknown direction" || Synced.String() != "synced" {
		t.Error("names of states, directions and kinds")
	}
}
