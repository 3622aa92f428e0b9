package gen

import (
	"strata/anvil/chunk"
	"strata/pregen/worldgen/flat"
	"strata/pregen/worldgen/preset"
	"strata/pregen/worldgen/proto"
)

// layered makes the terrain of flat and debug dimensions, which is all that
// they have before decoration.
type layered interface {
	Biomes() []string
	Terrain(c *proto.Chunk)
}

var (
	_ layered = (*flat.Flat)(nil)
	_ layered = (*flat.Debug)(nil)
)

// readFlat makes the generator of a dimension that is flat or of debug type.
func (d *Dimension) readFlat() (err error) {
	minY, height := d.Range()
	if d.preset.Generator.Kind == preset.Debug {
		d.layers, err = flat.NewDebug(d.dataVersion)
	} else {
		d.layers, err = flat.New(*d.preset.Generator.Flat, minY, height)
	}
	if err == nil {
		d.biomes = d.layers.Biomes()
	}
	return err
}

// advanceLayers is Maker.Advance for such a dimension.
func advanceLayers(l layered, c *proto.Chunk, from, to chunk.Status) {
	if from >= chunk.StatusNoise || to < chunk.StatusBiomes {
		return
	}
	l.Terrain(c)
	if to < chunk.StatusNoise {
		clear(c.Blocks)
		c.ComputeHeights()
	}
}
