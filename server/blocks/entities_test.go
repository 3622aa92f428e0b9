package blocks

import (
	"testing"

	"strata/anvil/block"
	"strata/anvil/registry"
)

// Every type of the registry is some block's, and no block has a type that is none.
func TestBlocksHaveTheBlockEntitiesOfTheRegistry(t *testing.T) {
	types := registry.Of("minecraft:block_entity_type", registry.V26_2)
	seen := map[string]bool{}
	kinds := map[string]bool{}
	for s := range block.State(block.StateCount) {
		kinds[kind(s)] = true
		name := EntityOf(s)
		if name == "" {
			continue
		}
		seen[name] = true
		if _, ok := types.ID(name); !ok {
			t.Errorf("%v has %s", s, name)
		}
	}
	for _, name := range types.All() {
		if !seen[name] {
			t.Errorf("no block has %s", name)
		}
	}
	for k := range entityTypes() {
		if !kinds[k] {
			t.Errorf("no block is of the kind %s", k)
		}
	}
}
