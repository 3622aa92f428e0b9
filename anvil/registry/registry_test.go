package registry

import (
	"testing"
)

func TestTotals(t *testing.T) {
	for _, test := range []struct {
		key      string
		old, new int
	}{
		{"item", 1506, 1537},
		{"block", 1168, 1196},
		{"entity_type", 157, 158},
		{"data_component_type", 110, 111},
		{"particle_type", 117, 125},
		{"sound_event", 1902, 1968},
		{"attribute", 35, 40},
		{"block_entity_type", 49, 49},
		{"menu", 25, 25},
		{"command_argument_type", 57, 57},
		{"mob_effect", 40, 40},
		{"potion", 46, 46},
		{"worldgen/biome", 65, 66},
		{"worldgen/structure", 34, 34},
		{"sulfur_cube_archetype", 0, 12},
	} {
		if got := Of(test.key, V26_1).Len(); got != test.old {
			t.Errorf("26.1 has %d of %s, want %d", got, test.key, test.old)
		}
		if got := Of("minecraft:"+test.key, V26_2).Len(); got != test.new {
			t.Errorf("26.2 has %d of %s, want %d", got, test.key, test.new)
		}
	}
	for _, v := range Versions() {
		fixed := 0
		for _, r := range Registries(v) {
			if r.Kind() == Fixed {
				fixed++
			}
		}
		if fixed != 95 {
			t.Errorf("%v has %d fixed registries, want 95", v, fixed)
		}
	}
}

func TestEveryNameGivesItsNumber(t *testing.T) {
	for _, v := range Versions() {
		for _, r := range Registries(v) {
			if Of(r.Key(), v) != r {
				t.Errorf("%v: %s is not found by its key", v, r.Key())
			}
			for id, name := range r.All() {
				if got, ok := r.ID(name); !ok || got != id {
					t.Fatalf("%v: %s of %s is %d, %v; want %d", v, name, r.Key(), got, ok, id)
				}
				if got, ok := r.IDBytes([]byte(name)); !ok || got != id {
					t.Fatalf("%v: bytes %s of %s are %d, %v; want %d", v, name, r.Key(), got, ok, id)
				}
				if got, ok := r.Name(id); !ok || got != name {
					t.Fatalf("%v: %d of %s is %q, %v; want %q", v, id, r.Key(), got, ok, name)
				}
			}
		}
	}
}

func TestNamesWithAndWithoutNamespace(t *testing.T) {
	items, arguments := Of("item", V26_2), Of("command_argument_type", V26_2)
	for _, test := range []struct {
		registry *Registry
		name     string
		want     bool
	}{
		{items, "minecraft:stone", true},
		{items, "stone", true},
		{items, "other:stone", false},
		{items, ":stone", false},
		{items, "minecraft:", false},
		{items, "", false},
		{items, "minecraft:minecraft:stone", false},
		{arguments, "brigadier:bool", true},
		{arguments, "bool", false},
		{arguments, "minecraft:brigadier:bool", false},
	} {
		if _, ok := test.registry.ID(test.name); ok != test.want {
			t.Errorf("%q of %s found: %v, want %v", test.name, test.registry.Key(), ok, test.want)
		}
		if _, ok := test.registry.IDBytes([]byte(test.name)); ok != test.want {
			t.Errorf("bytes %q of %s found: %v, want %v", test.name, test.registry.Key(), ok, test.want)
		}
	}
}

