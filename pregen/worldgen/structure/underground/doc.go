// Package underground has the structures that lie under the ground or hang
// above the lava of the Nether: mineshafts, strongholds, fortresses, buried
// treasures and nether fossils. It plugs into package structure.
//
// # Nouns
//
//   - a maze is a structure in the making that grows piece by piece, of
//     which no two may meet;
//   - diggings are a mineshaft in the making: it is dug depth first;
//   - halls are a stronghold or a fortress in the making. A hall is one of its
//     pieces, an option a kind of hall with its weight, an entry a door through
//     which the next hall is entered. Which hall is branched from next is
//     drawn.
//
// # Pieces with state
//
// A corridor of a mineshaft knows whether it has its spawner, since it draws
// for it until it does; a treasure knows where its chest is. Both meet no more
// than three by three chunks. Other pieces note that a chest or a spawner is
// there, which nothing depends on: only one chunk can place it.
//
// # Concurrency
//
// As package structure says: layouts are shared, pieces are placed by one
// worker at a time.
package underground
