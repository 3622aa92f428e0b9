package jigsaw

import (
	"cmp"
	"slices"

	"strata/anvil/block"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure/template"
)

// turned returns connectors as they lie in a template that is turned and moved.
func turned(dst, connectors []template.Connector, x, y, z int32, r block.Rotation) []template.Connector {
	dst = append(dst[:0], connectors...)
	for i := range dst {
		c := &dst[i]
		c.X, c.Y, c.Z = template.Turn(c.X, c.Y, c.Z, block.NoMirror, r, 0, 0)
		c.X, c.Y, c.Z = c.X+x, c.Y+y, c.Z+z
		c.Front, c.Top = r.Direction(c.Front), r.Direction(c.Top)
	}
	return dst
}

// shuffle is the game's shuffle: from the last element to the second.
func shuffle[T any](list []T, random *rng.Worldgen) {
	for i := len(list); i > 1; i-- {
		j := random.IntN(int32(i))
		list[i-1], list[j] = list[j], list[i-1]
	}
}

// bySelection puts connectors with a higher selection priority first.
func bySelection(list []template.Connector) {
	slices.SortStableFunc(list, func(a, b template.Connector) int {
		return cmp.Compare(b.SelectionPriority, a.SelectionPriority)
	})
}

// joins reports whether a connector takes another.
func joins(a, b *template.Connector) bool {
	return a.Front == b.Front.Opposite() && (a.Rollable || a.Top == b.Top) && a.Target == b.Name
}

// facing returns the block in front of a connector.
func facing(c *template.Connector) (x, y, z int32) {
	dx, dy, dz := c.Front.Step()
	return c.X + dx, c.Y + dy, c.Z + dz
}
