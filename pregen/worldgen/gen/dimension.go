package gen

import (
	"fmt"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/surface"
	"strata/pregen/worldgen/terrain"
)

// Dimension generates the chunks of one dimension. It does not change and may
// be used concurrently.
type Dimension struct {
	preset      preset.Dimension
	seed        int64
	dataVersion int32
	biomes      []string
	documents   settings.Source
	templates   *template.Library

	decoration decoration
	*noiseParts
	layers layered // of dimensions that are flat or of debug type, else nil
}

// noiseParts are the parts of a dimension whose generator is of noise.
type noiseParts struct {
	settings *terrain.Settings
	noises   *noise.Set
	router   density.Router
	program  *density.Program
	source   *climate.Source
	zoom     climate.Zoom
	surface  *surface.System
	carvers  *carve.Carvers
}

// readNoise makes the parts.
func (d *Dimension) readNoise(source settings.Source) (err error) {
	generator := &d.preset.Generator
	p := &noiseParts{}
	where := generator.SettingsID
	if where == "" {
		where = "inline settings of " + d.preset.ID
	}
	if p.settings, err = terrain.ParseSettings(where, generator.Settings); err != nil {
		return err
	}
	p.noises = noise.NewSet(d.seed, p.settings.LegacyRandom, settings.Noises(source))
	loader := density.NewLoader(source, p.noises)
	if p.router, err = loader.Router(where, p.settings.Router); err != nil {
		return err
	}
	minY, height := d.Range()
	shape := p.settings.ShapeIn(minY, height)
	if p.program, err = density.Compile(loader.Graph(), p.router, shape); err != nil {
		return err
	}
	if p.source, err = climate.Load(generator.BiomeSource.Document, climate.Options{Settings: source, DataVersion: d.dataVersion}); err != nil {
		return err
	}
	p.zoom = climate.NewZoom(d.seed)
	d.biomes = p.source.Biomes()
	if err := p.readSurface(source, where, d.biomes, shape); err != nil {
		return err
	}
	span := provider.Span{MinY: int32(shape.MinY), Height: int32(shape.Height)}
	if p.carvers, err = carve.Load(source, d.biomes, span); err != nil {
		return err
	}
	d.noiseParts = p
	return nil
}

func (p *noiseParts) readSurface(source settings.Source, where string, names []string, shape density.Shape) error {
	rule, err := surface.Parse(source, "worldgen/noise_settings "+where+" surface_rule", p.settings.SurfaceRule)
	if err != nil {
		return err
	}
	biomes, err := surface.ReadBiomes(source, names)
	if err != nil {
		return err
	}
	p.surface, err = surface.New(surface.Settings{
		Rule: rule, Noises: p.noises, Biomes: biomes, DefaultBlock: p.settings.DefaultBlock,
		SeaLevel: p.settings.SeaLevel, MinY: shape.MinY, Height: shape.Height,
	})
	return err
}

// ID returns the dimension's id.
func (d *Dimension) ID() string { return d.preset.ID }

// Preset returns what the world's settings say of the dimension.
func (d *Dimension) Preset() *preset.Dimension { return &d.preset }

// Range returns the lowest y of the dimension and its height, in blocks.
func (d *Dimension) Range() (minY, height int) { return d.preset.Type.MinY, d.preset.Type.Height }

// Biomes returns the ids of the biomes by their numbers. It must not be
// changed.
func (d *Dimension) Biomes() []string { return d.biomes }

// Form returns what the dimension's chunks need to be stored, with numbers of
// the tables.
func (d *Dimension) Form(tables *chunk.Tables) (proto.Form, error) {
	form := proto.Form{Tables: tables, DataVersion: d.dataVersion, Biomes: make([]chunk.Biome, len(d.biomes))}
	for i, name := range d.biomes {
		number, err := tables.Biomes.InternString(name)
		if err != nil {
			return form, fmt.Errorf("dimension %s: %w", d.preset.ID, err)
		}
		form.Biomes[i] = number
	}
	return form, nil
}
