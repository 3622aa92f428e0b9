// Package plant has features of plants: vines, bamboo, patches of moss, clay
// and the like with what grows on them, roots of azaleas and of springs, corals
// and sea pickles. Trees are in package tree, and what is one block or a column
// of them in package feature.
//
// Its nouns are those of package feature; Factories makes the features:
//
//   - vines, bamboo, sea_pickle;
//   - coral_tree, coral_claw, coral_mushroom;
//   - vegetation_patch, and waterlogged_vegetation_patch, whose surface is
//     water where it is enclosed;
//   - root_system, in the forms of 26.1 and 26.2: the later one ends at the
//     surface of generation, and may ask for level ground.
//
// Features do not change and may be used concurrently, each worker with its own
// feature.Context.
//
// Plants of a patch are drawn in the order of Java's HashSet<BlockPos>, which
// package tree keeps.
//
// # What agrees with real chunks
//
// Of 150 full chunks of three worlds of 26.2 that no structure reaches into,
// 108 have all blocks of the kinds of this package, of cave and of rock where
// the game has them, in one of eight simple orders of decoration; of the others
// those that were looked into differ where chunks overlap, and become equal, or
// nearly, in an order that is searched for. Nine chunks of 26.1.2 are equal
// whole (30 November 2026; the tests keep a part of these). Of desert wells,
// rocks of forests and bamboo there is no such chunk.
//
// Sources of the facts: the 26.2 data, public descriptions of the features, and
// real chunks of 26.2, which the tests compare with.
package plant
