package tree

import (
	"maps"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// factories are those of this package.
var factories = map[string]feature.Factory{
	"minecraft:fallen_tree":         newFallen,
	"minecraft:huge_brown_mushroom": newBrownMushroom,
	"minecraft:huge_fungus":         newFungus,
	"minecraft:huge_red_mushroom":   newRedMushroom,
	"minecraft:tree":                newTree,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// kind reads the type of a placer, a decorator or the like.
func kind(v provider.Value) (string, error) {
	member, err := v.Member("type")
	if err != nil {
		return "", err
	}
	return member.ID()
}

// number reads a member that is an integer.
func number(v provider.Value, name string, low, high int32) (int, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	n, err := member.Int(low, high)
	return int(n), err
}

// numberOr reads a member that is an integer and may be missing.
func numberOr(v provider.Value, name string, low, high int32, standard int) (int, error) {
	if !v.Has(name) {
		return standard, nil
	}
	return number(v, name, low, high)
}

// chance reads a member that is a probability.
func chance(v provider.Value, name string) (float32, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Float32(0, 1)
}

// chances reads members that are probabilities.
func chances(v provider.Value, into map[string]*float32) error {
	for name, to := range into {
		var err error
		if *to, err = chance(v, name); err != nil {
			return err
		}
	}
	return nil
}

// flag reads a member that is true or false, false if it is missing.
func flag(v provider.Value, name string) (bool, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return false, err
	}
	return member.Bool()
}

// stateOf reads a member that is a block state.
func stateOf(l *feature.Loader, v provider.Value, name string) (block.State, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return l.State(member)
}

// blocksOf reads a member that is a set of blocks.
func blocksOf(l *feature.Loader, v provider.Value, name string) (*feature.Blocks, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	return l.Blocks(member)
}
