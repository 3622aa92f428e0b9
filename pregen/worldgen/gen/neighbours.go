package gen

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/provider"
)

// Neighbours tells which blocks of a chunk at StatusCarvers the features of the
// chunks around it may write, as far as package feature has them. A chunk that
// lies beside decorated ones holds some of them, and which is not known. One
// goroutine at a time may use it.
type Neighbours struct {
	maker     *Maker
	decorator *feature.Decorator
	carved    map[place]*proto.Chunk
}

// cachedCarved is how many chunks at StatusCarvers a Neighbours remembers.
const cachedCarved = 256

// NewNeighbours returns a new Neighbours, nil for a dimension that is not of
// noise.
func (d *Dimension) NewNeighbours() (*Neighbours, error) {
	if d.noiseParts == nil {
		return nil, nil
	}
	n := &Neighbours{maker: d.NewMaker(), carved: make(map[place]*proto.Chunk)}
	minY, height := d.Range()
	shape := d.settings.ShapeIn(minY, height)
	loader := feature.NewLoader(d.documents, Factories(), func(string) {}) // what is not there yet builds nothing
	system, err := feature.Load(loader, feature.Settings{
		Biomes: d.biomes, Seed: d.seed, Zoom: d.zoom, MinY: minY, Height: height, SeaLevel: d.settings.SeaLevel,
		Span: provider.Span{MinY: int32(shape.MinY), Height: int32(shape.Height)},
	})
	if err != nil {
		return nil, err
	}
	n.decorator = system.NewDecorator(n.maker.biomes.at)
	return n, nil
}

// Written returns a bit for each block of a chunk, as proto.Chunk.Carved, that
// its eight neighbours write when they are decorated, each alone and one after
// the other.
func (n *Neighbours) Written(x, z int32) ([]uint64, error) {
	if len(n.carved) > cachedCarved {
		clear(n.carved)
	}
	bare, err := n.at(x, z)
	if err != nil {
		return nil, err
	}
	written := make([]uint64, len(bare.Carved))
	all, err := n.around(x, z)
	if err != nil {
		return nil, err
	}
	for i := range 9 {
		if i == 4 {
			continue
		}
		alone, err := n.around(x, z)
		if err != nil {
			return nil, err
		}
		for _, chunks := range []map[place]*feature.Chunk{alone, all} {
			n.decorator.Decorate(nineOf(chunks, x+int32(i%3)-1, z+int32(i/3)-1), nil)
		}
		compareInto(written, bare, alone[place{x, z}])
	}
	compareInto(written, bare, all[place{x, z}])
	return written, nil
}

// at returns a chunk at StatusCarvers, which must not be changed.
func (n *Neighbours) at(x, z int32) (*proto.Chunk, error) {
	if c := n.carved[place{x, z}]; c != nil {
		return c, nil
	}
	c := n.maker.dimension.New()
	c.Reset(x, z)
	if err := n.maker.Advance(c, chunk.StatusEmpty, chunk.StatusCarvers); err != nil {
		return nil, err
	}
	n.carved[place{x, z}] = c
	return c, nil
}

// around returns copies of the chunks within distance 2.
func (n *Neighbours) around(x, z int32) (map[place]*feature.Chunk, error) {
	chunks := make(map[place]*feature.Chunk, 25)
	for dx := int32(-2); dx <= 2; dx++ {
		for dz := int32(-2); dz <= 2; dz++ {
			c, err := n.at(x+dx, z+dz)
			if err != nil {
				return nil, err
			}
			own := *c
			own.Blocks = append([]block.State(nil), c.Blocks...)
			own.Marks = append([]int32(nil), c.Marks...)
			chunks[place{x + dx, z + dz}] = feature.NewChunk(&own)
		}
	}
	return chunks, nil
}

func nineOf(chunks map[place]*feature.Chunk, x, z int32) (nine [9]*feature.Chunk) {
	for i := range nine {
		nine[i] = chunks[place{x + int32(i%3) - 1, z + int32(i/3) - 1}]
	}
	return nine
}

// compareInto sets the bits of blocks that differ.
func compareInto(bits []uint64, bare *proto.Chunk, with *feature.Chunk) {
	for i, state := range bare.Blocks {
		if with.Blocks[i] != state {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
}
