package gen

import (
	"testing"

	"strata/anvil/block"
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

// DecoratedIn returns the blocks of a chunk once it and its neighbours are
// decorated in an order of their places in nine, row by row.
func (n *Neighbours) DecoratedIn(x, z int32, order []int) ([]block.State, error) {
	var steps []step
	for _, i := range order {
		steps = append(steps, step{int32(i)%3 - 1, int32(i)/3 - 1})
	}
	c, err := n.decorated(x, z, steps)
	if err != nil {
		return nil, err
	}
	return c.Blocks, nil
}

// Add counts blocks as if a chunk was decorated before another.
func (t *Turns) Add(firstX, firstZ, secondX, secondZ int32, blocks int) {
	t.add(place{firstX, firstZ}, place{secondX, secondZ}, blocks)
}

// Votes lists what is told of a chunk and its neighbours, by their places in
// nine, and how many blocks say so.
func (t *Turns) Votes(x, z int32) (votes [][3]int) {
	for _, v := range t.around(x, z, 1) {
		votes = append(votes, [3]int{int(v.first.z*3 + v.first.x + 4), int(v.second.z*3 + v.second.x + 4), v.blocks})
	}
	return votes
}

// Order lists the order of the chunks within 2 of one, from -2,-2 row by row.
func (t *Turns) Order(x, z int32) (order []int) {
	for _, s := range t.order(x, z) {
		order = append(order, int((s.z+2)*5+s.x+2))
	}
	return order
}
