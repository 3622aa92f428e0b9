// Package anvil is a world on disk: its folders, its dimensions, where each of
// its files lies, which version it has and what may be done to it. Open opens
// any world folder; Create makes a new one.
//
// # Nouns
//
// A world is a folder with a level.dat. Its layout is one of three:
//
//	26.1 and later  dimensions/<namespace>/<path>/{region,entities,poi,data}
//	before 26.1     {region,entities,poi,data}, DIM-1/..., DIM1/..., and custom
//	                dimensions under dimensions/ as above
//	Bukkit split    as before 26.1, but the nether in <world>_nether/DIM-1 and
//	                the end in <world>_the_end/DIM1, folders beside the world
//
// The newer layout is recognised by dimensions/minecraft/overworld/region; a
// world that has none, such as a new one, by the data version of its level.dat.
// Paper keeps some data files of the newer layout in each dimension; see
// [World.DataFile]. Folders may be symbolic links: they are followed and stay.
//
// A dimension has an id, such as minecraft:the_nether, and four folders, which
// need not exist: where a file of it would go is known before there is one.
//
// A [Finding] is something about a world that a person should know: leftovers
// of another layout, a dimension in two places, a level.dat that had to be read
// from level.dat_old. Files that nobody knows are no findings: worlds are full
// of what mods and plugins keep there.
//
// # Reading and writing
//
// Open reads by default: nothing is created, locked or changed, and whether
// somebody writes at the same time is in World.Live. With Options.Write it
// takes the session lock of all folders of the world (package session) and
// holds it until Close. Subpackages do the rest: level and player the data
// files, session the lock, block and registry the game's tables.
//
// # Versions
//
// The world's version is the data version in its level.dat. No chunk newer than
// it is written, and none older than [MinChunkVersion] as a chunk: [CheckChunk],
// [CheckEdit], [CheckGenerate] and [CheckRaise] say what may be done, and their
// errors name both versions. What differs between versions is in tables
// ([Feature], [HeightOf]).
//
// # Concurrency and limits
//
// A World is safe for concurrent use. At most 4,096 dimensions are listed, in
// folders nested at most 16 deep. Memory grows with the number of dimensions,
// not of chunks.
//
// # Sources
//
// Layouts and places were observed in worlds of 1.21.3, 26.1.2 (vanilla, Paper,
// Fabric) and 26.2, that of Bukkit is described at spigotmc.org, "Worlds". Data
// versions are those of minecraft.wiki, "Data version".
package anvil
