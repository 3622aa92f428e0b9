package gen

import (
	"errors"
	"fmt"

	"strata/anvil/chunk"
	"strata/anvil/datapack"
	"strata/anvil/level"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/template"
)

// ErrUnsupported is wrapped by errors about a dimension that cannot be
// generated, or not as far as was asked.
var ErrUnsupported = errors.New("cannot be generated")

// World is the generators of a world.
type World struct {
	source      settings.Source
	preset      *preset.World
	seed        int64
	dataVersion int32
	packs       *datapack.World // nil without
	templates   *template.Library
	partial     bool
	without     bool // WithoutTemplates
	gameFiles   string
	structures  func(*Dimension) (Structures, error) // nil for none
}

// Options are what a World is made of.
type Options struct {
	// Source has the documents; nil for the game's own of DataVersion.
	Source settings.Source
	// Settings are those that the world was created with.
	Settings level.GenSettings
	// DataVersion of the chunks to make.
	DataVersion int32
	// Templates are the structure templates; nil for those of the game without
	// their blocks.
	Templates *template.Library
	// WithoutTemplates finishes chunks without the structures whose blocks are
	// not at hand, instead of leaving them to the game.
	WithoutTemplates bool
	// GameFiles is a digest of the user's own game files, "" without.
	GameFiles string
	// Partial decorates chunks although some features cannot be made, which then
	// build nothing: for tests.
	Partial bool
	// Structures makes the structures of a dimension, which may have none; nil
	// for none in all.
	Structures func(*Dimension) (Structures, error)
}

// New reads a world's settings. What is wrong with a dimension shows when it is
// asked for.
func New(o Options) (*World, error) {
	if o.Source == nil {
		source, err := settings.Builtin(o.DataVersion)
		if err != nil {
			return nil, err
		}
		o.Source = source
	}
	if o.Templates == nil {
		o.Templates = template.Builtin()
	}
	if o.WithoutTemplates {
		o.Templates.LeaveOut(true)
	}
	read, err := preset.Read(o.Source, o.Settings)
	if err != nil {
		return nil, err
	}
	return &World{source: o.Source, preset: read, seed: read.Seed, dataVersion: o.DataVersion, templates: o.Templates, partial: o.Partial, without: o.WithoutTemplates, gameFiles: o.GameFiles, structures: o.Structures}, nil
}

// Close closes the data packs that Open opened. Dimensions and Makers that were
// made before can still be used; a Neighbours reads documents when it is made.
func (w *World) Close() error {
	if w.packs == nil {
		return nil
	}
	return w.packs.Close()
}

// Seed returns the seed.
func (w *World) Seed() int64 { return w.seed }

// DataVersion returns the data version of the chunks that are made.
func (w *World) DataVersion() int32 { return w.dataVersion }

// Preset returns what the settings say.
func (w *World) Preset() *preset.World { return w.preset }

// Dimension makes the generator of a dimension. The error wraps fs.ErrNotExist
// if the world has none of that id, ErrUnsupported or that of a document.
func (w *World) Dimension(id string) (*Dimension, error) {
	d, err := w.preset.Dimension(id)
	if err != nil {
		return nil, err
	}
	made := &Dimension{preset: *d, seed: w.seed, dataVersion: w.dataVersion, documents: w.source, templates: w.templates}
	switch d.Generator.Kind {
	case preset.Noise:
		err = made.readNoise(w.source)
	case preset.Flat, preset.Debug:
		err = made.readFlat()
	default:
		err = fmt.Errorf("generator %v: %w", d.Generator.Kind, ErrUnsupported)
	}
	if err != nil {
		return nil, fmt.Errorf("dimension %s: %w", id, err)
	}
	return made, nil
}

// Last is the last status that a Maker takes chunks to: what comes after it
// touches several.
const Last = chunk.StatusCarvers
