// Package player finds, reads, edits and writes the players of a world.
//
// # Nouns
//
// A player is known by a UUID ([ID]). Three files may be kept of one: data (an
// NBT document: where the player is and what it carries), statistics and
// advancements (JSON). Since 26.1 they lie in players/data, players/stats and
// players/advancements of a world, before that in playerdata, stats and
// advancements; games before 1.7.6 kept players/<name>.dat. [Folders] says
// where.
//
// [List] lists the players that have any of these files. A [Player] is the
// data of one: what Strata uses of it is read by methods, all else stays as it
// is, byte for byte. Inventories are tags in the form that the game gave them,
// which differs with the data version.
//
// # What a write promises
//
// [Player.Write] puts the file in place like level.WriteFile: it is never
// absent, never half written, and its predecessor is kept with "_old" behind
// its name. Read takes that one if the file itself is absent or damaged. The
// caller holds the world's session lock.
//
// # Limits and concurrency
//
// Limits are those of package level; JSON files are listed, not read. A folder
// of players is listed whole. Everything may be read concurrently.
//
// # Sources
//
// The folders of 26.x were observed in worlds of 26.1.2 and 26.2. Worlds with
// players' files were not at hand: names and types of their tags are those of
// minecraft.wiki, "Player.dat format".
package player
