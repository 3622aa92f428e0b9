// Package play is the players of a server: what they are sent when they join,
// the chunks that they see, how they move, whom they see and what they say.
//
// # Nouns
//
//   - a [Game] is all players and the dimensions that they are in;
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
// A player comes back as its file says; a file that cannot be used keeps the player
// out and stays. Others appear around the world's spawn, once the chunks there are
// loaded: in a random column within the rule respawn_radius (at most 48 blocks), on the
// highest block, if its upper side is whole and there is no fluid over it; at the spawn
// itself if there is no such column, and in adventure mode. Movement counts only after the client has
// acknowledged where it is.
//
// # Limits
//
// Movements that are not finite, or further than 10 blocks for each packet that
// may come in a tick, are answered by where the player is; so is who comes out more
// than a quarter of a block from where blocks let it, or in a block that it was not in
// before, spectators apart. Who is in the air for four seconds, does not fall and
// cannot fly is disconnected. Messages have at most 256 characters; each costs 20 of a budget of 200 that regains 1 a tick. Of clicks
// on blocks 8 are done within 6 ticks, of completions one within a tick. A tick lets 5
// players in.
//
// # Time and weather
//
// Clocks go by the rule advance_time, weather by advance_weather; both are the world's
// (package saved). Rain and thunder rise and fall by 0.01 a tick, in dimensions with a
// sky, and clients are told. It wets, freezes and strikes nothing.
//
// # Building
//
// Clients show at once what they did and are told what became of it: the blocks
// that a click was about are sent in any case, and once a tick the highest sequence
// number that was done. Reach and the time that digging takes are checked. What
// changes in a tick is sent in frames that are made once for each version.
//
// # Dimensions and death
//
// Each player is in one of the game's dimensions; teleporting leads to another. A
// player whose health is gone, by command or below the world, is dead until its
// client asks to come back, and does so at the spawn point that a command has set or
// as new players appear. Nothing else hurts yet.
//
// # On the ground
//
// What blocks yield, what players throw and what the dead carried lies on the ground
// (package entity) until a player comes near, or for five minutes. It is in the same
// epoch as the block and the player's file: nothing is there twice, or nowhere, after
// a kill. Loose blocks fall.
//
// # Containers
//
// Chests, barrels, shulker boxes, dispensers, droppers and hoppers open for any number
// of players at once, who share what is inside; a click is in the block entity in the
// same tick, and so in one epoch with what the player carries. What a block holds lies
// on the ground when it is broken, or stays in the item of a shulker box. A container
// whose loot table the game has not used yet neither opens nor breaks, since only the
// game can fill it; one that is locked does not open.
//
// # Signs
//
// Who places a sign, or clicks on one that is not waxed, writes on the side that it
// sees, one player at a time; only from whom a text is expected is it taken, without
// formatting. Dyes, ink and honeycomb do what they do in the game.
//
// # What others see and hear
//
// A player has its pose, flags, main hand, skin parts, hands and armor shown to those
// who see it: all when it comes into view, later what has changed in a tick. So are the
// cracks of what it digs at. What it places, opens, switches or works on is heard within
// 16 blocks, by itself only if its client does not play the sound of its own accord.
//
// # Not here
//
// Portals, beds, hunger and all damage but that of the void are absent; so are
// collisions with entities, experience orbs, furnaces and all other menus, what hoppers
// and dispensers do, and creatures (those of a world stay in its files, unseen). Note
// blocks and jukeboxes are silent; so are steps, hits and items, but for what clients
// play by themselves. Filters of text, commands of signs and glints of what is used
// (eating, drawing a bow) are absent.
package play