func TestLookupsAllocateNothing(t *testing.T) {
	items := Of("minecraft:item", V26_2)
	name := []byte("minecraft:diamond_pickaxe")
	axes := TagsOf("item", V26_2).Tag("pickaxes")
	translation := Translate("item", V26_2, V26_1)
	packets := PacketsOf(776)
	id, _ := items.ID("diamond_pickaxe")
	axes.Has(id)
	if n := testing.AllocsPerRun(100, func() {
		a, _ := Of("minecraft:item", V26_2).ID("minecraft:diamond_pickaxe")
		b, _ := items.IDBytes(name)
		_, known := items.Name(a)
		c, _ := translation.ID(a)
		d, _ := packets.ID(Play, Clientbound, "login")
		if a != b || !known || c <= 0 || d <= 0 || !axes.Has(a) {
			t.Error("wrong answers")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestUnknownThingsAreAbsent(t *testing.T) {
	none := Of("minecraft:nothing", V26_2)
	if none != nil || none.Len() != 0 || none.Key() != "" || none.Kind() != Fixed {
		t.Error("an unknown registry is not empty")
	}
	if _, ok := none.ID("stone"); ok {
		t.Error("an unknown registry has a name")
	}
	if _, ok := none.IDBytes([]byte("stone")); ok {
		t.Error("an unknown registry has a name in bytes")
	}
	if _, ok := none.Default(); ok {
		t.Error("an unknown registry has a default")
	}
	for range none.All() {
		t.Error("an unknown registry has entries")
	}
	items := Of("item", V26_2)
	for _, id := range []int32{-1, int32(items.Len()), 1 << 30} {
		if name, ok := items.Name(id); ok || name != "" {
			t.Errorf("item %d is %q", id, name)
		}
	}
	if ItemByName("nothing", V26_2) != nil || EntityByName("nothing", V26_2) != nil {
		t.Error("an unknown name has a value")
	}
	if PacketsOf(1) != nil || PacketsOf(1).Protocol() != 0 || PacketsOf(1).Len(Play, Clientbound) != 0 {
		t.Error("an unknown protocol has packets")
	}
	if EnumOf("nothing", V26_2).Len() != 0 {
		t.Error("an unknown enum has names")
	}
}

func TestVersionsAreTold(t *testing.T) {
	for _, test := range []struct {
		protocol int
		want     Version
		ok       bool
	}{{775, V26_1, true}, {776, V26_2, true}, {777, 0, false}, {0, 0, false}} {
		if got, ok := ForProtocol(test.protocol); got != test.want || ok != test.ok {
			t.Errorf("protocol %d is %v, %v", test.protocol, got, ok)
		}
	}
	if v, ok := ForRelease("26.1.1"); v != V26_1 || !ok {
		t.Errorf("26.1.1 is %v, %v", v, ok)
	}
	if _, ok := ForRelease("26.3"); ok {
		t.Error("there is a version 26.3")
	}
	if info := V26_1.Info(); info.FirstDataVersion != 4786 || info.DataVersion != 4790 || info.Protocol != 775 {
		t.Errorf("26.1: %+v", info)
	}
	if V26_2.String() != "26.2" || Version(9).String() != "version 9" || Version(9).Protocol() != 0 {
		t.Error("names of versions")
	}
	for i, v := range Versions() {
		if info := v.Info(); info.Version != v || info.Protocol != 775+i {
			t.Errorf("info of %v: %+v", v, info)
		}
	}
	if len(Sources()) != 6 {
		t.Errorf("%d sources", len(Sources()))
	}
}

func TestTablesOfNoVersionPanic(t *testing.T) {
	for _, v := range []Version{0, Version(len(infos) + 1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v has tables", v)
				}
			}()
			Of("item", v)
		}()
	}
}

func TestDefaults(t *testing.T) {
	for key, want := range map[string]string{
		"block": "minecraft:air", "item": "minecraft:air", "entity_type": "minecraft:pig",
		"villager_profession": "minecraft:none", "chunk_status": "minecraft:empty",
	} {
		r := Of(key, V26_2)
		id, ok := r.Default()
		if name, _ := r.Name(id); !ok || name != want {
			t.Errorf("default of %s is %q, want %q", key, name, want)
		}
	}
	if _, ok := Of("sound_event", V26_2).Default(); ok {
		t.Error("sound events have a default")
	}
}
