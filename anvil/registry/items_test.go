package registry

import (
	"bytes"
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
