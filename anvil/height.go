package anvil

import (
	"fmt"

	"strata/anvil/level"
	"strata/nbt"
)

// Height is the range of blocks of a dimension, in blocks.
type Height struct {
	MinY   int32 // the lowest
	Blocks int32 // how many
}

// The limits of the game for dimension types (DimensionType: 12 bits of y).
const (
	minMinY   = -2032
	maxTopY   = 2032
	maxBlocks = 4064
)

// Valid reports whether the game takes these heights: whole sections within
// -2032 to 2031.
func (h Height) Valid() bool {
	return h.MinY >= minMinY && h.Blocks >= 16 && h.Blocks <= maxBlocks &&
		h.MinY%16 == 0 && h.Blocks%16 == 0 && h.MinY <= maxTopY-h.Blocks // not the sum, which may overflow
}

// overworldHeights are the overworld's by data version: 21w06a made it higher,
// 21w15a took that back, and the experimental snapshots of 1.18 made it so
// again.
var overworldHeights = []struct {
	since  int32
	height Height
}{
	{2825, Height{-64, 384}}, {2709, Height{0, 256}}, {2694, Height{-64, 384}}, {0, Height{0, 256}},
}

// HeightOf returns the heights of one of the game's own dimension types in a
// version.
func HeightOf(dimensionType string, version int32) (Height, bool) {
	switch dimensionType {
	case "minecraft:overworld", "minecraft:overworld_caves":
		for _, row := range overworldHeights {
			if version >= row.since {
				return row.height, true
			}
		}
		return Height{0, 256}, true
	case "minecraft:the_nether", "minecraft:the_end":
		return Height{0, 256}, true
	}
	return Height{}, false
}

// Height returns the heights of a dimension: of its type as the world was
// created with it, which may be one of the game's own, one that stands in the
// world's settings, or one of a data pack, for which Options.Types is asked.
// The error wraps ErrDimensionType.
func (w *World) Height(id string) (Height, error) {
	kind := id
	if d, ok := w.settings.Dimensions[id]; ok {
		if inline, ok := inlineHeight(d); ok {
			return w.checkHeight(id, inline)
		}
		if kind = d.TypeID(); kind == "" {
			return Height{}, fmt.Errorf("dimension %s: %w: neither an id nor a type", id, ErrDimensionType)
		}
	}
	// A data pack may replace the game's own types, so it is asked first.
	if w.opts.Types != nil {
		if h, ok := w.opts.Types(kind); ok {
			return w.checkHeight(id, h)
		}
	}
	if h, ok := HeightOf(kind, w.DataVersion()); ok {
		return h, nil
	}
	return Height{}, fmt.Errorf("dimension %s: %w %s", id, ErrDimensionType, kind)
}

func (w *World) checkHeight(id string, h Height) (Height, error) {
	if !h.Valid() {
		return Height{}, fmt.Errorf("dimension %s: %w: %d blocks from %d on", id, ErrDimensionType, h.Blocks, h.MinY)
	}
	return h, nil
}

// inlineHeight reads a type that stands in the settings themselves.
func inlineHeight(d level.Dimension) (Height, bool) {
	if d.Type.Type != nbt.TypeCompound {
		return Height{}, false
	}
	var t struct {
		MinY   int32 `nbt:"min_y"`
		Height int32 `nbt:"height"`
	}
	if d.Type.Decode(&t) != nil {
		return Height{}, false
	}
	return Height{t.MinY, t.Height}, true
}
