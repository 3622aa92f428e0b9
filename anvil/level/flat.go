package level

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strata/nbt"
)

// Flat is the settings of a flat generator.
type Flat struct {
	Biome    string  `nbt:"biome"`
	Features bool    `nbt:"features"` // place the biome's features
	Lakes    bool    `nbt:"lakes"`
	Layers   []Layer `nbt:"layers"` // from the bottom of the world up
	// Overrides are the structure sets that the world has: nil is those that
	// the biome allows, an empty one none.
	Overrides StructureSets `nbt:"structure_overrides,omitzero"`
}

// Layer is a layer of blocks, Height of them high.
type Layer struct {
	Block  string `nbt:"block"`
	Height int32  `nbt:"height"`
}

// MaxLayers is the height of all layers of a flat world that the game reads
// (FlatLayerInfo allows 4,064 a layer, the height of the tallest dimension).
const MaxLayers = 4064

// StructureSets are ids of structure sets, or one tag "#id". The game writes a
// single one as a string and all else as a list, and reads both.
type StructureSets []string

// IsZero reports whether there are none given, which is not the same as none.
func (s StructureSets) IsZero() bool { return s == nil }

// MarshalNBT implements nbt.Marshaler.
func (s StructureSets) MarshalNBT(w *nbt.Writer) error {
	if len(s) == 1 {
		w.String(s[0])
		return nil
	}
	elem := nbt.TypeString
	if len(s) == 0 {
		elem = nbt.TypeEnd
	}
	w.BeginList(elem, len(s))
	for _, id := range s {
		w.String(id)
	}
	w.End()
	return nil
}

// UnmarshalNBT implements nbt.Unmarshaler.
func (s *StructureSets) UnmarshalNBT(raw nbt.Raw) error {
	if id, ok := raw.Text(); ok {
		*s = StructureSets{id}
		return nil
	}
	ids := []string{} // not nil: none, rather than not given
	if err := raw.Decode(&ids); err != nil {
		return err
	}
	*s = ids
	return nil
}

// ErrFlat says that settings of a flat world make no sense.
var ErrFlat = errors.New("settings of a flat world")

// Check reports whether the settings can be those of a world, by their form:
// whether there are such blocks and biomes is not known here. The error wraps
// ErrFlat.
func (f Flat) Check() error {
	if !ValidID(f.Biome) {
		return fmt.Errorf("%w: %q is no id of a biome", ErrFlat, f.Biome)
	}
	height := 0
	for _, l := range f.Layers {
		if !ValidID(l.Block) {
			return fmt.Errorf("%w: %q is no id of a block", ErrFlat, l.Block)
		}
		if l.Height < 1 || l.Height > MaxLayers {
			return fmt.Errorf("%w: a layer of %d blocks of %s: want 1 to %d", ErrFlat, l.Height, l.Block, MaxLayers)
		}
		if height += int(l.Height); height > MaxLayers {
			return fmt.Errorf("%w: layers of more than %d blocks together", ErrFlat, MaxLayers)
		}
	}
	for _, id := range f.Overrides {
		if !ValidID(strings.TrimPrefix(id, "#")) {
			return fmt.Errorf("%w: %q is no id of a structure set", ErrFlat, id)
		}
	}
	return nil
}

// ParseLayers reads layers as players write them, from the bottom up and
// separated by commas: "minecraft:bedrock,2*dirt,grass_block". The error wraps
// ErrFlat.
func ParseLayers(text string) ([]Layer, error) {
	var layers []Layer
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		height := int64(1)
		if count, block, found := strings.Cut(part, "*"); found {
			var err error
			if height, err = strconv.ParseInt(count, 10, 32); err != nil {
				return nil, fmt.Errorf("%w: %q is no number of layers", ErrFlat, count)
			}
			part = block
		}
		layers = append(layers, Layer{fullID(part), int32(height)})
	}
	if err := (Flat{Biome: "minecraft:plains", Layers: layers}).Check(); err != nil {
		return nil, err
	}
	return layers, nil
}

// fullID puts the namespace minecraft before an id that has none.
func fullID(id string) string {
	if id == "" || strings.Contains(id, ":") {
		return id
	}
	return "minecraft:" + id
}

// ValidID reports whether s is an id with a namespace as the game takes them:
// letters a to z, digits and _ - . in both parts, and / in the second.
func ValidID(s string) bool {
	space, path, found := strings.Cut(s, ":")
	if !found || space == "" || path == "" || len(s) > maxID {
		return false
	}
	for _, r := range space {
		if !idRune(r) {
			return false
		}
	}
	for _, r := range path {
		if !idRune(r) && r != '/' {
			return false
		}
	}
	return true
}

// maxID is the longest id, in bytes, that the protocol carries.
const maxID = 32767

func idRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
}
