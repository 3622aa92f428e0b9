// Package proto holds the chunk that is being generated, as flat arrays.
//
// A Chunk is scratch: one worker makes it, the stages of generation fill it in
// turn, and it is turned into paletted sections once, at the end. It is reused
// for the next position; Reset makes it empty again without allocating.
//
// Blocks are in the order of sections, x fastest, then z, then y, so that each
// run of 4,096 is a section. Biomes are one for each quarter cell of 4 by 4 by 4
// blocks, in the same order. Heights are the y of the first block above the
// highest one that counts.
//
// Store and Load go to and from the chunk as it is stored.
//
// A Chunk is not safe for concurrent use.
package proto
