package gen

import (
	"fmt"

	"strata/anvil/block"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/proto"
)

// Learn finds out from the ores in a finished chunk of the game's in which order
// it and its neighbours were decorated, and adds that to turns. blocks are those
// of the chunk as proto.Chunk has them.
//
// A block tells of two chunks if ores of just these reach it and it comes out
// otherwise when they are decorated the other way round. Ores are nearly
// everywhere and hardly look at what else was built. Trees, say, would tell
// more, but of three chunks at once.
func (n *Neighbours) Learn(turns *Turns, x, z int32, blocks []block.State) error {
	if len(n.carved) > cachedCarved {
		clear(n.carved)
	}
	if n.ores == nil {
		n.ores = n.system.Ores().NewDecorator(n.maker.biomes.at)
	}
	chunks, err := n.around(x, z, 2)
	if err != nil {
		return err
	}
	d := diggings{Neighbours: n, chunks: chunks, x: x, z: z, own: chunks[place{x, z}].Chunk}
	if len(blocks) != len(d.own.Blocks) {
		return fmt.Errorf("a chunk of %d blocks, not of %d", len(blocks), len(d.own.Blocks))
	}
	shared := d.shared()
	for i, second := range spiral {
		for j, first := range spiral[:i] {
			if places := shared[1<<i|1<<j]; len(places) > 0 {
				votes := d.vote(first, second, places, blocks)
				turns.add(place{x + first.x, z + first.z}, place{x + second.x, z + second.z}, votes)
			}
		}
	}
	return nil
}

// FinishedInTurn returns a chunk once it and all within reachOrders of it are
// decorated, in the order that turns have.
func (n *Neighbours) FinishedInTurn(turns *Turns, x, z int32) (*proto.Chunk, error) {
	c, err := n.decorated(x, z, turns.order(x, z))
	if err != nil {
		return nil, err
	}
	return c.Chunk, nil
}

// diggings are chunks around one that get their ores in orders.
type diggings struct {
	*Neighbours
	chunks map[place]*feature.Chunk
	x, z   int32
	own    *proto.Chunk // in the middle
}

// shared lists the places of blocks that the ores of two chunks reach, by those
// two: bits of the places in spiral.
func (d *diggings) shared() map[uint16][]int {
	bare := d.carved[place{d.x, d.z}].Blocks
	reached := make([]uint16, len(bare))
	for i, s := range spiral {
		d.dig(s)
		for at, state := range d.own.Blocks {
			if state != bare[at] {
				reached[at] |= 1 << i
			}
		}
		d.restore()
	}
	shared := make(map[uint16][]int)
	for at, by := range reached {
		if more := by & (by - 1); more != 0 && more&(more-1) == 0 {
			shared[by] = append(shared[by], at)
		}
	}
	return shared
}

// vote counts the blocks that are as if one chunk was decorated before another,
// less those that are as if after it.
func (d *diggings) vote(first, second step, places []int, blocks []block.State) (votes int) {
	forward := make([]block.State, len(places))
	d.dig(first, second)
	for i, at := range places {
		forward[i] = d.own.Blocks[at]
	}
	d.restore()
	d.dig(second, first)
	for i, at := range places {
		switch back := d.own.Blocks[at]; {
		case forward[i] == back:
		case blocks[at] == forward[i]:
			votes++
		case blocks[at] == back:
			votes--
		}
	}
	d.restore()
	return votes
}

// dig puts the ores of chunks in place.
func (d *diggings) dig(steps ...step) {
	for _, s := range steps {
		d.ores.Decorate(nineOf(d.chunks, d.x+s.x, d.z+s.z), nil)
	}
}

// restore undoes what was dug.
func (d *diggings) restore() {
	for at, c := range d.chunks {
		if c.Touched {
			copy(c.Blocks, d.carved[at].Blocks)
			c.Reset()
		}
	}
}
