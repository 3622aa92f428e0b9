// Package climate says which biome is where: equal, cell for cell, to Java
// Edition 26.1 and 26.2.
//
// Its nouns:
//
//   - a quarter cell is a cube of 4 by 4 by 4 blocks, which has one biome. Its
//     coordinates are those of its lowest block divided by 4.
//   - the climate of a cell is six numbers of the density functions:
//     temperature, humidity, continentalness, erosion, depth, weirdness. A
//     Point is a climate times 10,000, as whole numbers. A Sampler gives
//     climates; package density has one.
//   - a Row is a box of climates that stands for a biome, and a Table the rows
//     of a dimension. The biome of a point is that of the nearest row, by the
//     sum of squares.
//   - a Source is a dimension's biome source, read from its document by Load:
//     multi_noise, which has a Table, fixed, checkerboard or the_end. A Reader
//     is a worker's view of one; it fills chunks.
//   - the zoom moves the borders between quarter cells to those between blocks,
//     by the world's seed. Zoom gives the cell of a block, View the biomes of a
//     chunk's blocks.
//   - the spawn is found by FindSpawn, from the climate alone, and then by
//     Settle, which looks at the ground. Locate finds the nearest biome as the
//     game's command does.
//
// # Ties
//
// Two rows can be at exactly the same distance of a point. The game then keeps
// the row of the thread's previous look-up if it is one of them, and otherwise
// takes the first in the order of its search tree. So there the game's own
// result depends on which thread did what before. Here each chunk begins
// without a previous look-up and goes through its cells in the order of the
// game, so that the result is a function of the chunk alone. A Match tells when
// rows of different biomes were tied.
//
// # Concurrency and limits
//
// Points, Rows, Tables, Sources and Zooms do not change after they were made
// and may be used concurrently; Finders, Readers and Views belong to one worker.
// Their methods do not allocate, but for the first call of a Reader's, and
// Locate. A table has at most MaxRows rows.
//
// Sources of the facts: public descriptions of the game's multi-noise biome
// source (minecraft.wiki, deepslate, cubiomes), of its tree and of its spawn
// search; the biome_source documents and the table of the 26.2 reports. The
// tests compare with the biomes of real chunks of 26.1.2 and 26.2, with samples
// of the zoom, and with the spawns of real worlds.
package climate
