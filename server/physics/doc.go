// Package physics moves boxes through the blocks of a world as the game does: first
// up or down, then along the longer of the two horizontal ways, then along the
// other, each as far as nothing is in the way.
//
// # Concurrency
//
// A [Mover] has scratch memory and belongs to one goroutine.
//
// # Limits
//
// Blocks that stand at an offset drawn from their position collide as they stand at
// 0, 0 (see block.State.Collision); entities are in nobody's way.
package physics
