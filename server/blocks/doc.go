// Package blocks is what the game's blocks do: which states an item places,
// what stands on what, how blocks change with their neighbours, fluids, uses of
// blocks and tools, how long digging takes and what it yields.
//
// # Nouns
//
//   - a [View] is blocks to look at, a [Context] blocks to change: the owner of
//     the world implements it;
//   - a [Placement] is an item used on a face of a block; [Place] turns it into
//     [Change] values or a [Refusal];
//   - [Apply] puts changes into a Context and lets the neighbours follow;
//   - a shape update ([Shape]) is what one block becomes because of one
//     neighbour: a fence connects, a torch without its wall becomes air;
//   - a scheduled tick ([Tick], [FluidTick]) is what a block does some ticks
//     after it asked for that.
//
// # Use
//
// The world calls Place, then Apply with what it returned; Break for a block
// that is dug; Use and UseItem for clicks; Tick and FluidTick when a scheduled
// tick is due and the block or fluid is still what it was scheduled for.
// Everything that follows comes back through the Context.
//
// # Concurrency and limits
//
// Functions keep no state and start nothing: they may be called concurrently on
// different contexts. A chain of updates ends after [MaxUpdates] blocks, as the
// game's ends at a million neighbour updates. A block that is not loaded is
// never changed, and counts as air to look at.
//
// # Sources
//
// Rules are those of minecraft.wiki (pages of the single blocks, "Fluid",
// "Breaking", "Tile entity" and "Block states"), 26.2; blocks that may stand on
// others are the game's tags supports_* of 26.2, which anvil/registry has. What
// is no page's subject is observed behaviour of 1.21. Assumed: drops (see
// [Drops]), and that support shapes are collision shapes but for those listed
// in sturdy.go.
//
// # Absent
//
// Redstone power (wire strength, pistons, doors by power, pressure plates,
// repeaters that lock), random ticks (growth, spreading, melting, oxidizing),
// fire, explosions, bone meal, cake, beds to sleep in, composters, cauldrons,
// note blocks, jukeboxes, lecterns, item frames and other entities, drops by
// fortune, silk touch and shears, mob griefing, sponges.
package blocks
