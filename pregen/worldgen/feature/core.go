package feature

import "maps"

// core are the factories of this package.
var core = map[string]Factory{
	"minecraft:ore":           newVein,
	"minecraft:scattered_ore": newScattered,
}

// Core returns the factories of the features of this package, by type. The map
// is the caller's, to add others to.
func Core() map[string]Factory { return maps.Clone(core) }
