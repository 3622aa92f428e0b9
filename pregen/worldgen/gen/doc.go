// Package gen generates chunks: it joins the parts of world generation.
//
// Its nouns:
//
//   - a World is the generators of a world's dimensions, made of a source of
//     documents, the world's settings, its seed and its data version.
//   - a Dimension generates one of them. It does not change and may be shared.
//   - a Maker is the scratch of one worker for one dimension: it takes a
//     proto.Chunk from a status to a later one, biomes, noise, surface and
//     carvers. What later steps need (structures, features, light) is not here:
//     chunks end at carvers, for the game to finish.
//   - a Generator is a Dimension as a pregen run uses it.
//   - a Neighbours tells what the features of neighbours write into a chunk.
//   - a Looker tells biomes of places, without making chunks.
//
// A chunk depends on the seed, the settings, the data version and its position
// alone, not on what was generated before nor by which Maker.
//
// # Cost
//
// A Maker remembers the biomes of the chunks that it met last, since surfaces
// and carvers look at those around theirs, so chunks that lie together cost
// less than lone ones.
package gen
