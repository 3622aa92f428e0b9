// Package feature decorates chunks: it builds what biomes name as features,
// once the ground of a chunk and of its neighbours is made.
//
// Its nouns:
//
//   - a Feature is something that can be built at a place (a configured
//     feature); a Placed is one with the modifiers that find places for it;
//   - a Factory makes features of one type of their config; Core has those of
//     this package, others come from packages beside it;
//   - a Loader reads features, and what they are made of: block state
//     providers, block predicates, rule tests, sets of blocks;
//   - a Chunk is a proto.Chunk with what decoration adds; a View is what
//     decoration of a chunk sees, it and its eight neighbours;
//   - a System is the decoration of a dimension: the features of its biomes in
//     the one order that all chunks keep. A Decorator is a worker's scratch.
//
// # How a chunk is decorated
//
// The features of all biomes of a dimension are put in one list for each step.
// A chunk runs those of the biomes in it and its neighbours, in that order;
// the random source is seeded for each by the chunk and the feature's place in
// the list, so that a feature that builds nothing does not change the others.
// Of two chunks near each other the one decorated first may decide, so callers
// keep an order.
//
// Places are found depth first: one runs through all modifiers and is built at
// before the next is drawn.
//
// Heightmaps: those of generation (WG) stay as they are when decoration
// begins. The four others are computed from the blocks when a chunk is first
// written or asked, again when it is decorated itself, and follow each Set.
//
// # Errors and limits
//
// Loading checks everything and returns *provider.ValueError, ErrCycle, or
// what the source returns; building cannot fail. Documents nest up to 64
// deep; a placement has up to 256 modifiers, each of which makes up to 4,096
// places of one.
//
// # What is here and what is not
//
// Core has ore, scattered_ore, disk, lake, spring_feature, freeze_top_layer,
// simple_block, block_column, seagrass, kelp, monster_room, underwater_magma,
// geode, sequence and the four selectors. Types of features without a factory
// are an error, or build nothing if the caller says so. Whether blocks survive
// is known of wild plants, snow, carpets, torches, fire, and what hangs from or
// clings to others; other blocks, among them crops, stand anywhere.
//
// Documents are those of 26.1 and 26.2; of 26.1 a lake keeps clear of what the
// game's code had.
//
// Assumed, as no real chunk tells: a sequence builds all its features whatever
// becomes of those before; a lake asks can_place_feature of each block around
// it. Marked for the first tick are mushrooms and, as in real chunks, what is
// above magma.
//
// # Cost
//
// 1.0 ms of CPU time for a chunk of the overworld with the features that are
// here, half of it ores (go test -bench Decorate, one of two shared cores of an
// EPYC at 2.6 GHz, 30 November 2026).
//
// # Sources of the facts
//
// The 26.2 data, public descriptions of the game's decoration and of data
// packs, and real chunks of 26.2, which the tests compare with.
package feature
