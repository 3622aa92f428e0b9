package structure

import (
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure/template"
)

// Loader reads structures. It is for one goroutine.
type Loader struct {
	source    settings.Source
	factories map[string]Factory
	made      map[string]any // by Once
	// Features reads the features that structures place; nil where nothing is
	// to be placed.
	Features *feature.Loader
	// Templates are those of the game and its packs.
	Templates *template.Library
	// Span is the range of heights of the generator.
	Span provider.Span
}

// NewLoader returns a loader. factories make layouts by the full ids of their
// types; a type without one is read as a structure that never starts, and
// reported by System.Missing.
func NewLoader(source settings.Source, templates *template.Library, factories map[string]Factory) *Loader {
	return &Loader{source: source, Templates: templates, factories: factories, made: make(map[string]any)}
}

// Once returns what first makes when it is first called for a key: what several
// factories and readers of a package share.
func (l *Loader) Once(key string, first func() (any, error)) (any, error) {
	if made, ok := l.made[key]; ok {
		return made, nil
	}
	made, err := first()
	if err == nil {
		l.made[key] = made
	}
	return made, err
}

// Source returns the documents that the loader reads.
func (l *Loader) Source() settings.Source { return l.source }
