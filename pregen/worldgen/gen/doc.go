// Package gen generates chunks: it joins the parts of world generation.
//
// Its nouns:
//
//   - a World is the generators of a world's dimensions, made of a source of
//     documents, the world's settings, its seed and its data version;
//   - a Dimension generates one of them. It does not change and may be shared;
//   - a Maker is the scratch of one worker for one dimension: it takes a
//     proto.Chunk from a status to a later one, biomes, noise, surface and
//     carvers. A chunk depends there on the seed, the settings, the data version
//     and its position alone;
//   - a Generator is a Dimension as a pregen run uses it, to any status;
//   - a yard is where chunks stand from carvers to the end, since features write
//     into neighbours: workers share it, and what it needs of a chunk is a node;
//   - Structures are what package structure/all makes of a dimension: its seam;
//   - a Meter is told what the stages take;
//   - a Neighbours tells what the features of neighbours write into a chunk;
//   - a Looker tells biomes of places, without making chunks.
//
// # Order of decoration
//
// rank(x, z) is {0 1 2 / 7 6 3 / 8 5 4} by z and x modulo 3. Of two chunks
// within 2 the one of lower rank is decorated first; those of equal rank never
// meet. Decorated are the area and one ring around it, each chunk once. A batch
// asks for some chunks: what has to be decorated for them, and what that needs,
// lies at most 9 chunks away, and whichever worker comes first does it. So what
// comes out does not depend on workers, order of work, memory or interruptions,
// and more than 8 chunks inside the rim not on the area.
//
// A chunk is saved when all within 1 are decorated, and lit when all within 2
// are, from the final blocks of its neighbours.
//
// What the world had before the run is gone on from: decorated chunks below full
// are written into, full ones are looked at, and get new light if the run has
// changed a neighbour.
//
// # What fails
//
// A chunk whose decoration panics is noted, and the yard begun anew without it,
// since its neighbours hold a part of it. A chunk that needs blocks of templates
// which are not at hand is left out before. Those within 2 that come after it,
// and so on from them, stay at carvers; those before it at initialize_light.
//
// # Memory
//
// Blocks of a chunk take 200 KiB. What was not used for longest is packed, to
// some 10 KiB, then put aside by the caller, and without that forgotten: a batch
// that needs it is made in a private yard, from the seed. Along the border of
// what is finished ten chunks deep are kept.
//
// A Maker remembers the biomes of the chunks that it met last, since surfaces
// and carvers look at those around theirs, so chunks that lie together cost
// less than lone ones.
//
// # What is not here
//
// Features, lakes and structures of flat worlds: such dimensions are refused
// beyond carvers if they have any.
package gen
