package structure

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/structure/template"
)

// EntityOf returns the id of the block entity that a block has, empty for none.
func EntityOf(id block.ID) string { return template.EntityOf(id) }
