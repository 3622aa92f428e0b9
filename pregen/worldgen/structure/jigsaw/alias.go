package jigsaw

import (
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// binding gives pools other names in one structure.
type binding struct {
	alias   string
	targets []weighted[string]    // one of them, drawn if the binding is random
	groups  []weighted[[]binding] // of a random group
	direct  bool
}

type weighted[T any] struct {
	value  T
	weight int32
}

// pick draws by weight. There is one entry at least.
func pick[T any](entries []weighted[T], random *rng.Legacy) T {
	total := int32(0)
	for _, e := range entries {
		total += e.weight
	}
	draw := random.IntN(total)
	for _, e := range entries {
		if draw -= e.weight; draw < 0 {
			return e.value
		}
	}
	return entries[len(entries)-1].value
}

// resolve adds what a binding comes to in one structure.
func (b *binding) resolve(random *rng.Legacy, to map[string]string) {
	switch {
	case b.direct:
		to[b.alias] = b.targets[0].value
	case b.groups != nil:
		group := pick(b.groups, random)
		for i := range group {
			group[i].resolve(random, to)
		}
	default:
		to[b.alias] = pick(b.targets, random)
	}
}

// aliases are what the bindings come to for a structure that starts at a block.
func aliases(bindings []binding, seed int64, x, y, z int32) map[string]string {
	if len(bindings) == 0 {
		return nil
	}
	source := rng.NewLegacy(seed)
	random := source.Factory().ValueAt(x, y, z)
	to := make(map[string]string)
	for i := range bindings {
		bindings[i].resolve(&random, to)
	}
	return to
}

// readBindings reads a list of pool aliases.
func readBindings(v provider.Value, depth int) ([]binding, error) {
	list, ok := v.List()
	if !ok || len(list) > maxElements || depth > maxNesting {
		return nil, v.Errorf("not a list of at most %d", maxElements)
	}
	bindings := make([]binding, len(list))
	for i, element := range list {
		if err := bindings[i].read(element, depth); err != nil {
			return nil, err
		}
	}
	return bindings, nil
}

func (b *binding) read(v provider.Value, depth int) error {
	kind, err := memberID(v, "type")
	if err != nil {
		return err
	}
	switch kind {
	case "minecraft:direct":
		b.direct = true
		if b.alias, err = memberID(v, "alias"); err != nil {
			return err
		}
		target, err := memberID(v, "target")
		b.targets = []weighted[string]{{target, 1}}
		return err
	case "minecraft:random":
		if b.alias, err = memberID(v, "alias"); err != nil {
			return err
		}
		b.targets, err = readWeighted(v, "targets", provider.Value.ID)
		return err
	case "minecraft:random_group":
		b.groups, err = readWeighted(v, "groups", func(v provider.Value) ([]binding, error) {
			return readBindings(v, depth+1)
		})
		return err
	}
	return v.Errorf("unknown pool alias %s", kind)
}

// readWeighted reads a list of objects with data and weight.
func readWeighted[T any](v provider.Value, name string, read func(provider.Value) (T, error)) ([]weighted[T], error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > maxElements {
		return nil, member.Errorf("not a list of 1 to %d", maxElements)
	}
	entries := make([]weighted[T], len(list))
	for i, element := range list {
		data, err := element.Member("data")
		if err != nil {
			return nil, err
		}
		if entries[i].value, err = read(data); err != nil {
			return nil, err
		}
		weight, err := element.Member("weight")
		if err != nil {
			return nil, err
		}
		if entries[i].weight, err = weight.Int(1, 1<<16); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func memberID(v provider.Value, name string) (string, error) {
	member, err := v.Member(name)
	if err != nil {
		return "", err
	}
	return member.ID()
}
