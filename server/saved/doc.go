// Package saved is what a world keeps beside its chunks, entities and players: its
// age and clocks, weather, game rules, difficulty, spawn and default game mode.
//
// # Nouns
//
//   - a [World] is these values, for the tick goroutine to read and change;
//   - [Files] are the files that have them: level.dat, game_rules.dat, weather.dat
//     and world_clocks.dat. [Open] reads them, [Files.Stage] puts what has changed
//     into the epoch that is going on, together.
//
// # Lossless
//
// Members that nobody here knows stay, in every file, and so do rules and clocks
// of other namespaces. A file that is absent is made when one of its values is set;
// one that cannot be read counts as absent, and is kept as "_damaged" then.
//
// # Cost
//
// Stage packs the files anew that have changed, and does not wait for the disk. For
// the files of the game, of 1 to 3 KB, that takes 0.35 ms (go test -bench Stage
// ./server/saved, two cores of a Xeon, 2026-12-01). A level.dat that mods have
// made megabytes long takes longer than a tick: [Files.Heavy] says so, for staging
// beside the ticks.
//
// # Concurrency
//
// A World belongs to one goroutine; of Files one goroutine at a time may stage.
//
// # Sources
//
// Files and members are those of package anvil/level. A clock that is paused or
// does not run at its usual rate was not seen in a file: that its members are
// "paused" and "rate", absent otherwise, is assumed from what the command sets.
//
// # Not here
//
// Worlds of before 26.1, which keep all this in level.dat, are read and not
// written, as their chunks are. Scheduled functions, boss bars, scores and borders
// stay as they are.
package saved
