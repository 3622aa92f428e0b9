// Package carve digs caves and canyons as the carvers of Java Edition 26.1 and
// 26.2 do, block for block.
//
// Its nouns:
//
//   - a carver is a configured_carver document: its kind (cave, nether_cave,
//     canyon) and its numbers. Carvers holds those of a dimension, and which of
//     them each biome has;
//   - a start is what the carvers of one source chunk dig: tunnels, rooms and
//     canyons, all lists of ellipsoids. It depends on the world seed and the
//     biome of the source chunk's corner, on nothing else. A chunk is dug by the
//     starts of the 17 by 17 chunks around it;
//   - a tunnel is one walk; a branch is a tunnel that begins where another one
//     split, and is only dug if the other was followed until there;
//   - the carving mask (proto.Chunk.Carved) has every block of an ellipsoid,
//     whether it could be dug out or not. It does not depend on the terrain;
//   - what fills a dug block is decided by an Aquifer, which the terrain has; what
//     lies on the ground below grass that was dug away, by a Surface.
//
// # Exactness
//
// Blocks, mask and marks are the game's own, for the same terrain, aquifer and
// surface. The order of starts, tunnels, ellipsoids and columns is the game's:
// of several ellipsoids the first one decides a block. Angles and walks are
// computed in single and double precision as the game does, with its table of
// sines (package sine). A walk ends, for one chunk, when what is left of it
// could not reach that chunk, by a rule of thumb that is not always right; so
// the same ellipsoid may be dug in one chunk and not in its neighbour.
//
// The tests compare masks with those of 224 chunks of real worlds, in the
// overworld, the Nether and the End: 0 blocks differ. From description alone:
// debug_mode, and types of providers that the game's own carvers do not use.
//
// # Cost
//
// A Worker remembers the starts of the chunks around the last ones, so chunks
// that lie together cost a fraction of a lone one. Of BenchmarkCarve, in thread
// CPU time on two shared cores of an AMD EPYC, 2026-11-30: 75 us a chunk of the
// overworld in tiles (60 us for the mask alone), 97 us in the Nether, 450 us a
// lone chunk, that is one without any start known. A worker has 3.4 MB.
//
// # Concurrency and limits
//
// Carvers does not change and may be used concurrently. A Worker belongs to one
// goroutine and reuses its scratch: Carve does not allocate once it is warm.
// Documents are checked when they are loaded; errors are
// [*provider.ValueError] or wrap those of the settings.Source. A biome has up
// to MaxCarvers carvers. A canyon's distance_factor is at most 16, though the
// game has no bound there: what goes further than 8 chunks is never seen.
//
// Sources of the facts: the 26.2 data; public descriptions of the carvers, and
// of the game's code in Pumpkin's repository (github.com/Pumpkin-MC/Pumpkin,
// pumpkin-world/src/generation/carver).
package carve
