// Package server is the game server: it opens a world, or makes one, listens,
// and ticks twenty times a second until its context ends.
//
// # Goroutines
//
// One goroutine, that of [Server.Run], ticks the world and its players; each
// connection has one that reads and one that writes. The store cuts its epochs
// where a tick ends.
//
// # When behind
//
// A tick that is late is made up for at once. Who is more than two seconds
// behind leaves out what is missing, and says so.
//
// # What it is at
//
// A watchdog looks at each tick; one that takes longer than [Options.MaxTickTime] has
// all stacks written to a file, from a goroutine that waits for neither the tick nor
// the log. [Server.Metrics] is a snapshot of all counters, which packages outside
// show (package metrics). How fast the loop goes, and whether the world stands still
// in it, is up to the command tick.
//
// # The spawn
//
// With [Options.SpawnProtection] only operators change blocks near the spawn, as long
// as there are operators.
//
// # Saving
//
// A player's file is staged in the tick in which what the player carries changes,
// before the store's tick: so an epoch has both the block that was placed and the
// stack that it was taken from. Where an epoch ends, all players are staged as they
// are then, and so are what blocks and fluids have scheduled, what lies and falls, and
// the world's time, weather, game rules, difficulty and spawn (package saved), which
// begin an epoch of their own after 5 s at most.
//
// Difficulty and default game mode are those of the options at each start, as the game
// takes them from server.properties; a locked difficulty stays.
//
// # Nobody there
//
// A world that nobody is on stands still after [Options.PauseWhenEmpty], and is saved
// then. What it wants to do goes on when somebody comes.
//
// # Generation and backups by command
//
// The command pregen asks the source of a dimension for an area, which is made while
// nobody waits for chunks; it is forgotten when the server stops. The command backup
// has a [Snapshotter], which is not ours, hold the world at the end of an epoch, as
// other processes do.
//
// # Not here
//
// There are no portals: commands lead to other dimensions. Game rules about what is
// not here have no effect.
package server
