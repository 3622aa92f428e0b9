// Package play is the players of a server: what they are sent when they join,
// the chunks that they see, how they move, whom they see and what they say.
//
// # Nouns
//
//   - a [Game] is all players and the dimension that they are in;
//   - a [Player] is one who has joined, with a bounded inbox and outbox.
//
// # Goroutines
//
// A Game belongs to the tick goroutine, but for [Game.Serve], which each
// connection's goroutine calls and which ends with the connection. Serve reads
// packets, answers for keep-alive itself, and puts the rest into the inbox; a
// second goroutine of each player sends what is in its outbox. Neither is ever
// waited for: an inbox or outbox that is full disconnects the player.
//
// # Joining
//
// A player joins once the chunk of the spawn is loaded, so that the place above
// its highest block is known. Movement counts only after the client has
// acknowledged where it is.
//
// # Limits
//
// Movements that are not finite, or further than 10 blocks for each packet that
// may come in a tick, are answered by where the player is. Messages have at most
// 256 characters; each costs 20 of a budget of 200 that regains 1 a tick.
//
// # Not here
//
// Collision checks, players' files, inventories, blocks, commands, respawn and
// other dimensions are absent.
package play
