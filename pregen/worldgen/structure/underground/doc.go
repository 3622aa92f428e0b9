// Package underground has the structures that lie under the ground or hang
// above the lava of the Nether: mineshafts, strongholds, fortresses, buried
// treasures and nether fossils. It plugs into package structure.
//
// # Nouns
//
//   - a maze is a structure in the making that grows piece by piece, of which
//     no two may meet;
//   - diggings are a mineshaft in the making: it is dug depth first;
//   - halls are a stronghold or a fortress in the making. A hall is one of its
//     pieces, an option a kind of hall with its weight, an entry a door through
//     which the next hall is entered. Which hall is branched from next is
//     drawn;
//   - bones are the piece of a fossil, the only one here that is made of a
//     template.
//
// # Pieces with state
//
// A corridor of a mineshaft knows whether it has its spawner, since it draws
// for a place until it does; the box of a treasure moves to its chest. Both
// meet no more than three by three chunks. Other pieces note that a chest or a
// spawner is there, on which no block depends: only one chunk can place it.
//
// Mineshafts are left out chunk by chunk, where fluid touches a piece in the
// chunk. A fossil is built by each chunk that it touches, all of it.
//
// # Concurrency
//
// As package structure says: layouts are shared, a piece is placed by one
// worker at a time.
//
// # What is checked
//
// Of 437 starts of real worlds of 26.1 and 26.2 (108 mineshafts, 3 strongholds,
// 13 fortresses, 18 treasures, 295 fossils) all have the same 16,467 pieces. In
// full chunks the blocks within pieces are those of the real ones, but for what
// ticks and the order of decoration change, and three blocks that other things
// set: 30,607 of mineshafts in 78 chunks, the two chests of treasures with their
// loot, 8,436 of a fortress and its pillars, 28 bones and two dried ghasts; and
// with them the marks for the first tick (STRATA_ALL_CHUNKS=1 go test -v, 30
// November 2026). Of fortresses these are the castle's stairs, garden, balcony,
// corridors and their turns and crossings. Bridges, thrones, the entrance and
// rooms of fortresses, mineshafts of badlands, and all of strongholds lie in no
// full chunk that is known: they follow public descriptions, which for what is
// known agree with real chunks.
//
// # Sources of the facts
//
// Public descriptions of the structures and of the order in which the game
// draws for them, and the real chunks that the tests compare with.
package underground
