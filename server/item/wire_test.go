package item

import (
	"testing"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/protocol"
)

func compound(t testing.TB, raw nbt.Raw) any {
	t.Helper()
	v := generic(raw)
	if v == nil {
		t.Fatal("damaged NBT")
	}
	return v
}

// The game's own default components go to packets and back unchanged.
func TestDefaultComponentsSurvivePackets(t *testing.T) {
	kept := map[string]bool{
		"minecraft:bees": true, "minecraft:blocks_attacks": true,
		"minecraft:kinetic_weapon": true, "minecraft:piercing_weapon": true,
	}
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		kinds := map[string]bool{}
		for i := range registry.Items(v) {
			item := &registry.Items(v)[i]
			for c := range item.Components() {
				kind, ok := registry.Of("data_component_type", registry.Native).ID(c.Name)
				if !ok || kept[c.Name] {
					continue
				}
				kinds[c.Name] = true
				value := compound(t, c.Value)
				packet, ok := toPacket(protocol.ComponentType(kind), value, v, 0)
				if !ok {
					t.Fatalf("%v: %s of %s is not converted: %v", v, c.Name, item.Name, value)
				}
				back := conv{version: v}
				if got := encodeComponent(&back, packet); back.failed || !nbt.Equal(got, value) {
					t.Errorf("%v: %s of %s: %v, was %v", v, c.Name, item.Name, got, value)
				}
			}
		}
		if len(kinds) < 50 {
			t.Errorf("%v: only %d kinds", v, len(kinds))
		}
	}
}
