package mob

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
)

// rule decides whether an animal of a type begins at a block.
type rule func(g *group, k *kind, x, y, z int) bool

// former makes what an animal has beside its place.
type former func(g *group, c *climate) []feature.Member

// way is how a type of animals begins.
type way struct {
	on   string // tag of the blocks below it, "" for any
	rule rule
	form former
}

// known are the types that do not begin as most do.
var known = map[string]way{
	"minecraft:armadillo":  {"armadillo_spawnable_on", bright, plain},
	"minecraft:camel":      {"camels_spawnable_on", bright, plain},
	"minecraft:chicken":    {"animals_spawnable_on", bright, farm("chicken")},
	"minecraft:cow":        {"animals_spawnable_on", bright, farm("cow")},
	"minecraft:donkey":     {"animals_spawnable_on", bright, donkey},
	"minecraft:fox":        {"foxes_spawnable_on", bright, fox},
	"minecraft:frog":       {"frogs_spawnable_on", bright, frog},
	"minecraft:goat":       {"goats_spawnable_on", bright, goat},
	"minecraft:horse":      {"animals_spawnable_on", bright, horse},
	"minecraft:llama":      {"animals_spawnable_on", bright, llama},
	"minecraft:mooshroom":  {"mooshrooms_spawnable_on", bright, mooshroom},
	"minecraft:panda":      {"animals_spawnable_on", bright, panda},
	"minecraft:parrot":     {"parrots_spawnable_on", bright, parrot},
	"minecraft:pig":        {"animals_spawnable_on", bright, farm("pig")},
	"minecraft:polar_bear": {"", polarBear, plain},
	"minecraft:rabbit":     {"rabbits_spawnable_on", bright, rabbit},
	"minecraft:sheep":      {"animals_spawnable_on", bright, sheep},
	"minecraft:strider":    {"", strider, strided},
	"minecraft:turtle":     {"", turtle, plain},
	"minecraft:wolf":       {"wolves_spawnable_on", bright, wolf},
}

// enough is the light that animals need.
const enough = 9

// bright: on its blocks and in the light.
func bright(g *group, k *kind, x, y, z int) bool {
	below := g.place.block(x, y-1, z).Block()
	return (k.on == nil || k.on[below]) && g.place.Light(x, y, z) >= enough
}

// polarBear: as most, or on ice where biomes say so.
func polarBear(g *group, _ *kind, x, y, z int) bool {
	below := g.place.block(x, y-1, z).Block()
	if g.animals.about[g.place.BiomeAt(x, y, z)].polarBearsOnIce {
		return below == block.Ice && g.place.Light(x, y, z) >= enough
	}
	return below == block.GrassBlock && g.place.Light(x, y, z) >= enough
}

// turtle: on sand at the sea.
func turtle(g *group, _ *kind, x, y, z int) bool {
	switch g.place.block(x, y-1, z).Block() {
	case block.Sand, block.RedSand, block.SuspiciousSand:
		return y < g.place.SeaLevel+4 && g.place.Light(x, y, z) >= enough
	}
	return false
}

// strider: where there is air above the lava.
func strider(g *group, _ *kind, x, y, z int) bool {
	for y++; g.place.block(x, y, z).Fluid() == block.LavaFluid; y++ {
	}
	return g.place.block(x, y, z).Air()
}
