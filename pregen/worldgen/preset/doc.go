// Package preset reads what makes the chunks of a world: its dimensions, their
// types and generators. It also makes the settings of generation of a new world.
//
// # Nouns
//
//   - A [World] is the settings of generation that a world was created with,
//     over which the dimensions of data packs lie: [Read] makes one of
//     level.GenSettings, which package anvil reads from level.dat or
//     world_gen_settings.dat.
//   - A [Dimension] has a [Type], which says how high it is, and a [Generator]:
//     of noise, flat, or debug. A generator of noise has a document of noise
//     settings, and a [BiomeSource].
//   - A [Problem] is a dimension that we cannot generate, and why.
//   - [New] makes settings of a world preset of the game or of a data pack
//     ("normal", "flat_all_dimensions"), with choices as a player has them.
//
// Types, noise settings and biome sources may stand in the settings themselves,
// as NBT; they become JSON documents as those of registries are, so that
// whoever reads them has one form. NBT has no booleans: bytes 0 and 1 become
// false and true, which is what they are in all of these.
//
// # Errors
//
// One bad dimension does not hide the others: [Read] returns all problems with
// the world. An error names the dimension and the path in its settings, and
// wraps [ErrUnknown] for generators and biome sources that no game of ours has
// (those of mods), fs.ErrNotExist for documents that are missing, or
// settings.ErrDocument for what is malformed.
//
// What noise settings and climates say is not looked into here.
//
// # Concurrency
//
// All functions may be called concurrently; what they return is the caller's
// but for documents, which belong to their source.
//
// # Sources
//
// The forms: world presets, dimension types and flat presets of the data packs
// of 26.1.2 and 26.2; minecraft.wiki, "Custom dimension", "Dimension type" and
// "Flat generator settings". Real settings of 26.1.2 and 26.2 are read by the
// tests. That a data pack's dimension comes before the one that the world was
// created with, and what of a flat generator's settings may be absent, is how
// the game is known to behave (1.18 to 1.21); it was not at hand to ask.
package preset
