// Package density evaluates density functions: the expressions, in the game's
// data, that terrain and biomes are made from. Values equal those of Java
// Edition 26.2 bit for bit.
//
// Its nouns:
//
//   - a Node is a function of a Graph: equal functions are one node. A Loader
//     reads them from JSON: by id, inline, or as the Router of noise settings.
//   - a Program is a router made ready for chunks of one Shape.
//   - a Chunk is a worker's scratch. It evaluates a program in one chunk after
//     another: values at single points, the climate of quarter cells, and the
//     densities of cells.
//   - a cell is 4 or 8 blocks wide and 4 to 16 high. An interpolated function
//     is computed at its corners and interpolated for its blocks.
//   - a flat cache holds a function at the quarter positions (every fourth
//     block) of a chunk.
//
// Programs and graphs do not change and may be shared; a Loader and a Chunk
// belong to one goroutine.
//
// # Rules that show
//
// A product is 0 where its left factor is 0, unless one of them is a plain
// number. min and max leave out their right argument where the left is beyond
// its Bounds, which the game estimates and which are not always true. Splines
// are of single precision. Flat caches round to quarter positions only inside
// the chunk. final_density is interpolated along x, then y, then z; what ore
// veins use along y, then x, then z. No old chunks are blended with: blend_alpha
// is 1, blend_offset 0 and blend_density its argument.
//
// Known differences, none of which the game's data can show: the argument of
// cache_2d and cache_once is computed where it is asked for, while the game
// keeps it for a column, whatever its height; an interpolated function inside
// another one counts as its argument, while the game gives what its last cell
// left; find_top_surface looks at no more than the lowest 16,384 heights.
//
// # Speed
//
// Points are the reference. Corners of cells are evaluated by columns, and
// blocks by cells, up to 64 places at once: a node is asked for the places
// where it is needed and keeps its values. Bounds that always hold, unlike the
// game's, spare what cannot show: the branches of a choice and the insides of a
// clamp whose input is known well enough, the right sides of min and max, and
// the corners of cells that are air whatever their noises say. In columns the
// bounds of what depends on x and z and the height alone are its values.
//
// All corners of the functions that an overworld chunk interpolates took 2.36
// ms of CPU point by point, 0.73 ms by columns, and 0.52 ms with what Corners
// leaves out (30 November 2026, AMD EPYC, Go 1.26.8; BenchmarkChunk has the
// parts of a chunk).
//
// # Limits
//
// Documents are at most MaxDocumentBytes long and nested MaxDepth deep; a graph
// holds about MaxNodes nodes and MaxSplinePoints points of splines. Chunks that
// cells do not divide (12 blocks wide) are refused.
//
// Sources of the facts: the public wiki's page on density functions; the 26.2
// data; public descriptions of how chunks interpolate; the tests compare with
// samples of the climate and with chunks that the game made.
package density
