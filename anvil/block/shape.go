package block

// Box is a part of a shape, in blocks from the block's lowest corner. Parts
// may reach out of the block: fences are 1.5 high.
type Box struct{ MinX, MinY, MinZ, MaxX, MaxY, MaxZ float64 }

// Collision returns the boxes that things collide with; none for air. The
// caller must not change them. Blocks that stand at an offset drawn from
// their position (bamboo, pointed dripstone, sulfur spike) are given as they
// stand at 0, 0; scaffolding as a thing on top of it meets it.
func (s State) Collision() []Box {
	t := get()
	return t.shapes[t.states[s].shape]
}

// CollisionShape returns the number of the state's collision shape: equal for
// states whose shapes are equal.
func (s State) CollisionShape() uint16 { return get().states[s].shape }

// FullCollision reports whether the collision shape is the whole block.
func (s State) FullCollision() bool { return s.bits()&bitFullCollision != 0 }
