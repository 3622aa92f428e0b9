// Package datapack reads the user's own game files: what the binary does not
// hold because it belongs to the game's maker, and the data packs of worlds.
//
// Its nouns:
//
//   - a [Pack] is an open source of files, an fs.FS of data/NAMESPACE/...
//     with an optional pack.mcmeta ([Meta]). [Open] takes a server.jar (the
//     bundler that is distributed, or the jar inside it), a data pack as a zip
//     or a folder, the game's data as a zip or a folder (with data/minecraft
//     in it, or its content itself, as "worldgen" and "tags"), each with or
//     without one enclosing folder, and a game file;
//   - the game's own data are a pack that has what every version of the game
//     has ([Pack.IsGame]). They are of a [Version];
//   - a [Stack] lays packs over each other and finds files by registry and id:
//     "worldgen/biome" and minecraft:plains. Registries are named as the
//     game's folders; "structure" are the structure templates, "tags/..." the
//     tags, which [Stack.Tag] and [Stack.Tags] merge and resolve;
//   - a [World] is the stack of a world, by the lists in its level.dat;
//   - a game file is the game's own data in one file of ours, written by
//     [Home.Import] into a [Home], and found there by [Home.Find] or, beside a
//     path that a user gives, [Home.Locate]. Its [Manifest] says what it holds
//     and where that came from.
//
// Everything is safe for concurrent use, but for Close. Nothing here starts
// goroutines. A pack keeps the names of its files in memory (about 1 MB for
// the game's own), a jar inside a server.jar unless that stores it
// uncompressed, and of a game file sixteen blocks of 256 KiB; contents are read
// when asked for. Folders are listed when they are opened: files added later
// do not show, and files whose length changes later are ErrDamaged.
//
// # Hostile files
//
// Archives come from strangers. [Limits] bound sizes and numbers, against what
// is declared and against what comes out. Nothing is ever unpacked to a path
// from an archive. Names that are absolute, lead upwards, hold backslashes or
// letters that the game does not accept are passed over and counted
// ([Pack.Skipped]); as capitals are among these, names never differ by case
// alone. Two entries of one name are ErrDamaged: which of them the game would
// read depends on the reader. Symbolic links in folders are passed over. The
// jar in a bundler must have the SHA-256 that META-INF/versions.list gives.
//
// # Limits
//
//   - Filters of a pack.mcmeta are regular expressions of Java. Those with
//     look-around or back-references, which Go does not have, make the pack
//     ErrDamaged: without them it would be another pack.
//   - A pack that is made for another format is opened all the same, as the
//     game does; callers compare [Meta.Formats].
//   - Libraries of a bundler are not looked at.
//   - [Home.Import] takes versions that Strata runs: protocols 775 (26.1,
//     26.1.1, 26.1.2) and 776 (26.2).
//
// # Sources
//
// pack.mcmeta: minecraft.wiki, "pack.mcmeta", and the patch notes of 25w31a
// for formats with a minor number. Order of packs, merging and replacing of
// tags, filters of lower packs: minecraft.wiki, "Data pack" and "Tag (Java
// Edition)". That the later of two overlays wins, how filters match, what
// becomes of a tag that misses an entry, and that unlisted packs go on top, is
// how the game is known to behave in 1.21; it was not at hand to ask. Bundler
// and version.json: the server.jar of 26.x as other tools describe it. Folders
// and files: the data of 26.1.2 and 26.2.
package datapack
