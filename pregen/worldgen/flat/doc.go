// Package flat makes the chunks of flat worlds and of the debug world.
//
// # Nouns
//
//   - [Flat] is the generator of layers: [Flat.Terrain] is its noise stage and
//     all of its terrain, since flat worlds have neither surface rules nor
//     carvers.
//   - [Debug] is the generator of the debug world: a grid of all block states.
//   - Decorate of both is what they do in the features stage by themselves.
//     What else is decorated, features and lakes of the biome, is for others:
//     [Flat.Decoration] says which.
//
// # The game's rules
//
// A layer whose block neither blocks motion nor is a fluid, such as the snow of
// the preset snowy_kingdom, is no terrain: it is placed at the end of the
// features stage, where there is air of any kind. So a chunk of that world that is done up
// to carvers ends with grass, and its heights do too. Layers above the top of
// the dimension are cut off. A world of air alone has no features unless its
// biome is the_void: the start platform of that preset is such a feature, and
// not made here.
//
// The debug world is empty until the features stage. Then it has barriers at
// y 60 everywhere and, at y 70, the states in the order of their numbers in the
// version of the world, one on every other block from 1, 1 on to the south and
// in rows to the east. A row is as long as the square root of their number,
// rounded up. Where the grid is a square, as in 26.1 and 26.2, the last place
// of a row shows the first of the next one once more.
//
// # Concurrency and limits
//
// Generators do not change: all methods may be called concurrently, each with a
// chunk of its own. Nothing allocates but the constructors. Biomes are all
// number 0, which is the only one that Biomes lists. Decorate leaves the
// heights as they were, as the game does from the features stage on. It marks
// nothing for the first tick and makes no block entities.
//
// # Sources
//
// minecraft.wiki, "Superflat", "Flat generator settings", "Fill layer" and
// "Debug mode", whose figures of older versions (rows of 89 among 7,770 states,
// a grid of 213 by 211 blocks in 1.14.2) the tests hold against the rule. That
// such layers are features, and in which stage the debug world is placed, is
// how the game is known to behave (1.18 to 1.21); no real flat world was at
// hand to compare with.
package flat
