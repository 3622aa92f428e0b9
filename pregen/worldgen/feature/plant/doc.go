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
// Sources of the facts: the 26.2 data, public descriptions of the features, and
// real chunks of 26.2, which the tests compare with.
package plant
