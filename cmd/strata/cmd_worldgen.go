package main

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/cmd/internal/ui"
	"strata/pregen/worldgen/gen"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/settings"
)

func newWorldgenCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "worldgen",
		Short: "Ask the world generator: biomes, places, and how right it is",
		Long: `Ask the world generator about worlds that need not exist: what biome is where,
where the nearest of a kind is, where the spawn is, and how its chunks compare
with real ones. It is that of 26.2, block for block, and needs no game files.`,
	},
		newWorldgenBiomeCmd(a),
		newWorldgenLocateCmd(a),
		newWorldgenSpawnCmd(a),
		newWorldgenDiffCmd(a),
	)
}

// worldgenFlags say which world is meant.
type worldgenFlags struct {
	seed, world, dimension, preset string
}

func (f *worldgenFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.seed, "seed", "", "seed `N` of the world: a number, or a text as the game takes it")
	flags.StringVar(&f.world, "world", "", "take seed and settings of the world in `DIR`")
	flags.StringVar(&f.dimension, "dimension", "overworld", "dimension `ID`")
	flags.StringVar(&f.preset, "preset", "normal", "kind of world: normal, amplified, large_biomes, ...")
}

// open makes the generators.
func (f *worldgenFlags) open(a *app, cmd *cobra.Command) (d *gen.Dimension, err error) {
	if (f.seed == "") == (f.world == "") {
		return nil, ui.Errorf(ui.Usage, "give one of --seed and --world")
	}
	var w *gen.World
	if f.world != "" {
		if cmd.Flags().Changed("preset") {
			return nil, ui.Errorf(ui.Usage, "--preset does not go with --world")
		}
		w, err = a.openGenerators(f.world)
	} else {
		w, err = newGenerators(parseSeed(f.seed), f.preset)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	d, err = w.Dimension(completeID(f.dimension))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Usage, "--dimension %s: %w", f.dimension, err)
	}
	return d, err
}

// newGenerators makes the generators of a world of a preset.
func newGenerators(seed int64, name string) (*gen.World, error) {
	source, err := settings.Builtin(anvil.NativeVersion)
	if err != nil {
		return nil, err
	}
	created, err := preset.New(source, preset.Options{Seed: seed, Preset: completeID(name)})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Usage, "--preset %s: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	return gen.New(gen.Options{Source: source, Settings: created, DataVersion: anvil.NativeVersion})
}

// openGenerators makes the generators of a world on disk, with its data packs.
// Those that cannot be used are left out and named.
func (a *app) openGenerators(path string) (*gen.World, error) {
	w, err := openWorld(path)
	if err != nil {
		return nil, err
	}
	made, ignored, err := gen.Open(w, gen.OpenOptions{IgnorePacks: true})
	if errors.Is(err, settings.ErrVersion) {
		return nil, ui.Errorf(ui.Usage, "%s is of version %s: %w", path, anvil.Describe(w.DataVersion()), err)
	}
	for _, pack := range ignored {
		a.console.Notef("data pack left out: %s", pack)
	}
	return made, err
}

// parseSeed reads a seed as the game's field for it does: a number, or else the
// hash of the text.
func parseSeed(text string) int64 {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	return int64(rng.StringHash(text))
}
