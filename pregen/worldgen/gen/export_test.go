package gen

import (
	"testing"

	"strata/pregen/worldgen/feature"
)

// SetKeep says how much workers keep, for the rest of a test.
func SetKeep(t *testing.T, bytes int64) {
	before := keepBytes
	keepBytes = bytes
	t.Cleanup(func() { keepBytes = before })
}

// BeforeDecoration has f called with the position of each chunk that is
// decorated, by any worker.
func (g *Generator) BeforeDecoration(f func(x, z int32)) {
	g.beforeDecoration = func(c *feature.Chunk) { f(c.X, c.Z) }
}
