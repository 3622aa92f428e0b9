package gen

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/settings"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

// Documents returns the documents that the dimension is made of.
func (d *Dimension) Documents() settings.Source { return d.documents }

// Templates returns the structure templates: their blocks are in the world's
// packs, if Open was given the user's own game files.
func (d *Dimension) Templates() *template.Library { return d.templates }

// Seed returns the world's seed.
func (d *Dimension) Seed() int64 { return d.seed }

// Ground tells structures of the world before them. One goroutine at a time may
// use it.
type Ground struct {
	maker  *Maker
	looker *Looker
	chunks map[place]*proto.Chunk
	order  []place // of chunks, the oldest at next
	next   int
	column []block.State
}

// cachedGround is how many chunks a Ground remembers.
const cachedGround = 64

// NewGround returns a new Ground; nil for a dimension that is not of noise.
func (d *Dimension) NewGround() *Ground {
	if d.noiseParts == nil {
		return nil
	}
	_, height := d.Range()
	return &Ground{
		maker: d.NewMaker(), looker: d.NewLooker(),
		chunks: make(map[place]*proto.Chunk, cachedGround), column: make([]block.State, height),
	}
}

// NewLayouter returns a Layouter over a new Ground; nil for a dimension that is
// not of noise.
func (d *Dimension) NewLayouter(templates *template.Library) *structure.Layouter {
	ground := d.NewGround()
	if ground == nil {
		return nil
	}
	minY, height := d.Range()
	shape := d.settings.ShapeIn(minY, height)
	return &structure.Layouter{
		Ground: ground, Seed: d.seed, MinY: int32(minY), Tall: int32(height), SeaLevel: int32(d.settings.SeaLevel),
		Span: provider.Span{MinY: int32(shape.MinY), Height: int32(shape.Height)}, Biomes: d.biomes, Templates: templates,
	}
}

// Biome implements structure.Ground.
func (g *Ground) Biome(quarterX, quarterY, quarterZ int32) proto.Biome {
	return g.looker.biome(int(quarterX), int(quarterY), int(quarterZ))
}

// Column implements structure.Ground.
func (g *Ground) Column(x, z int32) []block.State {
	c := g.at(x>>4, z>>4)
	first := c.Index(int(x&15), c.MinY, int(z&15))
	for y := range g.column {
		g.column[y] = c.Blocks[first+y<<8]
	}
	return g.column
}

// at returns a chunk with the blocks of the noise stage.
func (g *Ground) at(x, z int32) *proto.Chunk {
	key := place{x, z}
	if c := g.chunks[key]; c != nil {
		return c
	}
	var c *proto.Chunk
	if len(g.order) < cachedGround {
		c = g.maker.dimension.New()
		g.order = append(g.order, key)
	} else {
		oldest := g.order[g.next]
		c = g.chunks[oldest]
		delete(g.chunks, oldest)
		g.order[g.next] = key
		g.next = (g.next + 1) % cachedGround
	}
	c.Reset(x, z)
	g.maker.values.Begin(x, z)
	g.maker.filler.Fill(c, g.maker.values, nil)
	g.chunks[key] = c
	return c
}

var _ structure.Ground = (*Ground)(nil)
