package preset

import (
	"encoding/json"
	"errors"
	"fmt"

	"strata/anvil"
	"strata/anvil/level"
	"strata/nbt"
	"strata/pregen/worldgen/settings"
)

// The registries of presets.
const (
	presetRegistry     = "worldgen/world_preset"
	flatPresetRegistry = "worldgen/flat_level_generator_preset"
)

// Options are what a new world is to be. The zero value is the game's default
// without structures, with seed 0.
type Options struct {
	Seed       int64
	Structures bool
	BonusChest bool
	// Preset is an id of worldgen/world_preset. The default is "normal", with
	// Biome "single_biome_surface", with Flat or FlatPreset "flat".
	Preset string
	// Biome is the only one that the overworld has. Its generator must be of
	// noise.
	Biome string
	// FlatPreset is an id of worldgen/flat_level_generator_preset, whose
	// settings the overworld has. Its generator must be flat.
	FlatPreset string
	// Flat is settings that the overworld has. Its generator must be flat.
	Flat *level.Flat
}

// ErrOptions says that options contradict each other.
var ErrOptions = errors.New("contradicting options")

func (o Options) preset() (string, error) {
	given := 0
	for _, is := range [...]bool{o.Biome != "", o.FlatPreset != "", o.Flat != nil} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return "", fmt.Errorf("%w: more than one of a biome, a flat preset and flat settings", ErrOptions)
	case o.Preset != "":
		return settings.ID(o.Preset), nil
	case o.Biome != "":
		return "minecraft:single_biome_surface", nil
	case given == 1:
		return "minecraft:flat", nil
	}
	return "minecraft:" + level.DefaultPreset, nil
}

// New makes the settings of generation of a new world, as
// world_gen_settings.dat has them, of a world preset of source. The error wraps
// fs.ErrNotExist if source lacks the preset or something that it names,
// ErrOptions, ErrUnknown, or settings.ErrDocument.
func New(source settings.Source, o Options) (level.GenSettings, error) {
	created := level.GenSettings{Seed: o.Seed, Structures: o.Structures, BonusChest: o.BonusChest}
	id, err := o.preset()
	if err != nil {
		return created, err
	}
	text, err := source.Document(presetRegistry, id)
	if err != nil {
		return created, err
	}
	if created.Dimensions, err = presetDimensions(text); err != nil {
		return created, fmt.Errorf("%s %s: %w", presetRegistry, id, err)
	}
	if err := o.overworld(source, created.Dimensions); err != nil {
		return created, err
	}
	world, err := Read(source, created)
	if err != nil {
		return created, err
	}
	return created, world.Err()
}

// presetDimensions turns a world preset into NBT.
func presetDimensions(text []byte) (map[string]level.Dimension, error) {
	var document struct {
		Dimensions map[string]struct {
			Type      json.RawMessage
			Generator map[string]json.RawMessage
		}
	}
	if err := decode("world preset", text, &document); err != nil {
		return nil, err
	}
	if len(document.Dimensions) > level.MaxDimensions {
		return nil, bad("dimensions", "%d, at most %d", len(document.Dimensions), level.MaxDimensions)
	}
	dimensions := make(map[string]level.Dimension, len(document.Dimensions))
	for id, from := range document.Dimensions {
		path := "dimensions/" + id
		var d level.Dimension
		var err error
		if len(from.Type) > 0 {
			if d.Type, err = toNBT(path+"/type", from.Type); err != nil {
				return nil, err
			}
		}
		if d.Generator, err = generatorNBT(path+"/generator", from.Generator); err != nil {
			return nil, err
		}
		dimensions[settings.ID(id)] = d
	}
	return dimensions, nil
}

func generatorNBT(path string, from map[string]json.RawMessage) (g level.Generator, err error) {
	for name, text := range from {
		var raw nbt.Raw
		if raw, err = toNBT(path+"/"+name, text); err != nil {
			return g, err
		}
		switch name {
		case "type":
			g.Type, _ = raw.Text()
		case "settings":
			g.Settings = raw
		case "biome_source":
			g.BiomeSource = raw
		}
	}
	if g.Type = settings.ID(g.Type); !level.ValidID(g.Type) {
		return g, bad(path+"/type", "no id")
	}
	return g, nil
}

// overworld changes the overworld as the options say.
func (o Options) overworld(source settings.Source, dimensions map[string]level.Dimension) error {
	d := dimensions[anvil.Overworld]
	switch {
	case o.Biome != "":
		if d.Generator.Type != Noise.String() {
			return fmt.Errorf("%w: a single biome with a generator %s", ErrOptions, d.Generator.Type)
		}
		raw, err := nbt.MarshalRaw(map[string]string{"type": Fixed.String(), "biome": settings.ID(o.Biome)})
		if err != nil {
			return fmt.Errorf("%w: biome: %w", ErrOptions, err)
		}
		d.Generator.BiomeSource = raw
	case o.FlatPreset != "" || o.Flat != nil:
		if d.Generator.Type != Flat.String() {
			return fmt.Errorf("%w: flat settings with a generator %s", ErrOptions, d.Generator.Type)
		}
		raw, err := o.flatSettings(source)
		if err != nil {
			return err
		}
		d.Generator.Settings = raw
	default:
		return nil
	}
	dimensions[anvil.Overworld] = d
	return nil
}

func (o Options) flatSettings(source settings.Source) (nbt.Raw, error) {
	if o.Flat != nil {
		return nbt.MarshalRaw(*o.Flat)
	}
	text, err := source.Document(flatPresetRegistry, o.FlatPreset)
	if err != nil {
		return nbt.Raw{}, err
	}
	path := flatPresetRegistry + " " + settings.ID(o.FlatPreset)
	var document struct{ Settings json.RawMessage }
	if err := decode(path, text, &document); err != nil {
		return nbt.Raw{}, err
	}
	if len(document.Settings) == 0 {
		return nbt.Raw{}, bad(path+"/settings", "missing")
	}
	return toNBT(path+"/settings", document.Settings)
}
