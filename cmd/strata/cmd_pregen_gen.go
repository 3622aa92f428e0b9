package main

import (
	"errors"
	"fmt"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/cmd/internal/ui"
	"strata/pregen"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/all"
)

// worldGenerators are the generators of package gen for strata pregen.
type worldGenerators struct{ world *gen.World }

var _ pregenFactory = openWorldGenerators

// openWorldGenerators makes the generators of a world, with its data packs.
func openWorldGenerators(w *anvil.World, o pregenSource) (pregenGenerators, []string, error) {
	made, ignored, err := gen.Open(w, gen.OpenOptions{
		IgnorePacks: o.IgnorePacks, Game: o.Game, WithoutTemplates: o.WithoutTemplates, Structures: all.New,
	})
	if err != nil {
		return nil, ignored, refusedGenerator(err)
	}
	return &worldGenerators{made}, ignored, nil
}

// refusedGenerator makes a refusal of an error about what cannot be generated.
func refusedGenerator(err error) error {
	for _, reason := range []error{gen.ErrPacks, gen.ErrNoSettings, gen.ErrUnsupported, settings.ErrVersion} {
		if errors.Is(err, reason) {
			return fmt.Errorf("%w: %w", pregen.ErrRefused, err)
		}
	}
	return err
}

func (g *worldGenerators) Generator(dimension string, until chunk.Status, tables *chunk.Tables) (pregen.Generator, error) {
	made, err := g.world.NewGenerator(dimension, until, tables)
	if errors.Is(err, gen.ErrUnsupported) && until > gen.Last {
		return nil, ui.WithHint(ui.Errorf(ui.Usage, "%w", err), "Add --until %v: the game goes on from there; or create the world with --no-structures, if those are what cannot be generated.", gen.Last)
	}
	if err != nil {
		return nil, refusedGenerator(err)
	}
	return made, nil
}

func (g *worldGenerators) HasDimension(id string) bool {
	_, err := g.world.Preset().Dimension(id)
	return err == nil
}

func (g *worldGenerators) Spawn() (x, z int32, err error) {
	d, err := g.world.Dimension(anvil.Overworld)
	if err != nil {
		return 0, 0, refusedGenerator(err)
	}
	spawn, err := d.FindSpawn()
	if err != nil {
		return 0, 0, refusedGenerator(err)
	}
	return int32(spawn.X), int32(spawn.Z), nil
}

func (g *worldGenerators) Close() error { return g.world.Close() }
