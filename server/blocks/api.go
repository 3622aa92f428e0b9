package blocks

import (
	"strata/anvil/block"
	"strata/anvil/chunk"
)

// MaxUpdates is how many blocks one call of [Apply], [Break] or [Tick] changes
// at most.
const MaxUpdates = 1 << 16

// Pos is the position of a block.
type Pos = chunk.BlockPos

// View is blocks to look at.
type View interface {
	// Block returns a block, and false if its chunk is not loaded. Outside the
	// world's height it is air, or void air, and loaded.
	Block(p Pos) (s block.State, loaded bool)
}

// Context is blocks to change, and what else blocks cause in a world.
type Context interface {
	View
	// Bounds returns the lowest and the highest y that has blocks.
	Bounds() (lowest, highest int32)
	// Hot says that water evaporates here and lava runs far: the Nether.
	Hot() bool
	// Renews says that two sources of a fluid make a third between them.
	Renews(f block.Fluid) bool
	// Random returns a number from 0 to n-1.
	Random(n int) int
	// Set stores a block, with light, heightmaps and what clients are told, and
	// removes a block entity that no longer belongs. It causes no updates.
	Set(p Pos, s block.State)
	// ScheduleBlock asks for a call of [Tick] after some ticks, unless one of
	// the same position and block waits already.
	ScheduleBlock(p Pos, id block.ID, delayTicks int)
	// ScheduleFluid asks for a call of [FluidTick] after some ticks, unless one
	// of the same position and fluid waits already.
	ScheduleFluid(p Pos, f block.Fluid, delayTicks int)
	// Drop throws items out of a block.
	Drop(p Pos, d Stack)
	// Fall replaces a block by a falling one. It sets the block to what is left
	// (air or water) and causes its updates with [Apply].
	Fall(p Pos, s block.State)
	// Event tells those nearby of a sound or particles; data is a state where
	// the event is about one.
	Event(p Pos, e Event, data int32)
}

// Event is the name of a sound or particles.
type Event string

// The events.
const (
	EventBreak      Event = "break"      // data: the state that was broken
	EventPlace      Event = "place"      // data: the state
	EventFizz       Event = "fizz"       // lava meets water
	EventOpen       Event = "open"       // data: the state
	EventClose      Event = "close"      // data: the state
	EventClickOn    Event = "click_on"   // data: the state
	EventClickOff   Event = "click_off"  // data: the state
	EventIgnite     Event = "ignite"     // flint and steel
	EventExtinguish Event = "extinguish" // data: the state
	EventFill       Event = "fill"       // a bucket is filled; data: the state
	EventEmpty      Event = "empty"      // a bucket is emptied; data: the state
	EventStrip      Event = "strip"      // an axe on a log
	EventScrape     Event = "scrape"     // an axe on oxidized copper
	EventWaxOff     Event = "wax_off"    // an axe on waxed copper
	EventWaxOn      Event = "wax_on"     // honeycomb on copper
	EventFlatten    Event = "flatten"    // a shovel on dirt
	EventTill       Event = "till"       // a hoe on dirt
	EventNote       Event = "note"       // data: the state
)

// Stack is items to drop, by the item's name with namespace.
type Stack struct {
	Item  string
	Count int
	// Contents says that the block's block entity goes into the item, as that
	// of a shulker box does.
	Contents bool
}

// Change is a block to set.
type Change struct {
	Pos   Pos
	State block.State
}

// Placement is an item used on a face of a block.
type Placement struct {
	View View
	// Item is the item's name with namespace.
	Item    string
	Clicked Pos
	Face    block.Direction
	// X, Y and Z are the place in the clicked block, 0 to 1.
	X, Y, Z    float64
	Yaw, Pitch float32 // in degrees, as the game has them
	Sneaking   bool
	// Lowest and Highest are the y that the world has blocks in.
	Lowest, Highest int32
	// Hot says that the world is the Nether.
	Hot bool
	// Occupied reports whether an entity is in the way of a state's collision
	// shape. Nil means that none is.
	Occupied func(p Pos, s block.State) bool
	// Random returns a number from 0 to n-1, for the age of kelp and vines. Nil
	// means 0.
	Random func(n int) int
}

// Placed is what a Placement leads to.
type Placed struct {
	// Changes are in the order in which to set them; empty if refused.
	Changes []Change
	Refusal Refusal
	// Left is the item that remains of one that is used up: a bucket. Empty for
	// nothing.
	Left string
}

// Refusal is why a Placement does nothing.
type Refusal uint8

// The refusals.
const (
	Accepted       Refusal = iota
	NotPlaceable           // the item has no block
	NotLoaded              // the place is not in memory
	OutOfWorld             // above or below the world
	NotReplaced            // the place has a block that does not give way
	Unsupported            // the block would not stay there
	EntityInTheWay         // somebody stands there
)

var refusalNames = [...]string{
	"accepted", "not placeable", "not loaded", "out of the world",
	"place is taken", "unsupported", "entity in the way",
}

func (r Refusal) String() string { return refusalNames[r] }
