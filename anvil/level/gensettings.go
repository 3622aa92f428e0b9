package level

import (
	"fmt"

	"strata/nbt"
)

// GenSettings are the settings of generation: world_gen_settings.dat since
// 26.1, the compound WorldGenSettings of level.dat from 1.16 on.
type GenSettings struct {
	Seed       int64                `nbt:"seed"`
	Structures bool                 `nbt:"generate_structures"`
	BonusChest bool                 `nbt:"bonus_chest"`
	Dimensions map[string]Dimension `nbt:"dimensions"`
}

// Dimension is a dimension of a world as it was created.
type Dimension struct {
	// Type is the id of the dimension type, or a compound that is one.
	Type      nbt.Raw   `nbt:"type"`
	Generator Generator `nbt:"generator"`
}

// TypeID returns the id of the dimension type, "" if it stands here itself.
func (d Dimension) TypeID() string { id, _ := d.Type.Text(); return id }

// Generator is what makes the chunks of a dimension.
type Generator struct {
	Type string `nbt:"type"` // such as "minecraft:noise"
	// Settings are an id, for flat ones a compound (see [Flat]); none for debug.
	Settings    nbt.Raw `nbt:"settings"`
	BiomeSource nbt.Raw `nbt:"biome_source"`
	// Rest is what mods put beside these.
	Rest []nbt.RawMember `nbt:",rest"`
}

// SettingsID returns the id of the settings, "" if they stand here themselves.
func (g Generator) SettingsID() string { id, _ := g.Settings.Text(); return id }

// Flat returns the layers and so on of a flat generator.
func (g Generator) Flat() (f Flat, err error) {
	if g.Type != "minecraft:flat" {
		return f, fmt.Errorf("%w: a generator of type %q is not flat", ErrShape, g.Type)
	}
	err = g.Settings.Decode(&f)
	if err != nil {
		err = fmt.Errorf("%w: flat settings: %w", ErrShape, err)
	}
	return f, err
}

// BiomeSourceType returns the type of the biome source, such as
// "minecraft:multi_noise", and its preset or single biome if it has one.
func (g Generator) BiomeSourceType() (kind, detail string) {
	var source struct {
		Type   string  `nbt:"type"`
		Preset nbt.Raw `nbt:"preset"`
		Biome  nbt.Raw `nbt:"biome"`
	}
	if g.BiomeSource.Type != nbt.TypeCompound || g.BiomeSource.Decode(&source) != nil {
		return "", ""
	}
	detail, ok := source.Preset.Text()
	if !ok {
		detail, _ = source.Biome.Text()
	}
	return source.Type, detail
}

// GenSettings returns the settings that the level itself has: from 1.16 until
// 26.1.
func (l *Level) GenSettings() (GenSettings, bool) {
	tag := l.data.Get("WorldGenSettings")
	if !tag.Exists() {
		return GenSettings{}, false
	}
	s, err := genSettings(tag)
	return s, err == nil
}

// Seed returns the seed that the level itself has: RandomSeed until 1.16, then
// one of the settings of generation until 26.1.
func (l *Level) Seed() (seed int64, ok bool) {
	if seed, ok = l.data.Get("WorldGenSettings").Get("seed").Int(); ok {
		return seed, true
	}
	return l.data.Get("RandomSeed").Int()
}

// GenSettings returns the settings of a world_gen_settings.dat. The error wraps
// ErrShape.
func (d *Document) GenSettings() (GenSettings, error) { return genSettings(d.Content()) }

// MaxDimensions is how many dimensions settings may have. One takes two bytes
// in the file at the least and some hundred as a [Dimension].
const MaxDimensions = 4096

func genSettings(tag nbt.Tag) (GenSettings, error) {
	if n := tag.Get("dimensions").Len(); n > MaxDimensions {
		return GenSettings{}, fmt.Errorf("%w: %d dimensions, at most %d", ErrShape, n, MaxDimensions)
	}
	// Both names of generate_structures; the new one counts.
	var s struct {
		GenSettings
		Features bool `nbt:"generate_features"`
	}
	if err := decode(tag, &s); err != nil {
		return GenSettings{}, err
	}
	if _, ok := tag.Get("seed").Int(); !ok {
		return GenSettings{}, fmt.Errorf("%w: no seed", ErrShape)
	}
	if !tag.Get("generate_structures").Exists() {
		s.Structures = s.Features
	}
	return s.GenSettings, nil
}
