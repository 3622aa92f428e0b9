package entity

import (
	"math/rand/v2"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/region"
	"strata/server/item"
	"strata/server/physics"
)

// Set is the entities of a dimension.
type Set struct {
	ids    *IDs
	all    []*Entity // dense, in no order
	chunks map[region.ChunkPos]*column
	mover  physics.Mover
	ticks  int64
	random func() float64 // from 0 to 1
}

// column is what belongs to a loaded chunk.
type column struct {
	entities []*Entity
	kept     document
	change   Change
}

// Change is how much the entities of a chunk differ from their document.
type Change uint8

// The changes: none, only of motion and age, and of what is there.
const (
	Same Change = iota
	Moved
	Structural
)

// NewSet returns a set without chunks, which takes numbers from ids.
func NewSet(ids *IDs) *Set {
	return &Set{ids: ids, chunks: map[region.ChunkPos]*column{}, random: rand.Float64}
}

// Len is how many entities there are.
func (s *Set) Len() int { return len(s.all) }

// All are the entities, until the next change. They must not be changed.
func (s *Set) All() []*Entity { return s.all }

// Near calls f with the entities whose boxes meet a box, until it returns false.
func (s *Set) Near(b physics.Box, f func(*Entity) bool) {
	const reach = 1 // wider than any of them
	low := chunk.BlockPos{X: floor(b.MinX - reach), Z: floor(b.MinZ - reach)}.Chunk()
	high := chunk.BlockPos{X: floor(b.MaxX + reach), Z: floor(b.MaxZ + reach)}.Chunk()
	for z := low.Z; z <= high.Z; z++ {
		for x := low.X; x <= high.X; x++ {
			c := s.chunks[region.ChunkPos{X: x, Z: z}]
			if c == nil {
				continue
			}
			for _, e := range c.entities {
				if !e.gone && e.Box().Meets(b) && !f(e) {
					return
				}
			}
		}
	}
}

// add takes an entity in, if its chunk is there.
func (s *Set) add(e *Entity) bool {
	e.home = e.Block().Chunk()
	c := s.chunks[e.home]
	if c == nil {
		return false
	}
	e.ID = s.ids.Next()
	if e.UUID == ([16]byte{}) {
		e.UUID = newUUID()
	}
	c.entities = append(c.entities, e)
	c.change = Structural
	s.all = append(s.all, e)
	return true
}

// pickupDelay is how long items that a block yields cannot be taken, in ticks.
const pickupDelay = 10

// Spill throws items out of a block. It reports false if its chunk is not there.
func (s *Set) Spill(p chunk.BlockPos, stack item.Stack) bool {
	const spread, height = 0.25, sizeOfItem / 2
	around := func() float64 { return (2*s.random() - 1) * spread }
	return s.add(&Entity{
		Kind: Item, Stack: stack, Delay: pickupDelay, health: itemHealth,
		X: float64(p.X) + 0.5 + around(), Y: float64(p.Y) + 0.5 + around() - height, Z: float64(p.Z) + 0.5 + around(),
		VX: s.random()*0.2 - 0.1, VY: 0.2, VZ: s.random()*0.2 - 0.1,
	})
}

const sizeOfItem = 0.25

// Throw puts an item where somebody threw it, with a motion. delay is how long it
// cannot be taken, in ticks. It reports false if the chunk is not there.
func (s *Set) Throw(stack item.Stack, x, y, z, vx, vy, vz float64, delay int32) bool {
	return s.add(&Entity{Kind: Item, Stack: stack, Delay: delay, health: itemHealth, X: x, Y: y, Z: z, VX: vx, VY: vy, VZ: vz})
}

// Fall puts a falling block in the place of a block, which the caller has taken
// away. It reports false if the chunk is not there.
func (s *Set) Fall(p chunk.BlockPos, state block.State) bool {
	return s.add(&Entity{Kind: FallingBlock, State: state, Start: p, X: float64(p.X) + 0.5, Y: float64(p.Y), Z: float64(p.Z) + 0.5})
}

// Take takes up to n items of an entity, which is gone when none is left.
func (s *Set) Take(e *Entity, n int32) item.Stack {
	taken, rest := e.Stack.Split(n)
	if taken.Empty() {
		return taken
	}
	e.Revision++
	e.Stack = rest
	s.touch(e, Structural)
	if rest.Empty() {
		s.Remove(e)
	}
	return taken
}

// Put moves an entity somewhere, at rest. It reports false if the chunk there is not
// loaded.
func (s *Set) Put(e *Entity, x, y, z float64) bool {
	to := chunk.BlockPos{X: floor(x), Y: floor(y), Z: floor(z)}
	if e.gone || s.chunks[to.Chunk()] == nil {
		return false
	}
	e.X, e.Y, e.Z, e.VX, e.VY, e.VZ, e.OnGround = x, y, z, 0, 0, 0, false
	s.touch(e, Structural)
	s.rehome(e)
	return true
}

// Remove takes an entity out of the world. It stays among All until the next Tick.
func (s *Set) Remove(e *Entity) {
	e.gone = true
	s.touch(e, Structural)
}

// Gone reports whether an entity was removed.
func (e *Entity) Gone() bool { return e.gone }

func (s *Set) touch(e *Entity, c Change) {
	if at := s.chunks[e.home]; at != nil {
		at.change = max(at.change, c)
	}
}

// sweep drops what is gone.
func (s *Set) sweep() {
	kept := s.all[:0]
	for _, e := range s.all {
		if !e.gone {
			kept = append(kept, e)
			continue
		}
		if c := s.chunks[e.home]; c != nil {
			c.drop(e)
		}
	}
	clear(s.all[len(kept):])
	s.all = kept
}

func (c *column) drop(e *Entity) {
	for i, other := range c.entities {
		if other == e {
			last := len(c.entities) - 1
			c.entities[i] = c.entities[last]
			c.entities[last] = nil
			c.entities = c.entities[:last]
			return
		}
	}
}

// rehome gives an entity that has moved to the chunk that it is in now. One whose
// new chunk is not there stays at the edge of its own.
func (s *Set) rehome(e *Entity) {
	to := e.Block().Chunk()
	if to == e.home {
		return
	}
	c := s.chunks[to]
	if c == nil {
		return // blocks that are not loaded are in the way, so this is but a hair
	}
	s.touch(e, Structural)
	s.chunks[e.home].drop(e)
	e.home = to
	c.entities = append(c.entities, e)
	c.change = Structural
}
