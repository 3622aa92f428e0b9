package preset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"strata/anvil"
	"strata/anvil/level"
	"strata/pregen/worldgen/settings"
)

// World is the settings of generation of a world.
type World struct {
	Seed       int64
	Structures bool // generate_structures
	BonusChest bool
	// Dimensions are those that can be generated, the overworld, the Nether and
	// the End first and then by their ids.
	Dimensions []Dimension
	// Problems are the others, in the same order.
	Problems []*Problem
}

// Dimension returns the dimension of that id. The error is its [Problem], or
// wraps fs.ErrNotExist if the world has none.
func (w *World) Dimension(id string) (*Dimension, error) {
	id = settings.ID(id)
	for i := range w.Dimensions {
		if w.Dimensions[i].ID == id {
			return &w.Dimensions[i], nil
		}
	}
	for _, p := range w.Problems {
		if p.Dimension == id {
			return nil, p
		}
	}
	return nil, &Problem{id, fs.ErrNotExist}
}

// Err returns all problems as one error, nil if there are none.
func (w *World) Err() error {
	errs := make([]error, len(w.Problems))
	for i, p := range w.Problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// dimensionRegistry is where data packs have dimensions.
const dimensionRegistry = "dimension"

// Read makes a World of the settings it was created with. source has the
// documents that these name; the dimensions it has are part of the world, in
// place of those of the same ids in the settings. The error is of the source
// as a whole; what is wrong with a dimension is among the problems.
func Read(source settings.Source, created level.GenSettings) (*World, error) {
	packs, err := source.IDs(dimensionRegistry)
	if err != nil {
		return nil, fmt.Errorf("list dimensions: %w", err)
	}
	w := &World{Seed: created.Seed, Structures: created.Structures, BonusChest: created.BonusChest}
	ids := map[string]bool{anvil.Overworld: true} // which every world has
	own := make(map[string]level.Dimension, len(created.Dimensions))
	for id, d := range created.Dimensions {
		ids[settings.ID(id)] = true
		own[settings.ID(id)] = d
	}
	for _, id := range packs {
		ids[id] = true
	}
	if len(ids) > level.MaxDimensions {
		return nil, fmt.Errorf("%w: %d dimensions, at most %d", settings.ErrDocument, len(ids), level.MaxDimensions)
	}
	for _, id := range slices.SortedFunc(maps.Keys(ids), compareDimensions) {
		var text json.RawMessage
		if slices.Contains(packs, id) {
			text, err = source.Document(dimensionRegistry, id)
		} else if d, ok := own[id]; ok {
			text, err = dimensionJSON(d)
		} else {
			err = fs.ErrNotExist
		}
		var d *Dimension
		if err == nil {
			d, err = reader{source}.dimension(id, text)
		}
		if err != nil {
			w.Problems = append(w.Problems, &Problem{id, err})
			continue
		}
		w.Dimensions = append(w.Dimensions, *d)
	}
	return w, nil
}

// compareDimensions orders the game's own dimensions before others.
func compareDimensions(a, b string) int {
	order := []string{anvil.End, anvil.Nether, anvil.Overworld}
	if c := slices.Index(order, b) - slices.Index(order, a); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// dimensionJSON is the document of a dimension that stands in the settings.
func dimensionJSON(d level.Dimension) (json.RawMessage, error) {
	kind, err := json.Marshal(d.Generator.Type)
	if err != nil {
		return nil, fmt.Errorf("generator/type: %w: %w", settings.ErrDocument, err)
	}
	generator := map[string]json.RawMessage{"type": kind}
	document := map[string]any{"generator": generator}
	if d.Type.Exists() {
		if document["type"], err = toJSON("type", d.Type); err != nil {
			return nil, err
		}
	}
	if d.Generator.Settings.Exists() {
		if generator["settings"], err = toJSON("generator/settings", d.Generator.Settings); err != nil {
			return nil, err
		}
	}
	if d.Generator.BiomeSource.Exists() {
		if generator["biome_source"], err = toJSON("generator/biome_source", d.Generator.BiomeSource); err != nil {
			return nil, err
		}
	}
	return json.Marshal(document)
}
