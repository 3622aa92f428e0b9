package blocks

import (
	"sync"

	"strata/anvil/block"
	"strata/anvil/registry"
)

var tagCache sync.Map // name to *registry.Tag

// tagged reports whether a block is in one of the game's block tags.
func tagged(s block.State, tag string) bool {
	t, ok := tagCache.Load(tag)
	if !ok {
		t, _ = tagCache.LoadOrStore(tag,
			registry.TagsOf("minecraft:block", registry.V26_2).Tag("minecraft:"+tag))
	}
	return t.(*registry.Tag).Has(int32(s.Block()))
}
