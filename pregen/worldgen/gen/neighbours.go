package gen

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/structure/template"
)

// Neighbours decorates chunks and those around them, to tell what of a chunk
// depends on the order in which that is done. The game has no fixed one, and a
// chunk that it has saved before it was finished holds what some neighbours have
// written, and which is not known. One goroutine at a time may use it.
type Neighbours struct {
	maker      *Maker
	system     *feature.System
	decorator  *feature.Decorator
	ores       *feature.Decorator // of ores alone, nil until it is needed
	structures feature.Structures // nil for none
	carved     map[place]*proto.Chunk
}

// cachedCarved is how many chunks at StatusCarvers a Neighbours remembers.
const cachedCarved = 256

// NewNeighbours returns a new Neighbours, nil for a dimension that is not of
// noise. structures are those of the dimension, nil for none.
func (d *Dimension) NewNeighbours(structures Structures) (*Neighbours, error) {
	if d.noiseParts == nil {
		return nil, nil
	}
	n := &Neighbours{maker: d.NewMaker(), carved: make(map[place]*proto.Chunk)}
	if structures != nil {
		worker := structures.NewWorker(n.maker)
		n.maker.structures, n.structures = worker, worker
	}
	features, err := d.features() // what is not there yet builds nothing
	if err != nil {
		return nil, err
	}
	n.system = features.system
	n.decorator = n.system.NewDecorator(n.maker.biomes.at)
	return n, nil
}

// Written returns a bit for each block of a chunk, as proto.Chunk.Carved, that
// its eight neighbours write when they are decorated: each alone, and with the
// chunks around them in the order of rows and of columns, from two corners each,
// since what was built first decides what is built after it. The bits are of
// what is there at any time on the way.
func (n *Neighbours) Written(x, z int32) ([]uint64, error) {
	if len(n.carved) > cachedCarved {
		clear(n.carved)
	}
	bare, err := n.at(x, z)
	if err != nil {
		return nil, err
	}
	written := make([]uint64, len(bare.Carved))
	for i := int32(-1); i <= 1; i++ {
		for j := int32(-1); j <= 1; j++ {
			if err := n.decorate(written, bare, []step{{i, j}}); err != nil {
				return nil, err
			}
		}
	}
	for _, turn := range [...]turn{{}, {flipX: true, flipZ: true}, {flipX: true, swap: true}, {flipZ: true, swap: true}} {
		if err := n.decorate(written, bare, turn.rows()); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// Finished returns a chunk once it and all within reachOrders of it are
// decorated, in each of approaches, and a bit for each block that does not come out
// alike in all.
//
// What neighbours build depends on what is built in them from farther away, for
// a block that is taken already shifts all that is drawn after it.
func (n *Neighbours) Finished(x, z int32) ([]*proto.Chunk, []uint64, error) {
	var made []*proto.Chunk
	var differ []uint64
	for _, t := range approaches {
		c, err := n.decorated(x, z, t.rows())
		if err != nil {
			return nil, nil, err
		}
		if made == nil {
			differ = make([]uint64, len(c.Carved))
		} else {
			compareInto(differ, made[0], c)
		}
		made = append(made, c.Chunk)
	}
	return made, differ, nil
}

// approaches are the orders in which the ground is met: line by line, from each
// side and each end of the lines. The game decorates away from players, so that
// chunks which lie together come nearly in one of them. Which one differs from
// place to place.
var approaches = [...]turn{
	{}, {flipX: true}, {flipZ: true}, {flipX: true, flipZ: true},
	{swap: true}, {swap: true, flipX: true}, {swap: true, flipZ: true}, {swap: true, flipX: true, flipZ: true},
}

// Alone returns a chunk once it is decorated itself and no neighbour is, and a bit
// for each block that any neighbour changes, before it or after.
func (n *Neighbours) Alone(x, z int32) (*proto.Chunk, []uint64, error) {
	own, err := n.decorated(x, z, []step{{}})
	if err != nil {
		return nil, nil, err
	}
	differ := make([]uint64, len(own.Carved))
	for _, s := range spiral[1:] {
		for _, steps := range [][]step{{s, {}}, {{}, s}} {
			with, err := n.decorated(x, z, steps)
			if err != nil {
				return nil, nil, err
			}
			compareInto(differ, own.Chunk, with)
		}
	}
	for _, steps := range squares {
		with, err := n.decorated(x, z, steps)
		if err != nil {
			return nil, nil, err
		}
		compareInto(differ, own.Chunk, with)
	}
	return own.Chunk, differ, nil
}

// decorated returns a chunk once some around it were decorated in order.
func (n *Neighbours) decorated(x, z int32, steps []step) (*feature.Chunk, error) {
	if len(n.carved) > cachedCarved {
		clear(n.carved)
	}
	reach := int32(1)
	for _, s := range steps {
		reach = max(reach, s.x+1, 1-s.x, s.z+1, 1-s.z)
	}
	chunks, err := n.around(x, z, reach)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		n.build(nineOf(chunks, x+s.x, z+s.z))
	}
	return chunks[place{x, z}], nil
}

// spiral lists the steps to a chunk and its neighbours from the middle outwards.
var spiral = []step{{}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// squares are orders of a chunk and its neighbours.
var squares = func() [][]step {
	var rows, columns, back []step
	for i := range int32(9) {
		rows = append(rows, step{i%3 - 1, i/3 - 1})
		columns = append(columns, step{i/3 - 1, i%3 - 1})
		back = append(back, step{1 - i%3, 1 - i/3})
	}
	return [][]step{rows, columns, back, spiral}
}()

// decorate decorates chunks around one in order, but for itself, and sets the
// bits of what any of its neighbours changes in it.
func (n *Neighbours) decorate(written []uint64, bare *proto.Chunk, steps []step) error {
	chunks, err := n.around(bare.X, bare.Z, reachOrders+1)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if s == (step{}) {
			continue
		}
		n.build(nineOf(chunks, bare.X+s.x, bare.Z+s.z))
		if max(s.x, -s.x, s.z, -s.z) == 1 {
			compareInto(written, bare, chunks[place{bare.X, bare.Z}])
		}
	}
	return nil
}

// build decorates a chunk, up to the first feature whose blocks are not at hand.
func (n *Neighbours) build(nine [9]*feature.Chunk) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *template.LackingError:
			n.decorator = n.system.NewDecorator(n.maker.biomes.at)
		default:
			panic(p)
		}
	}()
	n.decorator.Decorate(nine, n.structures)
}

// step is where a chunk is, from another.
type step struct{ x, z int32 }

// reachOrders is how far away chunks are decorated in orders.
const reachOrders = 2

// turn turns and reflects an order.
type turn struct{ flipX, flipZ, swap bool }

// rows lists the steps to chunks row by row, as the turn has them.
func (t turn) rows() []step {
	var list []step
	for z := int32(-reachOrders); z <= reachOrders; z++ {
		for x := int32(-reachOrders); x <= reachOrders; x++ {
			s := step{x, z}
			if t.flipX {
				s.x = -s.x
			}
			if t.flipZ {
				s.z = -s.z
			}
			if t.swap {
				s.x, s.z = s.z, s.x
			}
			list = append(list, s)
		}
	}
	return list
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

// around returns copies of the chunks within a distance.
func (n *Neighbours) around(x, z, reach int32) (map[place]*feature.Chunk, error) {
	chunks := make(map[place]*feature.Chunk, (2*reach+1)*(2*reach+1))
	for dx := -reach; dx <= reach; dx++ {
		for dz := -reach; dz <= reach; dz++ {
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
