package gen

import (
	"maps"

	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/feature/cave"
	"strata/pregen/worldgen/feature/end"
	"strata/pregen/worldgen/feature/nether"
	"strata/pregen/worldgen/feature/plant"
	"strata/pregen/worldgen/feature/rock"
	"strata/pregen/worldgen/feature/tree"
)

// Factories returns the factories of all features that there are, by type. The
// map is the caller's.
func Factories() map[string]feature.Factory {
	all := feature.Core()
	for _, more := range []func() map[string]feature.Factory{
		cave.Factories, end.Factories, nether.Factories, plant.Factories, rock.Factories, tree.Factories,
	} {
		maps.Copy(all, more())
	}
	return all
}
