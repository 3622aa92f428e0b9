// Package oracle compares what a generator makes with chunks that the game
// made.
//
// Its nouns:
//
//   - an Oracle is a folder of such chunks: a collection made for this purpose
//     (see below), dumps of chunks, or any world;
//   - a Sample is one of its chunks, with what is known of where it comes from:
//     seed, data version, stage, tier;
//   - the stage is how far its generation had come: biomes, noise, surface,
//     carvers, initialize_light (decorated, but neighbours may still write into
//     it) or full;
//   - the tier of a full chunk says how far it is the generator's: A for one
//     that never ticked, as its post-processing marks are still there; B for one
//     that may have ticked but had no player near; C for one that had;
//   - a Generator is what is judged, one for each seed and data version;
//   - a Report has a Row for each folder, dimension, stage and tier.
//
// # Folders
//
// A collection is a folder with README.md, whose line "- seed: N" gives the
// seed, and a folder for each dimension (overworld, the_nether, the_end), which
// has manifest.json (a list of x, z, set and tier), starts.json.gz (the structure
// starts of the world with the boxes of their pieces) and region files in full
// and in stage-biomes, stage-noise and so on. A folder of such folders is read
// as all of them.
//
// A dump is a file whose name ends in .chunk: a JSON array of block states by
// number of 26.2, x slowest, then y, then z. Its name tells the stage (surface if
// it has that word, else noise), the dimension (nether, end) and, at its end, the
// seed, if it is not 0, and the chunk. Dumps have no biomes. Those named after
// single caches are left out.
//
// In a world the stages features to spawn count as initialize_light, other
// stages are left out, as are chunks that hold terrain of older versions and
// chunks of data versions other than those of 26.1 to 26.2.
//
// # What is counted
//
// A chunk is exact when no block is wrong, or at stage biomes no biome. Masked,
// it is exact as well if what is wrong are voxels that depend on the order in
// which chunks were decorated, or quarter cells where two biomes are exactly as
// near: there the game does not agree with itself. It is exact in an order if it
// is in one of the orders that the generator offers, and ordered if it is in the
// one order that a generator that is a Learner has found out. The inner columns
// are the 8 by 8 in the middle of a chunk, into which neighbours that are
// decorated seldom reach; what is wrong there is counted apart where features
// place the block that was expected. Carving masks are compared at carvers, and
// at initialize_light where they are stored; post-processing marks at noise to
// carvers, where neighbours may have added theirs at the end.
//
// The order that a Learner finds out is told by blocks of the very chunks that
// are judged, though by few of them, those where ores of two chunks meet; and it
// is one order for all of a world. So an exact chunk says that its blocks are
// right in an order that does not contradict the world, while exact in an order
// may be one that was lucky. Ordered chunks have no masks: all blocks count,
// ores too.
//
// Some of what real chunks hold follows from no seed and no order. A chunk that
// was saved at carvers and read again has its heights of generation computed
// anew, with the trees that neighbours have put there, and ores near the ground,
// ruined portals and what is drawn after them come out otherwise. Fluids flow in
// from neighbours that ticked. And a server may have arithmetic of its own: where
// densities are within 1e-5 of 0, which side they are on is as here in all
// chunks of two of the known worlds, and otherwise in a tenth of the cases in
// the third, whose server is not the game's.
//
// Chunks within 12 blocks of a piece of a structure that adapts the terrain are
// counted in rows of their own, and listed.
//
// # Concurrency and limits
//
// An Oracle is read by one goroutine at a time; Diff compares in several. Damaged
// chunks and files are errors beside the rest, never a panic. Documents are read
// up to 256 MiB, region files as by package anvil/scan.
package oracle
