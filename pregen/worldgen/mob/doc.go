// Package mob places the animals that a chunk begins with.
//
// Its nouns:
//
//   - a Herd is what a biome says of animals: which, how many together, how
//     often, and how likely there is another herd;
//   - Animals are the herds of a dimension's biomes and the rules for places;
//   - a Place is a finished chunk as they see it.
//
// When a chunk is finished the game puts herds into it, one after the other
// while the draw for another succeeds: each a few animals of one type around a
// block of the chunk. Where they stand is drawn from a source that is seeded by
// the seed and the chunk. What else is drawn (size of the pupils of their eyes,
// as it were: variants, colours, health, identities) the game takes from sources
// that nobody can repeat; here it depends on the chunk as well.
//
// # What is here and what is not
//
// All types that biomes of 26.2 name as creatures. Of the members of an animal
// those are written that the game does not fill in by itself when they are
// absent. Riders are left out (of striders: one in 30 has a piglin, one in 10 a
// young one).
//
// # Sources
//
// Public descriptions of the game's spawning and of data packs; the 26.2 data;
// sizes are those of anvil/registry. The game was not at hand to compare with.
//
// # Concurrency
//
// Animals do not change and may be shared; a Place belongs to one goroutine.
package mob
