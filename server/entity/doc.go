// Package entity is what lies and falls in a dimension: items on the ground and
// blocks on their way down.
//
// # Nouns
//
//   - a [Set] is the entities of one dimension, those of loaded chunks;
//   - an [Entity] is an item or a falling block; each belongs to the chunk that it
//     is in;
//   - all other entities of a chunk are kept as they are, in its file, and nobody
//     sees them.
//
// # Items
//
// An item falls, floats in water, burns in lava, slides as the ground lets it, joins
// others of the same within half a block, and is gone after five minutes. Numbers
// are the game's: minecraft.wiki, "Item (entity)" and "Entity/Motion".
//
// # Falling blocks
//
// A falling block becomes a block where it comes to rest, if that place gives way,
// and an item if not, or if it falls for too long.
//
// # Saving
//
// [Set.Load] takes a chunk's entities from the document of the file that the game
// keeps them in, [Set.Document] makes that document. [Set.Changed] lists the chunks
// whose entities are others than their documents say, with how much that matters.
//
// # Not here
//
// Creatures, experience orbs and all other kinds; water that carries things along;
// falling blocks that hurt; what a falling block keeps of a block entity is lost.
//
// # Concurrency
//
// A Set belongs to the tick goroutine.
package entity
