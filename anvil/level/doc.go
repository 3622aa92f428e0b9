// Package level reads, edits and writes level.dat and the other data files of
// a world: game rules, weather, clocks, borders, the settings of generation,
// and so on.
//
// # Nouns
//
// A data file is one NBT document in a file of its own, gzipped by the game; a
// [Document] is its content, told from gzip, zlib or nothing by its first
// bytes. Its content proper is the compound "data" ("Data" in level.dat). A
// [Level] is level.dat, in any form the game has given it since 2011. The
// other files have a Go type for what Strata uses of them ([GenSettings],
// [Weather], [WorldBorder], ...). A preset ([Presets], [FlatPresets]) is a
// named choice of generators for a new world.
//
// # Lossless
//
// A Document never changes. Decode reads what a Go type knows of it; With and
// Set return another document in which only the members named are different,
// spliced in place: everything unknown, the order of members and the
// compression stay. A value that is there already changes nothing at all.
//
// # What a write promises
//
// [WriteFile] copies the file that is there to the name with "_old" behind it,
// by temporary, flush and rename, then puts the new one in place the same way.
// After a kill or a power cut at any point the file is there, whole, as it was
// or as it became. A present file that cannot be read is kept as "_damaged"
// and does not replace a sound "_old". [ReadFile] takes "_old" when the file
// is absent or damaged, and says so in [Origin]. [Read] and Level.Write count a
// level.dat without a compound Data as damaged.
//
// Where each file lies in a world is the matter of package anvil, which is
// also the one that takes the session lock; nothing here does.
//
// # Limits and concurrency
//
// A file is at most [MaxFile] bytes, inflated at most [MaxDocument], with at
// most [MaxTags] tags; settings have at most [MaxDimensions] dimensions.
// Everything may be read concurrently; writes of one file must not overlap.
// Reading waits up to 60 ms when a file is absent and its "_old" is not, since
// the game replaces level.dat in two steps.
//
// # Sources
//
// Names and types were observed in level.dat and data files of 1.21.3 (4082),
// 26.1.2 (4790, vanilla, Fabric and Paper) and 26.2 (4903), and are described
// for older versions at minecraft.wiki, "Java Edition level format". Presets
// are the values of the 26.2 data pack, game rules those of the game's own
// registry in 26.2.
package level
