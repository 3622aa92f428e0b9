// Package admin is what the owner of a server sees of it: its files of settings.
//
// # Nouns
//
//   - [Properties] is a file of keys and values in the form of
//     java.util.Properties, such as server.properties;
//   - a [Config] is what Strata uses of server.properties;
//   - a [Tuning] is what strata.toml says, for which the game has no key;
//   - an [Access] is who may be on a server and what they may do: operators,
//     whitelist and bans in the game's JSON files;
//   - an [RCON] answers the remote console;
//   - [NewLog] writes the console, in the lines of the game.
//
// # Lossless
//
// A file keeps its comments, its order and the keys that nobody here knows. It is
// written when it is absent, or lacks a key that Config has; and then put in place
// by a temporary file and a rename, so that it is never half written. A strata.toml
// is written when it is absent, and never changed.
//
// # Sources
//
// Names and defaults are those of the game's own server.properties, as described
// at minecraft.wiki (server.properties). Keys of the game that have no effect here
// are listed by [Ignored].
package admin
