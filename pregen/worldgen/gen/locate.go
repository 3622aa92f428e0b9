package gen

import (
	"context"
	"fmt"
	"slices"

	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/proto"
)

// Looker tells the biomes of places in a dimension. One goroutine at a time may
// use it.
type Looker struct {
	dimension *Dimension
	reader    *climate.Reader
}

// NewLooker returns a new Looker.
func (d *Dimension) NewLooker() *Looker {
	l := &Looker{dimension: d}
	if d.noiseParts != nil {
		var sampler climate.Sampler
		if d.source.NeedsClimate() {
			sampler = d.program.NewChunk()
		}
		l.reader = d.source.Reader(sampler)
	}
	return l
}

// Cell returns the id of the biome of the quarter cell that a block lies in,
// which decides about terrain, structures and carvers.
func (l *Looker) Cell(x, y, z int) string { return l.dimension.biomes[l.biome(x>>2, y>>2, z>>2)] }

// Block returns the id of the biome that the game shows at a block: the bounds
// between cells are blurred.
func (l *Looker) Block(x, y, z int) string {
	if l.reader == nil {
		return l.dimension.biomes[0]
	}
	return l.dimension.biomes[l.biome(l.dimension.zoom.Cell(x, y, z))]
}

// biome is the biome of a quarter cell; beyond the dimension's heights it is
// that of its ends.
func (l *Looker) biome(qx, qy, qz int) proto.Biome {
	if l.reader == nil {
		return 0
	}
	minY, height := l.dimension.Range()
	return l.reader.At(qx, min(max(qy, minY>>2), (minY+height)>>2-1), qz)
}

// Locate finds the nearest place with one of some biomes, in the steps and the
// order of the game's command /locate. Zero fields of q are the game's own,
// MinY and Height those of the dimension. It reports false if there is none.
func (l *Looker) Locate(ctx context.Context, biomes []string, q climate.Query) (place climate.Place, found bool, err error) {
	wanted := make([]bool, len(l.dimension.biomes))
	for _, name := range biomes {
		if i := slices.Index(l.dimension.biomes, name); i >= 0 {
			wanted[i] = true
		}
	}
	q.MinY, q.Height = l.dimension.Range()
	if l.reader == nil {
		return climate.Place{X: q.X, Y: q.Y, Z: q.Z}, wanted[0], nil
	}
	place, found, err = l.reader.Locate(wanted, q, func() bool { return ctx.Err() != nil })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("locate in %s: %w", l.dimension.preset.ID, err)
	}
	return place, found, err
}
