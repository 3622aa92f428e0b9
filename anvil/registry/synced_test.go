package registry

import (
	"testing"

	"strata/nbt"
)

// syncedCounts are the entries of 26.1, and of 26.2 where they differ.
var syncedCounts = map[string][2]int{
	"worldgen/biome": {65, 66}, "chat_type": {7, 7}, "trim_pattern": {18, 18}, "trim_material": {11, 11},
	"wolf_variant": {9, 9}, "wolf_sound_variant": {7, 7}, "pig_variant": {3, 3}, "pig_sound_variant": {3, 3},
	"frog_variant": {3, 3}, "cat_variant": {11, 11}, "cat_sound_variant": {2, 2}, "cow_variant": {3, 3},
	"cow_sound_variant": {2, 2}, "chicken_variant": {3, 3}, "chicken_sound_variant": {2, 2},
	"zombie_nautilus_variant": {2, 2}, "painting_variant": {51, 51}, "dimension_type": {4, 4}, "damage_type": {50, 51},
	"banner_pattern": {43, 43}, "enchantment": {43, 43}, "jukebox_song": {21, 22}, "instrument": {8, 8},
	"test_environment": {1, 1}, "test_instance": {1, 1}, "dialog": {3, 3}, "world_clock": {2, 2}, "timeline": {4, 4},
	"sulfur_cube_archetype": {0, 12},
}

func TestSyncedTotals(t *testing.T) {
	for i, want := range []struct{ registries, entries int }{{28, 382}, {29, 397}} {
		list := SyncedRegistries(Versions()[i])
		entries := 0
		for _, s := range list {
			entries += len(s.Entries)
			if n := syncedCounts[s.ID[len(namespace):]][i]; len(s.Entries) != n {
				t.Errorf("%v: %s has %d entries, want %d", Versions()[i], s.ID, len(s.Entries), n)
			}
			if s.Registry.Kind() != Synced || s.Registry != Of(s.ID, Versions()[i]) {
				t.Errorf("%s is not synced", s.ID)
			}
		}
		if len(list) != want.registries || entries != want.entries {
			t.Errorf("%v: %d registries, %d entries; want %+v", Versions()[i], len(list), entries, want)
		}
	}
}

func TestSyncedEntriesAreNetworkDocuments(t *testing.T) {
	for _, v := range Versions() {
		for _, s := range SyncedRegistries(v) {
			for id, e := range s.Entries {
				if name, _ := s.Registry.Name(int32(id)); name != e.ID {
					t.Errorf("entry %d of %s is %s, not %s", id, s.ID, e.ID, name)
				}
				var tape nbt.Tape
				if err := tape.ParseNetwork(e.NBT); err != nil || tape.Size() != len(e.NBT) {
					t.Errorf("%v: %s of %s: %d of %d bytes read: %v", v, e.ID, s.ID, tape.Size(), len(e.NBT), err)
				}
				checkServerFields(t, s.ID, v, int32(id))
			}
		}
	}
}

func checkServerFields(t *testing.T, key string, v Version, id int32) {
	t.Helper()
	data := ServerFields(key, v, id)
	if data == nil {
		return
	}
	var tape nbt.Tape
	if err := tape.ParseNetwork(data); err != nil || tape.Size() != len(data) || tape.Root().Len() == 0 {
		t.Errorf("%v: server fields of %d of %s: %v", v, id, key, err)
	}
}

func TestServerFieldsAreWhatIsNotSent(t *testing.T) {
	for _, v := range Versions() {
		dimensions := Of("dimension_type", v)
		id, _ := dimensions.ID("the_nether")
		var sent, kept nbt.Tape
		if err := kept.ParseNetwork(ServerFields("minecraft:dimension_type", v, id)); err != nil {
			t.Fatal(err)
		}
		for _, s := range SyncedRegistries(v) {
			if s.Registry == dimensions {
				if err := sent.ParseNetwork(s.Entries[id].NBT); err != nil {
					t.Fatal(err)
				}
			}
		}
		const rule = "minecraft:gameplay/bed_rule"
		if !kept.Root().Get("attributes").Get(rule).Exists() || sent.Root().Get("attributes").Get(rule).Exists() {
			t.Errorf("%v: the bed rule of the nether is sent or lost", v)
		}
		if h, ok := sent.Root().Get("height").Int(); !ok || h != 256 || kept.Root().Get("height").Exists() {
			t.Errorf("%v: the height of the nether is %d", v, h)
		}
		if ServerFields("minecraft:item", v, 0) != nil || ServerFields("dimension_type", v, -1) != nil ||
			ServerFields("dimension_type", v, 99) != nil {
			t.Error("server fields of nothing")
		}
	}
}
