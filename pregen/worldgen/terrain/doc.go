// Package terrain makes the blocks of the noise stage of generation: solid
// ground, the fluids in it and the ore veins, equal block for block to those of
// Java Edition 26.2 (and, as far as its chunks tell, 26.1).
//
// Its nouns:
//
//   - Settings are an entry of worldgen/noise_settings: what the ground and the
//     sea are made of, the shape of the noise, and the raw documents that other
//     packages compile (router, surface rule, spawn target).
//   - an Aquifer decides what is in a block that the density leaves open: air,
//     water or lava, or after all ground, where two fluids would touch. It asks
//     the centres around the block, one in each cell of 16 by 12 by 16 blocks,
//     each of which has a fluid and a level. The carvers ask it too.
//   - a mark is a block that the game updates when the chunk first ticks, so
//     that a fluid beside another level begins to flow.
//   - Veins put ore and the stone around it into ground.
//   - a Beard is what the pieces of structures near a chunk do to its density,
//     so that they stand on ground or lie in it.
//   - Fill puts all of them together and writes a proto.Chunk.
//
// What is random is a function of the seed and a position, so a chunk does not
// depend on which were made before it.
//
// # Use
//
// Settings do not change and are shared. An Aquifer, a Beard, Veins and a Filler
// are scratch of one worker: Begin moves them to a chunk, and none of their
// methods may be called concurrently. None allocates once it has grown to its
// size.
//
// # Cost
//
// Thread CPU time a chunk of BenchmarkFill, in microseconds, on two shared
// cores of an AMD EPYC, 30 November 2026; "apart" is without the densities of
// cells, which are taken before:
//
//	             whole   apart
//	overworld     1010     390
//	the Nether     255      90
//	the End         64       2
//
// (The End's chunks are mostly empty there.) With 40 pieces and as many
// junctions of structures near it an overworld chunk takes 3,640.
//
// # Limits
//
// Blending with chunks of older versions is left out, as in all of world
// generation. Noise settings with cells 12 blocks wide are read, but
// density.Compile refuses their shape.
//
// Bury, beard_box and junctions are from description alone: no stored chunk
// shows them. The tests compare with dumps and chunks of the game: all blocks
// of eleven dumps of the noise stage; blocks, heights and marks of seven chunks
// of that stage; ground, fluids, veins and marks of 104 chunks of the carvers
// stage; and what encapsulating and thin beards change in eleven chunks.
//
// Sources of the facts: public descriptions of the game's terrain and the
// sources of Pumpkin and deepslate, compared with each other; parameters from
// the 26.2 data.
package terrain
