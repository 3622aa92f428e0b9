package registry

import (
	"testing"
)

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
