package building

import (
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
)

const (
	siteMinY   = -64
	siteHeight = 256
	siteSea    = 63
)

// site is flat ground, with or without a sea on it, that structures are built
// on chunk by chunk.
type site struct {
	chunks    map[[2]int32]*feature.Chunk
	templates *template.Library
	empty     *proto.Chunk // what chunks are at first
}

// newSite returns a site with stone below a height.
func newSite(templates *template.Library, ground int, flooded bool) *site {
	c := proto.New(siteMinY, siteHeight)
	c.Reset(0, 0)
	for i := range (ground - siteMinY) * 256 {
		c.Blocks[i] = block.Stone.Default()
	}
	for i := (ground - siteMinY) * 256; flooded && i < (siteSea-siteMinY)*256; i++ {
		c.Blocks[i] = water
	}
	c.ComputeHeights()
	return &site{chunks: make(map[[2]int32]*feature.Chunk), templates: templates, empty: c}
}

func (s *site) at(x, z int32) *feature.Chunk {
	key := [2]int32{x, z}
	if s.chunks[key] == nil {
		c := *s.empty
		c.X, c.Z = x, z
		c.Blocks = slices.Clone(c.Blocks)
		s.chunks[key] = feature.NewChunk(&c)
	}
	return s.chunks[key]
}

// block returns a block that was built.
func (s *site) block(x, y, z int32) block.State {
	return s.at(x>>4, z>>4).Block(int(x&15), int(y), int(z&15))
}

// ranks are the turns of chunks that lie near each other.
var ranks = [3][3]int{{0, 1, 2}, {7, 6, 3}, {8, 5, 4}}

func rank(x, z int32) int { return ranks[(z%3+3)%3][(x%3+3)%3] }

// build builds a start in all chunks that it meets, in the order of a rank.
func (s *site) build(start *structure.Start, seed int64, rank func(x, z int32) int) {
	for _, at := range chunksOf(start.PiecesBox(), rank) {
		s.place(start, seed, at[0], at[1])
	}
}

// chunksOf lists the chunks that a box meets, in the order of a rank.
func chunksOf(box structure.Box, rank func(x, z int32) int) (list [][2]int32) {
	for x := box.MinX >> 4; x <= box.MaxX>>4; x++ {
		for z := box.MinZ >> 4; z <= box.MaxZ>>4; z++ {
			list = append(list, [2]int32{x, z})
		}
	}
	slices.SortStableFunc(list, func(a, b [2]int32) int { return rank(a[0], a[1]) - rank(b[0], b[1]) })
	return list
}

func (s *site) place(start *structure.Start, seed int64, x, z int32) {
	cells := func(x, z int32) *proto.Chunk { return s.at(x, z).Chunk }
	v := feature.NewView(siteMinY, siteHeight, siteSea, climate.NewZoom(seed), cells)
	var nine [9]*feature.Chunk
	for i := range nine {
		nine[i] = s.at(x+int32(i%3)-1, z+int32(i/3)-1)
	}
	v.Reset(nine)
	random := rng.NewWorldgenXoroshiro(0)
	random.SetFeatureSeed(random.SetDecorationSeed(seed, x<<4, z<<4), 3, 4)
	p := &structure.Placer{
		Context: &feature.Context{View: v, Random: &random, Seed: seed, Span: provider.Span{MinY: siteMinY, Height: siteHeight}},
		Box:     structure.NewBox(x<<4, siteMinY+1, z<<4, x<<4+15, siteMinY+siteHeight-1, z<<4+15),
		ChunkX:  x, ChunkZ: z, Start: start, Templates: s.templates,
	}
	for _, piece := range start.Pieces {
		if piece.Common().Box.Meets(p.Box) {
			piece.Place(p)
		}
	}
	if f, ok := start.Layout.(structure.Finisher); ok {
		f.Finish(p)
	}
}

// entities are the ids of all entities.
func (s *site) entities() map[string]int {
	count := make(map[string]int)
	for _, c := range s.chunks {
		for _, e := range c.Entities {
			count[e.ID]++
		}
	}
	return count
}

// loot counts the block entities with loot by their tables.
func (s *site) loot() map[string]int {
	count := make(map[string]int)
	for _, c := range s.chunks {
		for _, e := range c.BlockEntities {
			if e.LootTable != "" {
				count[e.LootTable]++
			}
		}
	}
	return count
}

// blocks counts the blocks that were built, by their kind.
func (s *site) blocks() map[block.ID]int {
	count := make(map[block.ID]int)
	for _, c := range s.chunks {
		for i, state := range c.Blocks {
			if state != s.empty.Blocks[i] {
				count[state.Block()]++
			}
		}
	}
	return count
}

// newStart lays out a structure in the chunk 0,0 of flat ground.
func newStart(t testing.TB, layout structure.Layout, seed int64) *structure.Start {
	t.Helper()
	l := newFlatLayouter()
	return &structure.Start{Pieces: layOut(t, l, layout, seed, 0, 0), Layout: layout}
}
