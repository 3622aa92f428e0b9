package jigsaw

import (
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure/template"
)

// setJSON sets a member to what a member of a document is in NBT, if it is
// there.
func setJSON(c *nbt.Compound, v provider.Value, name string) {
	if member, ok, err := v.Optional(name); err == nil && ok {
		c.Set(name, template.FromJSON(member))
	}
}
