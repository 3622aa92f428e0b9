package edit

import (
	"fmt"
	"strings"

	"strata/anvil/registry"
	"strata/nbt"
)

// biomeCells is the number of cells of 4 by 4 by 4 blocks of a section.
const biomeCells = 4 * 4 * 4

// checkBiome completes the name of a biome and looks whether there is one. Those
// of other namespaces than the game's are taken as they are.
func checkBiome(name string) (string, error) {
	name = completeID(strings.TrimSpace(name))
	if strings.ContainsAny(name, "#*? =") {
		return "", fmt.Errorf("%w: want the name of one biome", ErrValue)
	}
	if _, ok := registry.Of("minecraft:worldgen/biome", registry.V26_2).ID(name); !ok && strings.HasPrefix(name, "minecraft:") {
		return "", fmt.Errorf("%w: there is no biome %s", ErrValue, name)
	}
	return name, nil
}

func parseBiome(value string) (change, error) {
	all, err := newMatcher("minecraft:worldgen/biome", []string{"*:*"})
	if err != nil {
		return nil, err
	}
	to, err := checkBiome(value)
	return func(r *record) error { return replaceBiomes(r, all, to) }, err
}

func parseBiomes(value string) (change, error) {
	from, to, ok := strings.Cut(value, "=")
	if !ok {
		return nil, fmt.Errorf("%w: want FROM=TO", ErrValue)
	}
	wanted, err := newMatcher("minecraft:worldgen/biome", []string{from})
	if err != nil {
		return nil, err
	}
	to, err = checkBiome(to)
	return func(r *record) error { return replaceBiomes(r, wanted, to) }, err
}

func replaceBiomes(r *record, from *matcher, to string) error {
	if !r.rootForm() || r.version < rootVersion {
		return fmt.Errorf("%w: biomes have numbers before 1.18", ErrVersion)
	}
	value := r.e().String(to)
	for _, section := range sections(r) {
		holder := section.Get("biomes")
		palette := holder.Get("palette")
		if palette.Len() == 0 {
			continue
		}
		m := mapping{packing: packing{biomeCells, 1, true}}
		for i, entry := range palette.Elements() {
			name, ok := entry.Text()
			if !ok {
				return fmt.Errorf("%w: a biome is a %v", ErrShape, entry.Type())
			}
			if !from.has(name) || name == to {
				m.add(entry.Raw())
				continue
			}
			m.hit(i, true)
			m.add(nbt.Raw{Type: value.Type, Data: value.Data})
		}
		if _, err := m.apply(r, holder, palette, "data"); err != nil {
			return err
		}
	}
	return nil
}
