package end

import (
	"maps"

	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
)

// factories are those of this package.
var factories = map[string]feature.Factory{
	"minecraft:chorus_plant": newChorus,
	"minecraft:end_gateway":  newGateway,
	"minecraft:end_island":   newIsland,
	"minecraft:end_platform": newPlatform,
	"minecraft:end_spike":    newSpikes,
}

// Factories returns the factories of the features of this package, by type. The
// map is the caller's.
func Factories() map[string]feature.Factory { return maps.Clone(factories) }

// truth reads a member that is true or false; without it it is false.
func truth(v provider.Value, name string) (bool, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return false, err
	}
	return member.Bool()
}

// worldEdge is how far from the middle a place of a config may lie.
const worldEdge = 30_000_000

// place reads a member that is a list of three numbers, nil if it is not there.
func place(v provider.Value, name string) (*[3]int32, error) {
	member, ok, err := v.Optional(name)
	if err != nil || !ok {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) != 3 {
		return nil, member.Errorf("not a list of three numbers")
	}
	p := new([3]int32)
	for i, element := range list {
		if p[i], err = element.Int(-worldEdge, worldEdge); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// member makes a named value of NBT.
func member(name string, value any) feature.Member {
	raw, err := nbt.MarshalRaw(value)
	if err != nil {
		panic(err) // numbers and slices of numbers have a form
	}
	return feature.Member{Name: name, Value: raw}
}

// flag is true or false as NBT has it.
func flag(set bool) int8 {
	if set {
		return 1
	}
	return 0
}
