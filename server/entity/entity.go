package entity

import (
	"crypto/rand"
	"math"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/nbt"
	"strata/region"
	"strata/server/item"
	"strata/server/physics"
)

// Kind is a kind of entity.
type Kind uint8

// The kinds.
const (
	Item Kind = iota
	FallingBlock
)

var kindNames = [...]string{"minecraft:item", "minecraft:falling_block"}

// String returns the name in the registry minecraft:entity_type.
func (k Kind) String() string { return kindNames[k] }

// sizes are how wide and high the kinds are, in blocks.
var sizes = [...]float64{Item: 0.25, FallingBlock: 0.98}

// Entity is one thing in the world.
type Entity struct {
	ID   int32 // for clients
	UUID [16]byte
	Kind Kind
	// X, Y and Z are its feet, VX, VY and VZ how far it moves in a tick.
	X, Y, Z, VX, VY, VZ float64
	Yaw, Pitch          float32
	OnGround            bool
	// Age is in ticks. An item of the age Ageless stays.
	Age int32

	// Stack are an item's items, and Delay the ticks until they can be taken;
	// NoPickup is never. Owner, if not zero, is the one player who can.
	Stack item.Stack
	Delay int32
	Owner [16]byte

	// State is a falling block's, and Start where it began to fall.
	State block.State
	Start chunk.BlockPos

	// Revision changes when clients have to be told of Stack.
	Revision int32

	home    region.ChunkPos
	health  int32
	members nbt.Compound // of the file, nil for one that is new
	gone    bool
}

// Special values of an item's numbers.
const (
	Ageless  = -32768
	NoPickup = 32767
)

// itemHealth is what an item has, and lavaDamage what lava takes in a tick.
const (
	itemHealth = 5
	lavaDamage = 4
)

// Box is the room that it takes.
func (e *Entity) Box() physics.Box {
	return physics.Around(e.X, e.Y, e.Z, sizes[e.Kind], sizes[e.Kind])
}

// Block is the place of the block that its feet are in.
func (e *Entity) Block() chunk.BlockPos {
	return chunk.BlockPos{X: int32(math.Floor(e.X)), Y: int32(math.Floor(e.Y)), Z: int32(math.Floor(e.Z))}
}

// Chunk is the chunk that it belongs to.
func (e *Entity) Chunk() region.ChunkPos { return e.home }

// IDs gives the numbers by which clients know entities: each once, from 1 on.
type IDs struct{ last int32 }

// Next returns a number that was not given before.
func (i *IDs) Next() int32 {
	i.last++
	return i.last
}

func newUUID() (id [16]byte) {
	_, _ = rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}
