package gen

import (
	"strata/anvil/light"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/mob"
	"strata/pregen/worldgen/proto"
)

// animals draws the animals of a chunk whose light has been computed, which is
// the worker's last result.
func (w *worker) animals(n *node) []feature.Entity {
	d := w.generator.dimension
	if d.noiseParts != nil && d.settings.NoMobs {
		return nil
	}
	minY, height := d.Range()
	biomeAt := func(int, int, int) proto.Biome { return 0 }
	if d.noiseParts != nil {
		w.maker.look(&n.proto)
		biomeAt = w.maker.view.At
	}
	place := &mob.Place{
		Chunk: &n.chunk, BiomeAt: biomeAt, Ceiling: d.preset.Type.HasCeiling,
		Biome: biomeAt(int(n.pos.X)<<4, minY+height-1, int(n.pos.Z)<<4),
		Light: func(x, y, z int) int { return brightness(&w.lit, x, y, z) },
	}
	if d.noiseParts != nil {
		place.SeaLevel = d.settings.SeaLevel
	} else {
		place.SeaLevel = flatSeaLevel
	}
	return d.decoration.animals.Spawn(place, d.seed)
}

// flatSeaLevel is that of flat dimensions.
const flatSeaLevel = -63

// brightness is the light of a block.
func brightness(l *light.Chunk, x, y, z int) int {
	row, cell := y>>4-int(l.Low), y&15<<8|z&15<<4|x&15
	level := 0
	if row >= 0 && row < len(l.Block) {
		level = int(l.Block[row].At(cell))
	}
	switch {
	case row >= 0 && row < len(l.Sky):
		level = max(level, int(l.Sky[row].At(cell)))
	case len(l.Sky) > 0 && row >= len(l.Sky):
		level = 15
	}
	return level
}
