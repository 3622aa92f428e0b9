package block

// BlocksMotion reports whether the state counts as solid for heightmaps,
// fluids and spawning. It follows the collision shape, with exceptions: signs
// and pressure plates do, ladders and cobwebs do not.
func (s State) BlocksMotion() bool { return s.bits()&bitBlocksMotion != 0 }

// The heightmaps hold the highest block for which these hold.

// WorldSurface is the predicate of WORLD_SURFACE and WORLD_SURFACE_WG.
func (s State) WorldSurface() bool { return s.bits()&bitAir == 0 }

// OceanFloor is the predicate of OCEAN_FLOOR and OCEAN_FLOOR_WG.
func (s State) OceanFloor() bool { return s.bits()&bitBlocksMotion != 0 }

// MotionBlocking is the predicate of MOTION_BLOCKING: what blocks motion or
// holds a fluid.
func (s State) MotionBlocking() bool { return s.bits()&(bitBlocksMotion|3<<fluidBits) != 0 }

// MotionBlockingNoLeaves is the predicate of MOTION_BLOCKING_NO_LEAVES.
func (s State) MotionBlockingNoLeaves() bool {
	bits := s.bits()
	return bits&(bitBlocksMotion|3<<fluidBits) != 0 && bits&bitLeaves == 0
}
