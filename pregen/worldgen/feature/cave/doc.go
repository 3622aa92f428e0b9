// Package cave has features of caves: dripstone and sulfur, what covers the
// sides of blocks, and sculk.
//
// Its nouns, beside those of package feature:
//
//   - a speleothem is a stalactite or stalagmite of pointed blocks; the stone is
//     what it is made of and what its base may replace;
//   - a film is a block that covers sides of others (glow lichen, sculk vein);
//     it spreads from one side to another;
//   - a cursor is a charge of sculk that wanders and turns what it meets.
//
// Factories makes speleothem, speleothem_cluster (pointed_dripstone and
// dripstone_cluster in 26.1), large_dripstone, multiface_growth and
// sculk_patch. Features do not change and may be used concurrently, each worker
// with its own feature.Context.
//
// Package plant says how far all this agrees with real chunks. Sculk takes a
// third of the time in which a chunk of the deep dark is decorated, about 1 ms.
//
// Of large dripstones bent by wind, the rule of 26.2 that they stay within the
// chunks beside is from description: no real chunk has one that would not.
//
// Cube roots and logarithms of large dripstones are our own, to two units of the
// last place; the game rounds heights down to whole blocks.
//
// Sources of the facts: the 26.1 and 26.2 data, public descriptions of the
// features, and real chunks of 26.2, which the tests compare with.
package cave
