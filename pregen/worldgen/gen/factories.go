package gen

import (
	"maps"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/end"
	"strata/pregen/worldgen/feature/nether"
)

// Factories returns the factories of all features that there are, by type. The
// map is the caller's.
func Factories() map[string]feature.Factory {
	all := feature.Core()
	maps.Copy(all, nether.Factories())
	maps.Copy(all, end.Factories())
	return all
}
